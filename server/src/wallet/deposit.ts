/**
 * Deposit money into the wallet on a checkout page hosted by the processor. The money is credited once the processor
 * reports the payment and settle-deposit.ts has seen it.
 *
 *   called by   an agent, even a restricted one, since it may need to pay a debt
 *   moves       a deposit: (none) → creating → open; in the test book (none) → succeeded
 *   money       none; in the test book play money into the wallet
 *   event       deposit.look (ours) if the processor returned no page; in the test book deposit.succeeded
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { type AgentCaller, answerWith, endpoint } from '../kit/endpoint.ts'
import { idempotencyMismatch, invalidField } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { formatCents } from '../kit/money.ts'
import { named } from '../kit/named.ts'
import { publicUrl } from '../kit/public-url.ts'
import { reached } from '../kit/crash-points.ts'
import { postEntry } from '../ledger/journal.ts'
import { deposit as depositMovement } from '../ledger/movements.ts'
import { hurriedProcessorOf } from '../processor/client.ts'
import { paymentsUnavailable, processorUnavailable } from '../processor/errors.ts'
import { nextLook } from '../processor/next-look.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { checkoutOf } from './checkout.ts'
import { shownStatus } from './deposit-status.ts'
import { type Deposit, lockDeposit } from './queries.ts'
import { notifyDeposit } from './notify-deposit.ts'

const RETRY_AFTER_MS = 5000
/** Longer than a request takes: an earlier look would repeat the work of a request that is still running. */
const FIRST_LOOK_MS = 120_000

export const deposit = endpoint({
  method: 'POST',
  path: '/wallet/deposit',
  name: 'createDeposit',
  auth: 'agent',
  scope: 'manage',
  right: 'deposit',
  summary: 'Add money to your wallet',
  description:
    'Returns the link to a payment page. The money is in the wallet once the processor has ' +
    'confirmed the payment, which takes seconds by card: see GET /wallet, or the event ' +
    'deposit.succeeded. In test mode it arrives at once, and nobody is charged.',
  body: z.object({
    amount_cents: z
      .int()
      .describe('In cents, at least 500, at most 1,000,000. The server can change both limits'),
  }),
  success: {
    status: 201,
    body: named(
      'Deposit',
      z.object({
        checkout_url: z.string().describe('The payment page; works until expires_at'),
        session_id: z.string().describe('The processor’s id of the payment'),
        transaction_id: z.string().describe('The transaction’s id in GET /wallet'),
        amount_cents: z.int(),
        status: z.enum(['posted', 'pending', 'failed', 'expired']),
        expires_at: z.iso.datetime(),
      }),
    ),
  },
  errors: [paymentsUnavailable, processorUnavailable],

  transaction: 'own',
  async handler({ db, agent, body, config, now, claim, warnings, recall, once }) {
    checkAmount(body.amount_cents, config)
    const earlier = await recall()
    if (earlier !== undefined) return earlier
    const asked = { agent, amountCents: body.amount_cents, config, now }

    if (agent.mode === 'test')
      return once(async (tx) => {
        const page = `${publicUrl(config)}/wallet?test=1`
        return answerWith(201, viewDeposit(await depositPlayMoney(tx, asked), page), warnings)
      })

    const processor = hurriedProcessorOf(config)
    if (processor === undefined) throw paymentsUnavailable()
    const recorded = await db.transaction((tx) =>
      recordDeposit(tx, { ...asked, requestKey: claim?.keyHash }),
    )
    reached(config, 'deposit.recorded')

    // If this is interrupted, a retry under the same idempotency key continues the same deposit and gets the same page.
    const made = await processor.createCheckout(await checkoutOf(db.reader, recorded, config))
    if (made.kind !== 'ok') {
      // The request was refused or its outcome is unknown: the job tells which, ends the deposit and logs the reason.
      await db.transaction((tx) =>
        requestWork(tx, [{ type: 'deposit.look', id: recorded.id }], { now }),
      )
      const pauseMs = (made.kind === 'retry_later' ? made.afterMs : undefined) ?? RETRY_AFTER_MS
      throw processorUnavailable({ retry_after_seconds: Math.ceil(pauseMs / 1000) })
    }
    const { id: sessionId, url } = made.value
    reached(config, 'deposit.session_made')

    const answer = await once(async (tx) => {
      const opened = await openDeposit(tx, {
        depositId: recorded.id,
        agentId: agent.id,
        sessionId,
        now,
      })
      return answerWith(201, viewDeposit(opened, url!), warnings)
    })
    reached(config, 'deposit.opened')
    return answer
  },
})

