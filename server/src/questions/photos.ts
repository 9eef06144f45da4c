/**
 * Photos in questions. Cleaning and storing one takes seconds, so it happens before the message's transaction, which
 * then only links the photos to the message. `sweep-photos.ts` removes those that no message uses.
 */
import { rm, writeFile } from 'node:fs/promises'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { decodeInline } from '../files/data-url.ts'
import { tooManyFiles } from '../files/errors.ts'
import { filesOf, maxBytes } from '../files/files.ts'
import { unusedUntil } from '../files/intake.ts'
import { FileRefused } from '../files/refused.ts'
import { signedLink } from '../files/show.ts'
import { onDisk, storeClean } from '../files/store-clean.ts'
import type { Reader, Tx } from '../kit/db.ts'
import { invalidField } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import type { Schema } from '../kit/schema.ts'
import { type Asker, columnOf, type Question } from './asker.ts'

/** Photos in a message. */
const PHOTOS_MAX = 3
/** Photos of a worker or an agent in 24 hours. */
const DAILY_PHOTOS_MAX = 30
export const PHOTOS_BODY_MAX_BYTES = 12 * 1024 * 1024
const DAY_MS = 86_400_000

export const Photos = z
  .array(z.string().max(PHOTOS_BODY_MAX_BYTES))
  .max(PHOTOS_MAX)
  .nullish()
  .describe(
    'Data URLs or base64: JPEG, PNG, WebP or GIF, 12 MB in total. Location, time and other metadata are removed',
  )

export const QuestionPhoto = named(
  'QuestionPhoto',
  z.object({
    content_type: z.string(),
    width: z.int(),
    height: z.int(),
    url: z.string().describe('Works without credentials until expires_at'),
    expires_at: z.iso.datetime(),
  }),
)

export type PhotoRow = Selectable<Schema['question_photos']>

interface TakePhotos {
  asker: Asker
  photos: readonly string[] | null | undefined
  config: Config
  now: Date
}

/** Cleans and stores the photos of a message that is about to be written; returns their ids. */
export async function takePhotos(
  db: Reader,
  { asker, photos, config, now }: TakePhotos,
): Promise<string[]> {
  if (!photos || photos.length === 0) return []
  await refuseTooMany(db, { asker, count: photos.length, now })
  const ids: string[] = []
  for (const [index, dataUrl] of photos.entries()) {
    try {
      ids.push(await takePhoto(db, { asker, dataUrl, config, now }))
    } catch (error) {
      if (error instanceof FileRefused) throw invalidField(`photos.${index}`, error.message)
      throw error
    }
  }
  return ids
}

async function takePhoto(
  db: Reader,
  { asker, dataUrl, config, now }: Omit<TakePhotos, 'photos'> & { dataUrl: string },
): Promise<string> {
  const files = filesOf(config)
  const { bytes } = decodeInline(dataUrl, { kind: 'photo', bytesMax: maxBytes(config, 'photo') })
  // Insert the row first, so that anything that a crash leaves in the store is swept.
  const id = mintId('upl', now, shardOf(asker.id))
  await db
    .insertInto('question_photos')
    .values({
      id,
      [columnOf(asker)]: asker.id,
      created_at: now,
      expires_at: unusedUntil(files, now),
    })
    .execute()
  const source = files.store.workFile(id)
  try {
    await onDisk(files, writeFile(source, bytes))
    const stored = await storeClean(files, { id, kind: 'photo', source })
    await db
      .updateTable('question_photos')
      .set({
        content_type: stored.content_type,
        bytes: stored.bytes,
        width: stored.width!,
        height: stored.height!,
      })
      .where('id', '=', id)
      .where(columnOf(asker), '=', asker.id)
      .execute()
    return id
  } finally {
    await rm(source, { force: true })
  }
}

async function refuseTooMany(
  db: Reader,
  { asker, count, now }: { asker: Asker; count: number; now: Date },
): Promise<void> {
  const { sent } = await db
    .selectFrom('question_photos')
    .select((select) => select.fn.countAll<number>().as('sent'))
    .where(columnOf(asker), '=', asker.id)
    .where('created_at', '>', new Date(now.getTime() - DAY_MS))
    .executeTakeFirstOrThrow()
  if (sent + count > DAILY_PHOTOS_MAX) throw tooManyFiles({ limit: DAILY_PHOTOS_MAX, per: 'day' })
}

/** Links photos to a message of a locked question, in the message's transaction. */
export async function attachPhotos(
  tx: Tx,
  { id, worker_id, agent_id }: Question,
  { photoIds, messageNumber }: { photoIds: string[]; messageNumber: number },
): Promise<void> {
  if (photoIds.length === 0) return
  await sql`
    update question_photos p
       set question_id = ${id}, message_number = ${messageNumber}, expires_at = null,
           number = n.number + (select count(*) from question_photos q
                                 where q.question_id = ${id} and q.worker_id = ${worker_id}
                                   and q.agent_id = ${agent_id})
      from unnest(${photoIds}::text[]) with ordinality n(id, number)
     where p.id = n.id and p.worker_id = ${worker_id} and p.agent_id = ${agent_id}
       and p.question_id is null and p.content_type is not null`.execute(tx)
}

/** All photos of a question, in the order in which they were sent. */
export const photosOf = (
  db: Reader,
  { id, worker_id, agent_id }: Pick<Question, 'id' | 'worker_id' | 'agent_id'>,
): Promise<PhotoRow[]> =>
  db
    .selectFrom('question_photos')
    .selectAll()
    .where('question_id', '=', id)
    .where('worker_id', '=', worker_id)
    .where('agent_id', '=', agent_id)
    .orderBy('number')
    .execute()

export async function viewPhoto(
  photo: PhotoRow,
  { config, now, minutes }: { config: Config; now: Date; minutes?: number },
): Promise<z.output<typeof QuestionPhoto>> {
  const { id, width, height } = photo
  const content_type = photo.content_type!
  const file = { id, content_type, store_key: null }
  const link = await signedLink(filesOf(config), file, {
    now,
    ...(minutes === undefined ? {} : { minutes }),
  })
  return { content_type, width: width!, height: height!, ...link }
}
