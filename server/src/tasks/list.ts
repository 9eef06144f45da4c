/**
 * List the agent's tasks, newest first.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { Limit, Offset } from '../kit/page.ts'
import { taskFigures } from '../counts/figures.ts'
import { AskedTaskType } from './fields.ts'
import { isSeenBy } from '../kit/seen-by.ts'
import { TaskStatus } from './status.ts'
import { TaskCursor, TaskView, viewTask } from './view.ts'

const Query = z.object({
  status: TaskStatus.optional(),
  type: AskedTaskType.optional(),
  limit: Limit.describe('1 to 100; larger values are treated as 100'),
  offset: Offset,
  cursor: TaskCursor.optional().describe('next_cursor of the previous page'),
})

export const list = endpoint({
  method: 'GET',
  path: '/tasks',
  name: 'listTasks',
  auth: 'agent',
  scope: 'read',
  summary: 'List your tasks',
  query: Query,
  success: {
    status: 200,
    body: z.object({
      tasks: z.array(TaskView),
      total: z.int(),
      limit: z.int(),
      offset: z.int(),
      next_cursor: z.string().nullable(),
    }),
  },
  errors: [],

  handler: ({ db, agent, query }) => listTasks(db, agent, query),
})

async function listTasks(db: Reader, agent: AgentCaller, query: z.output<typeof Query>) {
  const { id: agentId, visibleKeyId } = agent
  const { status, type, limit, offset, cursor } = query
  let mine = db.selectFrom('tasks').where('agent_id', '=', agentId)
  if (visibleKeyId !== null) mine = mine.where(isSeenBy(visibleKeyId))
  if (status !== undefined) mine = mine.where('status', '=', status)
  if (type !== undefined) mine = mine.where('type', '=', type)

  const total = (await taskFigures(db, agent))
    .filter((group) => (status ?? group.status) === group.status)
    .filter((group) => (type ?? group.type) === group.type)
    .reduce((sum, { tasks }) => sum + tasks, 0)
  const skipped = cursor === undefined ? offset : 0
  // Ids start with a timestamp, so this is the order of creation. One extra row tells whether there is another page.
  const rows = await (cursor === undefined ? mine.offset(offset) : mine.where('id', '<', cursor))
    .selectAll()
    .orderBy('id', 'desc')
    // Rows that don't exist would be looked for in the agent's whole history.
    .limit(total > skipped ? limit + 1 : 0)
    .execute()

  const page = rows.slice(0, limit)
  return {
    tasks: page.map(viewTask),
    total,
    limit,
    offset: skipped,
    next_cursor: rows.length > limit ? page.at(-1)!.id : null,
  }
}
