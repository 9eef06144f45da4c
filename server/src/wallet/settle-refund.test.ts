import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { atProcessor, depositRow } from '../../test/money.ts'
import { refundAgent } from './request-refund.ts'
import { submitRefund } from './send-refund.ts'
import { lookAtRefund, settleRefund } from './settle-refund.ts'

const market = await marketplace({
  processor: true,
  settings: { STRIPE_RETRIES: 0, LOG_LEVEL: 'silent' },
})
const DAY = 86_400_000

type Agent = Awaited<ReturnType<typeof market.agent>>

/** An agent with 2500 cents deposited; from then on the processor sends no notifications. */
async function paid(agent: Agent) {
  await market.sandbox.control('POST', 'deliveries', { mode: 'normal' })
  const depositId = await market.deposit(agent, 2500)
  await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
  return depositId
}

async function sent(agent: Agent, amountCents = 1000) {
  const [refund] = await refundAgent(market.background, {
    agentId: agent.id,
    amountCents,
    requestedBy: 'olga',
    reason: 'asked by mail',
  })
  await submitRefund(market.backgroundAt(refund!.id), refund!.id)
  await market.events()
  return rowOf(refund!.id)
}

/** Refunds as someone would in the processor's dashboard. */
async function refundByHand(depositId: string, body: Record<string, string>): Promise<string> {
  const { payment_intent_id } = await depositRow(market, depositId)
  const payment_intent = payment_intent_id!
  const { id } = await atProcessor(market, 'refunds', { payment_intent, ...body })
  return id as string
}

const rowOf = (refundId: string) =>
  market.db.reader
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow()

const byHandRow = (processorRefundId: string) =>
  market.db.reader
    .selectFrom('refunds')
    .selectAll()
    .where('processor_refund_id', '=', processorRefundId)
    .executeTakeFirst()

const kindsOf = async (agent: Agent) => {
  const lines = await market.db.reader
    .selectFrom('transfers')
    .select(['kind', 'amount_cents'])
    .where('agent_id', '=', agent.id)
    .where('kind', 'like', 'refund%')
    .orderBy('id')
    .execute()
  return lines.map(({ kind, amount_cents }) => [kind, amount_cents])
}

const look = (id: string) => settleRefund(market.background, id)
const control = (id: string, what: 'fail' | 'succeed') =>
  market.sandbox.control('POST', `refunds/${id}/${what}`)

