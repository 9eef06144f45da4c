/**
 * Records how a payout in transit ends, or that it waits. Each function runs in the transaction that locks the payout.
 */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import { postEntry } from '../ledger/journal.ts'
import { payoutFailed, payoutPaid } from '../ledger/movements.ts'
import type { Transfer } from '../processor/client-objects.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { moneyOf } from './move-on.ts'
import type { Payout } from './queries.ts'

const DAY_MS = 86_400_000
/** Delays between retries: a processor's refusal or a problem with a worker's account is often resolved within days. */
const RETRY_DAYS = [1, 2, 4, 8]

/** Whether the money has left the worker's balance but has not arrived. */
export const isInTransit = ({ status, account_id }: Payout) =>
  account_id !== null &&
  ['requested', 'submitting', 'awaiting_funds', 'awaiting_account'].includes(status)

/** Whether a transfer matches its payout; a person has to look at any mismatch. */
export const isTransferOf = (payout: Payout, transfer: Transfer) =>
  transfer.payoutId === payout.id &&
  transfer.amountCents === payout.amount_cents &&
  transfer.currency === 'usd' &&
  transfer.destination === payout.account_id

export async function recordPaid(
  tx: Tx,
  payout: Payout,
  { transferId, now }: { transferId: string; now: Date },
): Promise<Payout> {
  await postEntry(tx, payoutPaid(moneyOf(payout)), { now })
  // The agent is on another shard, so a job records its event.
  await requestWork(tx, [{ type: 'payout.tell', id: payout.id }], { now })
  if (payout.status !== 'submitting') await setStatus(tx, payout, { status: 'submitting' }, now)
  return setStatus(
    tx,
    payout,
    {
      status: 'paid',
      transfer_id: transferId,
      paid_at: now,
      failure_code: null,
      failure_message: null,
      check_at: null,
    },
    now,
  )
}

export async function recordFailed(
  tx: Tx,
  payout: Payout,
  { code, message, now }: { code: string; message: string; now: Date },
): Promise<Payout> {
  await postEntry(tx, payoutFailed(moneyOf(payout)), { now })
  await requestWork(tx, [{ type: 'payout.failed', id: payout.id }], { now })
  const check_at = await retryAt(tx, payout, now)
  return setStatus(
    tx,
    payout,
    { status: 'failed', failure_code: code, failure_message: message, check_at },
    now,
  )
}

/** When a failed payout is retried (retry-failed.ts); null after the last retry, when an operator has to look. */
async function retryAt(tx: Tx, { id }: Payout, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ failures: number }>`
    with recursive tries as (
      select id, previous_id from payouts where id = ${id}
      union all
      select p.id, p.previous_id from payouts p join tries on p.id = tries.previous_id
    )
    select count(*)::integer as failures from tries`.execute(tx)
  const days = RETRY_DAYS[rows[0]!.failures - 1]
  return days === undefined ? null : new Date(now.getTime() + days * DAY_MS)
}

export function setStatus(
  tx: Tx,
  { id }: Payout,
  becomes: Partial<Payout>,
  now: Date,
): Promise<Payout> {
  return tx
    .updateTable('payouts')
    .set({ ...becomes, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
