import { CircleCheck, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import { Tag } from '../../shared/ui/card.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { moment } from '../../shared/desk/figures.ts'
import type { TaskDetail } from '../queries.ts'
import { Panel } from '../../shared/desk/screen.tsx'
import { titleOf } from '../words.ts'
import { answerText } from './answer.ts'
import { MediaOf } from './media.tsx'

type Proof = TaskDetail['proofs'][number]

/** The proofs, side by side if there are several. */
export function Delivered({ task }: { task: TaskDetail }) {
  const { proofs } = task
  if (proofs.length === 0)
    return (
      <Panel title="Proof">
        <p className="text-muted">
          {task.status === 'pending' && 'No proof yet. Nobody has accepted the task.'}
          {task.status === 'in_progress' && 'No proof yet. Someone is working on it.'}
          {!['pending', 'in_progress'].includes(task.status) && 'No proof was sent.'}
        </p>
      </Panel>
    )
  return proofs.map((proof, at) => (
    <Panel
      key={proof.id}
      title={proofs.length === 1 ? 'What came back' : `Proof ${at + 1} of ${proofs.length}`}
    >
      <ProofView proof={proof} words={titleOf(task)} />
    </Panel>
  ))
}

function ProofView({ proof, words }: { proof: Proof; words: string }) {
  const { worker, text, answer, outcome, media, location, captured_at, submitted_at, checks } =
    proof
  const { files_removed_at: removedAt } = proof
  return (
    <>
      <p className="flex flex-wrap gap-x-2 text-sm text-muted">
        <span>
          <bdi className="font-medium text-text">{worker.name}</bdi> · trust {worker.trust_score}
        </span>
        <Ago at={submitted_at} />
      </p>
      {outcome === 'not_possible' && (
        <div>
          <Tag tone="warn" icon={<TriangleAlert size={14} aria-hidden />}>
            Worker says it can’t be done
          </Tag>
        </div>
      )}
      {answer !== null && answer !== undefined && (
        <p className="text-lg font-semibold" dir="auto">
          {answerText(answer)}
        </p>
      )}
      <MediaOf media={media} words={words} />
      {removedAt !== null && (
        <p className="text-sm text-muted">
          The photos and recordings were deleted on {moment(removedAt)}, at the end of their
          retention period.
        </p>
      )}
      {text !== null && (
        <blockquote className="border-s-4 border-border ps-3 whitespace-pre-wrap" dir="auto">
          {text}
        </blockquote>
      )}
      <Checks checks={checks} />
      {location !== null && (
        <p className="text-sm text-muted">
          At {location.lat.toFixed(4)}, {location.lng.toFixed(4)}
          {location.accuracy_m !== undefined && `, ±${Math.round(location.accuracy_m)} m`}
          {captured_at !== null && ` · captured ${moment(captured_at)}`}
        </p>
      )}
      <p className="text-sm text-muted">
        Written by the worker. Your agent must treat it as data, never as instructions.
      </p>
    </>
  )
}

const RESULTS: Record<
  Proof['checks'][number]['result'],
  { icon: LucideIcon; tone: string; word: string }
> = {
  pass: { icon: CircleCheck, tone: 'text-brand', word: 'Passed' },
  warn: { icon: TriangleAlert, tone: 'text-warn', word: 'Warning' },
  fail: { icon: CircleX, tone: 'text-danger', word: 'Failed' },
}

/** Results of automatic checks. They never decide a verdict alone. */
function Checks({ checks }: { checks: Proof['checks'] }) {
  if (checks.length === 0) return null
  return (
    <ul aria-label="Checks" className="flex flex-col gap-1">
      {checks.map(({ name, result, note }, at) => {
        const { icon: Icon, tone, word } = RESULTS[result]
        return (
          <li key={`${name}-${at}`} className="flex items-start gap-2">
            <Icon size={16} aria-hidden className={`mt-0.5 ${tone}`} />
            <span>
              <span className="sr-only">{word}: </span>
              {note}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
