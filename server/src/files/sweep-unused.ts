/**
 * Remove files that no proof uses: abandoned uploads and leftovers of failed requests.
 *
 *   called by   the clock, a day after the file was begun
 *   moves       a file: begun, received, ready or refused → (none)
 *   money       none
 *   event       none
 */
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import { filesOf } from './files.ts'
import { incomingKey, readyKey } from './store.ts'

export const sweepUnused = sweep({
  name: 'files.sweep-unused',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('files')
      .select('id')
      .where('proof_id', 'is', null)
      .where('expires_at', '<=', clock.now())
      .orderBy('expires_at')
      .limit(limit)
      .execute(),

  async move({ db, clock, config }, rows) {
    const { store } = filesOf(config)
    // Remove the bytes first: a row without bytes is found again, but bytes without a row never are.
    await Promise.all(
      rows.flatMap(({ id }) => [store.remove(incomingKey(id)), store.remove(readyKey(id))]),
    )
    return db.transaction((tx) =>
      removeFiles(tx, { fileIds: rows.map(({ id }) => id), now: clock.now() }),
    )
  },
})

export async function removeFiles(
  tx: Tx,
  { fileIds, now }: { fileIds: string[]; now: Date },
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('files')
    .where('id', 'in', fileIds)
    .where('proof_id', 'is', null)
    .where('expires_at', '<=', now)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
