/**
 * Delete the photos and recordings of proofs after their retention, with the fingerprints of the photos. A file stays
 * while someone may still decide by it: until the task has ended, appeals are ruled on, held payouts are released, and
 * the agent's chargebacks are closed. The proof's text stays with the task.
 *
 * The proof is marked first, so that nobody is shown a file whose bytes are gone. Then the bytes are removed, and the
 * row last: after a crash the row is found again.
 *
 *   called by   the clock, PROOF_KEEP_DAYS after the task has ended
 *   moves       a file of a proof → (none)
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { readShards } from '../kit/everywhere.ts'
import { sweep } from '../kit/job.ts'
import { filesOf } from './files.ts'
import { deleteFileRows, postponeRemoval, removeBytes } from './remove-files.ts'

const DAY_MS = 86_400_000

export const removeProofFiles = sweep({
  name: 'files.remove-proof-files',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('files')
      .select('id')
      .where('proof_id', 'is not', null)
      .where('expires_at', '<=', clock.now())
      .orderBy('expires_at')
      .limit(limit)
      .execute(),

  async move({ db, clock, config }, rows) {
    const now = clock.now()
    const found = await readDue(
      { home: db.reader, shards: db.shards.readers },
      rows.map(({ id }) => id),
    )
    const judged = found.map((file) => ({ ...file, until: keptUntil(file, { config, now }) }))
    for (const { id, until } of judged)
      if (until !== null) await postponeRemoval(db.reader, { fileId: id, until })

    const ended = judged.filter(({ until }) => until === null)
    await markProofs(db.reader, { proofIds: ended.map(({ proof_id }) => proof_id), now })
    await removeBytes(filesOf(config).store, ended)
    await deleteFileRows(
      db,
      ended.map(({ id }) => id),
    )
    return judged.length
  },
})

interface DueFile {
  id: string
  task_id: string
  store_key: string | null
  proof_id: string
  ended_at: Date | null
  /** Somebody may still decide by the file. */
  is_needed: boolean
}

/** Files are in the shard of their task, payouts in those of its workers. */
async function readDue(
  { home, shards }: { home: Reader; shards: readonly Reader[] },
  fileIds: string[],
): Promise<DueFile[]> {
  const { rows: files } = await sql<DueFile>`
    select f.id, f.task_id, f.store_key, f.proof_id, t.ended_at,
           exists (select 1 from appeals a where a.task_id = t.id and a.ruling is null)
           or exists (select 1 from chargebacks c
                       where c.agent_id = t.agent_id and c.status not in ('won', 'lost', 'warning_closed')) as is_needed
      from files f join tasks t on t.id = f.task_id
     where f.id = any(${fileIds}) and f.proof_id is not null`.execute(home)
  const taskIds = [...new Set(files.map(({ task_id }) => task_id))]
  const held = new Set((await readShards(shards, (shard) => heldOfShard(shard, taskIds))).flat())
  return files.map((file) => ({ ...file, is_needed: file.is_needed || held.has(file.task_id) }))
}

/** Those of the tasks that have a held payout. */
async function heldOfShard(shard: Reader, taskIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ task_id: string }>`
    select distinct task_id from payouts where task_id = any(${taskIds}::text[]) and status = 'held'`.execute(
    shard,
  )
  return rows.map(({ task_id }) => task_id)
}

/** Null if the file can go now; otherwise when to look again. */
export function keptUntil(
  { ended_at, is_needed }: Pick<DueFile, 'ended_at' | 'is_needed'>,
  { config, now }: { config: Pick<Config, 'PROOF_KEEP_DAYS'>; now: Date },
): Date | null {
  const tomorrow = new Date(now.getTime() + DAY_MS)
  if (ended_at === null) return tomorrow
  const end = new Date(ended_at.getTime() + config.PROOF_KEEP_DAYS * DAY_MS)
  if (end > now) return end
  return is_needed ? tomorrow : null
}

async function markProofs(
  db: Reader,
  { proofIds, now }: { proofIds: string[]; now: Date },
): Promise<void> {
  await db
    .updateTable('proofs')
    .set({ files_removed_at: now })
    .where('id', '=', sql<string>`any(${proofIds})`)
    .where('files_removed_at', 'is', null)
    .execute()
}
