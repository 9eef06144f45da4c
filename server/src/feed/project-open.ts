/**
 * Maintain the feed: a slim row for every task that a worker could take right now, and what its card shows.
 *
 *   called by   the relay, with new events; the clock, every hour, to repair what was missed
 *   moves       nothing
 *   money       none
 *   event       none; it follows task.created, task.accepted, task.released, task.reopened, task.expired and
 *               task.cancelled
 *
 * The feed is a store of its own: no statement reads or writes its tables together with those of agents and workers. If
 * it has a schema of its own, its transaction commits before that of the shard, which keeps the tasks locked meanwhile.
 */
import { sql } from 'kysely'
import { z } from 'zod'
import { type Reputation, reputationsOf } from '../agents/reputations.ts'
import { type Db, runIn, type Shards, type Tx } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { blurred, cellsOf, type Point } from '../places/cells.ts'
import { areaOf, geocode } from '../places/geocode.ts'
import { workerPayCents } from '../tasks/draft.ts'
import type { Place } from '../tasks/fields.ts'
import { levelNeeded } from '../tasks/matching.ts'
import { hasFreeSlot, slotsOf } from '../tasks/moves.ts'
import type { Task } from '../tasks/queries.ts'
import { type TakenEvent, type TakeOptions, takeEvents } from '../webhooks/take-events.ts'
import { abilityKeys } from './ability-keys.ts'
import { risksOf, type RiskyTask } from './risks.ts'
import {
  addAgents,
  AGENT_EVENTS,
  type FeedTx,
  followAgents,
  removeIdleAgents,
} from './open-agents.ts'

const EVENTS = ['task.created', 'task.released', 'task.reopened', 'task.expired', 'task.cancelled']
const RELEVANT = [...EVENTS, 'task.accepted', ...AGENT_EVENTS]
const LOOKED_AT_ONCE = 5000
const MENDED_AT_ONCE = 500

export const projectOpen = job({
  name: 'tasks.project-open',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '23 * * * *',
  isGlobal: true,

  async run({ db, clock, log }) {
    const mended = await mendProjection(db, clock.now())
    if (mended > 0) log.warn({ mended }, 'the feed lacked open tasks or listed closed ones')
    await removeIdleAgents(db)
  },
})

/**
 * Takes events for the relay and updates the feed in the same transaction. If the projection fails, it must not block
 * mails and webhooks: the events proceed without it, and the hourly job retries.
 */
export async function takeAndProject(
  tx: Tx,
  limit: number,
  { db, onError, ...options }: TakeOptions & { db: Db; onError(error: unknown): void },
): Promise<TakenEvent[]> {
  const events = await takeEvents(tx, limit, options)
  if (!events.some(({ type }) => RELEVANT.includes(type))) return events
  await sql`savepoint projection`.execute(tx)
  try {
    await runIn(db.shards.feed, { db, tx }, async (feed) => {
      await projectOpenTasks({ tx, feed }, events, options.now)
      await followAgents({ tx, feed }, events)
    })
  } catch (error) {
    // Serialization failure, deadlock or lock timeout: retry the whole batch.
    if (/^(40|55)/.test(String((error as { code?: unknown }).code))) throw error
    await sql`rollback to savepoint projection`.execute(tx)
    onError(error)
  }
  return events
}

/** Writes tasks of one shard to the feed as they are now, if it is in another database. */
export async function projectNow(db: Db, taskIds: string[], now: Date): Promise<void> {
  await db.transaction((tx) =>
    runIn(db.shards.feed, { db, tx }, (feed) => projectTasks({ tx, feed }, taskIds, now)),
  )
}

export async function projectOpenTasks(
  { tx, feed }: FeedTx,
  events: readonly Pick<TakenEvent, 'type' | 'task_id'>[],
  now: Date,
): Promise<void> {
  const idsOf = (isWanted: (type: string) => boolean) =>
    events.flatMap(({ type, task_id }) => (isWanted(type) ? (task_id ?? []) : []))
  const ids = idsOf((type) => EVENTS.includes(type))
  // The transaction that took the last slot has removed the row. A task that is still listed has free slots, or its
  // removal was lost.
  const listed = await listedAmong(
    feed,
    idsOf((type) => type === 'task.accepted'),
  )
  await projectTasks({ tx, feed }, [...new Set([...ids, ...listed])], now)
}

async function listedAmong(feed: Tx, taskIds: string[]): Promise<string[]> {
  if (taskIds.length === 0) return []
  const rows = await feed
    .selectFrom('open_tasks')
    .select('task_id')
    .where('task_id', '=', sql<string>`any(${taskIds})`)
    .execute()
  return rows.map(({ task_id }) => task_id)
}

