/**
 * People's actions with their money, each from their own seed: agents deposit, spend, get refunds and charge back;
 * workers open accounts and are paid; the operator adds money, and reverses some transfers.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { reversePayout } from '../../src/payouts/reverse.ts'
import { NotOurs, requestWithdrawal } from '../../src/payouts/withdraw.ts'
import { refundAgent } from '../../src/wallet/request-refund.ts'
import type { Marketplace, TestWorker } from '../harness.ts'
import { DECLINED_CARD } from '../sandbox.ts'
import { type Chance, chanceOf } from './chance.ts'
import { insist, type World } from './world.ts'

const DEPOSIT_KINDS = {
  paid: 76,
  'declined first': 7,
  'bank debit': 6,
  'failed bank debit': 3,
  abandoned: 3,
  'disputed at once': 3,
}
const DISPUTED_CARD = '4000000000000259'
/** How long somebody waits for money to move before continuing without it. */
const PATIENCE_MS = 20_000
const REVERSALS_MAX = 5
const WORKERS_PER_TASK = [1, 2, 3, 5]
const WITHDRAWN = { status: 'cancelled', status_reason: 'agent_restricted' }

type Agent = Awaited<ReturnType<Marketplace['agent']>>

interface Deposit {
  id: string
  amountCents: number
  chargeId: string
  intentId: string
}

export interface Worker extends TestWorker {
  accountId: string
}

export async function workerLife(world: World, seed: string): Promise<Worker> {
  const chance = chanceOf(seed)
  const worker = await world.market.worker()
  const reply = await insist(world, 'accounts', (headers) =>
    worker.post('/worker/stripe/connect', {}, headers),
  )
  assert.equal(reply.status, 200, reply.text)
  const accountId = reply.body.account_id as string
  const outcome = chance.weighted({ verified: 80, pending: 12, needs_information: 8 })
  await world.control('POST', `accounts/${accountId}/submit`, { outcome })
  if (outcome !== 'verified') {
    await sleep(chance.integer(0, 300))
    await world.control('POST', `accounts/${accountId}/submit`, { outcome: 'verified' })
  }
  world.count('onboardings')
  return { ...worker, accountId }
}

/** An agent's life, from its first deposit to chargebacks years later. */
export async function agentLife(
  world: World,
  { seed, workers }: { seed: string; workers: readonly Worker[] },
): Promise<void> {
  const chance = chanceOf(seed)
  const agent = await world.market.agent()
  const asked = await Promise.all(
    Array.from({ length: chance.integer(1, 3) }, (_, i) =>
      deposit(world, agent, chanceOf(`${seed} deposit ${i}`)),
    ),
  )
  const deposits = await Promise.all(asked.flatMap((one) => (one ? [settled(world, one)] : [])))
  const paid = deposits.flatMap((one) => (one ? [one] : []))
  const payouts: string[] = []
  for (let n = chance.integer(0, 2); n > 0; n -= 1)
    payouts.push(...(await task(world, agent, workers, chance)))
  await aftermath(world, agent, { paid, payouts, chance })
}

/** Requests a deposit and acts as the payer on the processor's page. */
async function deposit(world: World, agent: Agent, chance: Chance): Promise<Deposit | undefined> {
  const amountCents = chance.integer(500, 4000)
  const kind = chance.weighted(DEPOSIT_KINDS)
  const reply = await insist(world, 'deposits', (headers) =>
    agent.post('/wallet/deposit', { amount_cents: amountCents }, headers),
  )
  assert.equal(reply.status, 201, reply.text)
  const { session_id: sessionId, transaction_id: id } = reply.body
  world.count('deposits')
  world.count(`deposits: ${kind}`)
  if (kind === 'abandoned') return undefined

  if (kind === 'declined first') await world.pay(sessionId, DECLINED_CARD)
  const card = { 'disputed at once': DISPUTED_CARD } as Record<string, string>
  const isDebit = kind.endsWith('bank debit')
  const { session } = await world.pay(sessionId, isDebit ? 'bank_debit' : card[kind])
  if (isDebit) {
    await sleep(chance.integer(0, 200))
    await world.control('POST', `sessions/${sessionId}/settle`, { ok: kind === 'bank debit' })
  }
  if (kind === 'failed bank debit') return undefined
  const { object } = await world.control('GET', `object/${session.payment_intent}`)
  return { id, amountCents, chargeId: object.latest_charge, intentId: object.id }
}

const OPEN = ['creating', 'open', 'processing']

