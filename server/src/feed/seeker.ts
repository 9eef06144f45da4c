/** Somebody who looks for tasks: their place, abilities and preferences. */
import { z } from 'zod'
import type { Db } from '../kit/db.ts'
import { type Point, RADIUS_MAX_KM } from '../places/cells.ts'
import type { Task } from '../tasks/queries.ts'
import { abilitiesOf } from '../workers/abilities.ts'
import { type Location, RADIUS_KM, WISHES } from '../workers/profile.ts'
import { type LevelRecord, levelOf } from '../workers/trust.ts'

export interface Seeker {
  workerId: string
  /** The worker has asked to close the account, and is shown no tasks. */
  isClosing: boolean
  place: (Point & { radiusKm: number }) | undefined
  level: number
  /** The highest level of tasks to show. It may exceed `level`; such tasks are shown as locked. */
  levelShown: number
  skills: string[]
  /** Each with its wider tags: `pt-br` and `pt`. */
  languages: string[]
  types: Task['type'][] | null
  payMin: number
  muted: string[]
  /** Tasks that the worker has had or has reported. */
  hidden: string[]
  /** Approved tasks by type. */
  done: Partial<Record<Task['type'], number>>
  now: Date
  asOf: Date
}

/** Query parameters that override the profile; without types, any type matches. */
export interface Sought {
  lat?: number | null | undefined
  lng?: number | null | undefined
  radius_km?: number | null | undefined
  types?: Task['type'][] | null | undefined
  min_pay_cents?: number | null | undefined
}

interface WorkerRow extends LevelRecord {
  skills: string[]
  languages: string[]
  location: Location | null
  preferences: unknown
  is_closing: boolean
  done: Seeker['done'] | null
  hidden: string[]
}

const WORKER = `
  select w.skills, w.languages, w.location, w.preferences, w.trust_good, w.trust_bad, w.trust_pending,
         w.approved_count, w.identity_done_at, w.closing_at is not null as is_closing,
         case when w.approved_count > 0 then (
           select json_object_agg(d.type, d.times) from (
             select t.type, count(*) as times
               from (select a.task_id from worker_assignments a
                      where a.worker_id = w.id and a.status = 'approved' and a.ended_at <= $2
                      order by a.id desc limit 50) l
               join worker_tasks t on t.id = l.task_id group by t.type) d) end as done,
         open_tasks_hidden_from(w.id, $3) as hidden
    from workers w where w.id = $1`

/** The preferences that the feed uses; invalid values fall back to defaults. */
const Wishes = z.object({
  types: WISHES.types.catch([]).default([]),
  min_pay_cents: WISHES.min_pay_cents.catch(0).default(0),
  muted_agents: WISHES.muted_agents.catch([]).default([]),
})

export async function findSeeker(
  db: Db,
  {
    workerId,
    sought,
    now,
    asOf = now,
  }: { workerId: string; sought: Sought; now: Date; asOf?: Date },
): Promise<Seeker> {
  const [row] = await db.call<WorkerRow & Record<string, unknown>>('feed_worker', WORKER, [
    workerId,
    asOf,
    now,
  ])
  const worker = row!
  const wishes = Wishes.parse(worker.preferences)
  const types = sought.types ?? wishes.types
  const level = levelOf(worker, now)
  return {
    workerId,
    isClosing: worker.is_closing,
    place: placeOf(sought, worker.location),
    level,
    levelShown: level + 1,
    ...abilitiesOf(worker),
    types: types.length === 0 ? null : types,
    payMin: sought.min_pay_cents ?? wishes.min_pay_cents,
    muted: wishes.muted_agents,
    hidden: worker.hidden,
    done: worker.done ?? {},
    now,
    asOf,
  }
}

/** A visitor who has not signed up sees what a new worker without skills could take. */
export const anybody = (place: Seeker['place'], now: Date): Seeker => ({
  workerId: '',
  isClosing: false,
  place,
  level: 1,
  levelShown: 1,
  skills: [],
  languages: [],
  types: null,
  payMin: 0,
  muted: [],
  hidden: [],
  done: {},
  now,
  asOf: now,
})

function placeOf(sought: Sought, home: Location | null): Seeker['place'] {
  const [lat, lng] = [sought.lat ?? home?.lat, sought.lng ?? home?.lng]
  if (typeof lat !== 'number' || typeof lng !== 'number') return undefined
  const radiusKm = sought.radius_km ?? home?.radius_km ?? RADIUS_KM.default
  return { lat, lng, radiusKm: Math.min(radiusKm, RADIUS_MAX_KM) }
}
