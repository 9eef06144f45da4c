/**
 * Fetch a deposit from the processor and update our books to match. Idempotent and safe to call concurrently, in any
 * order: notifications only say when to look.
 *
 *   called by   the processor's notifications; the return page; the clock; the event deposit.look
 *   moves       a deposit: creating, open → processing → succeeded | failed | expired | mismatched; also a late
 *               success after failed or expired
 *   money       processor → agent, debt first; the processor's fee, as soon as it is known. An amount that does not
 *               fit: processor → suspense
 *   event       deposit.succeeded
 */
import { findAnywhere, type Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import { type Background, job } from '../kit/job.ts'
import { reached } from '../kit/crash-points.ts'
import { postEntry } from '../ledger/journal.ts'
import { deposit as paid, processorFee, unmatchedReceipt } from '../ledger/movements.ts'
import { processorOf } from '../processor/client.ts'
import type { Charge, Checkout } from '../processor/client-objects.ts'
import { nextLook } from '../processor/next-look.ts'
import type { Outcome } from '../processor/outcome.ts'
import { askWhenDue } from '../webhooks/ask-when-due.ts'
import { requestWork, Work } from '../webhooks/record-event.ts'
import { checkoutOf } from './checkout.ts'
import type { DepositStatus } from './deposit-status.ts'
import { type Deposit, findDeposit, lockDeposit, type Settled } from './queries.ts'
import { liftWhenClear } from './restriction.ts'
import { notifyDeposit } from './notify-deposit.ts'
import { recoverDeposit } from './recover-deposit.ts'

const MINUTE_MS = 60_000
/** The processor's minimum lifetime for a checkout page. */
const PAGE_LIVES_MIN_MS = 30 * MINUTE_MS
/** How long after its expiry a deposit without a page is given up; nobody ever received the page's URL. */
const GIVEN_UP_AFTER_MS = 60 * MINUTE_MS
/** Gives a job time to look before the timer requests it again. */
const ASK_AGAIN_MS = 10 * MINUTE_MS
/** Short, because someone is waiting on the status page and reloads it. */
const LOOK_PAUSE_MS = 2000

export const lookAtDeposit = job({
  name: 'wallet.settle-deposit',
  payload: Work,
  attemptsMax: 8,
  events: ['deposit.look'],

  async run({ payload, ...background }) {
    await settleDeposit(background, payload.data.id)
  },
})

export const depositsDue = askWhenDue({
  name: 'wallet.deposits',

  due: (db, { now, limit }) =>
    db
      .selectFrom('deposits')
      .select('id')
      .where('check_at', '<=', now)
      .orderBy('check_at')
      .limit(limit)
      .execute(),

  async putOff(tx, { ids, now }) {
    const due = await tx
      .updateTable('deposits')
      .set({ check_at: new Date(now.getTime() + ASK_AGAIN_MS) })
      .where('id', 'in', (deposits) =>
        deposits
          .selectFrom('deposits')
          .select('id')
          .where('id', 'in', ids)
          .where('check_at', '<=', now)
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute()
    return due.map(({ id }) => ({ type: 'deposit.look', id }))
  },
})

export async function settleDeposit(anywhere: Background, depositId: string): Promise<Settled> {
  const background = { ...anywhere, db: anywhere.db.shards.at(depositId) }
  const { db, clock, config, log } = background
  const deposit = await findDeposit(db.reader, depositId)
  if (deposit === undefined) return 'unknown'
  if (isSettled(deposit)) return 'done'
  const processor = processorOf(config)
  if (processor === undefined) return 'waiting'

  let sessionId = deposit.session_id
  if (sessionId === null) {
    // Interrupted after creating the page but before recording it: a repeated request returns the same page.
    const made = await processor.createCheckout(await checkoutOf(db.reader, deposit, config))
    if (made.kind !== 'ok') return withoutPage(background, deposit, made)
    sessionId = made.value.id
  }
  const looked = await processor.getCheckout(sessionId)
  if (looked.kind !== 'ok') return putOff(background, deposit, looked)
  reached(config, 'deposit.looked_at')

  const checkout = looked.value
  const settled = await db.transaction((tx) =>
    recordLook(tx, { depositId, checkout, now: clock.now() }),
  )
  reached(config, 'deposit.settled')
  if (settled.status === 'mismatched')
    log.error(
      { deposit_id: depositId, charge_id: settled.charge_id },
      'a payment does not match its deposit; its money is in suspense until an operator decides',
    )
  return 'done'
}

/** Whether polling can stop: only refunds and disputes can still change the deposit. */
const isSettled = (deposit: Deposit) =>
  deposit.mode === 'test' || deposit.balance_transaction_id !== null

/**
 * No page was created. After a refusal there never will be one; with no response there may be, until the deposit has
 * long expired.
 */
async function withoutPage(
  background: Background,
  deposit: Deposit,
  outcome: Exclude<Outcome<unknown>, { kind: 'ok' }>,
): Promise<Settled> {
  const { db, clock, log } = background
  const now = clock.now()
  const leftMs = deposit.expires_at.getTime() - now.getTime()
  const isRefused = outcome.kind === 'definite' && !outcome.isKeyRefused
  if (!isRefused && leftMs > -GIVEN_UP_AFTER_MS) return putOff(background, deposit, outcome)

  const isOurFault = isRefused && leftMs >= PAGE_LIVES_MIN_MS
  if (isOurFault)
    log.error(
      { deposit_id: deposit.id, ...outcome },
      'the processor refused to create a payment page',
    )
  await db.transaction((tx) =>
    tx
      .updateTable('deposits')
      .set({
        status: isOurFault ? 'failed' : 'expired',
        request_key: null,
        check_at: null,
        updated_at: now,
      })
      .where('id', '=', deposit.id)
      .where('status', '=', 'creating')
      .execute(),
  )
  return 'done'
}

/** The processor could not be queried: try again later. */
async function putOff(
  { db, clock, log }: Background,
  deposit: Deposit,
  outcome: Exclude<Outcome<unknown>, { kind: 'ok' }>,
): Promise<Settled> {
  const now = clock.now()
  const level = outcome.kind === 'definite' ? 'error' : 'warn'
  log[level]({ deposit_id: deposit.id, ...outcome }, 'could not check a deposit')
  await db.transaction((tx) =>
    tx
      .updateTable('deposits')
      .set({ check_at: nextLook(deposit.created_at, now) })
      .where('id', '=', deposit.id)
      .where('balance_transaction_id', 'is', null)
      .execute(),
  )
  return 'waiting'
}

export async function recordLook(
  tx: Tx,
  { depositId, checkout, now }: { depositId: string; checkout: Checkout; now: Date },
): Promise<Deposit> {
  const deposit = await lockDeposit(tx, depositId)
  if (isSettled(deposit)) return deposit
  const { charge } = checkout
  if (checkout.paymentStatus === 'paid' && charge?.status === 'succeeded')
    return bookPayment(tx, { deposit, checkout, charge, now })
  // A paid deposit stays paid: only refunds and disputes take a payment back.
  if (deposit.charge_id !== null) return deposit

  const status = statusAfter(deposit.status, checkout)
  const hasEnded = status === 'failed' || status === 'expired'
  return tx
    .updateTable('deposits')
    .set({
      status,
      session_id: checkout.id,
      // Needed only while a retry may ask for the same page.
      request_key: status === 'open' ? deposit.request_key : null,
      check_at: hasEnded ? null : lookAgainAt(deposit, now),
      updated_at: now,
    })
    .where('id', '=', deposit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The status of a deposit that is not paid, or not yet. */
export function statusAfter(
  was: DepositStatus,
  { status, paymentStatus, charge }: Pick<Checkout, 'status' | 'paymentStatus' | 'charge'>,
): DepositStatus {
  const hasEnded = was === 'failed' || was === 'expired'
  if (status === 'expired') return 'expired'
  if (status === 'open') return was === 'creating' ? 'open' : was
  // The page was completed without bringing money: the bank refused, or there was nothing to pay.
  if (charge?.status === 'failed' || paymentStatus === 'no_payment_required') return 'failed'
  return hasEnded ? was : 'processing'
}

/** Looks again shortly after the page expires, since we may get no notification of that. */
function lookAgainAt(deposit: Deposit, now: Date): Date {
  const next = nextLook(deposit.created_at, now)
  const end = new Date(deposit.expires_at.getTime() + MINUTE_MS)
  return end > now && end < next ? end : next
}

/**
 * Posts the payment first, and its fee once the balance transaction is known; each has its own key. A balance
 * transaction alone proves nothing: a bank debit has one before it succeeds.
 */
async function bookPayment(
  tx: Tx,
  {
    deposit,
    checkout,
    charge,
    now,
  }: { deposit: Deposit; checkout: Checkout; charge: Charge; now: Date },
): Promise<Deposit> {
  const book = { mode: deposit.mode, shard: shardOf(deposit.agent_id) }
  const isNew = deposit.charge_id === null
  const isFitting = isNew ? fits(deposit, checkout, charge) : deposit.succeeded_at !== null
  const { balanceTransaction } = charge

  if (isNew && isFitting) {
    const { id: depositId, agent_id: agentId, amount_cents: amountCents } = deposit
    await postEntry(tx, paid({ ...book, depositId, agentId, amountCents }), { now })
  }
  // These books hold only USD: reconciliation finds money in other currencies.
  if (balanceTransaction?.currency === 'usd') {
    const { id: balanceTransactionId, amountCents, feeCents } = balanceTransaction
    const of = { ...book, balanceTransactionId }
    if (!isFitting) await postEntry(tx, unmatchedReceipt({ ...of, amountCents }), { now })
    await postEntry(tx, processorFee({ ...of, amountCents: feeCents }), { now })
  }

  const begun: Partial<Deposit> = isNew
    ? {
        status: isFitting ? 'succeeded' : 'mismatched',
        session_id: checkout.id,
        payment_intent_id: checkout.paymentIntentId ?? null,
        charge_id: charge.id,
        card_fingerprint: charge.cardFingerprint ?? null,
        request_key: null,
        succeeded_at: isFitting ? now : null,
      }
    : {}
  const booked = await tx
    .updateTable('deposits')
    .set({
      ...begun,
      balance_transaction_id: balanceTransaction?.id ?? null,
      fee_cents: balanceTransaction?.feeCents ?? null,
      check_at: balanceTransaction === undefined ? nextLook(charge.createdAt, now) : null,
      updated_at: now,
    })
    .where('id', '=', deposit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isNew && isFitting) {
    await notifyDeposit(tx, booked, { now })
    await liftWhenClear(tx, { agentId: deposit.agent_id, now })
  }
  return booked
}

function fits(deposit: Deposit, checkout: Checkout, charge: Charge): boolean {
  const { balanceTransaction } = charge
  const sums = [checkout, charge, ...(balanceTransaction === undefined ? [] : [balanceTransaction])]
  return sums.every(
    ({ amountCents, currency }) => amountCents === deposit.amount_cents && currency === 'usd',
  )
}

/** Finds the deposit that a charge has paid, and settles it first. */
export async function depositOfCharge(
  background: Background,
  chargeId: string,
): Promise<Deposit | Exclude<Settled, 'done'>> {
  const { config, log } = background
  const { shards } = background.db
  const known = await byCharge()
  if (known !== undefined) {
    if (isSettled(known)) return known
    // It is paid, but its fee is not posted yet: this notification may be about the fee.
    const looked = await settleDeposit(background, known.id)
    return looked === 'done' ? ((await byCharge()) ?? 'unknown') : looked
  }
  const processor = processorOf(config)
  if (processor === undefined) return 'waiting'

  // Find it by the metadata that we wrote into its payment: the success notification may not have arrived yet.
  const looked = await processor.getCharge(chargeId)
  if (looked.kind !== 'ok') {
    log.warn({ charge_id: chargeId, ...looked }, 'could not check a charge')
    return looked.kind === 'definite' && looked.code === 'resource_missing' ? 'unknown' : 'waiting'
  }
  const { depositId } = looked.value
  if (depositId === undefined) return 'unknown'
  const db = shards.at(depositId)
  const isMissing = (await findDeposit(db.reader, depositId)) === undefined
  if (isMissing) {
    const recovered = await recoverDeposit({ ...background, db }, processor, looked.value)
    if (recovered !== 'done') return recovered
  }
  const settled = await settleDeposit(background, depositId)
  // A second payment for the same deposit does not belong to it.
  return settled === 'done' ? ((await byCharge()) ?? 'unknown') : settled

  function byCharge() {
    return findAnywhere(shards, (reader) =>
      reader
        .selectFrom('deposits')
        .selectAll()
        .where('charge_id', '=', chargeId)
        .executeTakeFirst(),
    )
  }
}

/** Someone returned from the processor's page: returns what we know, and schedules a look if it is not settled. */
export async function lookAtCheckoutSoon(
  tx: Tx,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<Pick<Deposit, 'status' | 'amount_cents'> | undefined> {
  const deposit = await tx
    .selectFrom('deposits')
    .select(['id', 'status', 'amount_cents'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  if (deposit === undefined) return undefined
  const asked = await tx
    .updateTable('deposits')
    .set({ check_at: new Date(now.getTime() + ASK_AGAIN_MS), updated_at: now })
    .where('id', '=', deposit.id)
    .where('status', 'in', ['creating', 'open', 'processing'])
    .where('updated_at', '<', new Date(now.getTime() - LOOK_PAUSE_MS))
    .returning('id')
    .execute()
  await requestWork(
    tx,
    asked.map(({ id }) => ({ type: 'deposit.look', id })),
    { now },
  )
  return { status: deposit.status, amount_cents: deposit.amount_cents }
}
