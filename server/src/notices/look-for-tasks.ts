/**
 * Check whether new tasks match a worker's alert, and notify the worker about the best one.
 *
 *   called by   the clock, every few minutes for each alert; not in quiet hours or above the daily limit
 *   moves       nothing
 *   money       none
 *   event       none
 *
 * A pass checks a bounded number of alerts, so with many alerts each only waits longer.
 */
import type { Selectable } from 'kysely'
import { findNew } from '../feed/find-new.ts'
import type { Reader } from '../kit/db.ts'
import { type Background, sweep } from '../kit/job.ts'
import type { Schema } from '../kit/schema.ts'
import { wantedBy } from '../workers/notify.ts'
import { byId } from '../workers/queries.ts'
import { quietUntil } from './quiet-hours.ts'
import { tellWorker } from './tell.ts'

type Alert = Selectable<Schema['alerts']>

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const LOOK_MS = 4 * MINUTE_MS
const JITTER_MS = 2 * MINUTE_MS
/** The delay for a disabled alert, which the worker may enable again later. */
const OFF_MS = 60 * MINUTE_MS
/** A task appears in the feed a moment after it was created. */
const LAG_MS = 2 * MINUTE_MS
const LOOKED_AT_MAX = 100
const CONSIDERED_MAX = 20

export const lookForTasks = sweep({
  name: 'notices.look-for-tasks',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('alerts')
      .select('worker_id as id')
      .where('look_at', '<=', clock.now())
      .orderBy('look_at')
      .limit(Math.min(limit, LOOKED_AT_MAX))
      .execute(),

  // One transaction per worker, so that one result need not wait for the others.
  async move(background, rows) {
    let looked = 0
    for (const { id } of rows) if (await look(background, id)) looked += 1
    return looked
  },
})

/** The next check, with jitter, so that alerts created together spread out. */
export const nextLook = (now: Date) => after(now, LOOK_MS + Math.random() * JITTER_MS)

async function look(background: Background, workerId: string): Promise<boolean> {
  const { db, clock, config } = background
  const now = clock.now()
  const alert = await take(background, workerId, now)
  if (alert === undefined) return false
  const worker = await byId(db.reader, workerId)
  if (worker === undefined) return false
  const wanted = wantedBy(worker)
  const putOff = async (look_at: Date) => {
    await db.transaction((tx) =>
      tx.updateTable('alerts').set({ look_at }).where('worker_id', '=', workerId).execute(),
    )
    return true
  }
  const isPerson = worker.status === 'active' && worker.mode === 'live'
  if (!isPerson || worker.closing_at !== null || !wanted.new_task || wanted.new_tasks_per_day === 0)
    return putOff(after(now, OFF_MS))
  const quietEnd = wanted.quiet === null ? undefined : quietUntil(wanted.quiet, now)
  if (quietEnd !== undefined) return putOff(nextLook(quietEnd))
  const told = await toldSince(db.reader, { workerId, since: after(now, -DAY_MS) })
  if (told.length >= wanted.new_tasks_per_day)
    return putOff(after(told[wanted.new_tasks_per_day - 1]!.created_at, DAY_MS))

  const found = await findNew(db, {
    workerId,
    sought: { ...alert, types: alert.types as Schema['tasks']['type'][] | null },
    since: alert.seen_at,
    limit: CONSIDERED_MAX,
    now,
  })
  const best = found.find(({ id }) => !told.some(({ cause }) => cause === id))
  await db.transaction(async (tx) => {
    if (best !== undefined)
      await tellWorker(
        tx,
        {
          workerId,
          kind: 'new_task',
          cause: best.id,
          task: { id: best.id, title: best.title, agentName: best.agent.name },
          amountCents: best.you_earn_cents,
          distanceKm: best.distance_km,
          until: new Date(best.deadline),
        },
        { config, now },
      )
    await tx
      .updateTable('alerts')
      .set({ seen_at: new Date(Math.max(alert.seen_at.getTime(), now.getTime() - LAG_MS)) })
      .where('worker_id', '=', workerId)
      // Skip an alert that was replaced meanwhile; it starts over.
      .where('seen_at', '=', alert.seen_at)
      .execute()
  })
  return true
}

/** Claims an alert by postponing it, so that two concurrent sweeps do not check it twice. */
function take({ db }: Background, workerId: string, now: Date): Promise<Alert | undefined> {
  return db.transaction((tx) =>
    tx
      .updateTable('alerts')
      .set({ look_at: nextLook(now) })
      .where('worker_id', '=', workerId)
      .where('look_at', '<=', now)
      .returningAll()
      .executeTakeFirst(),
  )
}

/** Newest first. */
const toldSince = (db: Reader, { workerId, since }: { workerId: string; since: Date }) =>
  db
    .selectFrom('notices')
    .select(['cause', 'created_at'])
    .where('worker_id', '=', workerId)
    .where('kind', '=', 'new_task')
    .where('created_at', '>', since)
    .orderBy('id', 'desc')
    .execute()

const after = (at: Date, ms: number) => new Date(at.getTime() + ms)
