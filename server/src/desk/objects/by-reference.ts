/** Finds records by a reference of the processor. Each is unique in its column, so all columns are tried. */
import { sql } from 'kysely'
import type { Shards } from '../../kit/db.ts'
import { readShards } from '../../kit/everywhere.ts'
import type { ObjectKind } from '../views.ts'

export interface Referred {
  id: string
  kind: ObjectKind
  title: string
  /** The field that matched. */
  why: string
}

const BREAKS_OF_TRANSACTIONS = ['suspense', 'unmatched_transaction', 'wrong_amount']

export async function findByReference(
  { readers, global }: Shards,
  reference: string,
): Promise<Referred[]> {
  const inShards = await readShards(readers, async (reader) => {
    const { rows } = await sql<Referred>`
      select id, 'deposit' as kind, 'Deposit, ' || status::text as title, 'payment session' as why
        from deposits where session_id = ${reference}
      union all
      select id, 'deposit', 'Deposit, ' || status::text, 'payment intent'
        from deposits where payment_intent_id = ${reference}
      union all
      select id, 'deposit', 'Deposit, ' || status::text, 'charge' from deposits where charge_id = ${reference}
      union all
      select id, 'deposit', 'Deposit, ' || status::text, 'balance transaction'
        from deposits where balance_transaction_id = ${reference}
      union all
      select id, 'payout', 'Payout, ' || status::text, 'transfer' from payouts where transfer_id = ${reference}
      union all
      select worker_id, 'worker', 'Payout account ' || status::text, 'payout account'
        from payout_accounts where account_id = ${reference}
      union all
      select id, 'refund', 'Refund, ' || status::text, 'refund' from refunds where processor_refund_id = ${reference}
      union all
      select id, 'chargeback', 'Chargeback, ' || status, 'chargeback' from chargebacks where id = ${reference}`.execute(
      reader,
    )
    return rows
  })
  const { rows } = await sql<Referred>`
    select id, 'withdrawal' as kind, 'Withdrawal, ' || status as title, 'processor payout' as why
      from withdrawals where processor_payout_id = ${reference}
    union all
    select 'notification_' || event_id, 'notification', type, 'notification'
      from processor_events where event_id = ${reference}
    union all
    select 'break_' || id, 'break', left(detail, 120), 'balance transaction'
      from money_breaks
     where closed_at is null and kind = any(${BREAKS_OF_TRANSACTIONS}::text[]) and subject = ${reference}`.execute(
    global.reader,
  )
  return [...inShards.flat(), ...rows]
}
