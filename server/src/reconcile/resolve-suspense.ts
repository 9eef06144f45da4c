/**
 * Resolve money in suspense on an operator's decision: it belongs to an agent, goes back to its payer, or is our own. A
 * decision is final.
 */
import { type Db, type Reader, runIn, type Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import type { Background } from '../kit/job.ts'
import { postEntry } from '../ledger/journal.ts'
import {
  processorKeys,
  suspenseRefund,
  suspenseToAgent,
  suspenseToOperator,
} from '../ledger/movements.ts'
import { answeredIfThere, openProcessor } from '../processor/ask.ts'
import { type Attempt, beginAttempt, endAttempt, tryAttempt } from '../processor/attempts.ts'
import type { Refund } from '../processor/client-objects.ts'
import type { Processor } from '../processor/client.ts'
import type { Outcome } from '../processor/outcome.ts'
import { natureOf } from './transactions.ts'
import { noteDecision } from '../wallet/note-decision.ts'

/** Why the money can't be resolved, worded for the operator. */
export class CannotResolve extends Error {}

/** A transaction of the global schema, which locks the processor's transaction. The money is in the shards. */
interface GlobalTx {
  db: Db
  tx: Tx
}

/** Credits the agent's wallet or reduces its debt. Returns the amount. */
export async function giveToAgent(
  global: GlobalTx,
  { transactionId, agentId, now }: { transactionId: string; agentId: string; now: Date },
): Promise<number> {
  const { shards } = global.db
  const cents = await holdSuspended(global, transactionId)
  if (cents < 0)
    throw new CannotResolve('This money has left our balance; there is nothing to assign')
  const agent = await runIn(shards.at(agentId), global, (tx) =>
    tx.selectFrom('agents').select('mode').where('id', '=', agentId).executeTakeFirst(),
  )
  if (agent?.mode !== 'live')
    throw new CannotResolve(`There is no agent ${agentId} with a live wallet`)
  await noteEverywhere(global, { transactionId, now })
  const of = { mode: 'live', shard: shardOf(agentId), amountCents: cents } as const
  const entry = suspenseToAgent({ ...of, balanceTransactionId: transactionId, agentId })
  await runIn(shards.at(agentId), global, (tx) => postEntry(tx, entry, { now }))
  return cents
}

/** Books the money as the operator's own. Returns the amount, negative if it was outgoing. */
export async function takeAsOurs(
  global: GlobalTx,
  { transactionId, now }: { transactionId: string; now: Date },
): Promise<number> {
  const cents = await holdSuspended(global, transactionId)
  await noteEverywhere(global, { transactionId, now })
  const of = { mode: 'live', shard: 0, amountCents: Math.abs(cents) } as const
  const entry = suspenseToOperator({
    ...of,
    balanceTransactionId: transactionId,
    isReceipt: cents > 0,
  })
  await runIn(global.db.shards.of(0), global, (tx) => postEntry(tx, entry, { now }))
  return cents
}

/** The deposit, if there is one, can be in any shard. */
async function noteEverywhere(
  global: GlobalTx,
  { transactionId, now }: { transactionId: string; now: Date },
): Promise<void> {
  for (const shard of global.db.shards.all)
    await runIn(shard, global, (tx) =>
      noteDecision(tx, { balanceTransactionId: transactionId, now }),
    )
}

export type SentBack =
  | { outcome: 'sent'; amountCents: number }
  | { outcome: 'refused'; message: string }
  /** The outcome is unknown: call again; the refund happens only once. */
  | { outcome: 'unknown'; cause: string }

/** Refunds the money to the card that it came from. */
export async function sendBack(
  background: Background,
  { transactionId }: { transactionId: string },
): Promise<SentBack> {
  const { clock } = background
  const db = background.db.shards.global
  const processor = openProcessor(background)
  const paymentIntentId = await paymentOf(db, processor, transactionId)
  const { cents, attempt } = await db.transaction((tx) =>
    beginSending({ db, tx }, { transactionId, now: clock.now() }),
  )
  const sent = await tryAttempt({ ...background, db }, attempt, {
    create: (key) =>
      processor.createRefund({
        refundId: transactionId,
        paymentIntentId,
        amountCents: cents,
        key,
      }),
    find: () => findRefund(processor, { transactionId, paymentIntentId }),
    now: clock.now(),
  })
  if (sent.kind === 'unknown') return { outcome: 'unknown', cause: sent.cause }
  if (sent.kind === 'later') return { outcome: 'unknown', cause: sent.code }
  await db.transaction(async (tx) => {
    const now = clock.now()
    await endAttempt(tx, attempt, sent, { now })
    const of = { mode: 'live', shard: 0, balanceTransactionId: transactionId } as const
    if (sent.kind !== 'ok') return
    await noteEverywhere({ db, tx }, { transactionId, now })
    const entry = suspenseRefund({ ...of, amountCents: cents })
    await runIn(db.shards.of(0), { db, tx }, (own) => postEntry(own, entry, { now }))
  })
  if (sent.kind === 'not_found') return { outcome: 'unknown', cause: 'it has not happened yet' }
  return sent.kind === 'ok'
    ? { outcome: 'sent', amountCents: cents }
    : { outcome: 'refused', message: sent.message }
}

async function paymentOf(db: Db, processor: Processor, transactionId: string): Promise<string> {
  const transaction = await db.reader
    .selectFrom('balance_transactions')
    .selectAll()
    .where('id', '=', transactionId)
    .executeTakeFirst()
  const chargeId = transaction && natureOf(transaction) === 'deposit' ? transaction.source_id : null
  const charge =
    chargeId === null ? undefined : answeredIfThere(await processor.getCharge(chargeId))
  if (charge?.paymentIntentId === undefined)
    throw new CannotResolve(`${transactionId} is not a card payment, so it can’t be sent back`)
  return charge.paymentIntentId
}

async function beginSending(
  global: GlobalTx,
  { transactionId, now }: { transactionId: string; now: Date },
): Promise<{ cents: number; attempt: Attempt }> {
  const cents = await holdSuspended(global, transactionId, { isBeingSent: true })
  const attempt = await beginAttempt(global.tx, {
    subjectId: transactionId,
    prefix: 'suspense',
    now,
  })
  return { cents, attempt }
}

async function findRefund(
  processor: Processor,
  { transactionId, paymentIntentId }: { transactionId: string; paymentIntentId: string },
): Promise<Outcome<Refund | undefined>> {
  const refunds = await processor.listRefunds(paymentIntentId)
  if (refunds.kind !== 'ok') return refunds
  return { kind: 'ok', value: refunds.value.find(({ refundId }) => refundId === transactionId) }
}

/** Locks the balance transaction until the transaction ends, and returns its amount in suspense. */
async function holdSuspended(
  { db, tx }: GlobalTx,
  transactionId: string,
  { isBeingSent = false }: { isBeingSent?: boolean } = {},
): Promise<number> {
  await tx
    .selectFrom('balance_transactions')
    .select('id')
    .where('id', '=', transactionId)
    .forUpdate()
    .executeTakeFirst()
  const cents = await suspendedCents(db, tx, transactionId)
  if (cents === 0) throw new CannotResolve(`${transactionId} has no money in suspense`)
  const sending = await tx
    .selectFrom('processor_attempts')
    .select('attempt')
    .where('subject_id', '=', transactionId)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  if (sending !== undefined && !isBeingSent)
    throw new CannotResolve(
      `${transactionId} is already being sent back; run the same command again to see the result`,
    )
  return cents
}

/** The amount in suspense; negative if money left. Takes the global schema. */
export async function centsInSuspense(db: Db, transactionId: string): Promise<number> {
  const cents = await suspendedCents(db, db.reader, transactionId)
  if (cents === 0) throw new CannotResolve(`${transactionId} has no money in suspense`)
  return cents
}

async function suspendedCents(db: Db, global: Reader, transactionId: string): Promise<number> {
  const keys = processorKeys({ balanceTransactionId: transactionId, suspenseId: transactionId })
  const lines = []
  for (const shard of db.shards.all)
    lines.push(
      ...(await (shard === db ? global : shard.reader)
        .selectFrom('transfers')
        .select(['debit', 'credit', 'amount_cents'])
        .where('key', 'in', keys)
        .where('mode', '=', 'live')
        .execute()),
    )
  return lines.reduce(
    (sum, { debit, credit, amount_cents }) =>
      sum +
      (credit === 'liab:suspense' ? amount_cents : 0) -
      (debit === 'liab:suspense' ? amount_cents : 0),
    0,
  )
}
