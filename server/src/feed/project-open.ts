/**
 * Maintain the feed's projection: a slim row for every task that a worker could take right now.
 *
 *   called by   the relay, with new events; the clock, every hour, to repair what was missed
 *   moves       nothing
 *   money       none
 *   event       none; it follows task.created, task.released, task.reopened, task.expired and task.cancelled
 */
import { sql } from 'kysely'
import { z } from 'zod'
import { type Reputation, reputationsOf } from '../agents/reputations.ts'
import type { Db, Tx } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { blurred, cellsOf, type Point } from '../places/cells.ts'
import { areaOf, geocode } from '../places/geocode.ts'
import { workerPayCents } from '../tasks/draft.ts'
import type { Place } from '../tasks/fields.ts'
import { levelNeeded } from '../tasks/matching.ts'
import { hasFreeSlot } from '../tasks/moves.ts'
import type { Task } from '../tasks/queries.ts'
import { type TakenEvent, type TakeOptions, takeEvents } from '../webhooks/take-events.ts'
import { abilityKeys } from './ability-keys.ts'

const EVENTS = ['task.created', 'task.released', 'task.reopened', 'task.expired', 'task.cancelled']
const LOOKED_AT_ONCE = 5000
const MENDED_AT_ONCE = 500

export const projectOpen = job({
  name: 'tasks.project-open',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '23 * * * *',

  async run({ db, clock, log }) {
    const mended = await mendProjection(db, clock.now())
    if (mended > 0) log.warn({ mended }, 'the feed lacked open tasks or listed closed ones')
  },
})

/**
 * Takes events for the relay and updates the feed in the same transaction. If the projection fails, it must not block
 * mails and webhooks: the events proceed without it, and the hourly job retries.
 */
export async function takeAndProject(
  tx: Tx,
  limit: number,
  { onError, ...options }: TakeOptions & { onError(error: unknown): void },
): Promise<TakenEvent[]> {
  const events = await takeEvents(tx, limit, options)
  await sql`savepoint projection`.execute(tx)
  try {
    await projectOpenTasks(tx, events, options.now)
  } catch (error) {
    // Serialization failure, deadlock or lock timeout: retry the whole batch.
    if (/^(40|55)/.test(String((error as { code?: unknown }).code))) throw error
    await sql`rollback to savepoint projection`.execute(tx)
    onError(error)
  }
  return events
}

export async function projectOpenTasks(
  tx: Tx,
  events: readonly Pick<TakenEvent, 'type' | 'task_id'>[],
  now: Date,
): Promise<void> {
  const ids = events.flatMap(({ type, task_id }) => (EVENTS.includes(type) ? (task_id ?? []) : []))
  await projectTasks(tx, [...new Set(ids)], now)
}

/** Inserts rows for those of the tasks that can be taken, and deletes the rows of the others. */
async function projectTasks(tx: Tx, taskIds: string[], now: Date): Promise<void> {
  if (taskIds.length === 0) return
  // Lock the tasks: a concurrent accept either commits first, and is seen here, or comes later and deletes our row.
  const tasks = await tx
    .selectFrom('tasks')
    .select(['id', 'agent_id', 'mode', 'type', 'status', 'deadline', 'skills', 'languages'])
    .select(['locked_cents', 'consensus_count', 'consensus_max', 'slots_extra', 'slots_taken'])
    .select(['location', 'min_worker_level', 'share_level', 'reported_at'])
    .select('commission_basis_points')
    .where('id', '=', sql<string>`any(${taskIds})`)
    .orderBy('id')
    .forShare()
    .execute()
  const open = tasks.filter((task) => isShown(task, now))
  const shown = new Set(open.map(({ id }) => id))

  const gone = taskIds.filter((id) => !shown.has(id))
  if (gone.length > 0)
    await tx.deleteFrom('open_tasks').where('task_id', '=', sql<string>`any(${gone})`).execute()
  if (open.length === 0) return

  const agentIds = open.map(({ agent_id }) => agent_id)
  const reputations = await reputationsOf(tx, agentIds, now)
  const rows = open.map((task) => projectionOf(task, reputations.get(task.agent_id)!))
  await sql`
    insert into open_tasks (task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, cell5,
                            cell6, cell7, area, paid_chance)
      select task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, cell5, cell6, cell7,
             area, paid_chance
        from json_to_recordset(${JSON.stringify(rows)}::json) r(task_id text, agent_id text, type task_type,
          pay_cents bigint, level_needed smallint, skill_keys integer[], deadline timestamptz, lat double precision,
          lng double precision, cell5 bigint, cell6 bigint, cell7 bigint, area text, paid_chance real)
    on conflict (task_id) do update
       set pay_cents = excluded.pay_cents, level_needed = excluded.level_needed, lat = excluded.lat,
           lng = excluded.lng, cell5 = excluded.cell5, cell6 = excluded.cell6, cell7 = excluded.cell7,
           area = excluded.area
     where (open_tasks.pay_cents, open_tasks.level_needed, open_tasks.lat, open_tasks.lng, open_tasks.area)
           is distinct from
           (excluded.pay_cents, excluded.level_needed, excluded.lat, excluded.lng, excluded.area)`.execute(
    tx,
  )
}

