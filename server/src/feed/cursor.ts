/**
 * Where a page of the feed ended: the keys of its last task in the order that was asked for. They do not change while
 * a task is open, so that tasks which come and go in between neither repeat nor hide another.
 */
import { z } from 'zod'
import { invalidField } from '../kit/errors.ts'
import { idPattern } from '../kit/ids.ts'

const Id = z.string().regex(idPattern('task'))
const Lat = z.number().min(-90).max(90)
const Lng = z.number().min(-180).max(180)
const Time = z.int().min(0).max(Date.UTC(9999, 0))

const Cursor = z.discriminatedUnion('sort', [
  z.object({ sort: z.literal('new'), id: Id }),
  z.object({ sort: z.literal('pay'), cents: z.int().min(0), id: Id }),
  // Distances are those from where the first page was asked for, wherever the worker is by now. Null among the tasks
  // without a place, which come last.
  z.object({
    sort: z.literal('nearest'),
    km: z.number().min(0).nullable(),
    id: Id,
    lat: Lat,
    lng: Lng,
  }),
  // Scores are those of the first page's time and place, among the tasks that it ranked: by id from `from` to `to`.
  z.object({
    sort: z.literal('match'),
    is_locked: z.boolean(),
    score: z.number(),
    id: Id,
    as_of: Time,
    from: Id,
    to: Id,
    lat: Lat.nullable(),
    lng: Lng.nullable(),
  }),
])
export type Cursor = z.output<typeof Cursor>

export const writeCursor = (cursor: Cursor) =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url')

export function readCursor(text: string): Cursor {
  const { data } = Cursor.safeParse(parse(Buffer.from(text, 'base64url').toString()))
  if (data === undefined) throw notACursor()
  return data
}

export const notACursor = () => invalidField('cursor', 'is not the next_cursor of this feed')

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
