/**
 * Fetch a chargeback from the processor and update our books: one entry for each of the processor's balance
 * transactions, however often and in whatever order notifications arrive.
 *
 *   called by   the processor's notifications; the clock; the event chargeback.look
 *   moves       the deposit: succeeded → disputed → dispute_won | dispute_lost; the agent: active → restricted, and
 *               back when it is won and nothing else is open, lost or owed
 *   money       agent → processor, a shortfall becomes debt; the processor's fee; if won, processor → agent
 *   event       agent.restricted (ours)
 */
import { restrictAgent } from '../agents/restrict.ts'
import { findAnywhere, type Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import { type Background, job } from '../kit/job.ts'
import { postEntry } from '../ledger/journal.ts'
import { chargeback, chargebackWon } from '../ledger/movements.ts'
import { processorOf } from '../processor/client.ts'
import type { CardDispute } from '../processor/client-objects.ts'
import { askWhenDue } from '../webhooks/ask-when-due.ts'
import { Work } from '../webhooks/record-event.ts'
import { standOf } from './deposit-status.ts'
import { type Deposit, isAgents, lockDeposit, recount, type Settled } from './queries.ts'
import { liftWhenClear } from './restriction.ts'
import { depositOfCharge } from './settle-deposit.ts'

const DAY_MS = 86_400_000
/** How long to keep polling for the money of a chargeback that we won. */
const WAIT_FOR_MONEY_MS = 90 * DAY_MS
/** The delay before the next try when the processor could not be reached. */
const TRY_AGAIN_MS = 10 * 60_000

export const lookAtChargeback = job({
  name: 'wallet.settle-chargeback',
  payload: Work,
  attemptsMax: 12,
  events: ['chargeback.look'],

  async run({ payload, ...background }) {
    const { id } = payload.data
    if ((await settleChargeback(background, id)) !== 'waiting') return
    const known = await findAnywhere(background.db.shards, (reader) =>
      reader.selectFrom('chargebacks').select('id').where('id', '=', id).executeTakeFirst(),
    )
    // We have no row to retry from, so throw and let the job retry.
    if (known === undefined) throw new Error(`could not check ${id}`)
  },
})

export const chargebacksDue = askWhenDue({
  name: 'wallet.chargebacks',

  // Keyed by the deposit, whose id encodes the shard.
  due: (db, { now, limit }) =>
    db
      .selectFrom('chargebacks')
      .select('deposit_id as id')
      .distinct()
      .where('check_at', '<=', now)
      .limit(limit)
      .execute(),

  async putOff(tx, { ids: depositIds, now }) {
    const due = await tx
      .updateTable('chargebacks')
      .set({ check_at: new Date(now.getTime() + DAY_MS) })
      .where('id', 'in', (chargebacks) =>
        chargebacks
          .selectFrom('chargebacks')
          .select('id')
          .where('deposit_id', 'in', depositIds)
          .where('check_at', '<=', now)
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute()
    return due.map(({ id }) => ({ type: 'chargeback.look', id }))
  },
})

export async function settleChargeback(
  background: Background,
  disputeId: string,
): Promise<Settled> {
  const { db, clock, config, log } = background
  const processor = processorOf(config)
  if (processor === undefined) return 'waiting'
  const looked = await processor.getDispute(disputeId)
  if (looked.kind !== 'ok') {
    log.warn({ dispute_id: disputeId, ...looked }, 'could not check a chargeback')
    if (looked.kind === 'definite' && looked.code === 'resource_missing') return 'unknown'
    const soon = new Date(clock.now().getTime() + TRY_AGAIN_MS)
    for (const shard of db.shards.all)
      await shard.transaction((tx) =>
        tx.updateTable('chargebacks').set({ check_at: soon }).where('id', '=', disputeId).execute(),
      )
    return 'waiting'
  }
  const dispute = looked.value
  const deposit = await depositOfCharge(background, dispute.chargeId)
  if (typeof deposit === 'string') return deposit
  return db.shards
    .at(deposit.id)
    .transaction((tx) => recordChargeback(tx, { depositId: deposit.id, dispute, now: clock.now() }))
}

export async function recordChargeback(
  tx: Tx,
  { depositId, dispute, now }: { depositId: string; dispute: CardDispute; now: Date },
): Promise<Settled> {
  const deposit = await lockDeposit(tx, depositId)
  const before = await tx
    .selectFrom('chargebacks')
    .select('status')
    .where('id', '=', dispute.id)
    .executeTakeFirst()
  const isBooked = (await isAgents(tx, deposit)) && (await bookMovements(tx, deposit, dispute, now))

  await tx
    .insertInto('chargebacks')
    .values({
      id: dispute.id,
      deposit_id: deposit.id,
      agent_id: deposit.agent_id,
      reason: dispute.reason,
      created_at: now,
      ...whatChanges(dispute, now),
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(whatChanges(dispute, now)))
    .execute()
  await recount(tx, deposit, { now })

  const stand = standOf(dispute.status)
  const isAgainstAgent = stand === 'open' || stand === 'lost'
  // Restrict only when the state changes: an operator may have lifted the restriction since.
  if (isAgainstAgent && (before === undefined || standOf(before.status) !== stand))
    await restrictAgent(tx, { agentId: deposit.agent_id, why: 'chargeback', now })
  if (!isAgainstAgent) await liftWhenClear(tx, { agentId: deposit.agent_id, now })
  return isBooked || dispute.balanceTransactions.length === 0 ? 'done' : 'unknown'
}

/**
 * Posts each of the processor's balance transactions once. Call it only if the agent has received the deposit's money.
 */
async function bookMovements(
  tx: Tx,
  deposit: Deposit,
  { balanceTransactions }: CardDispute,
  now: Date,
): Promise<boolean> {
  const book = {
    mode: deposit.mode,
    shard: shardOf(deposit.agent_id),
    agentId: deposit.agent_id,
  }
  const inOrder = balanceTransactions.toSorted(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.amountCents - b.amountCents,
  )
  for (const { id, amountCents, feeCents, currency } of inOrder) {
    if (currency !== 'usd') return false
    const of = { ...book, balanceTransactionId: id, feeCents }
    await postEntry(
      tx,
      amountCents > 0
        ? chargebackWon({ ...of, amountCents })
        : chargeback({ ...of, amountCents: -amountCents }),
      { now },
    )
  }
  return true
}

function whatChanges(dispute: CardDispute, now: Date) {
  return {
    amount_cents: dispute.amountCents,
    status: dispute.status,
    due_by: dispute.dueBy ?? null,
    check_at: lookAgainAt(dispute, now),
    updated_at: now,
  }
}

/** Polls open chargebacks daily, and decided ones until their money has moved. */
function lookAgainAt({ status, balanceTransactions, createdAt }: CardDispute, now: Date) {
  const tomorrow = new Date(now.getTime() + DAY_MS)
  const stand = standOf(status)
  if (stand === 'open') return tomorrow
  if (stand === 'question') return /closed|prevented/.test(status) ? null : tomorrow
  const isSettled = balanceTransactions.some(({ amountCents }) =>
    stand === 'won' ? amountCents > 0 : amountCents < 0,
  )
  const isLate = now.getTime() - createdAt.getTime() > WAIT_FOR_MONEY_MS
  return isSettled || isLate ? null : tomorrow
}

/** Handles an early fraud warning: restricts the agent until an operator has reviewed it. */
export async function heedFraudWarning(background: Background, chargeId: string): Promise<Settled> {
  const deposit = await depositOfCharge(background, chargeId)
  if (typeof deposit === 'string') return deposit
  const { db, clock } = background
  await db.shards
    .at(deposit.agent_id)
    .transaction((tx) =>
      restrictAgent(tx, { agentId: deposit.agent_id, why: 'fraud_warning', now: clock.now() }),
    )
  return 'done'
}
