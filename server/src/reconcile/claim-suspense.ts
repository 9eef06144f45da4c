/**
 * Takes transfers out of suspense that a payout was paid by. After a restore from a backup, a transfer of lost time
 * goes into suspense if its task is not approved in the restored database. When the task is approved again, send.ts
 * finds that transfer instead of sending another, and books it as paid. The ledger then has the transfer twice until
 * this runs.
 */
import { sql } from 'kysely'
import { type Db, type Reader, runIn, type Tx } from '../kit/db.ts'
import { type Everywhere, readShards } from '../kit/everywhere.ts'
import type { Background } from '../kit/job.ts'
import { postEntry } from '../ledger/journal.ts'
import { suspenseToPayout } from '../ledger/movements.ts'

/** A payment that left for an unknown reason. */
interface Payment {
  transaction_id: string
  amount_cents: number
  /** An operator has decided that the transfer was the operator's to pay. */
  is_operators: boolean
}

interface Claimed extends Payment {
  payout_id: string
}

export async function claimSuspense({ db, clock }: Background): Promise<void> {
  const claimed = await findClaimed({ shards: db.shards.readers, global: db.shards.global.reader })
  // The lines of suspense are in the first shard.
  const first = db.shards.of(0)
  for (const row of claimed)
    await first.transaction((tx) => claim({ db: first, tx }, row, { now: clock.now() }))
}

/** The payments in suspense, the processor's transactions and the payouts can each be in another place. */
async function findClaimed({ shards, global }: Everywhere): Promise<Claimed[]> {
  const payments = (await readShards(shards, paymentsOfShard)).flat()
  if (payments.length === 0) return []
  const ids = payments.map(({ transaction_id }) => transaction_id)
  const transactions = await global
    .selectFrom('balance_transactions')
    .select(['id', 'source_id'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('source_id', 'is not', null)
    .execute()
  const transfers = transactions.map(({ source_id }) => source_id!)
  const payouts = (await readShards(shards, (shard) => paidOfShard(shard, transfers))).flat()
  return payments.flatMap((payment) => {
    const transaction = transactions.find(({ id }) => id === payment.transaction_id)
    return payouts
      .filter(({ transfer_id }) => transfer_id === transaction?.source_id)
      .map(({ id }) => ({ ...payment, payout_id: id }))
  })
}

async function paymentsOfShard(shard: Reader): Promise<Payment[]> {
  const { rows } = await sql<Payment>`
    select f.ref_id as transaction_id, f.amount_cents,
           exists (select 1 from transfers r where r.key = 'suspense:' || f.ref_id || ':resolved'
                      and r.kind = 'suspense_to_operator') as is_operators
      from transfers f
     where f.kind = 'unmatched_payment' and f.mode = 'live' and f.debit = 'liab:suspense'`.execute(
    shard,
  )
  return rows
}

/** Payouts of these transfers whose payment is not matched yet. */
async function paidOfShard(
  shard: Reader,
  transfers: string[],
): Promise<{ id: string; transfer_id: string | null }[]> {
  const { rows } = await sql<{ id: string; transfer_id: string | null }>`
    select p.id, p.transfer_id from payouts p
     where p.transfer_id = any(${transfers}::text[])
       and not exists (select 1 from processor_matches m where m.key = 'payout:' || p.id || ':paid')`.execute(
    shard,
  )
  return rows
}

async function claim(
  { db, tx }: { db: Db; tx: Tx },
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
  await match(tx, { key: entry.key, transactionId })
  await runIn(db.shards.at(payoutId), { db, tx }, (own) =>
    match(own, { key: `payout:${payoutId}:paid`, transactionId }),
  )
}

async function match(
  tx: Tx,
  { key, transactionId }: { key: string; transactionId: string },
): Promise<void> {
  await tx
    .insertInto('processor_matches')
    .values({ key, balance_transaction_id: transactionId })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