function checkAmount(
  amountCents: number,
  { DEPOSIT_MIN_CENTS: min, DEPOSIT_MAX_CENTS: max }: Config,
): void {
  if (amountCents < min)
    throw invalidField('amount_cents', `must be at least ${min} (${formatCents(min)})`)
  if (amountCents > max)
    throw invalidField('amount_cents', `must be at most ${max} (${formatCents(max)})`)
}

interface Asked {
  agent: AgentCaller
  amountCents: number
  config: Pick<Config, 'CHECKOUT_MINUTES'>
  now: Date
}

/** Returns the deposit that an earlier request started under the same Idempotency-Key, or a new one. */
export async function recordDeposit(
  tx: Tx,
  { requestKey, ...asked }: Asked & { requestKey: string | undefined },
): Promise<Deposit> {
  const { now } = asked
  const recorded = await tx
    .insertInto('deposits')
    .values({
      ...newDeposit(asked),
      request_key: requestKey ?? null,
      check_at: new Date(now.getTime() + FIRST_LOOK_MS),
    })
    .onConflict((conflict) => conflict.column('request_key').doUpdateSet({ updated_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow()
  if (recorded.amount_cents !== asked.amountCents) throw idempotencyMismatch()
  return recorded
}

async function openDeposit(
  tx: Tx,
  {
    depositId,
    agentId,
    sessionId,
    now,
  }: { depositId: string; agentId: string; sessionId: string; now: Date },
): Promise<Deposit> {
  const deposit = await lockDeposit(tx, depositId, agentId)
  // A timer may have already opened it.
  if (deposit.status !== 'creating') return deposit
  return tx
    .updateTable('deposits')
    .set({
      status: 'open',
      session_id: sessionId,
      check_at: nextLook(deposit.created_at, now),
      updated_at: now,
    })
    .where('id', '=', depositId)
    .where('agent_id', '=', agentId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function depositPlayMoney(tx: Tx, asked: Asked): Promise<Deposit> {
  const { agent, amountCents, now } = asked
  const row = newDeposit(asked)
  const deposit = await tx
    .insertInto('deposits')
    .values({ ...row, status: 'succeeded', session_id: `test_${row.id}`, succeeded_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  const book = { mode: 'test' as const, shard: shardOf(agent.id) }
  await postEntry(
    tx,
    depositMovement({ ...book, depositId: deposit.id, agentId: agent.id, amountCents }),
    { now },
  )
  await notifyDeposit(tx, deposit, { now })
  return deposit
}

function newDeposit({ agent, amountCents, config, now }: Asked) {
  // The processor uses whole seconds, and a repeated request must send the same value.
  const ends = Math.floor(now.getTime() / 1000) + config.CHECKOUT_MINUTES * 60
  return {
    id: mintId('txn', now, shardOf(agent.id)),
    agent_id: agent.id,
    mode: agent.mode,
    amount_cents: amountCents,
    expires_at: new Date(ends * 1000),
    created_at: now,
    updated_at: now,
  }
}

const viewDeposit = (deposit: Deposit, checkoutUrl: string) => ({
  checkout_url: checkoutUrl,
  session_id: deposit.session_id!,
  transaction_id: deposit.id,
  amount_cents: deposit.amount_cents,
  status: shownStatus(deposit.status),
  expires_at: deposit.expires_at.toISOString(),
})
