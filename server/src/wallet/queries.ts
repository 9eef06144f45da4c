import { type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '../kit/db.ts'
import type { Schema } from '../kit/schema.ts'
import { depositStatus, standOf } from './deposit-status.ts'

export type Deposit = Selectable<Schema['deposits']>
export type Refund = Selectable<Schema['refunds']>

/**
 * The result of fetching an object from the processor. `done`: our books match it. `waiting`: the processor could not
 * be reached; retry. `unknown`: the object is not ours, or not an agent's money, and is left to reconciliation.
 */
export type Settled = 'done' | 'waiting' | 'unknown'

export const findDeposit = (db: Reader, depositId: string): Promise<Deposit | undefined> =>
  db.selectFrom('deposits').selectAll().where('id', '=', depositId).executeTakeFirst()

/**
 * Locks a deposit until the transaction ends. Lock order: the deposit comes before all other rows about a payment,
 * including the ledger's.
 */
export function lockDeposit(tx: Tx, depositId: string, agentId?: string): Promise<Deposit> {
  const deposit = tx.selectFrom('deposits').selectAll().where('id', '=', depositId).forNoKeyUpdate()
  const own = agentId === undefined ? deposit : deposit.where('agent_id', '=', agentId)
  return own.executeTakeFirstOrThrow()
}

/** Recomputes a locked deposit's refunded sum and its status. */
export async function recount(tx: Tx, deposit: Deposit, { now }: { now: Date }): Promise<void> {
  const { refunded } = await tx
    .selectFrom('refunds')
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('refunded'))
    .where('deposit_id', '=', deposit.id)
    .where('status', 'not in', ['rejected', 'failed'])
    .executeTakeFirstOrThrow()
  const chargebacks = await tx
    .selectFrom('chargebacks')
    .select('status')
    .where('deposit_id', '=', deposit.id)
    .execute()
  const statuses = chargebacks.map(({ status }) => status)

  // A refund of ours may be in flight while someone refunds the same money by hand; the processor refuses the second
  // one.
  const refundedCents = Math.min(refunded, deposit.amount_cents)
  const isMatched = deposit.succeeded_at !== null
  const isDisputed = statuses.some((status) => standOf(status) !== 'question')
  await tx
    .updateTable('deposits')
    .set({
      refunded_cents: refundedCents,
      status:
        isMatched || isDisputed
          ? depositStatus({
              amountCents: deposit.amount_cents,
              refundedCents,
              chargebacks: statuses,
            })
          : deposit.status,
      updated_at: now,
    })
    .where('id', '=', deposit.id)
    .execute()
}

/** Whether the agent received the money: directly, or from an operator who assigned a mismatched payment. */
export async function isAgents(tx: Tx, deposit: Deposit): Promise<boolean> {
  if (deposit.succeeded_at !== null) return true
  const given = await tx
    .selectFrom('transfers')
    .select('key')
    .where('key', '=', `suspense:${deposit.balance_transaction_id}:resolved`)
    .where('kind', '=', 'suspense_to_agent')
    .executeTakeFirst()
  return given !== undefined
}

/** Whether refunds are switched on: they are off after a restore from a backup, or an operator has stopped them. */
export async function areRefundsOn(db: Reader): Promise<boolean> {
  const row = await db
    .selectFrom('platform_switches')
    .select('is_on')
    .where('name', '=', 'refunds')
    .executeTakeFirst()
  return row?.is_on ?? true
}
