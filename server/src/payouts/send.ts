/**
 * Send a payout: a transfer from our balance at the processor to the worker's, exactly once, even after crashes and
 * timeouts.
 *
 *   called by   the event payout.send; the clock, when the `check_at` of a payout in transit has passed
 *   moves       a payout: requested, awaiting_funds or awaiting_account → submitting → paid, failed, awaiting_funds or
 *               awaiting_account; while the outcome is unknown, it stays submitting
 *   money       in transit → the processor's balance; if permanently refused: in transit → payable
 *   event       payout.tell (ours, for payout.paid), payout.failed (ours, for the worker), account.look (ours)
 */
import type { Tx } from '../kit/db.ts'
import { type Background, job } from '../kit/job.ts'
import { reached } from '../kit/crash-points.ts'
import { type Attempt, beginAttempt, endAttempt, openAttemptKey } from '../processor/attempts.ts'
import { processorOf } from '../processor/client.ts'
import { nextLook } from '../processor/next-look.ts'
import { askWhenDue } from '../webhooks/ask-when-due.ts'
import { requestWork, Work } from '../webhooks/record-event.ts'
import { arePayoutsOn, lockPayout, type Payout, type PayoutAccount } from './queries.ts'
import { isInTransit, isTransferOf, recordFailed, recordPaid, setStatus } from './record.ts'
import { isAccountRefusal, transfer, type Transferred } from './transfer.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const PAUSE_MS = 5 * MINUTE_MS
/** Longer than any request to the processor can be in flight. */
const UNDER_WAY_MAX_MS = 5 * MINUTE_MS
const ACCOUNT_PAUSE_MS = 60 * MINUTE_MS
const FUNDS_PAUSE_MS = 60 * MINUTE_MS

export const send = job({
  name: 'payouts.send',
  payload: Work,
  attemptsMax: 8,
  events: ['payout.send'],

  async run({ payload, ...background }) {
    await sendPayout(background, payload.data.id)
  },
})

export const payoutsDue = askWhenDue({
  name: 'payouts.send-due',

  due: (db, { now, limit }) =>
    db
      .selectFrom('payouts')
      .select('id')
      .where('check_at', '<=', now)
      .where('status', 'in', ['requested', 'submitting', 'awaiting_funds', 'awaiting_account'])
      .where('account_id', 'is not', null)
      .orderBy('check_at')
      .limit(limit)
      .execute(),

  async putOff(tx, { ids, now }) {
    const due = await tx
      .updateTable('payouts')
      .set({ check_at: after(now, PAUSE_MS) })
      .where('id', 'in', ids)
      .where('account_id', 'is not', null)
      .where('check_at', '<=', now)
      .returning('id')
      .execute()
    return due.map(({ id }) => ({ type: 'payout.send', id }))
  },
})

/** Idempotent and safe to call concurrently: the payout's row and its attempt decide what to do. */
export async function sendPayout(background: Background, payoutId: string): Promise<void> {
  const { db, config, clock } = background
  const processor = processorOf(config)
  if (processor === undefined) return
  const begun = await db.transaction((tx) => begin(tx, { payoutId, now: clock.now() }))
  if (begun === undefined) return
  reached(config, 'payout.attempted')

  const sent = await transfer(background, processor, begun)
  reached(config, 'payout.sent')

  await db.transaction((tx) => record(tx, background, { ...begun, sent }))
  reached(config, 'payout.recorded')
}

interface Begun {
  payout: Payout
  attempt: Attempt
  /** The worker's account is no longer the one that the payout was requested for. */
  isSwapped: boolean
}

/** Records the attempt before anything is sent. Undefined if there is nothing to send, or not now. */
async function begin(
  tx: Tx,
  { payoutId, now }: { payoutId: string; now: Date },
): Promise<Begun | undefined> {
  const locked = await lockPayout(tx, payoutId)
  if (locked === undefined || !isInTransit(locked.payout)) return undefined
  const { payout, account } = locked
  if (!(await arePayoutsOn(tx))) return putOff(PAUSE_MS)
  const isSwapped = account?.account_id !== payout.account_id
  if (isSwapped && (await openAttemptKey(tx, payoutId)) === undefined) {
    await recordFailed(tx, payout, { ...SWAPPED, now })
    return undefined
  }
  if (isUseless(payout, account)) return putOff(ACCOUNT_PAUSE_MS)

  const attempt = await beginAttempt(tx, { subjectId: payoutId, prefix: 'payout', now })
  const check_at = nextLook(attempt.begunAt, now)
  return {
    payout: await setStatus(tx, payout, { status: 'submitting', check_at }, now),
    attempt,
    isSwapped,
  }

  async function putOff(ms: number): Promise<undefined> {
    await tx
      .updateTable('payouts')
      .set({ check_at: after(now, ms) })
      .where('id', '=', payoutId)
      .execute()
  }
}

