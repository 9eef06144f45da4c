/** What quotes are computed from: pay and duration of completed tasks, and where workers are, over all shards. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { readReachable } from '../kit/everywhere.ts'
import { cellsOf, type Point } from '../places/cells.ts'
import type { Task } from '../tasks/queries.ts'

/** Quotes are computed from this many of the newest completed tasks of all types. */
const LOOKED_AT = 20_000
/** With fewer tasks or agents, a quote would reveal individual tasks. */
const TOLD_FROM = { tasks: 5, agents: 3 }

/** Pay per worker and time taken. */
export interface Market {
  tasks: number
  lowCents: number
  usualCents: number
  highCents: number
  minutes: number
}

type Type = Task['type']

/** The completed tasks of one type in one shard: for each, the pay per worker and the time taken. */
export interface MarketPart {
  type: Type
  agents: number
  cents: number[]
  seconds: number[]
}

/** By type, without types for which a quote would reveal individual tasks. */
export async function readMarkets(shards: readonly Reader[]): Promise<Map<Type, Market>> {
  const limit = Math.ceil(LOOKED_AT / shards.length)
  return combineMarkets(await readReachable(shards, (shard) => marketsOfShard(shard, limit)))
}

async function marketsOfShard(shard: Reader, limit: number): Promise<MarketPart[]> {
  const { rows } = await sql<MarketPart>`
    select type, count(distinct agent_id)::integer as agents,
           json_agg(locked_cents::float8 / (consensus_count + slots_extra)) as cents,
           json_agg(extract(epoch from proof_at - created_at)::float8) as seconds
      from (select * from tasks where mode = 'live' and status = 'completed'
             order by id desc limit ${limit}) newest
     where proof_at is not null
     group by type`.execute(shard)
  return rows
}

/** Percentiles of shards can't be combined, so they are computed from the values of all. */
export function combineMarkets(parts: readonly MarketPart[][]): Map<Type, Market> {
  const markets = new Map<Type, Market>()
  for (const [type, ofType] of Map.groupBy(parts.flat(), (part) => part.type)) {
    // An agent's tasks are all in its own shard, so no agent is counted twice.
    const agents = ofType.reduce((sum, part) => sum + part.agents, 0)
    const cents = Float64Array.from(ofType.flatMap((part) => part.cents)).sort()
    const seconds = Float64Array.from(ofType.flatMap((part) => part.seconds)).sort()
    if (cents.length < TOLD_FROM.tasks || agents < TOLD_FROM.agents) continue
    markets.set(type, {
      tasks: cents.length,
      lowCents: percentile(cents, 0.25),
      usualCents: percentile(cents, 0.5),
      highCents: percentile(cents, 0.75),
      minutes: percentile(seconds, 0.5) / 60,
    })
  }
  return markets
}

/** Interpolates between the two nearest values, as `percentile_cont` does. */
function percentile(sorted: Float64Array, fraction: number): number {
  const place = fraction * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return below + (above - below) * (place - Math.floor(place))
}

/** Approximate numbers of workers by cell. */
export type Population = ReadonlyMap<string, number>

export async function readPopulation(shards: readonly Reader[]): Promise<Population> {
  return addPopulations(await readReachable(shards, populationOfShard))
}

/** Places are rounded and grouped before they leave the database. */
async function populationOfShard(shard: Reader): Promise<Population> {
  const { rows } = await sql<Point & { people: number }>`
    select lat, lng, count(*)::int as people
      from (select round((location ->> 'lat')::numeric * 20) / 20 as lat,
                   round((location ->> 'lng')::numeric * 20) / 20 as lng
              from workers where mode = 'live' and status = 'active' and location is not null) places
     where lat is not null and lng is not null
     group by lat, lng`.execute(shard)
  const cells = new Map<string, number>()
  for (const { lat, lng, people } of rows)
    add(cells, cellsOf({ lat: Number(lat), lng: Number(lng) }).cell6, people)
  return cells
}

export function addPopulations(parts: readonly Population[]): Population {
  const cells = new Map<string, number>()
  for (const part of parts) for (const [cell, people] of part) add(cells, cell, people)
  return cells
}

const add = (cells: Map<string, number>, cell: string, people: number) =>
  cells.set(cell, (cells.get(cell) ?? 0) + people)
