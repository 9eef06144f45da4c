/**
 * Worker counts for task creation: how many have which level, and whether enough of them could take a task. This is an
 * in-memory snapshot that is refreshed every ten minutes, so that creating a task needs no query.
 */
import { sql } from 'kysely'
import type { Reader, Shards } from '../kit/db.ts'
import { readReachable } from '../kit/everywhere.ts'
import { cellsOf, cellsWithin, distanceKm, type Point } from '../places/cells.ts'
import { type Abilities, abilitiesOf, lackedBy, lacksNothing } from './abilities.ts'
import { levelOf } from './trust.ts'

const FRESH_MS = 600_000
/** Stale-while-revalidate: up to this age the old snapshot is used during a refresh; after it, callers wait. */
const USABLE_MS = 2 * FRESH_MS
/** With more workers than this, a random sample is read. */
const READ_MAX = 50_000
/** The default radius of workers who have not set one. */
const RADIUS_KM = 30
/** Above 30 km, so that `cellsWithin` uses the large cells. */
const RADIUS_MAX_KM = 100
/** Counts are rounded to fives, so that an agent that varies its demands can't single out a worker. */
const STEP = 5

export interface CrowdWorker extends Abilities {
  level: number
  /** Undefined for a worker without a place, who sees tasks from everywhere. */
  at: (Point & { radiusKm: number }) | undefined
}

export interface Demands extends Abilities {
  level: number
  place: Point | undefined
  /** How many workers the task needs. */
  workers: number
}

export type Crowd = ReturnType<typeof crowdOf>

/** `share` is the fraction of all workers that this sample is. */
export function crowdOf(workers: readonly CrowdWorker[], share = 1) {
  const placeless = workers.filter(({ at }) => at === undefined)
  const byCell = Map.groupBy(
    workers.filter(({ at }) => at !== undefined),
    ({ at }) => cellsOf(at!).cell5,
  )
  const levels = [0, 1, 2, 3, 4, 5].map(
    (level) => workers.filter((worker) => worker.level >= level).length / share,
  )
  const known = new Map<string, number>()

  const within = (place: Point): CrowdWorker[] => {
    const { cells } = cellsWithin({ ...place, radiusKm: RADIUS_MAX_KM })
    const near = cells.flatMap((cell) => byCell.get(cell) ?? [])
    return [...near.filter(({ at }) => distanceKm(place, at!) <= at!.radiusKm), ...placeless]
  }
  const count = (demands: Demands): number => {
    const candidates = demands.place === undefined ? workers : within(demands.place)
    let eligible = 0
    for (const worker of candidates) {
      if (worker.level < demands.level || !lacksNothing(lackedBy(worker, demands))) continue
      eligible += 1
      if (eligible / share >= wanted(demands)) break
    }
    return eligible / share
  }
  return {
    /** How many workers have this level or a higher one. */
    ofLevel: (level: number) => levels[level] ?? 0,
    /** Undefined when enough workers could take the task; otherwise their number, rounded to fives. */
    tooFewFor(demands: Demands): number | undefined {
      const { level, skills, languages, place } = demands
      const key = JSON.stringify([level, skills, languages, place && cellsOf(place).cell6])
      const found = known.get(`${key} ${wanted(demands)}`) ?? count(demands)
      if (known.size < READ_MAX) known.set(`${key} ${wanted(demands)}`, found)
      return found >= wanted(demands) ? undefined : Math.floor(found / STEP) * STEP
    },
  }
}

const wanted = ({ workers }: Demands) => Math.max(STEP, workers)

/**
 * The highest level that enough workers have, at most the usual one. A task that requires a level that nobody has would
 * never be taken.
 */
export function levelFor(usual: number, crowd: Pick<Crowd, 'ofLevel'>, workersMin: number): number {
  for (let level = usual; level > 1; level -= 1)
    if (crowd.ofLevel(level) >= workersMin) return level
  return 1
}

interface Kept {
  readAt: number
  crowd: Promise<Crowd>
  next: Promise<Crowd> | undefined
}
const kept = new WeakMap<Shards, Kept>()

/** The snapshot of this process. Normally only the first task creations wait for it. */
export function readCrowd(shards: Shards, now: Date): Promise<Crowd> {
  const known = kept.get(shards)
  const age = known === undefined ? Infinity : now.getTime() - known.readAt
  if (known !== undefined && age < FRESH_MS) return known.crowd
  if (known !== undefined && known.next !== undefined && age < USABLE_MS) return known.crowd
  const reading = readWorkers(shards.readers, now)
  if (known === undefined || age >= USABLE_MS) {
    const entry: Kept = { readAt: now.getTime(), crowd: reading, next: undefined }
    kept.set(shards, entry)
    reading.catch(() => kept.delete(shards))
    return reading
  }
  known.next = reading
  reading.then(
    () => kept.set(shards, { readAt: now.getTime(), crowd: reading, next: undefined }),
    () => {
      known.next = undefined
    },
  )
  return known.crowd
}

interface WorkerRow {
  skills: string[]
  languages: string[]
  location: { lat?: number; lng?: number; radius_km?: number } | null
}

async function readWorkers(shards: readonly Reader[], now: Date): Promise<Crowd> {
  const counts = await readReachable(shards, countOfShard)
  const all = counts.reduce((sum, count) => sum + count, 0)
  // The same chance for everyone, whatever the size of their shard.
  const chance = all > READ_MAX ? READ_MAX / all : 1
  const workers = (await readReachable(shards, (shard) => sampleOfShard(shard, chance, now))).flat()
  return crowdOf(workers, chance < 1 && workers.length > 0 ? workers.length / all : 1)
}

async function countOfShard(shard: Reader): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from workers where mode = 'live' and status = 'active'`.execute(shard)
  return rows[0]!.count
}

async function sampleOfShard(shard: Reader, chance: number, now: Date): Promise<CrowdWorker[]> {
  const workers = await shard
    .selectFrom('workers')
    .select(['skills', 'languages', 'location', 'approved_count', 'identity_done_at'])
    .select(['trust_good', 'trust_bad', 'trust_pending'])
    .where('mode', '=', 'live')
    .where('status', '=', 'active')
    .$if(chance < 1, (query) => query.where(sql<boolean>`random() < ${chance}`))
    .execute()
  return workers.map((worker) => {
    const { location, ...can } = worker as typeof worker & WorkerRow
    return { ...abilitiesOf(can), level: levelOf(worker, now), at: placeOf(location) }
  })
}

function placeOf(location: WorkerRow['location']): CrowdWorker['at'] {
  const { lat, lng, radius_km: radiusKm = RADIUS_KM } = location ?? {}
  return lat === undefined || lng === undefined ? undefined : { lat, lng, radiusKm }
}
