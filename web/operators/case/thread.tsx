/** The conversation of a question, with a box for the answer. */
import { Ago } from '../../shared/desk/ago.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import type { Case } from '../api.ts'
import { useDesk } from '../session.tsx'
import { Answer } from './answer.tsx'
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
