import { openAccounts } from '../ledger/journal.ts'
import type { Tx } from '../kit/db.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { LEVELS, scaleOf } from './trust.ts'
import type { Worker } from './queries.ts'

/** Undeliverable by design: `.invalid` is reserved and never resolves. */
export const testEmail = (name: string, agentId: string) => `${name}@${agentId}.invalid`

/**
 * Creates a test-mode worker for one test agent, on its shard, without a password and qualified for any task. Returns
 * undefined if the email is already taken.
 */
export async function makeTestWorker(
  tx: Tx,
  { agentId, name, email, now }: { agentId: string; name: string; email: string; now: Date },
): Promise<Worker | undefined> {
  const id = mintId('worker', now, shardOf(agentId))
  const { numInsertedOrUpdatedRows: isNew } = await tx
    .insertInto('worker_emails')
    .values({ email, worker_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (!isNew) return undefined
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
