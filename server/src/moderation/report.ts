/**
 * Report a task that nobody should do. Until an operator has looked it is shown to nobody and can't be accepted; those
 * who hold it may finish. The agent is not told who reported it, nor that anyone did.
 *
 *   called by   a worker who sees the task, or had to do with it. Reporting twice answers the same, and hands the task
 *               back if it has been taken in between
 *   moves       in_progress → pending where the reporter was the only one who held it: it is handed back
 *   money       none
 *   event       task.released where the reporter held it, and nothing in it says why
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint, type WorkerCaller } from '../kit/endpoint.ts'
import { taskNotFound } from './errors.ts'
import { giveUp } from './give-up.ts'
import { moveTasks } from './moves.ts'
import { isWithin, lockWork, type Task, type Work } from './queries.ts'
import { TaskId } from './view.ts'

/** Whoever has reported so many that nobody has looked at hides no more of them: else one could empty the feed. */
const HIDDEN_BY_ONE_MAX = 5
/** Any number does, as long as nothing else in this database locks by it. */
const LOCK = 6_120_448_903_177

const REPORT_KINDS = ['illegal', 'abusive', 'dangerous', 'scam', 'other'] as const

const Body = z.object({
  kind: z.enum(REPORT_KINDS),
  note: z.string().trim().min(1).max(2000).optional().describe('What is wrong; operators read it'),
})

export const report = endpoint({
  method: 'POST',
  path: '/worker/tasks/:id/report',
  auth: 'worker',
  summary: 'Report a task',
  description:
    'A person looks at it, and until then nobody is shown the task. If you hold it, it is handed back without effect ' +
    'on your trust. The agent does not learn who reported it.',
  params: z.object({ id: TaskId }),
  body: Body,
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [taskNotFound],

  async handler({ tx, worker, params, body, now }) {
    await reportTask(tx, { taskId: params.id, worker, ...body, now })
    return {
      message:
        'Thank you. A person looks at this task now. If you held it, you do not any more, ' +
        'and your trust stays as it was',
    }
  },
})

interface ReportTask extends z.output<typeof Body> {
  taskId: string
  worker: WorkerCaller
  now: Date
}

export async function reportTask(
  tx: Tx,
  { taskId, worker, kind, note, now }: ReportTask,
): Promise<void> {
  const { task, assignments } = await lockSeenWork(tx, { taskId, worker })
  const { numInsertedOrUpdatedRows: isNew } = await tx
    .insertInto('task_reports')
    .values({ task_id: taskId, worker_id: worker.id, kind, note: note ?? null, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  const hides = isNew && (await mayHide(tx, { task, worker }))
  const after = hides ? await hide(tx, task, now) : task
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

/** One that can be taken or is under way, or that the worker had to do with; held until the transaction ends. */
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

const isUnderWay = ({ status }: Task) => status === 'pending' || status === 'in_progress'

/** Not what an operator has looked at before, else a second report would undo the verdict on the first. */
async function mayHide(
  tx: Tx,
  { task, worker }: { task: Task; worker: WorkerCaller },
): Promise<boolean> {
  // Reports of one worker that come at once are counted one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${worker.id}, ${LOCK}))`.execute(tx)
  const { rows } = await sql<{ was_cleared: boolean; waiting: number }>`
    select exists (select 1 from task_reports where task_id = ${task.id} and verdict = 'cleared') as was_cleared,
           (select count(*)::integer from task_reports
             where worker_id = ${worker.id} and verdict is null) as waiting`.execute(tx)
  const { was_cleared, waiting } = rows[0]!
  return task.reported_at === null && !was_cleared && waiting <= HIDDEN_BY_ONE_MAX
}

async function hide(tx: Tx, { id }: Task, now: Date): Promise<Task> {
  await tx.deleteFrom('open_tasks').where('task_id', '=', id).execute()
  return tx
    .updateTable('tasks')
    .set({ reported_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
