/**
 * End tasks whose deadline has passed. If more than half of the proofs are in, the agent reviews those; otherwise the
 * task expires and its budget is refunded.
 *
 *   called by   the clock, when `deadline` has passed
 *   moves       pending → expired, in_progress → expired; in_progress → proof_submitted with enough proofs
 *   money       escrow → wallet; for a free task → promotional fund, and the free task is restored. Workers whose
 *               submitted proof is no longer reviewed are compensated as for a cancellation
 *   event       task.expired; task.approval_due if the agent has to review
 */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import { endWithoutVerdict, hasProof } from './end-without-verdict.ts'
import { viewAgreement } from './events.ts'
import { afterMove, type Move, moveTasks, slotsOf, touchTrust } from './moves.ts'
import { type Assignment, lockFreeWork, type Work } from './queries.ts'
import { viewTask } from './view.ts'
import { awaitVerdict } from './votes.ts'

export const expire = sweep({
  name: 'tasks.expire',
  isByMode: true,

  due: ({ db, clock }, limit, mode) =>
    db.reader
      .selectFrom('tasks')
      .select('id')
      .where('status', 'in', ['pending', 'in_progress'])
      .where('deadline', '<=', clock.now())
      .$if(mode !== undefined, (query) => query.where('mode', '=', mode!))
      .orderBy('deadline')
      .limit(limit)
      .execute(),

  move: ({ db, clock, config }, rows) =>
    db.transaction((tx) =>
      expireTasks(tx, { taskIds: rows.map(({ id }) => id), config, now: clock.now() }),
    ),
})

/** Ends the tasks that are still due. Skips tasks that are locked by another transaction. */
export async function expireTasks(
  tx: Tx,
  {
    taskIds,
    config,
    now,
  }: { taskIds: string[]; config: Pick<Config, 'CANCEL_PERCENT'>; now: Date },
): Promise<number> {
  const works = await lockFreeWork(tx, taskIds)
  const moves: Move[] = []
  for (const work of works) {
    const { task } = work
    if (task.deadline > now || (task.status !== 'pending' && task.status !== 'in_progress'))
      continue
    const received = work.assignments.filter(hasAnswered)
    moves.push(
      received.length * 2 > slotsOf(task) && work.assignments.some(stands)
        ? await judgeWhatIsThere(tx, work, now)
        : endWithoutVerdict(work, {
            status: 'expired',
            reason: 'deadline_passed',
            payFor: { held: 0, submitted: config.CANCEL_PERCENT },
            now,
          }),
    )
  }
  await moveTasks(tx, moves, { now })
  return moves.length
}

/** Puts a task with more than half of its proofs up for review. The other shares are refunded with the verdict. */
async function judgeWhatIsThere(tx: Tx, { task, assignments }: Work, now: Date): Promise<Move> {
  const late = assignments.filter(({ status }) => status === 'accepted')
  const lost = late.filter((slot) => !hasProof(slot))
  const received = assignments.filter(hasAnswered)
  const standing = assignments.filter(stands)
  const becomes = {
    slots_taken: received.length,
    proofs_received: received.length,
    ...(await awaitVerdict(tx, task, standing, { now, reason: 'deadline_passed' })),
  }
  const data = {
    task: viewTask(afterMove({ task, becomes }, now)),
    ...viewAgreement(becomes.consensus),
  }
  return {
    task,
    becomes,
    assignments: late.map((slot) =>
      hasProof(slot)
        ? { ...slot, status: 'submitted' }
        : { ...slot, status: 'expired', ended_at: now },
    ),
    trust: lost.map((slot) => touchTrust('abandoned', slot, now)),
    events: [{ type: 'task.approval_due', data }],
  }
}

/** Whether the assignment has a proof that can be reviewed, including the first proof of one under revision. */
const stands = (slot: Assignment) =>
  slot.status === 'submitted' || (slot.status === 'accepted' && hasProof(slot))

/** Includes assignments that are already decided: disputed, or paid before the others were reviewed. */
const hasAnswered = (slot: Assignment) =>
  stands(slot) || slot.status === 'disputed' || slot.status === 'approved'
