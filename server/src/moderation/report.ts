/**
 * Report a task that nobody should do. It goes to the operators' list immediately and leaves the reporter's feed. Once
 * the undecided reports weigh enough (server/functions/tasks_report_weight.sql), the task is hidden from everyone and
 * can't be accepted until an operator has reviewed it; workers who hold it may finish. The agent isn't told who
 * reported it, or that anyone did.
 *
 *   called by   a worker who sees the task, or has had an assignment for it. Reporting twice returns the same response,
 *               and releases the task if the worker accepted it in between
 *   moves       in_progress → pending if only the reporter held it: it is released
 *   money       none
 *   event       task.released if the reporter held it, without the reason
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { call, callForValue } from '../kit/call.ts'
import { areTogether, type Shards, type Tx } from '../kit/db.ts'
import { endpoint, type WorkerCaller } from '../kit/endpoint.ts'
import type { Functions } from '../kit/functions.ts'
import { taskNotFound } from '../tasks/errors.ts'
import { giveUp } from '../tasks/give-up.ts'
import { hideTask } from '../tasks/listing.ts'
import { moveTasks } from '../tasks/moves.ts'
import { isWithin, lockWork, type Task, type Work } from '../tasks/queries.ts'
import { TaskId } from '../tasks/view.ts'

const REPORT_KINDS = ['illegal', 'abusive', 'dangerous', 'scam', 'other'] as const

const Body = z.object({
  kind: z.enum(REPORT_KINDS),
  note: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .optional()
    .describe('What is wrong with the task; read by operators'),
})

export const report = endpoint({
  method: 'POST',
  path: '/worker/tasks/:id/report',
  name: 'reportTask',
  auth: 'worker',
  at: 'object',
  access: { object: 'open' },
  summary: 'Report a task',
  description:
    'An operator reviews the task, and your feed no longer shows it. Reports by experienced ' +
    'workers hide the task from everyone until then. If you have accepted it, it is released ' +
    'without affecting your trust score. The agent is not told who reported it.',
  params: z.object({ id: TaskId }),
  body: Body,
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [taskNotFound],

  async handler({ tx, shards, worker, params, body, now }) {
    const away = await readAway(tx, shards, { taskId: params.id, workerId: worker.id, now })
    await reportTask(tx, { taskId: params.id, worker, away, ...body, now })
    return {
      message:
        'Thank you. We will review this task. If you had accepted it, it has been released, ' +
        'and your trust score is not affected',
    }
  },
})

interface ReportTask extends z.output<typeof Body> {
  taskId: string
  worker: WorkerCaller
  /** The reporter, if another database has to be asked. */
  away?: Reporter | undefined
  now: Date
}

type Reporter = Functions['tasks_reporter']['row']

/** The weight of a report depends on what the reporter has done, which the reporter's own shard knows. */
async function readAway(
  tx: Tx,
  shards: Shards,
  { taskId, workerId, now }: { taskId: string; workerId: string; now: Date },
): Promise<Reporter | undefined> {
  const home = shards.at(workerId)
  if (areTogether(home, shards.at(taskId))) return undefined
  const task = await tx
    .selectFrom('tasks')
    .select('agent_id')
    .where('id', '=', taskId)
    .executeTakeFirst()
  if (task === undefined) throw taskNotFound()
  const asked = { p_worker: workerId, p_agent: task.agent_id, p_now: now }
  return (await call(home, 'tasks_reporter', asked))[0]
}

export async function reportTask(
  tx: Tx,
  { taskId, worker, away, kind, note, now }: ReportTask,
): Promise<void> {
  const { task, assignments } = await lockSeenWork(tx, { taskId, worker })
  if (away)
    await tx
      .insertInto('away_reporters')
      .values({
        task_id: taskId,
        worker_id: worker.id,
        weight: away.weight,
        address: away.address && hashOf(away.address),
        inbox: hashOf(away.inbox),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  const { numInsertedOrUpdatedRows: isNew } = await tx
    .insertInto('task_reports')
    .values({ task_id: taskId, worker_id: worker.id, kind, note: note ?? null, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  const hides = isNew && task.reported_at === null && (await weighEnough(tx, taskId))
  const after = hides ? await hideTask(tx, task, now) : task
  const held = assignments.find(
    ({ worker_id, status }) => worker_id === worker.id && status === 'accepted',
  )
  if (held === undefined) return
  const move = await giveUp(tx, { task: after, assignments }, held, {
    as: 'released',
    reason: 'reported',
    isHeldAgainst: false,
    now,
  })
  await moveTasks(tx, [move], { now })
}

/** Locks a pending or in-progress task, or one for which the worker has an assignment, until the transaction ends. */
async function lockSeenWork(
  tx: Tx,
  { taskId, worker }: { taskId: string; worker: WorkerCaller },
): Promise<Work> {
  const seen = await tx
    .selectFrom('tasks')
    .select(['agent_id', 'mode'])
    .where('id', '=', taskId)
    .executeTakeFirst()
  if (seen === undefined || !isWithin(seen, worker)) throw taskNotFound()
  const work = await lockWork(tx, { taskId, agentId: seen.agent_id })
  const isOwn = work.assignments.some(({ worker_id }) => worker_id === worker.id)
  if (!isOwn && !isUnderWay(work.task)) throw taskNotFound()
  return work
}

/** As tasks_reporter_of does. */
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

const isUnderWay = ({ status }: Task) => status === 'pending' || status === 'in_progress'

/** The database weighs the reports itself, and rejects hiding a task unless this is true. */
const weighEnough = (tx: Tx, taskId: string): Promise<boolean> =>
  callForValue(tx, 'tasks_reports_hide', { p_task: taskId })
