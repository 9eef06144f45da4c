/**
 * List open tasks that fit a worker's skills, level, place and preferences, as pages of cards.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Db } from '../kit/db.ts'
import { endpoint, type WorkerCaller } from '../kit/endpoint.ts'
import { Limit, Offset } from '../kit/page.ts'
import { RADIUS_MAX_KM } from '../places/cells.ts'
import { TaskType } from '../tasks/fields.ts'
import { Card, showCards } from './card.ts'
import { type Cursor, notACursor, readCursor, writeCursor } from './cursor.ts'
import { assertWhole, PlaceQuery } from './place-query.ts'
import { bestPaid, LAST_ID, nearest, newest, type Row } from './rows.ts'
import { scoreOf } from './score.ts'
import { findSeeker, type Seeker } from './seeker.ts'
import { testModeCards } from './test-mode-cards.ts'

/** Best-match ranks only this many of the newest tasks in reach; the other sort orders have no such limit. */
const RANKED_MAX = 500
/** Later pages rank a few more, for tasks in the same id range that have become available again. */
const RANKED_AGAIN_MAX = 600

const Query = z.object({
  ...PlaceQuery,
  radius_km: z.coerce
    .number({ error: 'must be a number' })
    .positive('must be above 0')
    .transform((km) => Math.min(km, RADIUS_MAX_KM))
    .optional()
    .describe(
      `Overrides the radius in your profile; larger values are treated as ${RADIUS_MAX_KM}`,
    ),
  type: TaskType.optional().describe('Overrides your preferred types'),
  min_pay_cents: z.coerce
    .number({ error: 'must be a number' })
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('Overrides your preferred minimum pay'),
  sort: z
    .enum(['match', 'nearest', 'pay', 'new'])
    .default('match')
    .describe(
      `match: best match first, among the ${RANKED_MAX} newest tasks in reach; nearest without ` +
        'a location: same as new',
    ),
  limit: Limit.describe('1 to 100, 50 by default; larger values are treated as 100'),
  offset: Offset.describe(
    'Number of tasks to skip, 0 to 10000. Ignored if cursor is given, which stays exact while ' +
      'tasks appear and disappear',
  ),
  cursor: z
    .string()
    .max(1000)
    .optional()
    .describe('next_cursor of the previous page, with the same sort'),
})
type Query = z.output<typeof Query>

export const getFeed = endpoint({
  method: 'GET',
  path: '/worker/feed',
  name: 'getFeed',
  auth: 'worker',
  summary: 'Find tasks',
  description:
    'Returns open tasks with a free slot, within reach, that require no skill you lack. Tasks ' +
    'without coordinates are never filtered by distance, and neither are tasks for a worker ' +
    'without a location. A page may contain fewer tasks than `limit` if some were just taken; ' +
    'it is the last page if `next_cursor` is null. The feed is empty while your account is being ' +
    'closed.',
  query: Query,
  success: {
    status: 200,
    body: z.object({
      tasks: z.array(Card),
      limit: z.int(),
      offset: z.int(),
      next_cursor: z.string().nullable(),
    }),
  },
  errors: [],

  transaction: 'own',
  async handler({ db, worker, query, now }) {
    const feed = await readFeed(db, { worker, query, now })
    return { status: 200, body: JSON.stringify(feed), isReplay: false }
  },
})

interface Feed {
  tasks: Card[]
  limit: number
  offset: number
  next_cursor: string | null
}

