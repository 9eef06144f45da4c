/**
 * Serve a file of a proof or a question to anyone with a link to it. Browsers may display it but must not run anything
 * in it.
 *
 *   called by   anyone with a link that still works
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { fileNotFound, invalidLink, rangeNotSatisfiable } from './errors.ts'
import { filesOf } from './files.ts'
import { readRange } from './range.ts'
import { fileNameOf } from './show.ts'
import { keyOf } from './store.ts'
import { FileId } from './uploads.ts'

export const readFile = endpoint({
  method: 'GET',
  path: '/files/:id',
  name: 'getFile',
  auth: 'none',
  at: 'object',
  access: { by: 'signed link', object: 'public' },
  summary: 'Download a file of a proof or a question',
  description:
    'Uses a link from GET /tasks/:id/proof or from a question. Returns the bytes; supports a single Range.',
  params: z.object({ id: FileId }),
  query: z.object({
    expires: z.coerce.number().int().describe('Seconds since 1970'),
    signature: z.string().min(1).max(100),
  }),
  success: { status: 200, body: z.unknown() },
  errors: [invalidLink, fileNotFound, rangeNotSatisfiable],

  transaction: 'own',
  async handler({ db, params, query, headers, now, config }) {
    const { store, links } = filesOf(config)
    if (!links.holds({ fileId: params.id, ...query }, now)) throw invalidLink()
    const file = await findReady(db.reader, params.id)
    const range = readRange(headers.range, file.bytes)
    const stored = await store.read(keyOf(file), range)
    if (stored === undefined) throw fileNotFound()
    return {
      status: range === undefined ? 200 : 206,
      body: stored.stream,
      headers: {
        'content-type': file.content_type,
        'content-length': String(range === undefined ? file.bytes : range.end - range.start + 1),
        ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.bytes}` }),
        'accept-ranges': 'bytes',
        'content-disposition': `inline; filename="${fileNameOf(file.content_type)}"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
        'referrer-policy': 'no-referrer',
      },
      isReplay: false as const,
    }
  },
})

async function findReady(db: Reader, fileId: string) {
  const file = await db
    .selectFrom('files')
    .select(['id', 'content_type', 'bytes', 'store_key'])
    .where('id', '=', fileId)
    .where('status', '=', 'ready')
    .executeTakeFirst()
  const found = file ?? (await findPhoto(db, fileId))
  if (found === undefined) throw fileNotFound()
  return found
}

/** A photo in a question. */
async function findPhoto(db: Reader, fileId: string) {
  const photo = await db
    .selectFrom('question_photos')
    .select(['id', 'content_type', 'bytes'])
    .where('id', '=', fileId)
    .where('question_id', 'is not', null)
    .executeTakeFirst()
  return (
    photo && { ...photo, content_type: photo.content_type!, bytes: photo.bytes!, store_key: null }
  )
}
