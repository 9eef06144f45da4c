/** When a task times out: an unreviewed proof is paid, an unanswered appeal is conceded. Pure rules. */
import type { TaskDetail } from '../queries.ts'
import type { Task } from '../words.ts'

/** When a task under review is approved automatically. Its last update was its last proof. */
export const dueAt = ({ updated_at, auto_approve_after }: Task): string =>
  new Date(Date.parse(updated_at) + auto_approve_after * 1000).toISOString()

/** The same, exact to the second, for a task whose proofs are loaded. */
export function dueOf({ proofs, auto_approve_after, status }: TaskDetail): string | undefined {
  const last = proofs
    .map(({ submitted_at }) => submitted_at)
    .sort()
    .at(-1)
  if (status !== 'proof_submitted' || last === undefined) return undefined
  return new Date(Date.parse(last) + auto_approve_after * 1000).toISOString()
}

/** The appeal that has neither a reply nor a ruling yet. */
export const unanswered = (dispute: TaskDetail['dispute']) =>
  dispute?.appeals.find(({ agent_answer, ruling }) => agent_answer === null && ruling === null)