export async function readFeed(
  db: Db,
  { worker, query, now }: { worker: WorkerCaller; query: Query; now: Date },
): Promise<Feed> {
  assertWhole(query)
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const asOf = cursor?.sort === 'match' ? new Date(cursor.as_of) : now
  // Later pages use the place of the first page.
  const from = cursor !== undefined && 'lat' in cursor ? cursor : query
  const types = query.type && [query.type]
  const sought = { ...query, types, lat: from.lat, lng: from.lng }
  const seeker = await findSeeker(db, { workerId: worker.id, sought, now, asOf })
  const { limit } = query
  const offset = cursor === undefined ? query.offset : 0
  if (seeker.isClosing) return { tasks: [], limit, offset, next_cursor: null }
  if (worker.agentId !== null) {
    const { agentId } = worker
    const tasks = await testModeCards(db.shards.at(agentId), seeker, { agentId, limit, offset })
    return { tasks, limit, offset, next_cursor: null }
  }
  // Sorting by distance needs a place.
  const sort = query.sort === 'nearest' && seeker.place === undefined ? 'new' : query.sort
  if (cursor !== undefined && cursor.sort !== sort) throw notACursor()

  const { rows, next } = await CHOICES[sort](db, seeker, { limit, offset, cursor })
  return {
    tasks: await showCards(db, rows, seeker),
    limit,
    offset,
    next_cursor: next === undefined ? null : writeCursor(next),
  }
}

interface Choice {
  rows: Row[]
  /** The cursor of the next page; undefined on the last page. */
  next: Cursor | undefined
}

interface PageAsked {
  limit: number
  /** 0 if there is a cursor. */
  offset: number
  cursor: Cursor | undefined
}

type Choose = (db: Db, seeker: Seeker, page: PageAsked) => Promise<Choice>

const CHOICES: Record<Query['sort'], Choose> = {
  new: chooseNewest,
  pay: chooseBestPaid,
  nearest: chooseNearest,
  match: chooseBestMatches,
}

async function chooseNewest(db: Db, seeker: Seeker, page: PageAsked) {
  const { cursor } = page
  const before = cursor?.sort === 'new' ? cursor.id : LAST_ID
  const rows = await newest(db, seeker, { from: '', before, limit: readOf(page) })
  return pageOf(rows, page, ({ task_id }) => ({ sort: 'new', id: task_id }))
}

async function chooseBestPaid(db: Db, seeker: Seeker, page: PageAsked) {
  const { cursor } = page
  const [cents, id] =
    cursor?.sort === 'pay' ? [cursor.cents, cursor.id] : [Number.MAX_SAFE_INTEGER, LAST_ID]
  const rows = await bestPaid(db, seeker, { cents, id, limit: readOf(page) })
  return pageOf(rows, page, (row) => ({ sort: 'pay', cents: row.pay_cents, id: row.task_id }))
}

async function chooseNearest(db: Db, seeker: Seeker, page: PageAsked) {
  const { cursor } = page
  const { lat, lng } = seeker.place!
  const last = cursor?.sort === 'nearest' ? cursor : { km: -1, id: '' }
  const rows = await nearest(db, seeker, { km: last.km, id: last.id, limit: readOf(page) })
  return pageOf(rows, page, (row) => ({
    sort: 'nearest',
    km: row.distance_km,
    id: row.task_id,
    lat,
    lng,
  }))
}

/**
 * Ranks the newest tasks in reach. The first page fixes the id range and the time; later pages rank the same tasks
 * again, without those that were taken.
 */
async function chooseBestMatches(db: Db, seeker: Seeker, asked: PageAsked) {
  const { cursor } = asked
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
  const page = pageOf(ranked, asked, ({ id, score, is_locked }) => ({
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

/** Available tasks before locked ones, then the higher score, then the newer task. */
function compareRanks(a: Rank, b: Rank): number {
  if (a.is_locked !== b.is_locked) return a.is_locked ? 1 : -1
  if (a.score !== b.score) return b.score - a.score
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

/** Reads one row more than a page holds, to detect whether there is a next page. */
const readOf = ({ limit, offset }: PageAsked) => offset + limit + 1

function pageOf<T>(rows: T[], { limit, offset }: PageAsked, cursorAt: (row: T) => Cursor) {
  const end = offset + limit
  const page = rows.slice(offset, end)
  return { rows: page, next: rows.length > end ? cursorAt(page.at(-1)!) : undefined }
}
