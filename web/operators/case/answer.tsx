/** Answering and closing a question. */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ActionError, QueryResult } from '../../shared/desk/query-states.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { Toggle } from '../../shared/ui/toggle.tsx'
import { type Answer as AnswerOf, api, type Body } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { gapOf, GAPS_PROBLEM, selectGap } from '../gaps.ts'
import { questionQuery } from '../queries.ts'
import { Templates } from '../templates.tsx'

type Question = AnswerOf<'/questions/{id}'>

export function Answer({ id }: { id: string }) {
  const question = useQuery(questionQuery(id))
  return (
    <QueryResult query={question} rows={1}>
      {(shown) =>
        shown.question.status === 'closed' ? (
          <p className="text-muted">This conversation is closed.</p>
        ) : (
          <>
            <AnswerForm id={id} shown={shown} />
            <Closing id={id} closings={shown.closings} />
          </>
        )
      }
    </QueryResult>
  )
}

const CHANGES = ['case', 'queue', 'queues', 'question']

function AnswerForm({ id, shown: { templates, question } }: { id: string; shown: Question }) {
  const [text, setText] = useDraft(`answer ${id}`)
  const [closes, setCloses] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const answer = useAction({
    run: (body: { text: string; closes: boolean }) =>
      api.post('/questions/{id}/answer', { params: { id }, body }),
    changes: CHANGES,
    onDone() {
      setText('')
      setIsTried(false)
    },
  })
  const box = useRef<HTMLDivElement>(null)
  const wrong = text.trim() === '' ? 'Enter an answer' : gapOf(text) && GAPS_PROBLEM
  const problem = isTried ? wrong : undefined
  return (
    <Form
      problems={{ problem }}
      onSubmit={() => {
        setIsTried(true)
        if (wrong === undefined) answer.mutate({ text: text.trim(), closes })
      }}
    >
      <div ref={box} className="flex flex-col gap-2">
        <Templates
          templates={templates}
          value={text}
          onChoose={(chosen) => {
            setText(chosen)
            selectGap(box.current, chosen)
          }}
        />
        <Field
          label="Answer"
          hint={`Sent to the ${question.asker.kind}, whose language is ${LANGUAGES.of(question.language)}.`}
          rows={5}
          maxLength={2000}
          value={text}
          onChange={setText}
          problem={problem}
        />
      </div>
      <Toggle isOn={closes} onChange={setCloses}>
        Close the conversation with this answer
      </Toggle>
      <ActionError error={answer.error} />
      <div>
        <Button type="submit" isPending={answer.isPending}>
          Send answer
        </Button>
      </div>
    </Form>
  )
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' })

/** The asker gets the text of the reason. */
function Closing({ id, closings }: { id: string; closings: Question['closings'] }) {
  const [reason, setReason] = useState(closings[0]?.reason)
  const close = useAction({
    run: (body: Body<'/questions/{id}/close'>) =>
      api.post('/questions/{id}/close', { params: { id }, body }),
    changes: CHANGES,
  })
  if (reason === undefined) return null
  return (
    <Disclosure title="Close without an answer">
      <Form onSubmit={() => close.mutate({ reason })}>
        <Select<Question['closings'][number]['reason']>
          label="Reason"
          hint={closings.find((one) => one.reason === reason)?.text ?? ''}
          value={reason}
          options={closings.map((one) => ({ value: one.reason, label: one.reason }))}
          onChange={setReason}
        />
        <ActionError error={close.error} />
        <div>
          <Button type="submit" look="secondary" isPending={close.isPending}>
            Close
          </Button>
        </div>
      </Form>
    </Disclosure>
  )
}
