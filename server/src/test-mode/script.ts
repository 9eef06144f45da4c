/**
 * What a scripted worker does next, and when: pure rules over the current state of a test task. Scripts keep no state
 * of their own, so they can continue after anything: a revision, a cancellation, a crash.
 */
import { isScreened } from '../moderation/screenings.ts'
import { hasFreeSlot } from '../tasks/moves.ts'
import { isPlayed, type Rehearsal } from '../tasks/personas.ts'
import type { Assignment, Work } from '../tasks/queries.ts'

export type Step =
  | { do: 'accept'; at: Date }
  | { do: 'screen'; at: Date; as: 'cleared' | 'not_allowed' | 'lapsed' }
  | { do: 'proof' | 'release' | 'appeal'; at: Date; assignment: Assignment }

/** `appealed` are the ids of assignments whose worker has already appealed. */
export function nextStep(
  work: Work,
  rehearsal: Rehearsal,
  appealed: ReadonlySet<string> = new Set(),
): Step | undefined {
  const { task, assignments } = work
  const { screening, accept_after_s } = rehearsal
  if (isScreened(task) && screening !== undefined && screening !== 'refused')
    return { do: 'screen', at: after(task.created_at, accept_after_s), as: screening }
  if (!isPlayed(rehearsal)) return undefined
  const isOpen = task.status === 'pending' || task.status === 'in_progress'
  const steps: Step[] = [
    ...(isOpen && hasFreeSlot(task) ? acceptance(work, rehearsal) : []),
    ...(isOpen ? assignments.flatMap((slot) => working(work, slot, rehearsal)) : []),
    ...assignments.flatMap((slot) => objection(slot, rehearsal, appealed)),
  ]
  return steps.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0]
}

const after = (since: Date, seconds: number) => new Date(since.getTime() + seconds * 1000)

/** A slot that timed out is not taken again, because the timeout was scripted; a released slot is. */
function acceptance({ task, assignments }: Work, { accept_after_s }: Rehearsal): Step[] {
  if (assignments.some(({ status }) => status === 'expired')) return []
  const since = Math.max(
    task.created_at.getTime(),
    ...assignments.map(({ status, ended_at }) =>
      status === 'released' ? (ended_at?.getTime() ?? 0) : 0,
    ),
  )
  return [{ do: 'accept', at: new Date(since + accept_after_s * 1000) }]
}

function working(
  { task, assignments }: Work,
  assignment: Assignment,
  { persona, proof_after_s }: Rehearsal,
): Step[] {
  if (assignment.status !== 'accepted') return []
  // The time of a revision request is not stored, but it was the last change to the task.
  const since = assignment.revisions > 0 ? task.updated_at : assignment.accepted_at
  const at = new Date(since.getTime() + proof_after_s * 1000)
  const isFirst = !assignments.some(({ status }) => status === 'released')
  return [{ do: persona === 'hand_back' && isFirst ? 'release' : 'proof', at, assignment }]
}

function objection(
  assignment: Assignment,
  { persona, accept_after_s }: Rehearsal,
  appealed: ReadonlySet<string>,
): Step[] {
  const { status, ended_at, id } = assignment
  if (persona !== 'appeal' || status !== 'disputed' || ended_at === null || appealed.has(id))
    return []
  return [{ do: 'appeal', at: new Date(ended_at.getTime() + accept_after_s * 1000), assignment }]
}
