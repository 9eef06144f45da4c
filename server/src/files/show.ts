/** Files of proofs as they are shown: inside the answer, or by a link that works for a while. */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import type { Selectable } from 'kysely'
import sharp from 'sharp'
import type { Reader } from '../kit/db.ts'
import type { Schema } from '../kit/schema.ts'
import type { Files } from './files.ts'
import { readyKey } from './store.ts'

const SHOWN = [
  'id',
  'proof_id',
  'kind',
  'content_type',
  'bytes',
  'width',
  'height',
  'checks',
] as const

export type ShownFile = Pick<Selectable<Schema['files']>, (typeof SHOWN)[number]>

/** Above that a picture is sent with less detail, where a smaller one was asked for. */
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

/** In the order in which they were sent. What a file said of itself is not among it: it may name the worker's home. */
export function filesOfProofs(db: Reader, proofIds: string[]): Promise<ShownFile[]> {
  if (proofIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('files')
    .select(SHOWN)
    .where('proof_id', 'in', proofIds)
    .where('status', '=', 'ready')
    .orderBy('id')
    .execute()
}

/** With `maxPx`, no side is longer than that. */
export async function readInlinePhoto(
  { store }: Files,
  { id, content_type, width, height }: Pick<ShownFile, 'id' | 'content_type' | 'width' | 'height'>,
  { maxPx }: { maxPx?: number | undefined } = {},
): Promise<string> {
  const stored = await store.read(readyKey(id))
  assert(stored, `${id} is ready and not in the store`)
  const bytes = await buffer(stored.stream)
  const isSmall = Math.max(width ?? 0, height ?? 0) <= (maxPx ?? Number.POSITIVE_INFINITY)
  if (maxPx === undefined || (isSmall && bytes.length <= SMALL_BYTES_MAX))
    return dataUrl(content_type, bytes)
  // What is decoded here we have encoded ourselves, in the media process.
  const smaller = await sharp(bytes)
    .resize({ width: maxPx, height: maxPx, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg({ quality: 80 })
    .toBuffer()
  return dataUrl('image/jpeg', smaller)
}

const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`

export async function signedLink(
  { store, links, config }: Files,
  { id, content_type: contentType }: Pick<ShownFile, 'id' | 'content_type'>,
  { now }: { now: Date },
): Promise<{ url: string; expires_at: string }> {
  const expiresAt = new Date(now.getTime() + config.FILE_LINK_MINUTES * 60_000)
  const fileName = fileNameOf(contentType)
  const own = await store.link(readyKey(id), { contentType, fileName, now, expiresAt })
  return { url: own ?? links.sign(id, expiresAt), expires_at: expiresAt.toISOString() }
}

export const fileNameOf = (contentType: string) => `proof.${EXTENSIONS[contentType] ?? 'bin'}`
