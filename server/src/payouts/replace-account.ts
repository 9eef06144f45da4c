/** Let a worker open another payout account in place of one that is closed or rejected, at an operator's word. */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import type { PayoutAccount } from './queries.ts'

/** The account that is replaced, or undefined when none is closed or rejected. What waits is paid to the next one. */
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
      // No account is opened until the worker asks for one.
      check_at: null,
      // The processor must not answer with the account that it has opened before.
      replaced_count: sql`replaced_count + 1`,
      updated_at: now,
    })
    .where('worker_id', '=', workerId)
    .execute()
  return account
}
