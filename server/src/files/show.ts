/** Files of proofs as they are shown: inside the answer, or by a link that works for a while. */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import type { Selectable } from 'kysely'
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

export async function readInlinePhoto(
  { store }: Files,
  { id, content_type }: Pick<ShownFile, 'id' | 'content_type'>,
): Promise<string> {
  const stored = await store.read(readyKey(id))
  assert(stored, `${id} is ready and not in the store`)
  return `data:${content_type};base64,${(await buffer(stored.stream)).toString('base64')}`
}

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
