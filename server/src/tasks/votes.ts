import { type ConsensusView, viewConsensus, type Vote } from '../consensus/consensus.ts'
import { call } from '../kit/call.ts'
import type { Reader } from '../kit/db.ts'
import { sharesOf } from './draft.ts'
import { type Assignment, standingProofs, type Task } from './queries.ts'
import { reviewDueAt } from './timers.ts'

/** Whether the task asks several workers. With one there is nothing to agree on. */
export const isConsensus = (task: Pick<Task, 'consensus_count' | 'consensus_max'>) =>
  sharesOf(task) > 1

type Voter = Pick<Assignment, 'id' | 'worker_accuracy'>

/**
 * Computes the consensus of these assignments' proofs, using the workers' current accuracies; those of workers in other
 * databases are from when they accepted the task. Null for a task with one worker. There is a result or a conflict only
 * when no more proofs are expected.
 */
export async function consensusOf(
  db: Reader,
  task: Task,
  slots: Voter[],
  { isFinal }: { isFinal: boolean },
): Promise<ConsensusView | null> {
  if (!isConsensus(task)) return null
  const proofs = (await standingProofs(db, task)).filter((proof) =>
    slots.some(({ id }) => id === proof.assignment_id),
  )
  const workers =
    proofs.length === 0
      ? []
      : await call(db, 'workers_accuracies', {
          p_ids: proofs.map(({ worker_id }) => worker_id),
        })
  const votes: Vote[] = proofs.map((proof) => ({
    assignmentId: proof.assignment_id,
    workerId: proof.worker_id,
    answer: proof.answer,
    text: proof.text,
    outcome: proof.outcome,
    accuracy:
      workers.find(({ id }) => id === proof.worker_id)?.accuracy ??
      slots.find(({ id }) => id === proof.assignment_id)!.worker_accuracy!,
  }))
  return viewConsensus(task, { votes, incomplete: isFinal })
}

/** The task's changes after its last proof: it awaits the verdict, and the auto-approval timer starts. */
export async function awaitVerdict(
  db: Reader,
  task: Task,
  standing: Voter[],
  { now, reason = null }: { now: Date; reason?: string | null },
) {
  const consensus = await consensusOf(db, task, standing, { isFinal: true })
  return {
    status: 'proof_submitted' as const,
    status_reason: consensus?.conflict ? CONFLICT : reason,
    proof_at: now,
    review_due_at: reviewDueAt(task, now),
    consensus,
  }
}

/** Recomputes the consensus when fewer proofs remain. The auto-approval timer keeps running. */
export async function judgeAnew(db: Reader, task: Task, standing: Voter[]) {
  const consensus = await consensusOf(db, task, standing, { isFinal: true })
  return { status_reason: consensus?.conflict ? CONFLICT : null, consensus }
}

const CONFLICT = 'consensus_conflict'
