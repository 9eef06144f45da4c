/**
 * Accept a task: take one of its free slots, and start the work timer.
 *
 *   called by   a worker with the required level, skills and languages. Accepting a task that the worker already
 *               holds returns the same response
 *   moves       pending → in_progress; accepting another slot of an in_progress task doesn't change its status
 *   money       none; the pay is promised
 *   event       task.accepted
 */
import { z } from 'zod'
import { areTogether, type Tx } from '../kit/db.ts'
import { answerWith, endpoint, type WorkerCaller } from '../kit/endpoint.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { recordEvents } from '../webhooks/record-event.ts'
import { abilitiesOf, lacksNothing } from '../workers/abilities.ts'
import { accountClosing } from '../workers/errors.ts'
import { callingWorker, type Worker } from '../workers/queries.ts'
import { levelOf } from '../workers/trust.ts'
import {
  Brief,
  OwnAssignment,
  viewAssignment,
  viewBrief,
  viewOwnAssignment,
} from './assignment-view.ts'
import { workerPayCents } from './draft.ts'
import { levelTooLow, noSlot, retakeTooSoon, skillMissing, taskNotFound } from './errors.ts'
import { showSlotTaken } from './listing.ts'
import { lackedFor, levelNeeded } from './matching.ts'
import { type Assignment, isTheirs, isWithin, type Task } from './queries.ts'
import { RETAKE_AFTER_MS, workUntil } from './timers.ts'
import { TaskId, viewTask } from './view.ts'

const SHOWN_AFTER_END_MS = 3_600_000

export const accept = endpoint({
  method: 'POST',
  path: '/worker/tasks/:id/accept',
  name: 'acceptTask',
  auth: 'worker',
  at: 'object',
  access: { object: 'open' },
  summary: 'Accept a task',
  description:
    'The task is yours until `expires_at`, and you now see its exact location. If you release ' +
    'it within five minutes, it does not count against you.',
  params: z.object({ id: TaskId }),
  success: { status: 200, body: z.object({ task: Brief, assignment: OwnAssignment }) },
  errors: [taskNotFound, levelTooLow, skillMissing, noSlot, retakeTooSoon, accountClosing],

  transaction: 'own',
  async handler({ db, worker, params, shards, now, warnings, once }) {
    // The worker's shard is read before the transaction, which is on the task's.
    const home = shards.at(worker.id)
    const profile = await callingWorker(home.reader, worker.id)
    const isFar = !areTogether(home, db)
    const accepting = { taskId: params.id, worker, profile, isFar, now }
    return once(async (tx) => {
      const { task, assignment } = await acceptTask(tx, accepting)
      const result = {
        task: viewBrief(task, assignment),
        assignment: viewOwnAssignment(assignment, task),
      }
      return answerWith(200, result, warnings)
    })
  },
})

export async function acceptTask(
  tx: Tx,
  {
    taskId,
    worker,
    profile,
    isFar = false,
    now,
  }: {
    taskId: string
    worker: WorkerCaller
    profile: Worker
    /** The worker lives in another database, so a consensus can't ask there for the worker's accuracy. */
    isFar?: boolean
    now: Date
  },
): Promise<{ task: Task; assignment: Assignment; isNew: boolean }> {
  const { task, earlier, held } = await findOwnParts(tx, { taskId, worker })
  if (held) return { task, assignment: held, isNew: false }
  if (earlier.length === 0 && isLongGone(task, now)) throw taskNotFound()

  const required_level = levelNeeded(task)
  if (profile.closes_at !== null)
    throw accountClosing({ closes_at: profile.closes_at.toISOString() })
  const current_level = levelOf(profile, now)
  if (current_level < required_level) throw levelTooLow({ required_level, current_level })
  const lacked = lackedFor(task, abilitiesOf(profile))
  if (!lacksNothing(lacked)) throw skillMissing(lacked)

  const ranOut = earlier.find(({ status }) => status === 'expired')?.ended_at
  const retryAt = new Date((ranOut?.getTime() ?? 0) + RETAKE_AFTER_MS)
  if (retryAt > now) throw retakeTooSoon({ retry_at: retryAt.toISOString() })

  // A single conditional update takes the slot, so two concurrent requests can't both get the last one.
  const taken = await tx
    .updateTable('tasks')
    .set((task) => ({
      slots_taken: task('slots_taken', '+', 1),
      status: 'in_progress',
      updated_at: now,
      event_sequence: task('event_sequence', '+', 1),
    }))
    .where('id', '=', taskId)
    .where('agent_id', '=', task.agent_id)
    .where('status', 'in', ['pending', 'in_progress'])
    .where('deadline', '>', now)
    .where('reported_at', 'is', null)
    .where((task) =>
      task('slots_taken', '<', task('consensus_count', '+', task.ref('slots_extra'))),
    )
    .returningAll()
    .executeTakeFirst()
  if (taken === undefined) {
    // A concurrent duplicate of this request may have taken the last slot. The worker holds it in that case.
    const again = await findOwnParts(tx, { taskId, worker })
    if (again.held) return { task: again.task, assignment: again.held, isNew: false }
    throw noSlot()
  }

  const assignment = await tx
    .insertInto('assignments')
    .values({
      id: mintId('asg', now, shardOf(taskId)),
      task_id: taskId,
      agent_id: taken.agent_id,
      worker_id: worker.id,
      pay_cents: workerPayCents(taken),
      deadline: taken.deadline,
      accepted_at: now,
      expires_at: workUntil(taken, now),
      worker_accuracy: isFar ? profile.accuracy : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await showSlotTaken(tx, taken)

  await recordEvents(tx, [
    {
      type: 'task.accepted',
      agentId: taken.agent_id,
      task: { id: taskId, sequence: taken.event_sequence },
      data: { task: viewTask(taken), assignment: viewAssignment(assignment) },
      now,
    },
  ])
  return { task: taken, assignment, isNew: true }
}

/**
 * Feeds and notifications still show a task for a while after it ends, so a worker who accepts it then gets a 409.
 * After that time we return 404: a 409 would reveal to anyone who kept the id that the task exists.
 */
const isLongGone = ({ ended_at }: Task, now: Date) =>
  ended_at !== null && now.getTime() - ended_at.getTime() > SHOWN_AFTER_END_MS

/** Reads the assignments before the task. In the other order, the task could predate the worker's assignment. */
async function findOwnParts(tx: Tx, { taskId, worker }: { taskId: string; worker: WorkerCaller }) {
  const earlier = await tx
    .selectFrom('assignments')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('worker_id', '=', worker.id)
    .orderBy('id', 'desc')
    .execute()
  const task = await tx
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', taskId)
    .where('mode', '=', worker.mode)
    .executeTakeFirst()
  if (task === undefined || !isWithin(task, worker)) throw taskNotFound()
  return { task, earlier, held: earlier.find(isTheirs) }
}
