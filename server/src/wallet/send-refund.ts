/**
 * Send a requested refund exactly once, even after crashes and timeouts (processor/attempts.ts).
 *
 *   called by   the event refund.send; the clock, while the outcome is unknown
 *   moves       a refund: requested → submitting → pending | succeeded | rejected | failed
 *   money       refund in transit → processor; if refused, refund in transit → agent; if unknown, none
 *   event       none
 */
import type { Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import { type Background, job } from '../kit/job.ts'
import { reached } from '../kit/crash-points.ts'
import { postEntry } from '../ledger/journal.ts'
import { refundRejected } from '../ledger/movements.ts'
import {
  type Attempt,
  beginAttempt,
  endAttempt,
  type Sent,
  tryAttempt,
} from '../processor/attempts.ts'
import { type Processor, processorOf } from '../processor/client.ts'
import type { Refund as MadeRefund } from '../processor/client-objects.ts'
import { nextLook } from '../processor/next-look.ts'
import { requestWork, Work } from '../webhooks/record-event.ts'
import { areRefundsOn, lockDeposit, recount, type Refund } from './queries.ts'
import { lockRefund, recordRefund } from './record-refund.ts'

const PAUSE_MS = 5 * 60_000

export const sendRefund = job({
  name: 'wallet.send-refund',
  payload: Work,
  attemptsMax: 8,
  events: ['refund.send'],

  async run({ payload, ...background }) {
    await submitRefund(background, payload.data.id)
  },
})

export async function submitRefund(background: Background, refundId: string): Promise<void> {
  const { db, clock, config, log } = background
  const processor = processorOf(config)
  if (processor === undefined) return
  const begun = await db.transaction((tx) => beginRefund(tx, { refundId, now: clock.now() }))
  if (begun === undefined) return
  const { refund, paymentIntentId, attempt } = begun
  reached(config, 'refund.attempted')

  const sent = await tryAttempt(background, attempt, {
    create: (key) =>
      processor.createRefund({ refundId, paymentIntentId, amountCents: refund.amount_cents, key }),
    find: () => findMade(processor, { refundId, paymentIntentId }),
    now: clock.now(),
  })
  reached(config, 'refund.sent')

  await db.transaction((tx) => recordSent(tx, { refundId, attempt, sent, now: clock.now() }))
  reached(config, 'refund.recorded')
  if (sent.kind !== 'ok') log.warn({ refund_id: refundId, ...sent }, 'a refund was rejected')
}

interface Begun {
  refund: Refund
  paymentIntentId: string
  attempt: Attempt
}

async function beginRefund(
  tx: Tx,
  { refundId, now }: { refundId: string; now: Date },
): Promise<Begun | undefined> {
  const refund = await lockRefund(tx, refundId)
  if (refund === undefined || (refund.status !== 'requested' && refund.status !== 'submitting'))
    return undefined
  if (refund.status === 'requested' && !(await areRefundsOn(tx))) {
    await tx
      .updateTable('refunds')
      .set({ check_at: new Date(now.getTime() + PAUSE_MS) })
      .where('id', '=', refundId)
      .execute()
    return undefined
  }
  const { payment_intent_id } = await tx
    .selectFrom('deposits')
    .select('payment_intent_id')
    .where('id', '=', refund.deposit_id)
    .executeTakeFirstOrThrow()
  const attempt = await beginAttempt(tx, { subjectId: refundId, prefix: 'refund', now })
  await tx
    .updateTable('refunds')
    .set({ status: 'submitting', check_at: nextLook(refund.created_at, now), updated_at: now })
    .where('id', '=', refundId)
    .execute()
  return { refund, paymentIntentId: payment_intent_id!, attempt }
}

/** Prefers a refund that counts over one that has failed. */
async function findMade(
  processor: Processor,
  { refundId, paymentIntentId }: { refundId: string; paymentIntentId: string },
) {
  const listed = await processor.listRefunds(paymentIntentId)
  if (listed.kind !== 'ok') return listed
  const ours = listed.value.filter((made) => made.refundId === refundId)
  const value = ours.find(({ status }) => status !== 'failed' && status !== 'canceled') ?? ours[0]
  return { kind: 'ok' as const, value }
}

async function recordSent(
  tx: Tx,
  {
    refundId,
    attempt,
    sent,
    now,
  }: { refundId: string; attempt: Attempt; sent: Sent<MadeRefund>; now: Date },
): Promise<void> {
  switch (sent.kind) {
    case 'ok':
      await recordRefund(tx, { refundId, made: sent.value, now })
      await endAttempt(tx, attempt, sent, { now })
      return
    case 'refused':
      await rejectRefund(tx, { refundId, refusal: sent, now })
      await endAttempt(tx, attempt, sent, { now })
      return
    case 'not_found':
      await endAttempt(tx, attempt, sent, { now })
      await requestWork(tx, [{ type: 'refund.send', id: refundId }], { now })
      return
    case 'unknown':
      return
    case 'later':
      if (sent.afterMs !== undefined)
        await tx
          .updateTable('refunds')
          .set({ check_at: new Date(now.getTime() + sent.afterMs) })
          .where('id', '=', refundId)
          .where('status', '=', 'submitting')
          .execute()
  }
}

/** The processor refuses the refund, so the money returns to the agent. */
async function rejectRefund(
  tx: Tx,
  {
    refundId,
    refusal,
    now,
  }: { refundId: string; refusal: { code: string; message: string }; now: Date },
): Promise<void> {
  const refund = await lockRefund(tx, refundId)
  if (refund?.status !== 'submitting') return
  const deposit = await lockDeposit(tx, refund.deposit_id)
  await postEntry(
    tx,
    refundRejected({
      mode: deposit.mode,
      shard: shardOf(refund.agent_id),
      agentId: refund.agent_id,
      refundId,
      amountCents: refund.amount_cents,
    }),
    { now },
  )
  await tx
    .updateTable('refunds')
    .set({
      status: 'rejected',
      failure_code: refusal.code,
      failure_message: refusal.message,
      check_at: null,
      updated_at: now,
    })
    .where('id', '=', refundId)
    .execute()
  await recount(tx, deposit, { now })
}
