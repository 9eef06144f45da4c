/**
 * Fetch a refund from the processor: one of ours that ends or fails days later, or one made by hand in the processor's
 * dashboard.
 *
 *   called by   the processor's notifications; the clock; the event refund.look
 *   moves       a refund: submitting, pending → succeeded | failed, succeeded → failed; one made by hand: (none) →
 *               pending | succeeded | failed
 *   money       if made by hand, agent → processor, a shortfall becomes debt; if failed, processor → agent
 *   event       none
 */
import { findAnywhere, type Reader, type Shards, type Tx } from '../kit/db.ts'
import { idPattern, mintId, shardOf, timeOf } from '../kit/ids.ts'
import { type Background, job } from '../kit/job.ts'
import { isLostTime } from '../kit/lost-time.ts'
import { beginAttempt, endAttempt } from '../processor/attempts.ts'
import { processorOf } from '../processor/client.ts'
import type { Refund as MadeRefund } from '../processor/client-objects.ts'
import { nextLook } from '../processor/next-look.ts'
import { askWhenDue } from '../webhooks/ask-when-due.ts'
import { Work } from '../webhooks/record-event.ts'
import { isAgents, lockDeposit, type Refund, type Settled } from './queries.ts'
import { OUTSIDE, recordRefund } from './record-refund.ts'
import { depositOfCharge } from './settle-deposit.ts'

const REFUND_ID = idPattern('rfd')
const ASK_AGAIN_MS = 10 * 60_000

export const lookAtRefund = job({
  name: 'wallet.settle-refund',
  payload: Work,
  attemptsMax: 12,
  events: ['refund.look'],

  async run({ payload, ...background }) {
    const { id } = payload.data
    if ((await settleRefund(background, id)) !== 'waiting') return
    const known = await findAnywhere(background.db.shards, (reader) => byProcessorId(reader, id))
    // We have no row to retry from, so throw and let the job retry.
    if (known === undefined) throw new Error(`could not check ${id}`)
  },
})

export const refundsDue = askWhenDue({
  name: 'wallet.refunds',

  due: (db, { now, limit }) =>
    db
      .selectFrom('refunds')
      .select('id')
      .where('check_at', '<=', now)
      .orderBy('check_at')
      .limit(limit)
      .execute(),

  async putOff(tx, { ids, now }) {
    const due = await tx
      .updateTable('refunds')
      .set({ check_at: new Date(now.getTime() + ASK_AGAIN_MS) })
      .where('id', 'in', (refunds) =>
        refunds
          .selectFrom('refunds')
          .select('id')
          .where('id', 'in', ids)
          .where('check_at', '<=', now)
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .returning(['id', 'processor_refund_id'])
      .execute()
    return due.map(({ id, processor_refund_id: made }) =>
      made === null ? { type: 'refund.send', id } : { type: 'refund.look', id: made },
    )
  },
})

export async function settleRefund(
  background: Background,
  processorRefundId: string,
): Promise<Settled> {
  const { clock, config, log } = background
  const { shards } = background.db
  const processor = processorOf(config)
  if (processor === undefined) return 'waiting'
  const looked = await processor.getRefund(processorRefundId)
  if (looked.kind !== 'ok') {
    log.warn({ processor_refund_id: processorRefundId, ...looked }, 'could not find a refund')
    return looked.kind === 'definite' && looked.code === 'resource_missing' ? 'unknown' : 'waiting'
  }

  const made = looked.value
  const own = await findOwn(shards, made)
  if (own !== undefined) {
    await shards
      .at(own.id)
      .transaction((tx) => adoptRefund(tx, { refund: own, made, now: clock.now() }))
    return 'done'
  }
  // Refunds of money that belonged to no agent have other ids and are paid from suspense.
  if (made.chargeId === undefined || !(await isAccountedHere(shards, made))) return 'unknown'
  const deposit = await depositOfCharge(background, made.chargeId)
  if (typeof deposit === 'string') return deposit
  return shards
    .at(deposit.id)
    .transaction((tx) => recordOutside(tx, { depositId: deposit.id, made, now: clock.now() }))
}

/** Finds our refund by the processor's id, or by our own id in case the response to our request was lost. */
async function findOwn(shards: Shards, made: MadeRefund): Promise<Refund | undefined> {
  const known = await findAnywhere(shards, (reader) => byProcessorId(reader, made.id))
  if (known !== undefined || made.refundId === undefined || !REFUND_ID.test(made.refundId))
    return known
  return (
    shards
      .at(made.refundId)
      .reader.selectFrom('refunds')
      .selectAll()
      .where('id', '=', made.refundId)
      // A requested one was sent only if a restore from a backup has lost that.
      .where('status', 'in', ['requested', 'submitting'])
      .where('amount_cents', '=', made.amountCents)
      .executeTakeFirst()
  )
}

const byProcessorId = (db: Reader, processorRefundId: string): Promise<Refund | undefined> =>
  db
    .selectFrom('refunds')
    .selectAll()
    .where('processor_refund_id', '=', processorRefundId)
    .executeTakeFirst()

/**
 * A refund without an id of ours was made by hand; so was one that carries the id of a refund that does not match it.
 */
async function isAccountedHere(shards: Shards, { refundId }: MadeRefund): Promise<boolean> {
  if (refundId === undefined) return true
  const named = await shards
    .at(refundId)
    .reader.selectFrom('refunds')
    .select('id')
    .where('id', '=', refundId)
    .executeTakeFirst()
  // A refund that a restore has lost is counted like one made by hand.
  const isLost =
    REFUND_ID.test(refundId) && (await isLostTime(shards.global.reader, timeOf(refundId)))
  return named !== undefined || isLost
}

async function adoptRefund(
  tx: Tx,
  { refund, made, now }: { refund: Refund; made: MadeRefund; now: Date },
): Promise<void> {
  const isSent = refund.status !== 'requested'
  if (!isSent)
    await tx
      .updateTable('refunds')
      .set({ status: 'submitting', updated_at: now })
      .where('id', '=', refund.id)
      .where('status', '=', 'requested')
      .execute()
  await recordRefund(tx, { refundId: refund.id, made, now })
  if (isSent && refund.status !== 'submitting') return
  const attempt = await beginAttempt(tx, { subjectId: refund.id, prefix: 'refund', now })
  await endAttempt(tx, attempt, { kind: 'ok', value: made }, { now })
}

/** Records a refund made by hand as a row like ours, so that it counts and a later failure is noticed. */
async function recordOutside(
  tx: Tx,
  { depositId, made, now }: { depositId: string; made: MadeRefund; now: Date },
): Promise<Settled> {
  const deposit = await lockDeposit(tx, depositId)
  if (!(await isAgents(tx, deposit))) return 'unknown'
  const isUnmoved = made.balanceTransactionId === undefined
  if (isUnmoved && (made.status === 'failed' || made.status === 'canceled')) return 'done'

  const { id: refundId } = await tx
    .insertInto('refunds')
    .values({
      id: mintId('rfd', now, shardOf(deposit.agent_id)),
      deposit_id: deposit.id,
      agent_id: deposit.agent_id,
      amount_cents: made.amountCents,
      status: 'pending',
      processor_refund_id: made.id,
      requested_by: OUTSIDE,
      reason: made.refundId === undefined ? 'made by hand' : 'made before a restore',
      check_at: nextLook(now, now),
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('processor_refund_id').doUpdateSet({ updated_at: now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordRefund(tx, { refundId, made, now })
  return 'done'
}
