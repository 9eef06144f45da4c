/**
 * The feed: open tasks that suit a worker's skills, level, place and wishes, a page of cards at a time.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Db } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { limitOr } from '../kit/page.ts'
import { cellsWithin, type Point, RADIUS_MAX_KM } from '../places/cells.ts'
import { type Location, RADIUS_KM, WISHES } from '../workers/profile.ts'
import { levelOf, type TrustRecord } from '../workers/trust.ts'
import { URGENCIES } from './deadline.ts'
import { type Cursor, notACursor, readCursor, writeCursor } from './feed-cursor.ts'
import { PROOFS, TYPES } from './fields.ts'
import { type Candidate, EST_MINUTES, reasonsFor, scoreOf, skillKey } from './matching.ts'
import type { Task } from './queries.ts'
import { type Reputation, reputationsOf } from './reputations.ts'

/** The best matches are sought among so many of the newest tasks in reach; the other orders know no such bound. */
const RANKED_MAX = 500
/** On later pages a few more, for those of the ranked span that have become free meanwhile. */
const RANKED_AGAIN_MAX = 600
/** After every id of a task. */
const LAST_ID = 'task_~'
const TITLE_MAX = 120

const degrees = (most: number) =>
  z.coerce.number({ error: 'must be a number' }).min(-most).max(most).optional()

const Query = z.object({
  lat: degrees(90).describe('With lng: instead of the place in your profile'),
  lng: degrees(180),
  radius_km: z.coerce
    .number({ error: 'must be a number' })
    .positive('must be above 0')
    .transform((km) => Math.min(km, RADIUS_MAX_KM))
    .optional()
    .describe(`Instead of the radius in your profile; more than ${RADIUS_MAX_KM} is taken as that`),
  type: z.enum(TYPES).optional().describe('Instead of the types that you prefer'),
  min_pay_cents: z.coerce
    .number({ error: 'must be a number' })
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('Instead of the least pay that you prefer'),
  sort: z
    .enum(['match', 'nearest', 'pay', 'new'])
    .default('match')
    .describe(
      `match: the best first, among the ${RANKED_MAX} newest in reach; nearest without any place: new`,
    ),
  limit: limitOr(20).describe('1 to 100; more is taken as 100'),
  cursor: z
    .string()
    .max(1000)
    .optional()
    .describe('next_cursor of the page before, with the same sort'),
})
type Query = z.output<typeof Query>

const Share = z.number().min(0).max(1).nullable()

const Card = z.object({
  id: z.string(),
  type: z.enum(TYPES),
  title: z.string(),
  description: z.string(),
  urgency: z.enum(URGENCIES),
  proof_required: z.enum(PROOFS),
  budget_cents: z.int(),
  you_earn_cents: z.int().describe('After the commission'),
  est_minutes: z.int(),
  deadline: z.iso.datetime(),
  distance_km: z.number().nullable().describe('To about a hundred metres; null without a place'),
  area: z.string().nullable().describe('The exact place is shown after acceptance'),
  slots: z.object({ needed: z.int(), free: z.int() }),
  auto_approve_after: z.int().describe('Seconds after the last proof'),
  agent: z
    .object({
      id: z.string(),
      name: z.string(),
      approval_rate: Share,
      overturn_rate: Share.describe('Of its disputes'),
      median_review_s: z.int().nullable(),
    })
    .describe('Its last 100 verdicts; null while there is nothing to count'),
  match: z.object({ score: z.number(), reasons: z.array(z.string()) }),
  locked: z
    .object({ required_level: z.int() })
    .optional()
    .describe('One level above yours: what you could take next'),
})
type Card = z.output<typeof Card>

export const getFeed = endpoint({
  method: 'GET',
  path: '/worker/feed',
  auth: 'worker',
  summary: 'Find tasks',
  description:
    'Open tasks with a free slot, in reach, that ask for no skill you lack. A task without coordinates, and a worker ' +
    'without a place, is never filtered by distance. A page may hold fewer tasks than `limit`, when some were taken ' +
    'a moment ago; it is the last one when `next_cursor` is null.',
  query: Query,
  success: {
    status: 200,
    body: z.object({ tasks: z.array(Card), next_cursor: z.string().nullable() }),
  },
  errors: [],

  async answer({ db, worker, query, now }) {
    const feed = await readFeed(db, { workerId: worker.id, query, now })
    return { status: 200, body: JSON.stringify(feed), isReplay: false }
  },
})

