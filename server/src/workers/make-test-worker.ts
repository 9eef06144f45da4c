import { openAccounts } from '../ledger/journal.ts'
import type { Db, Tx } from '../kit/db.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { LEVELS, scaleOf } from './trust.ts'
import type { Worker } from './queries.ts'

/** Undeliverable by design: `.invalid` is reserved and never resolves. */
export const testEmail = (name: string, agentId: string) => `${name}@${agentId}.invalid`

/**
 * Creates a test-mode worker for one test agent, on its shard, without a password and qualified for any task. Returns
 * undefined if the agent already has a worker with this email. The email contains the agent's id and nobody logs in
 * with it, so it is not in the directory of all workers.
 */
export async function makeTestWorker(
  tx: Tx,
  { agentId, name, email, now }: { agentId: string; name: string; email: string; now: Date },
): Promise<Worker | undefined> {
  const id = mintId('worker', now, shardOf(agentId))
  // Serializes processes that create the same worker.
  await tx.selectFrom('agents').select('id').where('id', '=', agentId).forNoKeyUpdate().execute()
  const existing = await tx
    .selectFrom('workers')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('email', '=', email)
    .executeTakeFirst()
  if (existing !== undefined) return undefined
  const approvals = LEVELS[0]!.approved
  const worker = await tx
    .insertInto('workers')
    .values({
      id,
      mode: 'test',
      agent_id: agentId,
      name,
      email,
      password_hash: 'none',
      status: 'active',
      approved_count: approvals,
      trust_good: approvals * scaleOf(now),
      identity_done_at: now,
      verified_at: now,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await openAccounts(tx, { ownerId: id, mode: 'test' })
  return worker
}

/** Earlier releases entered the emails of test workers in the directory, which is in another schema. */
export async function releaseTestEmails(db: Db, agentId: string): Promise<void> {
  const workers = await db.reader
    .selectFrom('workers')
    .select(['id', 'email'])
    .where('agent_id', '=', agentId)
    .where('mode', '=', 'test')
    .execute()
  if (workers.length === 0) return
  const ids = workers.map(({ id }) => id)
  const emails = workers.map(({ email }) => email.toLowerCase())
  await db.shards.global.transaction((tx) =>
    tx
      .deleteFrom('worker_emails')
      .where('worker_id', 'in', ids)
      .where('email', 'in', emails)
      .execute(),
  )
}