/** The fields of a task that the feed filters and sorts by. */
export const projectionOf = (
  task: Parameters<typeof levelNeeded>[0] &
    Parameters<typeof workerPayCents>[0] &
    Pick<Task, 'id' | 'agent_id' | 'type' | 'skills' | 'languages' | 'deadline' | 'location'>,
  { paid_chance }: Reputation,
) => ({
  task_id: task.id,
  agent_id: task.agent_id,
  type: task.type,
  pay_cents: workerPayCents(task),
  level_needed: levelNeeded(task),
  skill_keys: abilityKeys(task),
  deadline: task.deadline,
  ...placeOf(task.location as z.output<typeof Place> | null),
  paid_chance,
})

/** Test tasks are left out: scripted workers need no feed. */
const isShown = (
  task: Parameters<typeof hasFreeSlot>[0] & Pick<Task, 'mode' | 'deadline'>,
  now: Date,
) => task.mode === 'live' && hasFreeSlot(task) && task.deadline > now

/** An unknown place is treated like no place: better to show the task to everyone than to nobody. */
function placeOf(location: z.output<typeof Place> | null) {
  const found = typeof location === 'string' ? geocode(location) : location
  if (!found) return { lat: null, lng: null, cell5: 0, cell6: 0, cell7: 0, area: null }
  const point: Point = blurred(found)
  return { ...point, ...cellsOf(point), area: areaOf(point) ?? null }
}

/** Compares the projection with the tasks in both directions, in batches; returns how many rows were wrong. */
async function mendProjection(db: Db, now: Date): Promise<number> {
  let mended = 0
  const mend = async (ids: string[]) => {
    for (let i = 0; i < ids.length; i += MENDED_AT_ONCE)
      await db.transaction((tx) => projectTasks(tx, ids.slice(i, i + MENDED_AT_ONCE), now))
    mended += ids.length
  }
  for await (const ids of staleRows(db, now)) await mend(ids)
  for await (const ids of missingTasks(db, now)) await mend(ids)
  return mended
}

async function* staleRows(db: Db, now: Date): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await db.call<{ id: string; is_stale: boolean }>('open_tasks_stale', STALE, [
      after,
      now,
      LOOKED_AT_ONCE,
    ])
    yield rows.filter(({ is_stale }) => is_stale).map(({ id }) => id)
    if (rows.length < LOOKED_AT_ONCE) return
    after = rows.at(-1)!.id
  }
}

async function* missingTasks(db: Db, now: Date): AsyncGenerator<string[]> {
  let after = { deadline: now.toISOString(), id: '' }
  for (;;) {
    const rows = await db.call<{ id: string; deadline: string; is_missing: boolean }>(
      'open_tasks_missing',
      MISSING,
      [after.deadline, after.id, LOOKED_AT_ONCE],
    )
    yield rows.filter(({ is_missing }) => is_missing).map(({ id }) => id)
    if (rows.length < LOOKED_AT_ONCE) return
    after = rows.at(-1)!
  }
}

const STALE = `
  select o.task_id as id,
         t.id is null or t.status not in ('pending', 'in_progress') or t.deadline <= $2 or t.reported_at is not null
           or t.slots_taken >= t.consensus_count + t.slots_extra as is_stale
    from (select task_id from open_tasks where task_id > $1 order by task_id limit $3) o
    left join tasks t on t.id = o.task_id
   order by o.task_id`

// Uses the deadline timer's index, which covers only open tasks. The deadline is passed as text, because a Date would
// lose its microseconds.
const MISSING = `
  select t.id, t.deadline::text as deadline,
         t.mode = 'live' and t.slots_taken < t.consensus_count + t.slots_extra and t.reported_at is null
           and not exists (select 1 from open_tasks o where o.task_id = t.id) as is_missing
    from tasks t
   where t.status in ('pending', 'in_progress') and t.deadline >= $1::timestamptz
     and (t.deadline, t.id) > ($1::timestamptz, $2)
   order by t.deadline, t.id limit $3`