const SWAPPED = {
  code: 'account_changed',
  message: 'the payout was requested for another account of the worker',
}

/** The processor has said that the account can't be paid, and has not said otherwise since. */
const isUseless = ({ status }: Payout, account: PayoutAccount | undefined) =>
  status === 'awaiting_account' && account?.status !== 'active'

async function record(
  tx: Tx,
  { clock, log }: Background,
  { payout: { id }, attempt, isSwapped, sent }: Begun & { sent: Transferred },
): Promise<void> {
  const now = clock.now()
  const { payout } = (await lockPayout(tx, id))!
  if (!isInTransit(payout)) return
  const { outcome, sent_at: sentAt } = await lockAttempt(tx, attempt)
  // A concurrent run has recorded the outcome and may have started a new attempt. A successful transfer counts
  // regardless.
  if (sent.kind !== 'ok' && (payout.status !== 'submitting' || outcome !== null)) return
  const about = { payout_id: id, attempt: attempt.attempt }

  switch (sent.kind) {
    case 'ok':
      if (!isTransferOf(payout, sent.value)) {
        log.error({ ...about, transfer_id: sent.value.id }, 'a transfer does not match its payout')
        return putOff(DAY_MS)
      }
      await endAttempt(tx, attempt, sent, { now })
      await recordPaid(tx, payout, { transferId: sent.value.id, now })
      return

    case 'paid_before':
      if (sent.value.amountCents !== payout.amount_cents) {
        log.error(
          { ...about, transfer_id: sent.value.id },
          'a transfer from before a restore paid another amount for this payout',
        )
        return putOff(DAY_MS)
      }
      await endAttempt(tx, attempt, { kind: 'not_found' }, { now })
      await recordPaid(tx, payout, { transferId: sent.value.id, now })
      return

    case 'refused': {
      await endAttempt(tx, attempt, sent, { now })
      const { code, message } = sent
      log.warn({ ...about, code, message }, 'the processor rejected a payout')
      if (code === 'balance_insufficient') return wait('awaiting_funds', FUNDS_PAUSE_MS, code)
      if (isAccountRefusal(code)) return awaitAccount(code)
      await recordFailed(tx, payout, { code, message, now })
      return
    }

    case 'not_found':
      // A concurrent request may still be in flight and arrive after our lookup.
      if (sentAt !== null && after(sentAt, UNDER_WAY_MAX_MS) > now) return putOff(UNDER_WAY_MAX_MS)
      await endAttempt(tx, attempt, sent, { now })
      if (isSwapped) {
        await recordFailed(tx, payout, { ...SWAPPED, now })
        return
      }
      await requestWork(tx, [{ type: 'payout.send', id }], { now })
      return

    case 'not_ready':
      // Keep the attempt open: it is not certain that the transfer did not happen.
      return awaitAccount('not_ready')

    case 'later':
      log.warn({ ...about, code: sent.code }, 'the processor postponed a payout')
      return putOff(Math.max(sent.afterMs ?? 0, untilNextLook()))

    case 'unknown':
      log.warn({ ...about, cause: sent.cause }, 'the outcome of a payout is unknown')
      return putOff(untilNextLook())
  }

  function untilNextLook(): number {
    return nextLook(attempt.begunAt, now).getTime() - now.getTime()
  }

  async function awaitAccount(code: string): Promise<void> {
    await requestWork(tx, [{ type: 'account.look', id: payout.worker_id }], { now })
    // The refresh that finds the account ready wakes this payout; the short delay covers a refresh that has just run.
    await wait('awaiting_account', untilNextLook(), code)
  }

  async function wait(
    status: 'awaiting_funds' | 'awaiting_account',
    ms: number,
    code: string,
  ): Promise<void> {
    await setStatus(tx, payout, { status, failure_code: code, check_at: after(now, ms) }, now)
  }

  async function putOff(ms: number): Promise<void> {
    await tx
      .updateTable('payouts')
      .set({ check_at: after(now, ms) })
      .where('id', '=', id)
      .execute()
  }
}

const lockAttempt = (tx: Tx, { subjectId, attempt }: Attempt) =>
  tx
    .selectFrom('processor_attempts')
    .select(['outcome', 'sent_at'])
    .where('subject_id', '=', subjectId)
    .where('attempt', '=', attempt)
    .forUpdate()
    .executeTakeFirstOrThrow()

const after = (time: Date, ms: number) => new Date(time.getTime() + ms)
