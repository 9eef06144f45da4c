/**
 * Quote a task before anything is spent: its usual price, how many workers are nearby, and how long it takes.
 *
 *   called by   an agent, in either mode; the quote is always for the live marketplace
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { formatCents } from '../kit/money.ts'
import { named } from '../kit/named.ts'
import { cellsOf, cellsWithin, type Point } from '../places/cells.ts'
import { geocode } from '../places/geocode.ts'
import { USUAL_BUDGET_CENTS } from '../tasks/create-typed.ts'
import { TaskType } from '../tasks/fields.ts'

const RADIUS_KM = 30
/** Quotes are computed from this many of the newest completed tasks of all types. */
const LOOKED_AT = 20_000
/** With fewer tasks or agents, a quote would reveal individual tasks. */
const TOLD_FROM = { tasks: 5, agents: 3 }
const SURE_FROM = { high: 50, medium: 15 }
/** Counts are rounded to fives, so that nobody can locate a single worker by varying the place. */
const PEOPLE_STEP = 5
const KEPT_MS = { market: 60_000, people: 600_000 }
/** The default for custom tasks, which have no shorthand with a usual budget. */
const CUSTOM_CENTS = 1000

const Query = z.object({
  type: TaskType,
  where: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe('A place name, or `lat,lng`; without it, no workers are counted'),
  people: z.coerce.number({ error: 'must be a number' }).int().min(1).max(25).default(1),
})

const CONFIDENCE = ['high', 'medium', 'low', 'none'] as const
type Confidence = (typeof CONFIDENCE)[number]

export const quote = endpoint({
  method: 'GET',
  path: '/quote',
  name: 'getQuote',
  auth: 'agent',
  scope: 'read',
  summary: 'Estimate the cost and duration of a task',
  description:
    'Based on completed tasks of the live marketplace, also for test keys. Nothing is created ' +
    'or reserved. If there are too few tasks for an estimate, `confidence` is `none` and the ' +
    'budget is the default of the shorthand for the type.',
  query: Query,
  success: {
    status: 200,
    body: named(
      'Quote',
      z.object({
        type: TaskType,
        budget_cents: z
          .object({ low: z.int(), usual: z.int(), high: z.int() })
          .describe('Quartiles of the amounts paid, for all workers of a task together'),
        people_near: z
          .int()
          .nullable()
          .describe(
            `Workers within ${RADIUS_KM} km, in multiples of five; null for fewer than five, ` +
              'or an unknown place',
          ),
        expected_minutes: z.int().nullable().describe('Median time from creation to proof'),
        confidence: z.enum(CONFIDENCE),
        says: z.string().describe('The same in a sentence'),
      }),
    ),
  },
  errors: [],

  async handler({ db, query, now }) {
    const place = query.where === undefined ? undefined : placeOf(query.where)
    const market = (await markets.get(db, now)).get(query.type)
    const people = place && countNear(await populations.get(db, now), place)
    return quoteOf(query, { market, place, people })
  },
})

/** Pay per worker and time taken; undefined where that would reveal individual tasks. */
interface Market {
  tasks: number
  lowCents: number
  usualCents: number
  highCents: number
  minutes: number
}

function quoteOf(
  { type, where, people: wanted }: z.output<typeof Query>,
  {
    market,
    place,
    people,
  }: { market: Market | undefined; place: Point | undefined; people: number | undefined },
) {
  const offered = (type === 'custom' ? CUSTOM_CENTS : USUAL_BUDGET_CENTS[type]) * wanted
  const budget = market
    ? {
        low: roundUp(market.lowCents * wanted),
        usual: roundUp(market.usualCents * wanted),
        high: roundUp(market.highCents * wanted),
      }
    : { low: offered, usual: offered, high: offered }
  const isEmpty = where !== undefined && people === undefined
  const minutes = market ? Math.max(1, Math.round(market.minutes)) : null
  const sentences = [
    market
      ? `Most tasks like this pay ${range(budget)} and are done within ${duration(minutes!)}, ` +
        'half of them sooner.'
      : `There are too few tasks of this type for an estimate; ${formatCents(budget.usual)} is a common budget.`,
    ...(where === undefined ? [] : [nearby(place, people)]),
  ]
  return {
    type,
    budget_cents: budget,
    people_near: people ?? null,
    expected_minutes: minutes,
    confidence: confidenceOf(market, { isEmpty }),
    says: sentences.join(' '),
  }
}

