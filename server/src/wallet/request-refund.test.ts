import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { marketplace } from '../../test/harness.ts'
import { restrictAgent } from '../agents/restrict.ts'
import { ApiError } from '../kit/errors.ts'
import { refundAgent, spread } from './request-refund.ts'
import { settleChargeback } from './settle-chargeback.ts'

const market = await marketplace({
  processor: true,
  settings: { STRIPE_RETRIES: 0, LOG_LEVEL: 'silent' },
})

const refund = (agentId: string, amountCents: number) =>
  refundAgent(market.background, {
    agentId,
    amountCents,
    requestedBy: 'olga',
    reason: 'asked by mail',
  })

const depositsOf = (agentId: string) =>
  market.db.reader
    .selectFrom('deposits')
    .select(['id', 'status', 'refunded_cents'])
    .where('agent_id', '=', agentId)
    .orderBy('id', 'desc')
    .execute()

/** Asserts a refusal with this code and operator message, and that no money moved. */
async function assertRefused(agentId: string, amountCents: number, code: string, extra = {}) {
  const before = [await market.balance(agentId), await depositsOf(agentId)]
  await assert.rejects(refund(agentId, amountCents), (error: unknown) => {
    assert(error instanceof ApiError)
    assert.equal(error.code, code)
    assert.deepEqual(error.extra, extra)
    return true
  })
  assert.deepEqual([await market.balance(agentId), await depositsOf(agentId)], before)
}

describe('a refund', () => {
  test('debits the wallet at once, and is sent by a job', async () => {
    const agent = await market.agent()
    const depositId = await market.deposit(agent, 2500)

    const refunds = await refund(agent.id, 1000)

    assert.deepEqual(
      refunds.map((row) => [row.deposit_id, row.amount_cents, row.status, row.requested_by]),
      [[depositId, 1000, 'requested', 'olga']],
    )
    assert.equal(await market.balance(agent.id), 1500)
    assert.deepEqual(await depositsOf(agent.id), [
      { id: depositId, status: 'partially_refunded', refunded_cents: 1000 },
    ])
    const asked = await market.events()
    assert.deepEqual(
      asked.map(({ type, data }) => [type, data]),
      [['refund.send', { id: refunds[0]!.id }]],
    )
  })

  test('covers several deposits, the newest first, at most the remainder of each', async () => {
    const agent = await market.agent()
    const ids: string[] = []
    for (const cents of [1000, 700, 500]) {
      market.advance(10)
      ids.push(await market.deposit(agent, cents))
    }
    const [oldest, middle, newest] = ids
    await refund(agent.id, 200)

    const refunds = await refund(agent.id, 1500)

    assert.deepEqual(
      refunds.map((row) => [row.deposit_id, row.amount_cents]),
      [
        [newest, 300],
        [middle, 700],
        [oldest, 500],
      ],
    )
    assert.deepEqual(await depositsOf(agent.id), [
      { id: newest, status: 'refunded', refunded_cents: 500 },
      { id: middle, status: 'refunded', refunded_cents: 700 },
      { id: oldest, status: 'partially_refunded', refunded_cents: 500 },
    ])
    assert.equal(await market.balance(agent.id), 500)
  })

  test('is refused above the wallet balance', async () => {
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(agent, 2500)
    await market.taskIn(agent, 'pending', { budget_cents: 2000 })

    await assertRefused(agent.id, 501, 'refund_above_wallet', { balance_cents: 500 })
  })

  test('is refused above what can be refunded to cards', async () => {
    const agent = await market.agent({ balanceCents: 3000 })
    await market.deposit(agent, 1000)

    await assertRefused(agent.id, 1001, 'refund_above_deposits', { refundable_cents: 1000 })
  })

  test('excludes a deposit with a chargeback', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const disputed = await market.deposit(agent, 1000)
    await market.deposit(agent, 500)
    const { charge_id } = await market.db.reader
      .selectFrom('deposits')
      .select('charge_id')
      .where('id', '=', disputed)
      .executeTakeFirstOrThrow()
    const { id } = await market.sandbox.control('POST', `charges/${charge_id}/dispute`, {})
    await settleChargeback(market.background, id)
    await market.asOwner(
      `update agents set status = 'active', restricted_for = null where id = $1`,
      [agent.id],
    )

    await assertRefused(agent.id, 501, 'refund_above_deposits', { refundable_cents: 500 })
  })

  test('is refused while the agent is restricted', async () => {
    const agent = await market.agent()
    await market.deposit(agent, 2500)
    await market
      .at(agent.id)
      .transaction((tx) =>
        restrictAgent(tx, { agentId: agent.id, why: 'operator', now: market.now() }),
      )

    await assertRefused(agent.id, 100, 'refund_of_restricted')
  })

  test('is refused for an invalid amount, an unknown agent, or test money', async () => {
    const agent = await market.agent()
    await market.deposit(agent, 500)
    const { body } = await agent.test.post('/wallet/deposit', { amount_cents: 500 })
    const { agent_id: twin } = await market.db.reader
      .selectFrom('deposits')
      .select('agent_id')
      .where('id', '=', body.transaction_id)
      .executeTakeFirstOrThrow()

    for (const amount of [0, -1, 1.5, Number.NaN])
      await assert.rejects(refund(agent.id, amount), /must be a whole number of cents above 0/)
    await assert.rejects(refund('agent_nobody', 1), /not the id of an agent/)
    await assertRefused(twin, 1, 'refund_above_deposits', { refundable_cents: 0 })
  })

  test('eight concurrent requests refund no cent too much', async () => {
    const agent = await market.agent()
    await market.deposit(agent, 500)
    await market.deposit(agent, 500)

    const ended = await Promise.allSettled(Array.from({ length: 8 }, () => refund(agent.id, 300)))

    const given = ended.filter(({ status }) => status === 'fulfilled').length
    assert.equal(given, 3)
    assert.equal(await market.balance(agent.id), 100)
    const refunded = (await depositsOf(agent.id)).map(({ refunded_cents }) => refunded_cents)
    assert.deepEqual(refunded, [500, 400])
  })
})

test('a refund is split over deposits to the cent, and never above the remainder of one', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc
          .tuple(fc.integer({ min: 1, max: 5000 }), fc.nat(5000))
          .map(([amount_cents, refunded]) => ({
            amount_cents,
            refunded_cents: Math.min(refunded, amount_cents),
          })),
        { maxLength: 6 },
      ),
      fc.integer({ min: 1, max: 20_000 }),
      (deposits, amount) => {
        const left = deposits.reduce((sum, d) => sum + d.amount_cents - d.refunded_cents, 0)
        if (amount > left) {
          assert.throws(() => spread(deposits, amount), { code: 'refund_above_deposits' })
          return
        }
        const parts = spread(deposits, amount)
        assert.equal(
          parts.reduce((sum, { cents }) => sum + cents, 0),
          amount,
        )
        for (const { deposit, cents } of parts)
          assert(cents > 0 && cents <= deposit.amount_cents - deposit.refunded_cents)
      },
    ),
  )
})
