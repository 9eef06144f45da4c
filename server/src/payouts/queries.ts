import { type Selectable, sql } from 'kysely'
import type { Reader, Shards, Tx } from '../kit/db.ts'
import type { Schema } from '../kit/schema.ts'

export type Payout = Selectable<Schema['payouts']>
export type PayoutAccount = Selectable<Schema['payout_accounts']>

export const accountOf = (db: Reader, workerId: string): Promise<PayoutAccount | undefined> =>
  db.selectFrom('payout_accounts').selectAll().where('worker_id', '=', workerId).executeTakeFirst()

/**
 * Locks workers' accounts until the transaction ends. Always lock them before any of their payouts: a transaction that
 * activates an account then waits for ours and sees the payouts that we left waiting for it.
 */
export async function holdAccounts(
  tx: Tx,
  workerIds: string[],
): Promise<Map<string, PayoutAccount>> {
  const rows = await tx
    .selectFrom('payout_accounts')
    .selectAll()
    .where('worker_id', '=', sql<string>`any(${workerIds})`)
    .orderBy('worker_id')
    .forShare()
    .execute()
  return new Map(rows.map((row) => [row.worker_id, row]))
}

export const findPayout = (db: Reader, payoutId: string): Promise<Payout | undefined> =>
  db.selectFrom('payouts').selectAll().where('id', '=', payoutId).executeTakeFirst()

export const findByTransfer = (db: Reader, transferId: string) =>
  db.selectFrom('payouts').select('id').where('transfer_id', '=', transferId).executeTakeFirst()

/** A payout and its worker's account, both locked. */
export async function lockPayout(
  tx: Tx,
  payoutId: string,
): Promise<{ payout: Payout; account: PayoutAccount | undefined } | undefined> {
  // A payout's worker never changes, so this can be read before locking.
  const known = await findPayout(tx, payoutId)
  if (known === undefined) return undefined
  const accounts = await holdAccounts(tx, [known.worker_id])
  const payout = await tx
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', payoutId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { payout, account: accounts.get(payout.worker_id) }
}

/** The current payout of each worker: the last one, if earlier ones failed. */
export function payoutsOf(db: Reader, of: { taskId: string; workerIds: string[] }) {
  return db
    .selectFrom('payouts as p')
    .selectAll()
    .where('task_id', '=', of.taskId)
    .where('worker_id', '=', sql<string>`any(${of.workerIds})`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payouts as next').select('next.id').whereRef('next.previous_id', '=', 'p.id'),
        ),
      ),
    )
    .orderBy('worker_id')
    .execute()
}

/** Like `payoutsOf`, for workers of any shard. */
export async function payoutsAnywhere(
  shards: Shards,
  { taskId, workerIds }: { taskId: string; workerIds: string[] },
): Promise<Payout[]> {
  const parts = [...Map.groupBy(workerIds, shards.at)].map(([{ reader }, ids]) =>
    payoutsOf(reader, { taskId, workerIds: ids }),
  )
  return (await Promise.all(parts)).flat().sort((a, b) => (a.worker_id < b.worker_id ? -1 : 1))
}

/** Whether payouts are switched on at all: reconciliation or an operator may have stopped them. */
export async function arePayoutsOn(db: Reader): Promise<boolean> {
  const row = await db
    .selectFrom('platform_switches')
    .select('is_on')
    .where('name', '=', 'payouts')
    .executeTakeFirst()
  return row?.is_on ?? true
}
