/** Shows proof files, either inside the response or as a link that expires. */
import assert from 'node:assert/strict'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Selectable, sql } from 'kysely'
import sharp from 'sharp'
import type { Reader } from '../kit/db.ts'
import type { Schema } from '../kit/schema.ts'
import { translateFailure } from './failures.ts'
import type { Files } from './files.ts'
import { keyOf } from './store.ts'

const SHOWN = [
  'id',
  'proof_id',
  'kind',
  'content_type',
  'bytes',
  'width',
  'height',
  'checks',
  'store_key',
] as const

export type ShownFile = Pick<Selectable<Schema['files']>, (typeof SHOWN)[number]>

/** If the caller asked for a smaller picture, one above this size is re-encoded even if its sides are short enough. */
const SMALL_BYTES_MAX = 2_000_000

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'audio/mp4': 'm4a',
  'audio/webm': 'webm',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
}

/** In the order in which they were sent. Leaves out the evidence, which may reveal the worker's home. */
export function filesOfProofs(
  db: Reader,
  all: { id: string; worker_id: string; files_removed_at: Date | null }[],
): Promise<ShownFile[]> {
  const proofs = all.filter(({ files_removed_at }) => files_removed_at === null)
  if (proofs.length === 0) return Promise.resolve([])
  return db
    .selectFrom('files')
    .select(SHOWN)
    .where('proof_id', '=', sql<string>`any(${proofs.map(({ id }) => id)})`)
    .where('worker_id', '=', sql<string>`any(${proofs.map(({ worker_id }) => worker_id)})`)
    .where('status', '=', 'ready')
    .orderBy('id')
    .execute()
}

/** `maxPx` limits the longer side. */
export async function readInlinePhoto(
  { store }: Files,
  file: Pick<ShownFile, 'id' | 'content_type' | 'store_key' | 'width' | 'height'>,
  { maxPx }: { maxPx?: number | undefined } = {},
): Promise<string> {
  const { content_type, width, height } = file
  const stored = await store.read(keyOf(file))
  assert(stored, `${file.id} is ready but missing from the store`)
  const bytes = await buffer(stored.stream).catch((error: unknown) =>
    translateFailure(error, store.name),
  )
  const isSmall = Math.max(width ?? 0, height ?? 0) <= (maxPx ?? Number.POSITIVE_INFINITY)
  if (maxPx === undefined || (isSmall && bytes.length <= SMALL_BYTES_MAX))
    return dataUrl(content_type, bytes)
  // Decoding is safe here, because the media process has re-encoded this file.
  const smaller = await sharp(bytes)
    .resize({ width: maxPx, height: maxPx, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg({ quality: 80 })
    .toBuffer()
  return dataUrl('image/jpeg', smaller)
}

const READ_AT_ONCE = 8
/** A slow store must not delay the task's details. */
const READ_MAX_MS = 1000
/** After the store failed or was slow, we don't read from it for this long. */
const REST_MS = 10_000
const restingUntil = new WeakMap<Files, number>()

/**
 * Returns small photos as data URLs by file id: the first ones that fit the configured limits. Photos that the store
 * doesn't deliver in time are left out; the caller has their links.
 */
export async function readSmallPhotos(
  files: Files,
  rows: readonly ShownFile[],
  { now }: { now: Date },
): Promise<Map<string, string>> {
  const read = new Map<string, string>()
  if ((restingUntil.get(files) ?? 0) > now.getTime()) return read
  const waiting = smallPhotos(files, rows)
  if (waiting.length === 0) return read
  const signal = AbortSignal.timeout(READ_MAX_MS)
  const reader = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const bytes = await readWithin(files, row, signal)
      if (bytes !== undefined) read.set(row.id, dataUrl(row.content_type, bytes))
    }
  }
  try {
    await Promise.all(Array.from({ length: READ_AT_ONCE }, reader))
  } catch {
    waiting.length = 0
    restingUntil.set(files, now.getTime() + REST_MS)
  }
  // Return a copy, because reads still in flight after a failure may add to the original.
  return new Map(read)
}

function smallPhotos({ config }: Files, rows: readonly ShownFile[]): ShownFile[] {
  let left = config.INLINE_PHOTOS_MAX_BYTES
  return rows.filter(({ kind, bytes }) => {
    const fits = kind === 'photo' && bytes <= Math.min(config.INLINE_PHOTO_MAX_BYTES, left)
    if (fits) left -= bytes
    return fits
  })
}

/** Throws if the store fails or the signal fires. Returns undefined if the file doesn't exist. */
async function readWithin(
  { store }: Files,
  file: Pick<ShownFile, 'id' | 'store_key'>,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  signal.throwIfAborted()
  const opening = store.read(keyOf(file))
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const stored = await Promise.race([opening, aborted.promise])
    return stored && (await buffer(addAbortSignal(signal, stored.stream)))
  } catch (error) {
    // If the store responds late, close its stream to free the connection.
    opening.then(
      (late) => late?.stream.destroy(),
      () => {},
    )
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`

export async function signedLink(
  { store, links, config }: Files,
  file: Pick<ShownFile, 'id' | 'content_type' | 'store_key'>,
  { now, minutes = config.FILE_LINK_MINUTES }: { now: Date; minutes?: number },
): Promise<{ url: string; expires_at: string }> {
  const expiresAt = new Date(now.getTime() + minutes * 60_000)
  const { content_type: contentType } = file
  const fileName = fileNameOf(contentType)
  const own = await store.link(keyOf(file), { contentType, fileName, now, expiresAt })
  return { url: own ?? links.sign(file.id, expiresAt), expires_at: expiresAt.toISOString() }
}

export const fileNameOf = (contentType: string) => `proof.${EXTENSIONS[contentType] ?? 'bin'}`