/** Waits until our books have the deposit; undefined on timeout. */
async function settled(world: World, deposit: Deposit): Promise<Deposit | undefined> {
  const isDone = (status: string) => !OPEN.includes(status)
  const status = await world.watch.until('deposits', deposit.id, isDone, PATIENCE_MS)
  if (status === undefined) world.count('waited in vain: deposits')
  return status === undefined ? undefined : deposit
}

/** A task that several workers do; their earnings are paid out automatically. Returns the ids of the payouts. */
async function task(
  world: World,
  agent: Agent,
  workers: readonly Worker[],
  chance: Chance,
): Promise<string[]> {
  const hands = chance.shuffled(workers).slice(0, chance.pick(WORKERS_PER_TASK))
  const created = await agent.post('/tasks', {
    description: 'Look',
    budget_cents: hands.length * chance.integer(60, 250),
    consensus_count: hands.length,
  })
  // Not enough money, or an earlier chargeback.
  if (created.status !== 201) {
    assert([402, 403].includes(created.status), created.text)
    world.count(`tasks refused: ${created.status}`)
    return []
  }
  const { id } = created.body.task
  const isTaken = await Promise.all(
    hands.map(async (worker) => {
      const accepted = await worker.post(`/worker/tasks/${id}/accept`)
      if (accepted.body.code === 'no_slot') return false
      assert.equal(accepted.status, 200, accepted.text)
      await ok(() => worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' }))
      return true
    }),
  )
  // A chargeback since then has withdrawn the task, so no worker could accept it.
  if (isTaken.includes(false)) {
    const [row] = await world.query('select status::text, status_reason from tasks where id = $1', [
      id,
    ])
    assert.deepEqual({ ...row, isTaken }, { ...WITHDRAWN, isTaken: hands.map(() => false) })
    world.count('tasks withdrawn')
    return []
  }
  if (chance.happens(0.05)) {
    await ok(() => agent.post(`/tasks/${id}/dispute`, { reason: 'No' }))
    world.count('tasks disputed')
    return []
  }
  await ok(() => agent.post(`/tasks/${id}/approve`))
  world.count('tasks approved')
  world.count('payouts', hands.length)
  const payouts = await payoutsOf(world, id, hands.length)
  // Requesting an automatic payout changes nothing.
  if (chance.happens(0.1)) await ok(() => agent.post(`/tasks/${id}/payout`))
  return payouts
}

async function ok(ask: () => ReturnType<Agent['post']>): Promise<void> {
  const { status, text } = await ask()
  assert(status < 300, text)
}

async function payoutsOf(world: World, taskId: string, expected: number): Promise<string[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    const rows = await world.query('select id from payouts where task_id = $1 order by id', [
      taskId,
    ])
    if (rows.length === expected) return rows.map(({ id }) => id as string)
    await sleep(100)
  }
  world.count('waited in vain: payouts')
  return []
}

/** Later events: refunds, chargebacks and their outcomes, reversed transfers. */
async function aftermath(
  world: World,
  agent: Agent,
  { paid, payouts, chance }: { paid: Deposit[]; payouts: string[]; chance: Chance },
): Promise<void> {
  const [first, ...others] = chance.shuffled(paid)
  if (first && chance.happens(0.3)) await chargeback(world, first, chance)
  if (chance.happens(0.5)) await refund(world, agent, chance)
  const [second] = others
  if (second && chance.happens(0.12)) await refundOutside(world, second, chance)
  for (const payoutId of chance.shuffled(payouts).slice(0, 1))
    if (chance.happens(0.35)) await reverse(world, payoutId, chance)
}

async function chargeback(world: World, { chargeId }: Deposit, chance: Chance): Promise<void> {
  const { object: charge } = await world.control('GET', `object/${chargeId}`)
  let disputeId: string
  if (charge.disputed) {
    const { data } = await world.control('GET', 'objects/dispute')
    disputeId = data.find((one: { charge: string }) => one.charge === chargeId).id
  } else {
    const left = charge.amount - charge.amount_refunded
    if (left < 1) return
    const amount = chance.happens(0.3) ? chance.integer(1, left) : left
    const opened = await world.control('POST', `charges/${chargeId}/dispute`, { amount })
    disputeId = opened.id
    world.count('chargebacks')
  }
  if (chance.happens(0.1)) return
  await sleep(chance.integer(0, 400))
  const status = chance.pick(['won', 'lost'])
  await world.control('POST', `disputes/${disputeId}/close`, { status })
  world.count(`chargebacks ${status}`)
}

