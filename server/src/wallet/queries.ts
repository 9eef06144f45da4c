import { type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '../kit/db.ts'
import type { Schema } from '../kit/schema.ts'
import { depositStatus, standOf } from './deposit-status.ts'

export type Deposit = Selectable<Schema['deposits']>
export type Refund = Selectable<Schema['refunds']>

/**
 * What came of looking at the processor. `done`: our books say what it says. `waiting`: it could not be asked; ask
 * again. `unknown`: this is not ours, or no agent's money, and left to reconciliation.
 */
export type Settled = 'done' | 'waiting' | 'unknown'

export const findDeposit = (db: Reader, depositId: string): Promise<Deposit | undefined> =>
  db.selectFrom('deposits').selectAll().where('id', '=', depositId).executeTakeFirst()

/** Held until the transaction ends. Of all rows about a payment it is locked first, before the ledger's. */
export function lockDeposit(tx: Tx, depositId: string, agentId?: string): Promise<Deposit> {
  const deposit = tx.selectFrom('deposits').selectAll().where('id', '=', depositId).forNoKeyUpdate()
  const own = agentId === undefined ? deposit : deposit.where('agent_id', '=', agentId)
  return own.executeTakeFirstOrThrow()
}

/** Adds up again what was refunded of a deposit that is held, and what it is by all that has happened to it. */
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

  // One of ours may be on its way while somebody refunds the same money by hand; the processor refuses the second.
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

/** Whether its money reached the agent: at once, or by an operator who matched what did not fit. */
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
