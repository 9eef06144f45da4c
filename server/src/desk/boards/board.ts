/** Declares boards as data: their figures, each with a definition and the rows behind it. */
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../../kit/db.ts'
import { mergeSorted, orderBy, readShards } from '../../kit/everywhere.ts'
import type { Background } from '../../kit/job.ts'
import { named } from '../../kit/named.ts'

export const BOARD_NAMES = ['money', 'marketplace', 'health'] as const
export type BoardName = (typeof BOARD_NAMES)[number]

/** How far back the figures of the marketplace look. */
export const WINDOWS = ['day', 'week'] as const
export type Window = (typeof WINDOWS)[number]

export const WINDOW_WORDS: Record<Window, string> = {
  day: 'the last 24 hours',
  week: 'the last 7 days',
}

const DAY_MS = 86_400_000
export const sinceOf = (now: Date, window: Window): Date =>
  new Date(now.getTime() - (window === 'day' ? 1 : 7) * DAY_MS)

const UNITS = ['cents', 'count', 'seconds', 'share', 'text', 'time', 'id', 'yes'] as const

export const BoardColumn = named(
  'BoardColumn',
  z.object({
    name: z.string(),
    as: z.enum(UNITS).describe('`share`: from 0 to 1; `yes`: a boolean; `id`: an object of ours'),
  }),
)
export type Column = z.output<typeof BoardColumn>

export const BoardCell = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type Cell = z.output<typeof BoardCell>

export type State = 'ok' | 'warn' | 'bad'

export interface Figure<Data> {
  name: string
  title: string
  as: 'cents' | 'count' | 'seconds' | 'share'
  /** One sentence. */
  definition: string
  value(data: Data): number | null
  state?(value: number, data: Data): State
  /** An address below /desk that lists what the figure counts. Otherwise its rows do. */
  link?: string
  rows?: Rows
}

export interface Table<Data> {
  title: string
  /** One sentence. */
  definition: string
  columns: readonly Column[]
  rows(data: Data): Cell[][]
}

export interface Board<Data> {
  title: string
  /** Whether its figures differ by window. */
  hasWindows: boolean
  read(background: Background, given: Given): Promise<Data>
  figures: readonly Figure<Data>[]
  tables: readonly Table<Data>[]
}

export interface Given {
  now: Date
  window: Window
  since: Date
}

/** How the rows make up the figure: their number, or a column of them. */
export type Makes =
  | { by: 'count' }
  | { by: 'sum'; column: number }
  | { by: 'share'; column: number }
  | { by: 'p50' | 'p95'; column: number }

export interface Rows {
  columns: readonly Column[]
  makes: Makes
  /** Where the rows are; `given` for rows that a query on one place selects. */
  in: 'shards' | 'global' | 'feed' | 'queues'
  /** Selects `at`, `id` and `cells`, a JSON array in the order of the columns. */
  select(given: Given): RawBuilder<unknown>
}

export interface BoardRow {
  at: Date
  id: string
  cells: Cell[]
}

const NEWEST_FIRST = orderBy<BoardRow>(
  ({ at }) => -at.getTime(),
  ({ id }) => id,
)

/** A page of the rows behind a figure, newest first. */
export async function readRows(
  { db: { shards } }: Background,
  rows: Rows,
  given: Given,
  { after, limit }: { after: Pick<BoardRow, 'at' | 'id'> | undefined; limit: number },
): Promise<BoardRow[]> {
  const places: Record<Rows['in'], readonly Reader[]> = {
    shards: shards.readers,
    global: [shards.global.reader],
    feed: [shards.feed.reader],
    queues: shards.queues.map(({ reader }) => reader),
  }
  const next = after
    ? sql`where at < ${after.at} or (at = ${after.at} and id > ${after.id})`
    : sql``
  const parts = await readShards(places[rows.in], async (place) => {
    const page = await sql<BoardRow>`
      select at, id, cells
        from (select date_trunc('milliseconds', at) as at, id collate "C" as id, cells
                from (${rows.select(given)}) all_rows) r
       ${next} order by at desc, id limit ${limit}`.execute(place)
    return page.rows
  })
  return mergeSorted(NEWEST_FIRST, parts, limit)
}

/** Seconds to three digits, so that a histogram over all shards is small. */
export const threeDigits = (seconds: RawBuilder<unknown>) => sql`
  (case when ${seconds} < 1000 then round(${seconds})
        else round(${seconds}, 2 - floor(log(${seconds}))::integer) end)::bigint`

export interface Bucket {
  seconds: number
  count: number
}

/** The value that this share of all values does not exceed, of a histogram; null if it is empty. */
export function quantile(buckets: readonly Bucket[], share: number): number | null {
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  let left = Math.ceil(total * share)
  for (const { seconds, count } of buckets.toSorted((a, b) => a.seconds - b.seconds)) {
    left -= count
    if (left <= 0) return seconds
  }
  return null
}

/** Null if there is nothing to have a share of. */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : part / whole

export const worseThan =
  (warn: number, bad: number) =>
  (value: number): State => {
    if (value >= bad) return 'bad'
    return value >= warn ? 'warn' : 'ok'
  }
