import { type ConsensusView, viewConsensus, type Vote } from '../consensus/consensus.ts'
import type { Reader } from '../kit/db.ts'
import { sharesOf } from './draft.ts'
import { type Assignment, standingProofs, type Task } from './queries.ts'
import { reviewDueAt } from './timers.ts'

/** Whether several workers are asked; else there is nothing to agree on. */
export const isConsensus = (task: Pick<Task, 'consensus_count' | 'consensus_max'>) =>
  sharesOf(task) > 1

/**
 * What the proofs of these slots come to, by what is known of their workers now; null for a task of one worker. Only
 * when no more proofs are to come is there a result, or a conflict.
 */
export async function consensusOf(
  db: Reader,
  task: Task,
  slots: Pick<Assignment, 'id'>[],
  { isFinal }: { isFinal: boolean },
): Promise<ConsensusView | null> {
  if (!isConsensus(task)) return null
  const proofs = (await standingProofs(db, task)).filter((proof) =>
    slots.some(({ id }) => id === proof.assignment_id),
  )
  const workers =
    proofs.length === 0
      ? []
      : await db
          .selectFrom('workers')
          .select(['id', 'accuracy'])
          .where(
            'id',
            'in',
            proofs.map(({ worker_id }) => worker_id),
          )
          .execute()
  const votes: Vote[] = proofs.map((proof) => ({
    assignmentId: proof.assignment_id,
    workerId: proof.worker_id,
    answer: proof.answer,
    text: proof.text,
    outcome: proof.outcome,
    accuracy: workers.find(({ id }) => id === proof.worker_id)!.accuracy,
  }))
  return viewConsensus(task, { votes, incomplete: isFinal })
}

/** What a task becomes when the last proof there will be is in: it waits for its verdict, and the clock runs. */
export async function awaitVerdict(
  db: Reader,
  task: Task,
  standing: Pick<Assignment, 'id'>[],
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

/** The same again when fewer proofs stand, and the clock goes on. */
export async function judgeAnew(db: Reader, task: Task, standing: Pick<Assignment, 'id'>[]) {
  const consensus = await consensusOf(db, task, standing, { isFinal: true })
  return { status_reason: consensus?.conflict ? CONFLICT : null, consensus }
}

const CONFLICT = 'consensus_conflict'
