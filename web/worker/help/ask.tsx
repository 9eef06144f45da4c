/** The form of a new question; `?task=` attaches a task, `?subject=` chooses a subject. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { titleOf } from '../active/brief-rules.ts'
import { workQuery } from '../active/queries.ts'
import { api } from '../api.ts'
import { problemOf } from '../problems.ts'
import { QueryResult } from '../query-states.tsx'
import { type Text, useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { BigChoice } from '../../shared/ui/choice.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { EmergencyBanner } from './emergency-banner.tsx'
import { PhotoPicker } from './photo-picker.tsx'
import { type Question, questionQuery, questionsQuery, SUBJECTS, TEXT } from './queries.ts'
import { answerTime, useServiceTime } from './service-time.tsx'
import { type MessageDraft, useMessageDraft } from './use-message-draft.ts'

type Subject = Question['subject']

export function Ask() {
  const text = useText()
  const [search] = useSearchParams()
  const taskId = search.get('task')
  return (
    <Page
      title={text('ask.title')}
      back={taskId === null ? '/me/help' : `/active/${taskId}`}
      backLabel={text(taskId === null ? 'help.title' : 'shell.back')}
    >
      {taskId !== null && <AboutTask id={taskId} />}
      <QuestionForm taskId={taskId} asked={search.get('subject')} />
    </Page>
  )
}

function AboutTask({ id }: { id: string }) {
  const text = useText()
  const query = useQuery(workQuery(id))
  return (
    <QueryResult query={query}>
      {({ task }) => (
        <Card isQuiet>
          <span className="text-sm text-muted">{text('ask.aboutTask')}</span>
          <span className="font-semibold" dir="auto">
            {titleOf(task)}
          </span>
        </Card>
      )}
    </QueryResult>
  )
}

function QuestionForm({ taskId, asked }: { taskId: string | null; asked: string | null }) {
  const draft = useMessageDraft(taskId === null ? 'new' : `new ${taskId}`)
  const suggested = SUBJECTS.find((known) => known === asked) ?? (taskId === null ? null : 'task')
  if (draft === undefined) return null
  return <LoadedForm draft={draft} taskId={taskId} subject={draft.subject ?? suggested} />
}

function LoadedForm({
  draft,
  taskId,
  subject,
}: {
  draft: MessageDraft
  taskId: string | null
  subject: Subject | null
}) {
  const text = useText()
  const client = useQueryClient()
  const [, go] = useLocation()
  const [isTooShort, setIsTooShort] = useState(false)
  const time = useServiceTime()
  const words = draft.words.trim()
  const ask = useMutation({
    async mutationFn() {
      const photos = await draft.photoUrls()
      return api.post('/worker/questions', {
        body: {
          subject: subject!,
          text: words,
          ...(taskId === null ? {} : { task_id: taskId }),
          ...(photos.length === 0 ? {} : { photos }),
        },
        key: draft.key,
      })
    },
    async onSuccess({ question }) {
      await draft.clear()
      client.setQueryData(questionQuery(question.id).queryKey, { question })
      void client.invalidateQueries({ queryKey: questionsQuery.queryKey })
      go(`/me/questions/${question.id}`, { replace: true })
    },
  })
  const problem = isTooShort
    ? text('ask.tooShort', { count: TEXT.min })
    : refusalOf(ask.error, text)
  return (
    <Form
      problems={{ problem }}
      onSubmit={() => {
        const isShort = words.length < TEXT.min
        setIsTooShort(isShort)
        if (!isShort) ask.mutate()
      }}
    >
      <BigChoice<Subject>
        label={text('ask.subject')}
        value={subject}
        onChange={draft.choose}
        columns={2}
        options={SUBJECTS.map((value) => ({
          value,
          label: text(`question.subject_${value}`),
          ...(value === 'safety' ? { hint: text('ask.safetyFirst') } : {}),
        }))}
      />
      {subject === 'safety' && <EmergencyBanner />}
      <Field
        label={text('ask.text')}
        hint={answerTime(time, subject, text)}
        problem={problem}
        rows={6}
        maxLength={TEXT.max}
        value={draft.words}
        onChange={(typed) => {
          draft.write(typed)
          setIsTooShort(false)
          if (ask.error) ask.reset()
        }}
      />
      <PhotoPicker draft={draft} />
      <p className="text-sm text-muted">{text('ask.never')}</p>
      <Button
        type="submit"
        isWide
        isDisabled={subject === null || words === ''}
        isPending={ask.isPending}
      >
        {text('ask.send')}
      </Button>
    </Form>
  )
}

const refusalOf = (error: unknown, text: Text) =>
  error === null
    ? undefined
    : problemOf(error, text, {
        too_many_open_questions: 'ask.tooManyOpen',
        too_many_questions: 'ask.tooManyToday',
        test_worker: 'ask.practice',
        assignment_not_found: 'ask.notYours',
      })
