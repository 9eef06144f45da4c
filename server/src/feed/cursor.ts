/**
 * The feed's cursor: the sort keys of the last task of a page. They don't change while a task is open, so tasks that
 * appear or disappear between pages cause neither duplicates nor gaps.
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
  // Distances are measured from the place of the first page, wherever the worker is by now. `km` is null among tasks
  // without a place, which come last.
  z.object({
    sort: z.literal('nearest'),
    km: z.number().min(0).nullable(),
    id: Id,
    lat: Lat,
    lng: Lng,
  }),
  // Scores use the time and place of the first page, among the tasks that it ranked: ids from `from` to `to`.
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

export const notACursor = () => invalidField('cursor', 'must be the next_cursor of this feed')

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
