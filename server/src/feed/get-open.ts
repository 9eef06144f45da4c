/**
 * Show one task that the worker could take or has taken, for links in push notifications and shared URLs.
 *
 *   called by   a worker. The feed's rules apply, except for distance, preferences and order
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { reputationsOf } from '../agents/reputations.ts'
import type { Db, Reader } from '../kit/db.ts'
import { endpoint, type WorkerCaller } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { distanceKm } from '../places/cells.ts'
import { Demands, OwnAssignment, viewDemands, viewOwnAssignment } from '../tasks/assignment-view.ts'
import { taskNotFound } from '../tasks/errors.ts'
import { lackedFor, levelNeeded } from '../tasks/matching.ts'
import { hasFreeSlot, slotsOf } from '../tasks/moves.ts'
import { isTheirs, isWithin, latestPart, type Task } from '../tasks/queries.ts'
import { workUntil } from '../tasks/timers.ts'
import { TaskId } from '../tasks/view.ts'
import { Card, viewCard } from './card.ts'
import { assertWhole, PlaceQuery } from './place-query.ts'
import { pointOf, projectionOf } from './project-open.ts'
import { risksOf } from './risks.ts'
import { findSeeker, type Seeker, type Sought } from './seeker.ts'

const OpenTask = named(
  'FeedTask',
  Card.extend(Demands.shape).extend({
    finish_until: z.iso.datetime().describe('Deadline for your proof if you accept now'),
  }),
)

export const getOpen = endpoint({
  method: 'GET',
  path: '/worker/feed/:id',
  name: 'getFeedTask',
  auth: 'worker',
  access: { object: 'open' },
  summary: 'Show a task that you could take',
  description:
    'Returns a card with the task’s requirements, regardless of its location and your ' +
    'preferences. 404 if you can’t take it, unless it is yours.',
  params: z.object({ id: TaskId }),
  query: z.object(PlaceQuery),
  success: {
    status: 200,
    body: z.object({
      task: OpenTask,
      assignment: OwnAssignment.nullable().describe(
        'Your own assignment; null if you never had one',
      ),
    }),
  },
  errors: [taskNotFound],

  transaction: 'own',
  async handler({ db, worker, params, query, now }) {
    assertWhole(query)
    const shown = await readOpenTask(db, { taskId: params.id, worker, sought: query, now })
    return { status: 200, body: JSON.stringify(shown), isReplay: false }
  },
})

interface OpenTaskAsked {
  taskId: string
  worker: WorkerCaller
  sought: Sought
  now: Date
}

async function readOpenTask(db: Db, { taskId, worker, sought, now }: OpenTaskAsked) {
  const { reader } = db.shards.at(taskId)
  const { agent_name, ...task } = await findTaskFor(reader, { taskId, worker })
  const assignment = await latestPart(reader, { taskId, workerId: worker.id })
  const seeker = await findSeeker(db, { workerId: worker.id, sought, now })
  const isOwn = assignment !== undefined && isTheirs(assignment)
  if (!isOwn && !isOpenTo(task, seeker)) throw taskNotFound()
  if (!isOwn && (await hasReported(reader, { taskId, worker }))) throw taskNotFound()

  const reputations = await reputationsOf(reader, [task.agent_id], now)
  const reputation = reputations.get(task.agent_id)!
  const { area, lat, lng, ...projection } = projectionOf(task, reputation)
  const row = {
    ...projection,
    skill_count: task.skills.length + task.languages.length,
    deadline_ms: task.deadline.getTime(),
    distance_km:
      seeker.place === undefined || lat === null ? null : distanceKm(seeker.place, { lat, lng }),
  }
  const risks = risksOf(task, pointOf({ lat, lng }))
  const card = { ...task, slots_needed: slotsOf(task), area, lat, lng, agent_name, risks }
  const { missing_skills, missing_languages } = lackedFor(task, seeker)
  const lacks = missing_skills.length + missing_languages.length > 0
  return {
    task: {
      ...viewCard(card, row, reputation, seeker),
      ...(lacks ? { missing: { skills: missing_skills, languages: missing_languages } } : {}),
      ...viewDemands(task),
      finish_until: workUntil(task, now).toISOString(),
    },
    assignment: assignment === undefined ? null : viewOwnAssignment(assignment, task),
  }
}

/** Like open_tasks_suits, but ignores preferences and missing skills: the worker can still add those. */
const isOpenTo = (task: Task, { levelShown, now }: Seeker) =>
  hasFreeSlot(task) && task.deadline > now && levelNeeded(task) <= levelShown

/** The feed hides tasks that the worker has reported until an operator decides. */
async function hasReported(
  db: Reader,
  { taskId, worker }: { taskId: string; worker: WorkerCaller },
): Promise<boolean> {
  const waiting = await db
    .selectFrom('task_reports')
    .select('task_id')
    .where('task_id', '=', taskId)
    .where('worker_id', '=', worker.id)
    .where('verdict', 'is', null)
    .executeTakeFirst()
  return waiting !== undefined
}

async function findTaskFor(
  db: Reader,
  { taskId, worker }: { taskId: string; worker: WorkerCaller },
): Promise<Task & { agent_name: string }> {
  const task = await db
    .selectFrom('tasks')
    .innerJoin('agents', 'agents.id', 'tasks.agent_id')
    .selectAll('tasks')
    .select('agents.name as agent_name')
    .where('tasks.id', '=', taskId)
    .executeTakeFirst()
  if (task === undefined || !isWithin(task, worker)) throw taskNotFound()
  return task
}