describe('a refund of ours', () => {
  test('is pending as long as the processor says so', async () => {
    const agent = await market.agent()
    await paid(agent)
    await market.sandbox.control('POST', 'settings', { pending_refunds: true })
    const refund = await sent(agent)
    await market.sandbox.control('POST', 'settings', { pending_refunds: false })

    await look(refund.processor_refund_id!)
    const pending = await rowOf(refund.id)
    await control(refund.processor_refund_id!, 'succeed')
    await look(refund.processor_refund_id!)

    assert.equal(pending.status, 'pending')
    assert.equal((await rowOf(refund.id)).status, 'succeeded')
    assert.deepEqual(await kindsOf(agent), [
      ['refund_requested', 1000],
      ['refund', 1000],
    ])
  })

  test('that fails days later returns the money, once', async () => {
    const agent = await market.agent()
    const depositId = await paid(agent)
    const refund = await sent(agent)
    await control(refund.processor_refund_id!, 'fail')

    await Promise.all([1, 2, 3, 4].map(() => look(refund.processor_refund_id!)))
    await look(refund.processor_refund_id!)

    const failed = await rowOf(refund.id)
    assert.deepEqual([failed.status, failed.check_at], ['failed', null])
    assert.notEqual(failed.failure_code, null)
    assert.equal(await market.balance(agent.id), 2500)
    assert.deepEqual(await kindsOf(agent), [
      ['refund_requested', 1000],
      ['refund', 1000],
      ['refund_failed', 1000],
    ])
    const { status, refunded_cents } = await depositRow(market, depositId)
    assert.deepEqual([status, refunded_cents], ['succeeded', 0])
  })

  test('that fails days later is found by the timer alone', async () => {
    const agent = await market.agent()
    await paid(agent)
    const refund = await sent(agent)
    await control(refund.processor_refund_id!, 'fail')

    market.advance(DAY + 1000)
    await market.sweep()
    await market.work()

    assert.equal((await rowOf(refund.id)).status, 'failed')
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('is checked for about a month, and then no more', async () => {
    const agent = await market.agent()
    await paid(agent)
    const refund = await sent(agent)

    market.advance(34 * DAY)
    await look(refund.processor_refund_id!)
    const before = await rowOf(refund.id)
    market.advance(2 * DAY)
    await look(refund.processor_refund_id!)

    assert.notEqual(before.check_at, null)
    assert.equal((await rowOf(refund.id)).check_at, null)
  })

  test('with a lost response is recognized by its metadata', async () => {
    const agent = await market.agent()
    await paid(agent)
    await market.sandbox.control('POST', 'faults', {
      match: 'POST /v1/refunds',
      mode: 'reset_after',
      times: 2,
    })
    const refund = await sent(agent)
    await market.sandbox.control('DELETE', 'faults')
    const { data } = await market.sandbox.control('GET', 'objects/refund?limit=1')

    await look(data[0].id)

    assert.equal(refund.status, 'submitting')
    const adopted = await rowOf(refund.id)
    assert.deepEqual([adopted.status, adopted.processor_refund_id], ['succeeded', data[0].id])
    const attempts = await market.db.reader
      .selectFrom('processor_attempts')
      .select('outcome')
      .where('subject_id', '=', refund.id)
      .execute()
    assert.deepEqual(attempts, [{ outcome: 'ok' }])
    await submitRefund(market.backgroundAt(refund.id), refund.id)
    assert.deepEqual(await kindsOf(agent), [
      ['refund_requested', 1000],
      ['refund', 1000],
    ])
  })
})

describe('a refund made by hand at the processor', () => {
  test('debits the wallet once, and counts against its deposit', async () => {
    const agent = await market.agent()
    const depositId = await paid(agent)
    const id = await refundByHand(depositId, { amount: '800' })

    await Promise.all([1, 2, 3, 4].map(() => look(id)))
    await look(id)

    assert.equal(await market.balance(agent.id), 1700)
    assert.deepEqual(await kindsOf(agent), [['refund_outside', 800]])
    const { status, refunded_cents } = await depositRow(market, depositId)
    assert.deepEqual([status, refunded_cents], ['partially_refunded', 800])
    const row = await byHandRow(id)
    assert.deepEqual(
      [row!.status, row!.amount_cents, row!.deposit_id],
      ['succeeded', 800, depositId],
    )
  })

  test('of spent money creates a debt', async () => {
    const agent = await market.agent({ freeTasks: false })
    const depositId = await paid(agent)
    await market.taskIn(agent, 'in_progress', { budget_cents: 2000 })

    await look(await refundByHand(depositId, {}))

    assert.equal(await market.balance(agent.id), -2000)
    assert.equal((await depositRow(market, depositId)).status, 'refunded')
  })

  test('that fails later returns the money', async () => {
    const agent = await market.agent()
    const depositId = await paid(agent)
    const id = await refundByHand(depositId, { amount: '800' })
    await look(id)
    await control(id, 'fail')

    market.advance(DAY + 1000)
    await market.sweep()
    await market.work()

    assert.equal((await byHandRow(id))!.status, 'failed')
    assert.equal(await market.balance(agent.id), 2500)
    assert.deepEqual(await kindsOf(agent), [
      ['refund_outside', 800],
      ['refund_failed', 800],
    ])
    const { status, refunded_cents } = await depositRow(market, depositId)
    assert.deepEqual([status, refunded_cents], ['succeeded', 0])
  })

  test('beside one of ours makes that one fail, and no cent is refunded twice', async () => {
    const agent = await market.agent()
    const depositId = await paid(agent)
    const [ours] = await refundAgent(market.background, {
      agentId: agent.id,
      amountCents: 2000,
      requestedBy: 'olga',
      reason: 'asked by mail',
    })
    const id = await refundByHand(depositId, { amount: '1000' })
    await look(id)
    const both = await depositRow(market, depositId)

    await submitRefund(market.backgroundAt(ours!.id), ours!.id)

    assert.equal(both.refunded_cents, 2500)
    assert.equal((await rowOf(ours!.id)).status, 'rejected')
    assert.equal(await market.balance(agent.id), 1500)
    const { status, refunded_cents } = await depositRow(market, depositId)
    assert.deepEqual([status, refunded_cents], ['partially_refunded', 1000])
  })

  test('before we knew of the payment books the payment first', async () => {
    const agent = await market.agent()
    await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    const { body } = await agent.post('/wallet/deposit', { amount_cents: 2500 })
    await market.sandbox.pay(body.session_id)
    const { data } = await market.sandbox.control('GET', 'objects/payment_intent?limit=1')
    await market.asOwner(`update deposits set payment_intent_id = $1 where id = $2`, [
      data[0].id,
      body.transaction_id,
    ])

    await look(await refundByHand(body.transaction_id, { amount: '500' }))

    assert.equal(await market.balance(agent.id), 2000)
  })

  test('with foreign metadata is left to reconciliation', async () => {
    const agent = await market.agent()
    const depositId = await paid(agent)
    const id = await refundByHand(depositId, {
      amount: '800',
      'metadata[refund_id]': 'txn_suspense',
    })

    assert.equal(await look(id), 'unknown')
    assert.equal(await look('re_nobody'), 'unknown')

    assert.equal(await market.balance(agent.id), 2500)
  })

  test('of a payment that did not match its deposit is left to reconciliation', async () => {
    const agent = await market.agent()
    await market.sandbox.control('POST', 'deliveries', { mode: 'normal' })
    const { body } = await agent.post('/wallet/deposit', { amount_cents: 2500 })
    await market.asOwner(`update deposits set amount_cents = 9999 where id = $1`, [
      body.transaction_id,
    ])
    await market.sandbox.pay(body.session_id)
    await market.settle()
    await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    const id = await refundByHand(body.transaction_id, {})

    assert.equal(await look(id), 'unknown')

    assert.equal(await market.balance(agent.id), 0)
    assert.equal((await depositRow(market, body.transaction_id)).status, 'mismatched')
  })
})

describe('an unreachable processor', () => {
  const fault = () =>
    market.sandbox.control('POST', 'faults', { match: 'GET /v1/refunds', mode: 'error_before' })
  const run = (id: string) => lookAtRefund.run({ ...market.background, payload: { data: { id } } })

  test('leaves an unknown refund to its job', async () => {
    const agent = await market.agent()
    const depositId = await paid(agent)
    const id = await refundByHand(depositId, { amount: '800' })
    await fault()

    await assert.rejects(run(id), /could not check/)
    await run(id)

    assert.equal(await market.balance(agent.id), 1700)
  })

  test('leaves a known one to the timer', async () => {
    const agent = await market.agent()
    await paid(agent)
    const refund = await sent(agent)
    await control(refund.processor_refund_id!, 'fail')
    await fault()

    await run(refund.processor_refund_id!)
    market.advance(DAY + 1000)
    await market.sweep()
    await market.work()

    assert.equal((await rowOf(refund.id)).status, 'failed')
  })
})
