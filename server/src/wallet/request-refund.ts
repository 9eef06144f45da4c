/**
 * Refund unspent money to the cards that it came from: newest deposits first, each up to the amount that is left of it.
 *
 *   called by   an operator
 *   moves       refunds: (none) → requested; their deposits → partially_refunded | refunded
 *   money       wallet → refund in transit
 *   event       refund.send (ours)
 */
import type { Reader, Tx } from '../kit/db.ts'
import { invalidField } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import type { Background } from '../kit/job.ts'
import { reached } from '../kit/crash-points.ts'
import { NotEnoughMoney, postEntry } from '../ledger/journal.ts'
import { refundRequested } from '../ledger/movements.ts'
import { nextLook } from '../processor/next-look.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { isRefundable } from './deposit-status.ts'
import { refundAboveDeposits, refundAboveWallet, refundOfRestricted } from './errors.ts'
import { type Deposit, recount, type Refund } from './queries.ts'

interface RefundAgent {
  agentId: string
  amountCents: number
  requestedBy: string
  reason: string
}

/** Requests the refund in its own transaction. */
export async function refundAgent(
  { db, clock, config }: Pick<Background, 'db' | 'clock' | 'config'>,
  asked: RefundAgent,
): Promise<Refund[]> {
  const refunds = await db.shards
    .at(asked.agentId)
    .transaction((tx) => requestRefund(tx, { ...asked, now: clock.now() }))
  reached(config, 'refund.requested')
  return refunds
}

export async function requestRefund(
  tx: Tx,
  { agentId, amountCents, requestedBy, reason, now }: RefundAgent & { now: Date },
): Promise<Refund[]> {
  const deposits = await refundable(tx, agentId).forNoKeyUpdate().execute()
  const parts = await partsOf(tx, { agentId, amountCents, deposits })

  const refunds: Refund[] = []
  for (const { deposit, cents } of parts) {
    const refund = await tx
      .insertInto('refunds')
      .values({
        id: mintId('rfd', now, shardOf(agentId)),
        deposit_id: deposit.id,
        agent_id: agentId,
        amount_cents: cents,
        requested_by: requestedBy,
        reason,
        check_at: nextLook(now, now),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const book = { mode: deposit.mode, shard: shardOf(agentId), agentId }
    await postEntry(tx, refundRequested({ ...book, refundId: refund.id, amountCents: cents }), {
      now,
    }).catch((error: unknown) => {
      if (error instanceof NotEnoughMoney)
        throw refundAboveWallet({ balance_cents: error.balanceCents ?? 0 })
      throw error
    })
    await recount(tx, deposit, { now })
    refunds.push(refund)
  }
  await requestWork(
    tx,
    refunds.map(({ id }) => ({ type: 'refund.send', id })),
    { now },
  )
  return refunds
}

/** The deposits that a refund would be taken from. */
export async function planRefund(
  reader: Reader,
  { agentId, amountCents }: { agentId: string; amountCents: number },
): Promise<Part[]> {
  const deposits = await refundable(reader, agentId).execute()
  return partsOf(reader, { agentId, amountCents, deposits })
}

interface Part {
  deposit: Deposit
  cents: number
}

async function partsOf(
  reader: Reader,
  { agentId, amountCents, deposits }: { agentId: string; amountCents: number; deposits: Deposit[] },
): Promise<Part[]> {
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0)
    throw invalidField('amount_cents', 'must be a whole number of cents above 0')
  await checkAgent(reader, agentId, amountCents)
  return spread(
    deposits.filter(({ status }) => isRefundable(status)),
    amountCents,
  )
}

/** Excludes play money: nobody paid it, so it can't be refunded. */
const refundable = (reader: Reader, agentId: string) =>
  reader
    .selectFrom('deposits')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('mode', '=', 'live')
    .where('succeeded_at', 'is not', null)
    .where('payment_intent_id', 'is not', null)
    .orderBy('id', 'desc')

async function checkAgent(reader: Reader, agentId: string, amountCents: number): Promise<void> {
  const agent = await reader
    .selectFrom('agents')
    .innerJoin('ledger_agents', 'ledger_agents.agent_id', 'agents.id')
    .select(['agents.status', 'wallet_cents', 'receivable_cents'])
    .where('agents.id', '=', agentId)
    .executeTakeFirst()
  if (agent === undefined) throw invalidField('agent_id', 'is not the id of an agent')
  if (agent.status === 'restricted') throw refundOfRestricted()
  if (agent.wallet_cents < amountCents)
    throw refundAboveWallet({ balance_cents: agent.wallet_cents - agent.receivable_cents })
}

/** Splits the amount across the deposits. */
export function spread<D extends Pick<Deposit, 'amount_cents' | 'refunded_cents'>>(
  deposits: D[],
  amountCents: number,
): { deposit: D; cents: number }[] {
  const parts: { deposit: D; cents: number }[] = []
  let open = amountCents
  for (const deposit of deposits) {
    const cents = Math.min(open, deposit.amount_cents - deposit.refunded_cents)
    if (cents > 0) parts.push({ deposit, cents })
    open -= cents
  }
  if (open > 0) throw refundAboveDeposits({ refundable_cents: amountCents - open })
  return parts
}
