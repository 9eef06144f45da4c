/** Removes files of proofs: their bytes, and then their rows with the fingerprints of photos. */
import { type Selectable, sql } from 'kysely'
import type { Db, Reader } from '../kit/db.ts'
import type { Schema } from '../kit/schema.ts'
import { incomingKey, readyKey, type Store } from './store.ts'

type StoredFile = Pick<Selectable<Schema['files']>, 'id' | 'store_key'>

/** Returns the files with bytes of their own. Bytes of samples are shared by many test workers and stay. */
export async function removeBytes<File extends StoredFile>(
  store: Store,
  files: readonly File[],
): Promise<File[]> {
  const own = files.filter(({ id, store_key }) => store_key === null || store_key === readyKey(id))
  await Promise.all(
    own.flatMap(({ id }) => [store.remove(incomingKey(id)), store.remove(readyKey(id))]),
  )
  return own
}

/** Call it after `removeBytes`: a row without bytes is found again, but bytes without a row never are. */
export async function deleteFileRows({ reader, shards }: Db, fileIds: string[]): Promise<number> {
  await sql`delete from photo_hashes where file_id = any(${fileIds})`.execute(shards.global.reader)
  const { rows } = await sql`
    delete from files where id = any(${fileIds}) and proof_id is not null returning id`.execute(
    reader,
  )
  return rows.length
}

/** Sets when the clock looks at the file again. */
export async function postponeRemoval(
  db: Reader,
  { fileId, until }: { fileId: string; until: Date },
): Promise<void> {
  await db
    .updateTable('files')
    .set({ expires_at: until })
    .where('id', '=', fileId)
    .where('proof_id', 'is not', null)
    .execute()
}
