/**
 * Several answers to one question, side by side: how far they agree, and a way for the agent to override the result.
 */
import { useState } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { percent } from '../../shared/desk/figures.ts'
import { RequiresScope } from '../scopes.tsx'
import type { TaskDetail } from '../queries.ts'
import { Panel } from '../../shared/desk/screen.tsx'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { answerText } from './answer.ts'
import { approvalSays } from './money-effect.ts'
import { EffectLine } from './confirm.tsx'
import { useApproval } from './verdicts.tsx'

type Consensus = NonNullable<TaskDetail['consensus']>

export function ConsensusView({ task, consensus }: { task: TaskDetail; consensus: Consensus }) {
  const { needed, received, result, confidence, conflict, resolved_by, votes } = consensus
  const names = new Map(task.proofs.map(({ worker }) => [worker.id, worker.name]))
  const weight = votes.reduce((sum, vote) => sum + Math.max(0, vote.weight), 0)
  const groups = Map.groupBy(votes, ({ answer }) => answerText(answer))
  return (
    <Panel
      title={`${received} of ${needed} answers`}
      actions={
        <Tag tone={conflict ? 'bad' : 'good'}>
          {conflict
            ? 'They disagree'
            : confidence === null
              ? 'They agree'
              : `${percent(confidence)} confidence`}
        </Tag>
      }
    >
      <ul className="grid grid-cols-1 gap-2 min-[30rem]:grid-cols-2">
        {[...groups].map(([answer, those]) => {
          const share =
            weight > 0
              ? those.reduce((sum, vote) => sum + Math.max(0, vote.weight), 0) / weight
              : those.length / votes.length
          return (
            <li key={answer} className="flex flex-col gap-2 rounded-field bg-raised p-3">
              <span className="text-lg font-semibold" dir="auto">
                {answer}
              </span>
              <span aria-hidden className="flex h-1.5 rounded-full bg-surface">
                <span className="rounded-full bg-brand" style={{ width: `${100 * share}%` }} />
              </span>
              <span className="text-sm text-muted">
                {percent(share)} of the weight:{' '}
                <bdi>
                  {those.map(({ worker_id }) => names.get(worker_id) ?? worker_id).join(', ')}
                </bdi>
              </span>
            </li>
          )
        })}
      </ul>
      <p>
        Result: <strong dir="auto">{answerText(result)}</strong>
        {result !== null &&
          confidence !== null &&
          resolved_by === null &&
          `, ${percent(confidence)} likely to be correct, based on the workers’ trust scores`}
        {resolved_by !== null && ` (decided by ${resolved_by === 'agent' ? 'you' : 'an operator'})`}
      </p>
      {task.status === 'proof_submitted' && (
        <RequiresScope scope="review" isQuiet>
          {conflict ? (
            <Override task={task} votes={votes} />
          ) : (
            <Disclosure title="Override result">
              <Override task={task} votes={votes} />
            </Disclosure>
          )}
        </RequiresScope>
      )}
    </Panel>
  )
}

const OTHER = 'other'

/** Chooses one of the answers or enters another one, as JSON or plain text. */
function Override({ task, votes }: { task: TaskDetail; votes: Consensus['votes'] }) {
  const answers = [...new Map(votes.map(({ answer }) => [JSON.stringify(answer), answer])).keys()]
  const [chosen, setChosen] = useState(answers[0] ?? OTHER)
  const [written, setWritten] = useState('')
  const action = useApproval(task)
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        Everyone who answered honestly is paid, whatever you decide. Your agent gets this result.
      </p>
      <Select
        label="Result"
        value={chosen}
        options={[
          ...answers.map((one) => ({ value: one, label: answerText(JSON.parse(one)) })),
          { value: OTHER, label: 'Different answer' },
        ]}
        onChange={setChosen}
      />
      {chosen === OTHER && (
        <Field
          label="Answer"
          hint="Numbers, true and false keep their type. Anything else is text."
          value={written}
          onChange={setWritten}
        />
      )}
      <EffectLine>{approvalSays(task)}</EffectLine>
      <ActionError error={action.error} />
      <div>
        <Button
          isPending={action.isPending}
          onPress={() =>
            action.mutate({ override: chosen === OTHER ? valueOf(written) : JSON.parse(chosen) })
          }
        >
          Override result and approve
        </Button>
      </div>
    </div>
  )
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