export async function readFeed(
  db: Db,
  { workerId, query, now }: { workerId: string; query: Query; now: Date },
): Promise<{ tasks: Card[]; next_cursor: string | null }> {
  if ((query.lat === undefined) !== (query.lng === undefined))
    throw invalidField(query.lat === undefined ? 'lat' : 'lng', 'is required with the other')
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const asOf = cursor?.sort === 'match' ? new Date(cursor.as_of) : now
  const seeker = await findSeeker(db, { workerId, query, cursor, now, asOf })
  // Nothing is near to someone who is nowhere.
  const sort = query.sort === 'nearest' && seeker.place === undefined ? 'new' : query.sort
  if (cursor !== undefined && cursor.sort !== sort) throw notACursor()

  const { rows, next } = await CHOICES[sort](db, seeker, { limit: query.limit, cursor })
  return {
    tasks: await showCards(db, rows, seeker),
    next_cursor: next === undefined ? null : writeCursor(next),
  }
}

interface Seeker {
  workerId: string
  place: (Point & { radiusKm: number }) | undefined
  level: number
  skills: string[]
  types: Task['type'][] | null
  payMin: number
  muted: string[]
  /** Approved tasks by type. */
  done: Partial<Record<Task['type'], number>>
  now: Date
  asOf: Date
}

interface WorkerRow extends TrustRecord {
  approved_count: number
  identity_done_at: Date | null
  skills: string[]
  location: Location | null
  preferences: unknown
  done: Seeker['done'] | null
}

const WORKER = `
  select w.skills, w.location, w.preferences, w.trust_good, w.trust_bad, w.approved_count, w.identity_done_at,
         case when w.approved_count > 0 then (
           select json_object_agg(d.type, d.times) from (
             select t.type, count(*) as times
               from (select a.task_id from assignments a
                      where a.worker_id = w.id and a.status = 'approved' and a.ended_at <= $2
                      order by a.id desc limit 50) l
               join tasks t on t.id = l.task_id group by t.type) d) end as done
    from workers w where w.id = $1`

/** What a worker may have written that means something here; anything else is as good as nothing. */
const Wishes = z.object({
  types: WISHES.types.catch([]).default([]),
  min_pay_cents: WISHES.min_pay_cents.catch(0).default(0),
  muted_agents: WISHES.muted_agents.catch([]).default([]),
})

async function findSeeker(
  db: Db,
  {
    workerId,
    query,
    cursor,
    now,
    asOf,
  }: { workerId: string; query: Query; cursor: Cursor | undefined; now: Date; asOf: Date },
): Promise<Seeker> {
  const [row] = await db.call<WorkerRow & Record<string, unknown>>('feed_worker', WORKER, [
    workerId,
    asOf,
  ])
  const worker = row!
  const wishes = Wishes.parse(worker.preferences)
  const types = query.type === undefined ? wishes.types : [query.type]
  return {
    workerId,
    place: placeOf(query, worker.location, cursor),
    level: levelOf(worker, now),
    skills: worker.skills.map((skill) => skill.toLowerCase()),
    types: types.length === 0 ? null : types,
    payMin: query.min_pay_cents ?? wishes.min_pay_cents,
    muted: wishes.muted_agents,
    done: worker.done ?? {},
    now,
    asOf,
  }
}

/** Later pages go on from where the first one was asked for. */
function placeOf(query: Query, home: Location | null, cursor: Cursor | undefined): Seeker['place'] {
  const from = cursor !== undefined && 'lat' in cursor ? cursor : query
  const [lat, lng] = [from.lat ?? home?.lat, from.lng ?? home?.lng]
  if (typeof lat !== 'number' || typeof lng !== 'number') return undefined
  const radiusKm = query.radius_km ?? home?.radius_km ?? RADIUS_KM.default
  return { lat, lng, radiusKm: Math.min(radiusKm, RADIUS_MAX_KM) }
}

interface Row extends Candidate {
  task_id: string
  agent_id: string
  level_needed: number
}