function confidenceOf(market: Market | undefined, { isEmpty }: { isEmpty: boolean }): Confidence {
  if (market === undefined) return 'none'
  // Prices from elsewhere mean little in an area with hardly any workers.
  if (isEmpty || market.tasks < SURE_FROM.medium) return 'low'
  return market.tasks < SURE_FROM.high ? 'medium' : 'high'
}

const roundUp = (cents: number) => Math.ceil(cents / 5) * 5

const range = ({ low, high }: { low: number; high: number }) =>
  low === high ? formatCents(low) : `${formatCents(low)} to ${formatCents(high)}`

function duration(minutes: number): string {
  if (minutes < 90) return minutes === 1 ? 'a minute' : `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

function nearby(place: Point | undefined, people: number | undefined): string {
  if (place === undefined) return 'This place is unknown; give a city, or lat,lng.'
  return people === undefined
    ? `Fewer than five people are within ${RADIUS_KM} km: allow more time, or pay more.`
    : `At least ${people} people are within ${RADIUS_KM} km.`
}

function placeOf(where: string): Point | undefined {
  const [, lat, lng] = /^(-?\d{1,2}(?:\.\d+)?) *, *(-?\d{1,3}(?:\.\d+)?)$/.exec(where) ?? []
  if (lat === undefined) return geocode(where)
  const point = { lat: Number(lat), lng: Number(lng) }
  return Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180 ? point : undefined
}

/** Caches a read for all callers, so that most quotes need no query. */
function keptFor<T>(ms: number, read: (db: Reader, now: Date) => Promise<T>) {
  const kept = new WeakMap<Reader, { until: number; value: Promise<T> }>()
  return {
    get(db: Reader, now: Date): Promise<T> {
      const known = kept.get(db)
      if (known && known.until > now.getTime()) return known.value
      const value = read(db, now)
      kept.set(db, { until: now.getTime() + ms, value })
      value.catch(() => kept.delete(db))
      return value
    },
  }
}

const markets = keptFor(KEPT_MS.market, async (db) => {
  const { rows } = await sql<Market & { type: z.output<typeof TaskType> }>`
    select type, count(*)::int as tasks,
           percentile_cont(0.25) within group (order by cents) as "lowCents",
           percentile_cont(0.5) within group (order by cents) as "usualCents",
           percentile_cont(0.75) within group (order by cents) as "highCents",
           percentile_cont(0.5) within group (order by minutes) as minutes
      from (select type, agent_id, locked_cents::float8 / (consensus_count + slots_extra) as cents,
                   extract(epoch from proof_at - created_at)::float8 / 60 as minutes
              from (select * from tasks where mode = 'live' and status = 'completed'
                     order by id desc limit ${LOOKED_AT}) newest
             where proof_at is not null) completed
     group by type
    having count(*) >= ${TOLD_FROM.tasks} and count(distinct agent_id) >= ${TOLD_FROM.agents}`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.type, row]))
})

/** Approximate worker counts per cell. Places are rounded and grouped before they leave the database. */
const populations = keptFor(KEPT_MS.people, async (db) => {
  const { rows } = await sql<Point & { people: number }>`
    select lat, lng, count(*)::int as people
      from (select round((location ->> 'lat')::numeric * 20) / 20 as lat,
                   round((location ->> 'lng')::numeric * 20) / 20 as lng
              from workers where mode = 'live' and status = 'active' and location is not null) places
     where lat is not null and lng is not null
     group by lat, lng`.execute(db)
  const cells = new Map<string, number>()
  for (const { lat, lng, people } of rows) {
    const { cell6 } = cellsOf({ lat: Number(lat), lng: Number(lng) })
    cells.set(cell6, (cells.get(cell6) ?? 0) + people)
  }
  return cells
})

/** Rounded to fives; undefined below five. */
function countNear(cells: Map<string, number>, place: Point): number | undefined {
  const { cells: near, isMostlyIn } = cellsWithin({ ...place, radiusKm: RADIUS_KM })
  const count = near.reduce(
    (total, cell, i) => total + (isMostlyIn[i] ? (cells.get(cell) ?? 0) : 0),
    0,
  )
  const told = Math.floor(count / PEOPLE_STEP) * PEOPLE_STEP
  return told === 0 ? undefined : told
}
