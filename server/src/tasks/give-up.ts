import type { Reader } from '../kit/db.ts'
import { viewAssignment } from './assignment-view.ts'
import { viewAgreement } from './events.ts'
import { afterMove, type Move, slotsOf, touchTrust } from './moves.ts'
import type { Assignment, Work } from './queries.ts'
import { viewTask } from './view.ts'
import { awaitVerdict } from './votes.ts'

/**
 * Ends a worker's assignment after a release or a timeout. The slot becomes free again. If the assignment was under
 * revision, its first proof counts instead.
 */
export async function giveUp(
  db: Reader,
  { task, assignments }: Work,
  assignment: Assignment,
  {
    as,
    reason,
    isHeldAgainst,
    now,
  }: { as: 'released' | 'expired'; reason: string | null; isHeldAgainst: boolean; now: Date },
): Promise<Move> {
  if (assignment.submitted_at !== null)
    return standByFirstProof(db, { task, assignments }, assignment, now)

  const slots_taken = task.slots_taken - 1
  const becomes: Move['becomes'] = {
    slots_taken,
    status: slots_taken === 0 ? 'pending' : 'in_progress',
  }
  const ended: Assignment = { ...assignment, status: as, reason, ended_at: now }
  const data = {
    task: viewTask(afterMove({ task, becomes }, now)),
    assignment: viewAssignment(ended),
  }
  return {
    task,
    becomes,
    assignments: [ended],
    trust: isHeldAgainst ? [touchTrust('abandoned', assignment, now)] : [],
    events: [{ type: 'task.released', data }],
  }
}

/** Handles a revision that was never submitted: the first proof counts, and the agent's review time starts over. */
async function standByFirstProof(
  db: Reader,
  { task, assignments }: Work,
  assignment: Assignment,
  now: Date,
): Promise<Move> {
  const proofs_received = task.proofs_received + 1
  const stands: Assignment = { ...assignment, status: 'submitted' }
  if (proofs_received < slotsOf(task))
    return { task, becomes: { proofs_received }, assignments: [stands] }

  const standing = assignments.filter(({ status }) => status === 'submitted')
  const verdict = await awaitVerdict(db, task, [...standing, assignment], { now })
  const becomes = { proofs_received, ...verdict }
  const data = {
    task: viewTask(afterMove({ task, becomes }, now)),
    ...viewAgreement(verdict.consensus),
  }
  return {
    task,
    becomes,
    assignments: [stands],
    events: [{ type: 'task.approval_due', data }],
  }
}
