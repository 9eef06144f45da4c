/**
 * Quote a task before anything is spent: its usual price, how many workers are nearby, and how long it takes.
 *
 *   called by   an agent, in either mode; the quote is always for the live marketplace
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Shards } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { formatCents } from '../kit/money.ts'
import { named } from '../kit/named.ts'
import { cellsWithin, type Point } from '../places/cells.ts'
import { geocode } from '../places/geocode.ts'
import { USUAL_BUDGET_CENTS } from '../tasks/create-typed.ts'
import { AskedTaskType, TaskType } from '../tasks/fields.ts'
import { type Market, type Population, readMarkets, readPopulation } from './market.ts'

const RADIUS_KM = 30
const SURE_FROM = { high: 50, medium: 15 }
/** Counts are rounded to fives, so that nobody can locate a single worker by varying the place. */
const PEOPLE_STEP = 5
const KEPT_MS = { market: 60_000, people: 600_000 }
/** The default for custom tasks, which have no shorthand with a usual budget. */
const CUSTOM_CENTS = 1000

const Query = z.object({
  type: AskedTaskType,
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

  async handler({ shards, query, now }) {
    const place = query.where === undefined ? undefined : placeOf(query.where)
    const market = (await markets.get(shards, now)).get(query.type)
    const people = place && countNear(await populations.get(shards, now), place)
    return quoteOf(query, { market, place, people })
  },
})

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
function keptFor<T>(ms: number, read: (shards: Shards) => Promise<T>) {
  const kept = new WeakMap<Shards, { until: number; value: Promise<T> }>()
  return {
    get(shards: Shards, now: Date): Promise<T> {
      const known = kept.get(shards)
      if (known && known.until > now.getTime()) return known.value
      const value = read(shards)
      kept.set(shards, { until: now.getTime() + ms, value })
      value.catch(() => kept.delete(shards))
      return value
    },
  }
}

const markets = keptFor(KEPT_MS.market, ({ readers }) => readMarkets(readers))
const populations = keptFor(KEPT_MS.people, ({ readers }) => readPopulation(readers))

/** Rounded to fives; undefined below five. */
function countNear(cells: Population, place: Point): number | undefined {
  const { cells: near, isMostlyIn } = cellsWithin({ ...place, radiusKm: RADIUS_KM })
  const count = near.reduce(
    (total, cell, i) => total + (isMostlyIn[i] ? (cells.get(cell) ?? 0) : 0),
    0,
  )
  const told = Math.floor(count / PEOPLE_STEP) * PEOPLE_STEP
  return told === 0 ? undefined : told
}
