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
import type { Config } from '../config.ts'
import { AgentView, agentsOf } from '../agents/public-view.ts'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idPattern } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { Limit } from '../kit/page.ts'
import { windowCloses } from '../workers/appeal-window.ts'
import {
  AssignmentStatus,
  Brief,
  OwnAssignment,
  viewBrief,
  viewOwnAssignment,
} from './assignment-view.ts'
import type { WorkerAssignment } from './queries.ts'

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
          z.object({
            task: Brief,
            assignment: OwnAssignment,
            agent: AgentView,
            appeal_until: z.iso
              .datetime()
              .nullable()
              .describe('Until then you can appeal the dispute of your work; null if you can’t'),
          }),
        ),
      ),
      next_cursor: z.string().nullable(),
    }),
  },
  errors: [],

  async handler({ db, shards, worker, query, config, now }) {
    let rows = db
      .selectFrom('worker_assignments')
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
            .selectFrom('worker_tasks')
            .selectAll()
            .where('id', '=', sql<string>`any(${page.map(({ task_id }) => task_id)})`)
            .where('agent_id', '=', sql<string>`any(${page.map(({ agent_id }) => agent_id)})`)
            .execute()
    const agents = await agentsOf(
      shards.at(worker.id),
      page.map(({ agent_id }) => agent_id),
      now,
    )
    const appealable = await appealableUntil(db, page, { workerId: worker.id, config, now })
    return {
      tasks: page.map((assignment) => {
        const task = tasks.find(({ id }) => id === assignment.task_id)!
        return {
          task: viewBrief(task, assignment),
          assignment: viewOwnAssignment(assignment, task),
          agent: agents.get(assignment.agent_id)!,
          appeal_until: appealable.get(assignment.id)?.toISOString() ?? null,
        }
      }),
      next_cursor: found.length > query.limit ? page.at(-1)!.id : null,
    }
  },
})

/** The ends of the appeal windows that are open and unused, by assignment. */
async function appealableUntil(
  db: Reader,
  assignments: WorkerAssignment[],
  { workerId, config, now }: { workerId: string; config: Pick<Config, 'APPEAL_HOURS'>; now: Date },
): Promise<Map<string, Date>> {
  const disputed = assignments.flatMap(({ id, task_id, status, ended_at }) => {
    const until =
      status === 'disputed' && ended_at !== null ? windowCloses(ended_at, config) : undefined
    return until !== undefined && until > now ? [{ id, task_id, until }] : []
  })
  if (disputed.length === 0) return new Map()
  const appealed = await db
    .selectFrom('worker_appeals')
    .select('assignment_id')
    .where('worker_id', '=', workerId)
    .where('task_id', '=', sql<string>`any(${disputed.map(({ task_id }) => task_id)})`)
    .where('assignment_id', '=', sql<string>`any(${disputed.map(({ id }) => id)})`)
    .execute()
  const used = new Set(appealed.map(({ assignment_id }) => assignment_id))
  return new Map(disputed.filter(({ id }) => !used.has(id)).map(({ id, until }) => [id, until]))
}
