/** Let a worker replace a closed or rejected payout account, on an operator's decision. */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import type { PayoutAccount } from './queries.ts'

/** Returns the replaced account, or undefined if none is closed or rejected. Waiting payouts go to the next account. */
export async function replaceAccount(
  tx: Tx,
  { workerId, now }: { workerId: string; now: Date },
): Promise<PayoutAccount | undefined> {
  const account = await tx
    .selectFrom('payout_accounts')
    .selectAll()
    .where('worker_id', '=', workerId)
    .where('status', 'in', ['closed', 'rejected'])
    .forUpdate()
    .executeTakeFirst()
  if (account === undefined) return undefined
  await tx
    .updateTable('payout_accounts')
    .set({
      account_id: null,
      status: 'onboarding',
      requirements_due: sql`'{}'`,
      details_submitted: false,
      schedule_set_at: null,
      bank_last4: null,
      bank_fingerprint: null,
      // Open no account until the worker asks for one.
      check_at: null,
      // Changes the idempotency key, so the processor does not return the old account.
      replaced_count: sql`replaced_count + 1`,
      updated_at: now,
    })
    .where('worker_id', '=', workerId)
    .execute()
  return account
}