interface Choice {
  rows: Row[]
  /** Where the next page begins; undefined when there is none. */
  next: Cursor | undefined
}

type Choose = (
  db: Db,
  seeker: Seeker,
  page: { limit: number; cursor: Cursor | undefined },
) => Promise<Choice>

const CHOICES: Record<Query['sort'], Choose> = {
  new: chooseNewest,
  pay: chooseBestPaid,
  nearest: chooseNearest,
  match: chooseBestMatches,
}

async function chooseNewest(db: Db, seeker: Seeker, { limit, cursor }: Parameters<Choose>[2]) {
  const before = cursor?.sort === 'new' ? cursor.id : LAST_ID
  const rows = await newest(db, seeker, { from: '', before, limit: limit + 1 })
  return pageOf(rows, limit, ({ task_id }) => ({ sort: 'new', id: task_id }))
}

async function chooseBestPaid(db: Db, seeker: Seeker, { limit, cursor }: Parameters<Choose>[2]) {
  const [cents, id] =
    cursor?.sort === 'pay' ? [cursor.cents, cursor.id] : [Number.MAX_SAFE_INTEGER, LAST_ID]
  const rows = await db.call<Row & Record<string, unknown>>('feed_best_paid', BEST_PAID, [
    ...cellValues(seeker),
    cents,
    id,
    ...filterValues(seeker, limit + 1),
  ])
  return pageOf(rows, limit, (row) => ({ sort: 'pay', cents: row.pay_cents, id: row.task_id }))
}

async function chooseNearest(db: Db, seeker: Seeker, { limit, cursor }: Parameters<Choose>[2]) {
  const { lat, lng } = seeker.place!
  const last = cursor?.sort === 'nearest' ? cursor : { km: -1, id: '' }
  const rows = await db.call<Row & Record<string, unknown>>('feed_nearest', NEAREST, [
    last.km,
    last.id,
    last.km === null ? last.id : LAST_ID,
    ...filterValues(seeker, limit + 1),
  ])
  return pageOf(rows, limit, (row) => ({
    sort: 'nearest',
    km: row.distance_km,
    id: row.task_id,
    lat,
    lng,
  }))
}

/**
 * Ranks the newest tasks in reach. The first page decides which these are, and as of when; later ones rank the same
 * again, less those that have gone.
 */
async function chooseBestMatches(db: Db, seeker: Seeker, { limit, cursor }: Parameters<Choose>[2]) {
  const last = cursor?.sort === 'match' ? cursor : undefined
  const found = await newest(db, seeker, {
    from: last?.from ?? '',
    before: last === undefined ? LAST_ID : `${last.to}~`,
    limit: last === undefined ? RANKED_MAX : RANKED_AGAIN_MAX,
  })
  const ranked = found
    .map((row) => ({
      row,
      id: row.task_id,
      score: scoreOf(row, seeker),
      is_locked: row.level_needed > seeker.level,
    }))
    .filter((one) => last === undefined || compareRanks(last, one) < 0)
    .sort(compareRanks)

  const span = {
    as_of: seeker.asOf.getTime(),
    from: last?.from ?? found.at(-1)?.task_id ?? '',
    to: last?.to ?? found[0]?.task_id ?? '',
    lat: seeker.place?.lat ?? null,
    lng: seeker.place?.lng ?? null,
  }
  const page = pageOf(ranked, limit, ({ id, score, is_locked }) => ({
    sort: 'match',
    is_locked,
    score,
    id,
    ...span,
  }))
  return { rows: page.rows.map(({ row }) => row), next: page.next }
}

interface Rank {
  is_locked: boolean
  score: number
  id: string
}

