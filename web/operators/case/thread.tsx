/** The conversation of a question, with a box for the answer. */
import { useState } from 'react'
import { Ago } from '../../shared/desk/ago.tsx'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Toggle } from '../../shared/ui/toggle.tsx'
import { api, type Case } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { useDesk } from '../session.tsx'
import { MediaGrid } from './proofs.tsx'

const AUTHORS = { worker: 'Worker', agent: 'Agent', operator: 'Operator' } as const

export function Thread({ shown: { id, kind, thread } }: { shown: Case }) {
  const { can } = useDesk()
  if (thread === null) return null
  return (
    <Panel title="Conversation">
      <ol className="flex flex-col gap-3">
        {thread.map(({ number, author, name, text, at, attachments }) => (
          <li
            key={number}
            className={`flex max-w-[75ch] flex-col gap-2 rounded-field p-3 ${
              author === 'operator' ? 'ms-6 bg-brand-soft text-on-brand-soft' : 'me-6 bg-raised'
            }`}
          >
            <span className="text-sm">
              <bdi className="font-semibold">{name ?? AUTHORS[author]}</bdi> · <Ago at={at} />
            </span>
            <p className="whitespace-pre-wrap" dir="auto">
              {text}
            </p>
            <MediaGrid subject={id} what="attachment" media={attachments} />
          </li>
        ))}
      </ol>
      {kind === 'question' && can('answer') && <Answer id={id} />}
    </Panel>
  )
}

function Answer({ id }: { id: string }) {
  const [text, setText] = useDraft(`answer ${id}`)
  const [closes, setCloses] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const answer = useAction({
    run: (body: { text: string; closes: boolean }) =>
      api.post('/questions/{id}/answer', { params: { id }, body }),
    changes: ['case', 'queue', 'queues'],
    onDone() {
      setText('')
      setIsTried(false)
    },
  })
  const problem = isTried && text.trim() === '' ? 'Enter an answer' : undefined
  return (
    <Form
      problems={{ problem }}
      onSubmit={() => {
        setIsTried(true)
        if (text.trim() !== '') answer.mutate({ text: text.trim(), closes })
      }}
    >
      <Field
        label="Answer"
        rows={5}
        maxLength={5000}
        value={text}
        onChange={setText}
        problem={problem}
      />
      <Toggle isOn={closes} onChange={setCloses} hint="The person can still write again.">
        Close the conversation
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
