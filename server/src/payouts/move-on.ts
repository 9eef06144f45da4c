import type { Config } from '../config.ts'
import { callForValue } from '../kit/call.ts'
import { areTogether, type Db, type Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import { postEntries, postEntry } from '../ledger/journal.ts'
import { payoutPaid, payoutRequested } from '../ledger/movements.ts'
import { nextLook } from '../processor/next-look.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { type Assessment, needsAssessment, storeSigns } from './assess.ts'
import { NEVER, nextDay } from './holds.ts'
import { arePayoutsOn, type Payout, type PayoutAccount } from './queries.ts'
import { scoreOf } from './signs.ts'

const DAY_MS = 86_400_000
const PAUSE_MS = 5 * 60_000

interface MoveOn {
  /** Locked by the transaction, like the payout. */
  account: PayoutAccount | undefined
  config: Pick<Config, 'PROMO_DAILY_CENTS' | 'PROMO_RING_DAILY_CENTS' | 'PAYOUT_REVIEW_SCORE'>
  /** The signs of fraud, read before the transaction. Without it the payout waits to be assessed. */
  assessment?: Assessment | undefined
  /**
   * The global schema, if it is in another database. The daily promotional budget is deducted there first, so if the
   * payout then fails, less than the budget is paid out.
   */
  budgetAt: Db | undefined
  /** An operator has decided: the daily promotional budgets do not delay this payout, but still count it. */
  isDecided?: boolean
  now: Date
}

/**
 * Advances a payout whose money has not moved yet as far as possible. It waits for its hold to end, for the worker's
 * account to be ready, for payouts to be switched on, for an operator if there are signs of fraud, and for room in the
 * daily promotional budget; then it is requested. The result does not depend on the order in which these happen.
 */
export async function moveOn(tx: Tx, payout: Payout, waits: MoveOn): Promise<Payout> {
  const { account, assessment, config, isDecided = false, now } = waits
  if (payout.mode === 'test') return payPlayMoney(tx, payout, now)
  if (payout.available_at > now)
    return wait(tx, payout, {
      status: 'held',
      check_at: payout.available_at >= NEVER ? null : payout.available_at,
      now,
    })
  if (account?.status !== 'active')
    return wait(tx, payout, { status: 'awaiting_account', check_at: later(now, DAY_MS), now })
  if (!(await arePayoutsOn(tx)))
    return wait(tx, payout, { status: 'held', check_at: later(now, PAUSE_MS), now })
  if (!isDecided && needsAssessment(payout)) {
    if (assessment === undefined)
      return wait(tx, payout, { status: 'held', check_at: later(now, PAUSE_MS), now })
    await storeSigns(tx, payout.id, { signs: assessment.signs, now })
    if (scoreOf(assessment.signs) >= config.PAYOUT_REVIEW_SCORE)
      return wait(tx, payout, { status: 'held', ...FOR_REVIEW, now })
  }
  if (!(await hasPromoRoom(tx, payout, waits)))
    return wait(tx, payout, {
      status: 'held',
      hold_reason: 'promo_budget',
      available_at: nextDay(now),
      check_at: nextDay(now),
      now,
    })
  return request(tx, payout, { accountId: account.account_id!, now })
}

/** What `moveOn` needs for payouts of this shard. */
export const budgetFor = (db: Db): Pick<MoveOn, 'budgetAt'> => ({
  budgetAt: areTogether(db, db.shards.global) ? undefined : db.shards.global,
})

const FOR_REVIEW = { hold_reason: 'review', available_at: NEVER, check_at: null } as const

interface Wait extends Partial<Pick<Payout, 'hold_reason' | 'available_at'>> {
  status: 'held' | 'awaiting_account'
  check_at: Date | null
  now: Date
}

function wait(tx: Tx, payout: Payout, { now, status, ...until }: Wait): Promise<Payout> {
  const isHoldOver = payout.available_at <= now
  return tx
    .updateTable('payouts')
    .set({
      status,
      ...(isHoldOver ? { hold_reason: null } : {}),
      ...until,
      updated_at: now,
    })
    .where('id', '=', payout.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deducts the payout from the daily budgets, if enough is left. A retry is not counted again. */
async function hasPromoRoom(
  tx: Tx,
  { funding, previous_id, amount_cents, worker_id }: Payout,
  { config, assessment, budgetAt, isDecided = false, now }: MoveOn,
): Promise<boolean> {
  if (funding !== 'free' || previous_id !== null) return true
  return callForValue(budgetAt ?? tx, 'payouts_spend_promo', {
    p_day: now.toISOString().slice(0, 10),
    p_cents: amount_cents,
    p_max_cents: config.PROMO_DAILY_CENTS,
    p_is_decided: isDecided,
    p_worker: worker_id,
    p_ring: assessment?.ring ?? [worker_id],
    p_ring_max_cents: config.PROMO_RING_DAILY_CENTS,
  })
}

/** From here on the money is in transit: it either reaches this account or comes back. */
async function request(
  tx: Tx,
  payout: Payout,
  { accountId, now }: { accountId: string; now: Date },
): Promise<Payout> {
  await postEntry(tx, payoutRequested(moneyOf(payout)), { now })
  await requestWork(tx, [{ type: 'payout.send', id: payout.id }], { now })
  return tx
    .updateTable('payouts')
    .set({
      status: 'requested',
      hold_reason: null,
      account_id: accountId,
      check_at: nextLook(now, now),
      updated_at: now,
    })
    .where('id', '=', payout.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The test book never calls the processor. */
async function payPlayMoney(tx: Tx, payout: Payout, now: Date): Promise<Payout> {
  const money = moneyOf(payout)
  await postEntries(tx, [payoutRequested(money), payoutPaid(money)], { now })
  await requestWork(tx, [{ type: 'payout.tell', id: payout.id }], { now })
  const of = () => tx.updateTable('payouts').where('id', '=', payout.id)
  await of().set({ status: 'requested', hold_reason: null }).execute()
  return of()
    .set({ status: 'paid', paid_at: now, check_at: null, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The fields of a payout that the ledger needs to move its money. */
export const moneyOf = (payout: Payout) => ({
  mode: payout.mode,
  shard: shardOf(payout.worker_id),
  payoutId: payout.id,
  workerId: payout.worker_id,
  amountCents: payout.amount_cents,
})

const later = (now: Date, ms: number) => new Date(now.getTime() + ms)
