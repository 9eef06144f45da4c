/**
 * List the worker's own tasks: active, in review and ended.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import { AgentView, agentsOf } from '../agents/public-view.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idPattern } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { Limit } from '../kit/page.ts'
import {
  AssignmentStatus,
  Brief,
  OwnAssignment,
  viewBrief,
  viewOwnAssignment,
} from './assignment-view.ts'

export const listAssignments = endpoint({
  method: 'GET',
  path: '/worker/tasks',
  name: 'listAssignments',
  auth: 'worker',
  summary: 'List your own tasks',
  query: z.object({
    status: AssignmentStatus.optional(),
    limit: Limit,
    cursor: z.string().regex(idPattern('asg'), 'must be a cursor of this list').optional(),
  }),
  success: {
    status: 200,
    body: z.object({
      tasks: z.array(
        named(
          'AssignedTask',
          z.object({ task: Brief, assignment: OwnAssignment, agent: AgentView }),
        ),
      ),
      next_cursor: z.string().nullable(),
    }),
  },
  errors: [],

  async handler({ db, worker, query, now }) {
    let rows = db
      .selectFrom('assignments')
      .selectAll()
      .where('worker_id', '=', worker.id)
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
    if (query.status !== undefined) rows = rows.where('status', '=', query.status)
    if (query.cursor !== undefined) rows = rows.where('id', '<', query.cursor)
    const found = await rows.execute()
    const page = found.slice(0, query.limit)
    const tasks =
      page.length === 0
        ? []
        : await db
            .selectFrom('tasks')
            .selectAll()
            .where('id', '=', sql<string>`any(${page.map(({ task_id }) => task_id)})`)
            .where('agent_id', '=', sql<string>`any(${page.map(({ agent_id }) => agent_id)})`)
            .execute()
    const agents = await agentsOf(
      db,
      page.map(({ agent_id }) => agent_id),
      now,
    )
    return {
      tasks: page.map((assignment) => {
        const task = tasks.find(({ id }) => id === assignment.task_id)!
        return {
          task: viewBrief(task, assignment),
          assignment: viewOwnAssignment(assignment, task),
          agent: agents.get(assignment.agent_id)!,
        }
      }),
      next_cursor: found.length > query.limit ? page.at(-1)!.id : null,
    }
  },
})
