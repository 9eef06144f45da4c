/** A new question. A link can name its subject, a task (`?task=`), or a failed request and its rule (`?request=&rule=`). */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { api } from '../api.ts'
import { Sample } from '../sample.tsx'
import { CanAsk } from './can-ask.tsx'
import { EmergencyBanner } from './emergency-banner.tsx'
import { PhotoPicker } from './photos.tsx'
import { type NewQuestion, type Question, questionQuery, questionsQuery } from './queries.ts'
import { answerTime, SUBJECT_NAMES, SUBJECTS, TEXT } from './words.ts'

export function Ask() {
  return (
    <Screen title="New question" back={{ href: '/questions', label: 'Ask a person' }}>
      <CanAsk>
        <QuestionForm />
      </CanAsk>
    </Screen>
  )
}

/** The values that the link to this screen sets. */
function useSuggested() {
  const [search] = useSearchParams()
  const taskId = search.get('task') ?? ''
  const requestId = search.get('request')
  return {
    subject:
      SUBJECT_NAMES.find((one) => one === search.get('subject')) ??
      (taskId === '' ? 'other' : 'task'),
    taskId,
    text: textAbout(requestId, search.get('rule')),
  }
}

function textAbout(requestId: string | null, rule: string | null): string {
  if (requestId === null) return ''
  if (rule === null) return `The request ${requestId} failed.\n`
  return `The request ${requestId} was refused by the rule ${rule}. My task is allowed because `
}

function QuestionForm() {
  const suggested = useSuggested()
  const client = useQueryClient()
  const [, go] = useLocation()
  const [subject, setSubject] = useState<Question['subject']>(suggested.subject)
  const [taskId, setTaskId] = useState(suggested.taskId)
  const [text, setText] = useState(suggested.text)
  const [photos, setPhotos] = useState<string[]>([])
  const [isTooShort, setIsTooShort] = useState(false)
  const time = useInfiniteQuery(questionsQuery).data?.pages[0]?.service_time
  const action = useAction({
    run: (body: NewQuestion, key) => api.post('/agents/questions', { body, key }),
    changes: ['questions'],
    onDone({ question }) {
      client.setQueryData(questionQuery(question.id).queryKey, { question })
      go(`/questions/${question.id}`, { replace: true })
    },
  })
  const words = text.trim()
  const body: NewQuestion = {
    subject,
    text: words,
    ...(taskId.trim() === '' ? {} : { task_id: taskId.trim() }),
  }
  const fields = problemsOf(action.error, isTooShort)
  return (
    <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <Panel>
        <Form
          problems={fields}
          onSubmit={() => {
            const isShort = words.length < TEXT.min
            setIsTooShort(isShort)
            if (!isShort) action.mutate(photos.length === 0 ? body : { ...body, photos })
          }}
        >
          <Select<Question['subject']>
            label="What is it about?"
            value={subject}
            options={SUBJECT_NAMES.map((value) => ({ value, label: SUBJECTS[value] }))}
            onChange={setSubject}
          />
          {subject === 'safety' && <EmergencyBanner />}
          <Field
            label="Task ID (optional)"
            hint="If the question is about one of your tasks."
            placeholder="task_…"
            value={taskId}
            onChange={setTaskId}
            problem={fields.task_id}
          />
          <Field
            label="Your question"
            {...(time === undefined ? {} : { hint: answerTime(time, subject) })}
            rows={7}
            maxLength={TEXT.max}
            value={text}
            onChange={(typed) => {
              setText(typed)
              setIsTooShort(false)
            }}
            problem={fields.text}
          />
          <PhotoPicker photos={photos} onChange={setPhotos} />
          <p className="text-sm text-muted">Never send us API keys, passwords or bank details.</p>
          <ActionError error={action.error} />
          <div>
            <Button type="submit" isPending={action.isPending} isDisabled={words === ''}>
              Send question
            </Button>
          </div>
        </Form>
      </Panel>
      <Sample call={{ method: 'POST', path: '/agents/questions', body }} />
    </div>
  )
}

function problemsOf(error: unknown, isTooShort: boolean): { text?: string; task_id?: string } {
  if (isTooShort) return { text: `Write at least ${TEXT.min} characters, so that we can help.` }
  if (!(error instanceof Refusal)) return {}
  if (error.code === 'task_not_found') return { task_id: 'None of your tasks has this ID.' }
  return error.fields
}
