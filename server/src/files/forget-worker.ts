/**
 * Erase from the files and proofs of a closed account what identifies its photos or says where they were taken:
 * fingerprints, original data, exact locations. The agents keep the photos until their retention ends. Files are on the
 * shards of their tasks, so they are not part of the transaction that closes the account; each gets its own.
 *
 *   called by   worker.closed
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Reader } from '../kit/db.ts'
import { job } from '../kit/job.ts'

/** files.sha256 can't be null. */
const ERASED = 'erased'

export const forgetWorker = job({
  name: 'files.forget-worker',
  payload: z.object({ data: z.object({ id: z.string() }) }),
  attemptsMax: 20,
  events: ['worker.closed'],

  async run({ db, payload }) {
    const { id: workerId } = payload.data
    for (const shard of db.shards.all) {
      await eraseFiles(shard, workerId)
      await eraseLocations(shard.reader, workerId)
    }
  },
})

async function eraseFiles({ reader, shards }: Db, workerId: string): Promise<void> {
  const files = await reader
    .selectFrom('files')
    .select('id')
    .where('worker_id', '=', workerId)
    .where('sha256', '<>', ERASED)
    .execute()
  for (const { id } of files) {
    await shards.global.reader.deleteFrom('photo_hashes').where('file_id', '=', id).execute()
    await sql`
      update files set evidence = null, sha256 = ${ERASED}, stored_sha256 = null, dhash = null
       where id = ${id} and worker_id = ${workerId}`.execute(reader)
  }
}

async function eraseLocations(db: Reader, workerId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select p.id from assignments a join proofs p on p.assignment_id = a.id
     where a.worker_id = ${workerId} and p.location is not null`.execute(db)
  for (const { id } of rows)
    await sql`
      update proofs set area = places_region_of(location), location = null
       where id = ${id} and worker_id = ${workerId}`.execute(db)
}