/** What can be taken before what can't be yet, the better score, the newer task. */
function compareRanks(a: Rank, b: Rank): number {
  if (a.is_locked !== b.is_locked) return a.is_locked ? 1 : -1
  if (a.score !== b.score) return b.score - a.score
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

/** One more than a page holds tells that there is a next one. */
function pageOf<T>(rows: T[], limit: number, cursorAt: (row: T) => Cursor) {
  const page = rows.slice(0, limit)
  return { rows: page, next: rows.length > limit ? cursorAt(page.at(-1)!) : undefined }
}

// server/functions/open_tasks_feed.sql
const NEWEST =
  'select * from open_tasks_newest($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17)'
const BEST_PAID =
  'select * from open_tasks_best_paid($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17)'
const NEAREST = 'select * from open_tasks_nearest($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)'

const newest = (
  db: Db,
  seeker: Seeker,
  { from, before, limit }: { from: string; before: string; limit: number },
) =>
  db.call<Row & Record<string, unknown>>('feed_newest', NEWEST, [
    ...cellValues(seeker),
    from,
    before,
    ...filterValues(seeker, limit),
  ])

/** The cells in reach, with the one of the tasks that have no place. */
function cellValues({ place }: Seeker): unknown[] {
  if (place === undefined) return [null, null, null, null]
  const { resolution, cells, isInner, isMostlyIn } = cellsWithin(place)
  return [resolution, `{0,${cells.join()}}`, `{t,${isInner.join()}}`, `{t,${isMostlyIn.join()}}`]
}

function filterValues(seeker: Seeker, limit: number): unknown[] {
  const { workerId, place, now, level, skills, types, payMin, muted } = seeker
  return [
    limit,
    place?.lat ?? null,
    place?.lng ?? null,
    place?.radiusKm ?? null,
    now,
    level + 1,
    skills.map(skillKey),
    types,
    payMin,
    workerId,
    muted,
  ]
}

interface CardRow
  extends Pick<
    Task,
    | 'id'
    | 'title'
    | 'description'
    | 'urgency'
    | 'proof_required'
    | 'budget_cents'
    | 'auto_approve_after'
    | 'slots_taken'
    | 'skills'
  > {
  slots_needed: number
  area: string | null
  agent_name: string
}

async function showCards(db: Db, rows: Row[], seeker: Seeker): Promise<Card[]> {
  if (rows.length === 0) return []
  const [cards, reputations] = await Promise.all([
    db.call<CardRow & Record<string, unknown>>(
      'feed_cards',
      'select * from open_tasks_cards($1, $2, $3)',
      [rows.map(({ task_id }) => task_id), seeker.skills, seeker.now],
    ),
    reputationsOf(
      db.reader,
      rows.map(({ agent_id }) => agent_id),
      seeker.now,
    ),
  ])
  const byId = new Map(rows.map((row) => [row.task_id, row]))
  return cards.map((card) => {
    const row = byId.get(card.id)!
    return viewCard(card, row, reputations.get(row.agent_id)!, seeker)
  })
}

function viewCard(card: CardRow, row: Row, reputation: Reputation, seeker: Seeker): Card {
  const { approval_rate, overturn_rate, median_review_s } = reputation
  return {
    id: card.id,
    type: row.type,
    title: card.title ?? titleOf(card.description),
    description: card.description,
    urgency: card.urgency,
    proof_required: card.proof_required,
    budget_cents: card.budget_cents,
    you_earn_cents: row.pay_cents,
    est_minutes: EST_MINUTES[row.type],
    deadline: new Date(row.deadline_ms).toISOString(),
    distance_km: row.distance_km === null ? null : Math.round(row.distance_km * 10) / 10,
    area: card.area,
    slots: { needed: card.slots_needed, free: card.slots_needed - card.slots_taken },
    auto_approve_after: card.auto_approve_after,
    agent: {
      id: row.agent_id,
      name: card.agent_name,
      approval_rate,
      overturn_rate,
      median_review_s,
    },
    match: { score: scoreOf(row, seeker), reasons: reasonsFor(row, card.skills, seeker) },
    ...(row.level_needed > seeker.level ? { locked: { required_level: row.level_needed } } : {}),
  }
}

/** The first sentence, cut at a word where it is too long. */
export function titleOf(description: string): string {
  const sentence = /^.+?(?:[.!?…](?=\s|$)|\n|$)/s.exec(description.trim())?.[0].trim() ?? ''
  if (sentence.length <= TITLE_MAX) return sentence
  const word = sentence.slice(0, TITLE_MAX).lastIndexOf(' ')
  // Not through the middle of a letter that takes two units.
  const cut = sentence
    .slice(0, word > TITLE_MAX / 2 ? word : TITLE_MAX - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.trimEnd()}…`
}