/** An operator refunds part of the wallet to the cards. */
async function refund(world: World, agent: Agent, chance: Chance): Promise<void> {
  const balance = await world.market.balance(agent.id)
  if (balance < 1) return
  const amountCents = chance.happens(0.5) ? balance : chance.integer(1, balance)
  try {
    await refundAgent(world.market.background, {
      agentId: agent.id,
      amountCents,
      requestedBy: 'test',
      reason: 'asked for',
    })
  } catch {
    // More than can go back to cards, or charged back in the meantime.
    return world.count('refunds refused')
  }
  const rows = await world.query('select id from refunds where agent_id = $1', [agent.id])
  world.count('refunds', rows.length)
  if (chance.happens(0.2)) await failLater(world, rows[0]!.id)
}

/** The payer's bank returns a refund that it had accepted. */
async function failLater(world: World, refundId: string): Promise<void> {
  const isDone = (status: string) => !['requested', 'submitting'].includes(status)
  const status = await world.watch.until('refunds', refundId, isDone, PATIENCE_MS)
  if (status !== 'pending' && status !== 'succeeded') return
  const [sent] = await world.query('select processor_refund_id from refunds where id = $1', [
    refundId,
  ])
  await world.control('POST', `refunds/${sent!.processor_refund_id}/fail`)
  world.count('refunds failed later')
}

/** Somebody refunds manually, in the processor's own dashboard. */
async function refundOutside(world: World, { chargeId }: Deposit, chance: Chance): Promise<void> {
  const { object: charge } = await world.control('GET', `object/${chargeId}`)
  const left = charge.amount - charge.amount_refunded
  if (left < 1 || charge.disputed) return
  const { sandbox } = world.market
  const reply = await fetch(`${sandbox.url}/v1/refunds`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandbox.settings.STRIPE_SECRET_KEY}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': `by-hand-${chargeId}`,
    },
    body: new URLSearchParams({ charge: chargeId, amount: String(chance.integer(1, left)) }),
  }).catch(() => undefined)
  await reply?.arrayBuffer()
  world.count('refunds made outside')
}

async function reverse(world: World, payoutId: string, chance: Chance): Promise<void> {
  const isDone = (status: string) => ['paid', 'failed'].includes(status)
  const status = await world.watch.until('payouts', payoutId, isDone, PATIENCE_MS)
  if (status === undefined) return world.count('waited in vain: payouts')
  if (status !== 'paid') return
  const [row] = await world.query('select amount_cents from payouts where id = $1', [payoutId])
  const whole = Number(row!.amount_cents)
  const amountCents = chance.happens(0.5) ? whole : chance.integer(1, whole)
  // If the outcome is unknown, the operator retries with the same amount.
  for (let tries = 0; tries < REVERSALS_MAX; tries += 1) {
    const asked = { payoutId, amountCents, requestedBy: 'test' }
    const reversed = await reversePayout(world.market.background, asked).catch(() => undefined)
    if (reversed?.outcome === 'unknown') {
      world.count('asked again: reversals')
      await sleep(50)
      continue
    }
    return world.count(reversed?.outcome === 'refused' ? 'reversals refused' : 'transfers reversed')
  }
}

/** Occasional actions of the operator and the processor. */
export async function operatorTurn(
  world: World,
  { seed, workers }: { seed: string; workers: readonly Worker[] },
): Promise<void> {
  const chance = chanceOf(seed)
  await world.control('POST', 'topups', { amount: chance.integer(500, 20_000) })
  world.count('top-ups')
  await world.control('POST', 'fees', { amount: chance.integer(1, 200) })
  world.count('fees')
  await withdraw(world, chance)
  await answerBanks(world, chance)

  // The processor asks a worker for information, which the worker provides after a while.
  const { accountId } = chance.pick(workers)
  await world.control('POST', `accounts/${accountId}/capability`, { status: 'restricted' })
  await sleep(chance.integer(100, 1000))
  await world.control('POST', `accounts/${accountId}/capability`, { status: 'active' })
  world.count('accounts restricted and freed')
}

async function withdraw({ market, count }: World, chance: Chance): Promise<void> {
  const asked = { amountCents: chance.integer(1, 2000), operator: 'test', now: market.now() }
  try {
    const db = market.server.db.shards.global
    await db.transaction((tx) => requestWithdrawal({ db, tx }, asked))
    count('withdrawals')
  } catch (error) {
    if (!(error instanceof NotOurs)) throw error
    count('withdrawals refused')
  }
}

/** The operator's bank accepts what was withdrawn, or returns it. */
async function answerBanks(world: World, chance: Chance): Promise<void> {
  const { data } = await world.control('GET', 'objects/payout?account=platform')
  for (const { id, status } of data as { id: string; status: string }[])
    if (status === 'pending')
      await world
        .control('POST', `payouts/${id}`, { status: chance.happens(0.8) ? 'paid' : 'failed' })
        // Another turn has handled it in the meantime.
        .catch(() => {})
}
