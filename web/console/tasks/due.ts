/** What silence brings: an unjudged proof is paid, an unanswered appeal is conceded. Pure rules. */
import type { TaskDetail } from '../queries.ts'
import type { Task } from '../words.ts'

/** Of a task that waits for a verdict: its last change was its last proof. */
export const dueAt = ({ updated_at, auto_approve_after }: Task): string =>
  new Date(Date.parse(updated_at) + auto_approve_after * 1000).toISOString()

/** The same, to the second, where the proofs are known. */
export function dueOf({ proofs, auto_approve_after, status }: TaskDetail): string | undefined {
  const last = proofs
    .map(({ submitted_at }) => submitted_at)
    .sort()
    .at(-1)
  if (status !== 'proof_submitted' || last === undefined) return undefined
  return new Date(Date.parse(last) + auto_approve_after * 1000).toISOString()
}

/** The appeal to which nobody has said anything yet. */
export const unanswered = (dispute: TaskDetail['dispute']) =>
  dispute?.appeals.find(({ agent_answer, ruling }) => agent_answer === null && ruling === null)
