import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { refundAgent } from './request-refund.ts'
import { submitRefund } from './send-refund.ts'

const market = await marketplace({
  processor: true,
  settings: { STRIPE_RETRIES: 0, LOG_LEVEL: 'silent', STRIPE_TIMEOUT_MS: 1000 },
})
const HOUR = 3_600_000

type Agent = Awaited<ReturnType<typeof market.agent>>

/** An agent with 2500 cents deposited and a requested refund of 1000 that was not sent yet. */
async function asked() {
  const agent = await market.agent()
  await market.sandbox.control('POST', 'deliveries', { mode: 'normal' })
  const depositId = await market.deposit(agent, 2500)
  await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
  const refundId = await ask(agent, 1000)
  return { agent, depositId, refundId }
}

async function ask(agent: Agent, amountCents: number): Promise<string> {
  const [refund] = await refundAgent(market.background, {
    agentId: agent.id,
    amountCents,
    requestedBy: 'olga',
    reason: 'asked by mail',
  })
  await market.events()
  return refund!.id
}

const send = (refundId: string) => submitRefund(market.backgroundAt(refundId), refundId)

const rowOf = (refundId: string) =>
  market.db.reader
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow()

const depositOf = (depositId: string) =>
  market.db.reader
    .selectFrom('deposits')
    .select(['status', 'refunded_cents'])
    .where('id', '=', depositId)
    .executeTakeFirstOrThrow()

async function linesOf(refundId: string) {
  const lines = await market.db.reader
    .selectFrom('transfers')
    .select(['kind', 'debit', 'credit', 'amount_cents'])
    .where('ref_id', '=', refundId)
    .orderBy('id')
    .execute()
  return lines.map(({ kind, debit, credit, amount_cents }) => [kind, debit, credit, amount_cents])
}

/** The processor's refunds for one of our refunds. */
async function madeFor(refundId: string) {
  const { data } = await market.sandbox.control('GET', 'objects/refund?limit=100')
  return (data as { id: string; metadata: { refund_id?: string } }[]).filter(
    ({ metadata }) => metadata.refund_id === refundId,
  )
}

const fault = (mode: string, more: Record<string, unknown> = {}) =>
  market.sandbox.control('POST', 'faults', { match: 'POST /v1/refunds', mode, times: 2, ...more })
const noFaults = () => market.sandbox.control('DELETE', 'faults')

const REQUESTED = ['refund_requested', 'liab:agent_wallet', 'liab:refund_in_transit', 1000]
const PAID = ['refund', 'liab:refund_in_transit', 'asset:processor_balance', 1000]

describe('sending a refund', () => {
  test('creates it at the processor and debits our balance there', async () => {
    const { agent, depositId, refundId } = await asked()

    await send(refundId)

    const [made] = await madeFor(refundId)
    const row = await rowOf(refundId)
    assert.deepEqual([row.status, row.processor_refund_id], ['succeeded', made!.id])
    assert.deepEqual(await linesOf(refundId), [REQUESTED, PAID])
    assert.equal(await market.balance(agent.id), 1500)
    assert.deepEqual(await depositOf(depositId), {
      status: 'partially_refunded',
      refunded_cents: 1000,
    })
  })

  test('eight times at once, and again later, creates it once', async () => {
    const { refundId } = await asked()

    await Promise.all(Array.from({ length: 8 }, () => send(refundId)))
    await send(refundId)

    assert.equal((await madeFor(refundId)).length, 1)
    assert.deepEqual(await linesOf(refundId), [REQUESTED, PAID])
  })

  for (const [mode, more] of [
    ['error_before', {}],
    ['error_after', { stores: 'answer' }],
    ['reset_before', {}],
    ['reset_after', {}],
    ['hang_after', {}],
    ['html502', {}],
    ['json_without_error', {}],
    ['rate_limit', {}],
    ['lock_timeout', {}],
  ] as const)
    test(`without a response (${mode}) is repeated by the timer, and creates it once`, async () => {
      const { agent, refundId } = await asked()
      await fault(mode, more)
      await send(refundId)
      const [between, lines] = [await rowOf(refundId), await linesOf(refundId)]
      await noFaults()

      for (let tries = 0; tries < 3; tries += 1) {
        market.advance(61_000)
        await market.sweep()
        await market.work()
      }

      assert.equal(between.status, 'submitting')
      assert.deepEqual(lines, [REQUESTED])
      assert.equal((await madeFor(refundId)).length, 1)
      assert.equal((await rowOf(refundId)).status, 'succeeded')
      assert.deepEqual(await linesOf(refundId), [REQUESTED, PAID])
      assert.equal(await market.balance(agent.id), 1500)
    })

  test('without a response for longer than keys are kept looks it up, and does not repeat it', async () => {
    const { refundId } = await asked()
    await fault('reset_after')
    await send(refundId)
    await noFaults()

    market.advance(25 * HOUR)
    await market.sweep()
    await market.work()

    assert.equal((await madeFor(refundId)).length, 1)
    assert.equal((await rowOf(refundId)).status, 'succeeded')
  })

  test('makes a new attempt if the look-up does not find it', async () => {
    const { refundId } = await asked()
    await fault('reset_before')
    await send(refundId)
    await noFaults()

    market.advance(25 * HOUR)
    for (let tries = 0; tries < 3; tries += 1) {
      await market.sweep()
      await market.work()
      market.advance(HOUR)
    }

    assert.equal((await madeFor(refundId)).length, 1)
    assert.equal((await rowOf(refundId)).status, 'succeeded')
    assert.deepEqual(await linesOf(refundId), [REQUESTED, PAID])
  })

  test('looks it up after repeated stored failures', async () => {
    const { refundId } = await asked()
    await fault('error_after', { times: 1, stores: 'error' })

    await send(refundId)
    for (let tries = 0; tries < 8; tries += 1) {
      market.advance(10 * 60_000)
      await market.sweep()
      await market.work()
    }

    assert.equal((await madeFor(refundId)).length, 1)
    assert.equal((await rowOf(refundId)).status, 'succeeded')
  })
})

describe('a refund that the processor refuses', () => {
  test('is returned to the wallet, and its deposit can be refunded again', async () => {
    const { agent, depositId, refundId } = await asked()
    await fault('error_before', { status: 400, code: 'charge_disputed', times: 1 })

    await send(refundId)

    const row = await rowOf(refundId)
    assert.deepEqual(
      [row.status, row.failure_code, row.check_at],
      ['rejected', 'charge_disputed', null],
    )
    assert.notEqual(row.failure_message, null)
    assert.deepEqual(await linesOf(refundId), [
      REQUESTED,
      ['refund_rejected', 'liab:refund_in_transit', 'liab:agent_wallet', 1000],
    ])
    assert.equal(await market.balance(agent.id), 2500)
    assert.deepEqual(await depositOf(depositId), { status: 'succeeded', refunded_cents: 0 })
    await send(refundId)
    assert.deepEqual(await madeFor(refundId), [])

    const second = await ask(agent, 2500)
    await send(second)
    assert.equal((await rowOf(second)).status, 'succeeded')
    assert.deepEqual(await depositOf(depositId), { status: 'refunded', refunded_cents: 2500 })
  })

  test('because of our API key waits for a valid one', async () => {
    const { agent, refundId } = await asked()
    await fault('error_before', { status: 401, code: 'api_key_expired', times: 1 })

    await send(refundId)
    const between = await rowOf(refundId)
    await send(refundId)

    assert.equal(between.status, 'submitting')
    assert.equal((await rowOf(refundId)).status, 'succeeded')
    assert.equal(await market.balance(agent.id), 1500)
  })
})
