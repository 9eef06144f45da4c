import type { Question, ValueKind } from '../active/answer-kind.ts'
import { type Text, useText } from '../text/use-text.tsx'

/** Lists the agent's questions and the form of each answer, before the task is accepted. */
export function AnswerKinds({ questions }: { questions: Question[] }) {
  const text = useText()
  return (
    <ul className="divide-y divide-border rounded-card bg-surface px-4 shadow-card">
      {questions.map(({ name, label, value }) => (
        <li key={name ?? ''} className="flex flex-col py-3">
          {label !== null && <span dir="auto">{label}</span>}
          <span dir="auto" className={label === null ? '' : 'text-sm text-muted'}>
            {kindText(value, text)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function kindText(kind: ValueKind, text: Text): string {
  switch (kind.kind) {
    case 'boolean':
      return text('brief.yesOrNo')
    case 'choice':
      return kind.isScale
        ? text('brief.scale', {
            least: text.number(Number(kind.values[0])),
            most: text.number(Number(kind.values.at(-1))),
          })
        : kind.values
            .map((value) => (typeof value === 'number' ? text.number(value) : value))
            .join(' · ')
    case 'number':
      return kind.minimum === null || kind.maximum === null
        ? text('brief.number')
        : text('brief.scale', { least: text.number(kind.minimum), most: text.number(kind.maximum) })
    case 'text':
      return text('brief.words')
  }
}