/**
 * Writes rows and cards for those of the tasks that can be taken, and deletes those of the others. Returns the number
 * of tasks for which the feed has changed.
 */
async function projectTasks({ tx, feed }: FeedTx, taskIds: string[], now: Date): Promise<number> {
  if (taskIds.length === 0) return 0
  // Lock the tasks until the feed is written: a concurrent accept either commits first, and is seen here, or comes
  // later and deletes our row.
  const tasks = await tx
    .selectFrom('tasks')
    .select(['id', 'agent_id', 'mode', 'type', 'status', 'deadline', 'skills', 'languages'])
    .select(['locked_cents', 'consensus_count', 'consensus_max', 'slots_extra', 'slots_taken'])
    .select(['location', 'min_worker_level', 'share_level', 'reported_at'])
    .select([
      'title',
      'description',
      'context',
      'urgency',
      'proof_required',
      'budget_cents',
      'created_at',
    ])
    .select(['commission_basis_points', 'auto_approve_after', 'scheduled_at'])
    .where('id', '=', sql<string>`any(${taskIds})`)
    .orderBy('id')
    .forShare()
    .execute()
  const open = tasks.filter((task) => isShown(task, now))
  const shown = new Set(open.map(({ id }) => id))
  const gone = taskIds.filter((id) => !shown.has(id))
  return (await removeRows(feed, gone)) + (await writeRows({ tx, feed }, open, now))
}

