/**
 * Takes transfers out of suspense that a payout was paid by. After a restore from a backup, a transfer of lost time
 * goes into suspense if its task is not approved in the restored database. When the task is approved again, send.ts
 * finds that transfer instead of sending another, and books it as paid. The ledger then has the transfer twice until
 * this runs.
 */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import type { Background } from '../kit/job.ts'
import { postEntry } from '../ledger/journal.ts'
import { suspenseToPayout } from '../ledger/movements.ts'

interface Claimed {
  transaction_id: string
  payout_id: string
  amount_cents: number
  /** An operator has decided that the transfer was the operator's to pay. */
  is_operators: boolean
}

export async function claimSuspense({ db, clock }: Background): Promise<void> {
  const { rows } = await sql<Claimed>`
    select b.id as transaction_id, p.id as payout_id, f.amount_cents,
           exists (select 1 from transfers r where r.key = 'suspense:' || b.id || ':resolved'
                      and r.kind = 'suspense_to_operator') as is_operators
      from transfers f
      join balance_transactions b on b.id = f.ref_id
      join payouts p on p.transfer_id = b.source_id
     where f.kind = 'unmatched_payment' and f.mode = 'live' and f.debit = 'liab:suspense'
       and not exists (select 1 from processor_matches m where m.key = 'payout:' || p.id || ':paid')`.execute(
    db.reader,
  )
  for (const row of rows) await db.transaction((tx) => claim(tx, row, { now: clock.now() }))
}

async function claim(
  tx: Tx,
  { transaction_id: transactionId, payout_id: payoutId, amount_cents, is_operators }: Claimed,
  { now }: { now: Date },
): Promise<void> {
  const entry = suspenseToPayout({
    mode: 'live',
    shard: 0,
    balanceTransactionId: transactionId,
    amountCents: amount_cents,
    isOperators: is_operators,
  })
  await postEntry(tx, entry, { now })
  await tx
    .insertInto('processor_matches')
    .values(
      [entry.key, `payout:${payoutId}:paid`].map((key) => ({
        key,
        balance_transaction_id: transactionId,
      })),
    )
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