async function removeRows(feed: Tx, taskIds: string[]): Promise<number> {
  if (taskIds.length === 0) return 0
  const { numDeletedRows } = await feed
    .deleteFrom('open_tasks')
    .where('task_id', '=', sql<string>`any(${taskIds})`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

type OpenTask = Parameters<typeof projectionOf>[0] & Parameters<typeof cardOf>[0] & RiskyTask

async function writeRows({ tx, feed }: FeedTx, open: OpenTask[], now: Date): Promise<number> {
  if (open.length === 0) return 0
  const agentIds = [...new Set(open.map(({ agent_id }) => agent_id))].sort()
  const reputations = await reputationsOf(tx, agentIds, now)
  await addAgents({ tx, feed }, agentIds)
  const rows = open.map((task) => {
    const projection = projectionOf(task, reputations.get(task.agent_id)!)
    return { ...projection, ...cardOf(task), risks: risksOf(task, pointOf(projection)) }
  })
  const { rows: counts } = await sql<{ count: number }>`
    with r as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) r(task_id text, agent_id text, type task_type,
        pay_cents bigint, level_needed smallint, skill_keys integer[], deadline timestamptz, lat double precision,
        lng double precision, cell5 bigint, cell6 bigint, cell7 bigint, area text, paid_chance real,
        status task_status, title text, description text, urgency task_urgency, proof_required task_proof,
        budget_cents bigint, auto_approve_after integer, slots_needed integer, slots_taken integer, skills text[],
        languages text[], created_at timestamptz, risks text[])
    ), projected as (
      insert into open_tasks as o (task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng,
                                   cell5, cell6, cell7, area, paid_chance)
        select task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, cell5, cell6, cell7,
               area, paid_chance
          from r
      on conflict (task_id) do update
         set pay_cents = excluded.pay_cents, level_needed = excluded.level_needed, lat = excluded.lat,
             lng = excluded.lng, cell5 = excluded.cell5, cell6 = excluded.cell6, cell7 = excluded.cell7,
             area = excluded.area
       where (o.pay_cents, o.level_needed, o.lat, o.lng, o.area) is distinct from
             (excluded.pay_cents, excluded.level_needed, excluded.lat, excluded.lng, excluded.area)
      returning task_id
    ), carded as (
      insert into open_cards as c (task_id, status, title, description, urgency, proof_required, budget_cents,
                                   auto_approve_after, slots_needed, slots_taken, skills, languages, created_at, risks)
        select task_id, status, title, description, urgency, proof_required, budget_cents, auto_approve_after,
               slots_needed, slots_taken, skills, languages, created_at, risks
          from r
      -- The texts of a task never change while it is open.
      on conflict (task_id) do update
         set status = excluded.status, slots_needed = excluded.slots_needed, slots_taken = excluded.slots_taken
       where (c.status, c.slots_needed, c.slots_taken) is distinct from
             (excluded.status, excluded.slots_needed, excluded.slots_taken)
      returning task_id
    )
    select count(*) from (select task_id from projected union select task_id from carded) changed`.execute(
    feed,
  )
  return counts[0]!.count
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

/** The fields of a task that only its card shows. */
const cardOf = (
  task: Parameters<typeof slotsOf>[0] &
    Pick<Task, 'status' | 'title' | 'description' | 'urgency' | 'proof_required' | 'budget_cents'> &
    Pick<Task, 'auto_approve_after' | 'slots_taken' | 'skills' | 'languages' | 'created_at'>,
) => ({
  status: task.status,
  title: task.title,
  description: task.description,
  urgency: task.urgency,
  proof_required: task.proof_required,
  budget_cents: task.budget_cents,
  auto_approve_after: task.auto_approve_after,
  slots_needed: slotsOf(task),
  slots_taken: task.slots_taken,
  skills: task.skills,
  languages: task.languages,
  created_at: task.created_at,
})

/** Where the feed shows a task; null without a place. */
export const pointOf = ({ lat, lng }: { lat: number | null; lng: number | null }): Point | null =>
  lat === null || lng === null ? null : { lat, lng }

/** Test tasks are left out: scripted workers need no feed. */
export const isShown = (
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

/** Compares the feed with the tasks in both directions, in batches; returns how many tasks were wrong. */
async function mendProjection({ shards }: Db, now: Date): Promise<number> {
  let mended = 0
  const mend = async (db: Db, ids: string[]) => {
    for (let i = 0; i < ids.length; i += MENDED_AT_ONCE)
      mended += await db.transaction((tx) =>
        runIn(db.shards.feed, { db, tx }, (feed) =>
          projectTasks({ tx, feed }, ids.slice(i, i + MENDED_AT_ONCE), now),
        ),
      )
  }
  for await (const ids of wrongRows(shards, now))
    for (const [db, some] of Map.groupBy(ids, shards.at)) await mend(db, some)
  for (const db of shards.all) for await (const ids of missingTasks(db, now)) await mend(db, ids)
  return mended
}

interface Listed {
  id: string
  /** Null without a card, or without the row of its agent. */
  slots_taken: number | null
}

/** Rows whose task can't be taken any more, and cards that lack or differ from their task. */
async function* wrongRows({ feed, at }: Shards, now: Date): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await feed.call<Listed & Record<string, unknown>>('feed_listed', LISTED, [
      after,
      LOOKED_AT_ONCE,
    ])
    for (const [db, some] of Map.groupBy(rows, ({ id }) => at(id))) {
      const wrong = await db.call<{ id: string }>('feed_wrong', WRONG, [
        some.map(({ id }) => id),
        some.map(({ slots_taken }) => slots_taken),
        now,
      ])
      yield wrong.map(({ id }) => id)
    }
    if (rows.length < LOOKED_AT_ONCE) return
    after = rows.at(-1)!.id
  }
}

async function* missingTasks(db: Db, now: Date): AsyncGenerator<string[]> {
  let after = { deadline: now.toISOString(), id: '' }
  for (;;) {
    const tasks = await db.call<{ id: string; deadline: string; is_open: boolean }>(
      'feed_open',
      OPEN,
      [after.deadline, after.id, LOOKED_AT_ONCE],
    )
    const open = tasks.filter(({ is_open }) => is_open).map(({ id }) => id)
    const missing = await db.shards.feed.call<{ id: string }>('feed_missing', MISSING, [open])
    yield missing.map(({ id }) => id)
    if (tasks.length < LOOKED_AT_ONCE) return
    after = tasks.at(-1)!
  }
}

const LISTED = `
  select o.task_id as id, case when a.agent_id is not null then c.slots_taken end as slots_taken
    from (select task_id, agent_id from open_tasks where task_id > $1 order by task_id limit $2) o
    left join open_cards c on c.task_id = o.task_id
    left join open_agents a on a.agent_id = o.agent_id
   order by o.task_id`

const WRONG = `
  select f.id
    from unnest($1::text[], $2::integer[]) f(id, slots_taken)
    left join tasks t on t.id = f.id
   where t.id is null or t.status not in ('pending', 'in_progress') or t.deadline <= $3 or t.reported_at is not null
      or t.slots_taken >= t.consensus_count + t.slots_extra or t.slots_taken is distinct from f.slots_taken`

// Uses the deadline timer's index, which covers only open tasks. The deadline is passed as text, because a Date would
// lose its microseconds.
const OPEN = `
  select t.id, t.deadline::text as deadline,
         t.mode = 'live' and t.slots_taken < t.consensus_count + t.slots_extra and t.reported_at is null as is_open
    from tasks t
   where t.status in ('pending', 'in_progress') and t.deadline >= $1::timestamptz
     and (t.deadline, t.id) > ($1::timestamptz, $2)
   order by t.deadline, t.id limit $3`

const MISSING = `
  select f.id from unnest($1::text[]) f(id)
   where not exists (select 1 from open_tasks o where o.task_id = f.id)`
