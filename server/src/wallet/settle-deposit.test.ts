import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { DECLINED_CARD, SHARED_CARD } from '../../test/sandbox.ts'
import { processorOf } from '../processor/client.ts'
import type { Checkout } from '../processor/client-objects.ts'
import type { DepositStatus } from './deposit-status.ts'
import {
  depositOfCharge,
  depositsDue,
  lookAtCheckoutSoon,
  recordLook,
  settleDeposit,
  statusAfter,
} from './settle-deposit.ts'

// Some tests cause mismatches and refusals, which are logged for operators.
const market = await marketplace({
  processor: true,
  settings: { STRIPE_RETRIES: 0, LOG_LEVEL: 'silent' },
})
const MINUTE = 60_000

type Agent = Awaited<ReturnType<typeof market.agent>>

/** A deposit with an open checkout page; the processor sends no notifications. */
async function open(agent: Agent, amountCents = 2500) {
  await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
  const { body } = await agent.post('/wallet/deposit', { amount_cents: amountCents })
  await market.events()
  return { depositId: body.transaction_id as string, sessionId: body.session_id as string }
}

const rowOf = (depositId: string) =>
  market.db.reader
    .selectFrom('deposits')
    .selectAll()
    .where('id', '=', depositId)
    .executeTakeFirstOrThrow()

const look = (depositId: string) => settleDeposit(market.background, depositId)

/** All ledger lines of a deposit: its own, and those of its balance transaction. */
async function linesOf(depositId: string) {
  const { balance_transaction_id: movement } = await rowOf(depositId)
  const lines = await market.db.reader
    .selectFrom('transfers')
    .select(['kind', 'debit', 'credit', 'amount_cents'])
    .where('ref_id', 'in', [depositId, movement ?? ''])
    .orderBy('kind')
    .orderBy('line')
    .execute()
  return lines.map(({ kind, debit, credit, amount_cents }) => [kind, debit, credit, amount_cents])
}

const told = async () => (await market.events()).map(({ type }) => type)

const fault = (match: string, mode: string, more: Record<string, unknown> = {}) =>
  market.sandbox.control('POST', 'faults', { match, mode, times: 1, ...more })

const PAID = [
  ['deposit', 'asset:processor_balance', 'liab:agent_wallet', 2500],
  ['processor_fee', 'exp:processor_fees', 'asset:processor_balance', 103],
]

describe('a paid deposit', () => {
  test('is booked with the processor’s fee, and reported once', async () => {
    const agent = await market.agent()
    const { depositId, sessionId } = await open(agent)
    await market.sandbox.pay(sessionId)

    assert.equal(await look(depositId), 'done')

    assert.equal(await market.balance(agent.id), 2500)
    assert.deepEqual(await linesOf(depositId), PAID)
    const row = await rowOf(depositId)
    assert.equal(row.status, 'succeeded')
    assert.equal(row.fee_cents, 103)
    assert.equal(row.check_at, null)
    assert.equal(row.request_key, null)
    assert.deepEqual(row.succeeded_at, market.now())
    const events = await market.events()
    assert.deepEqual(
      events.map(({ type, agent_id, data }) => [type, agent_id, data]),
      [
        [
          'deposit.succeeded',
          agent.id,
          {
            deposit: {
              transaction_id: depositId,
              amount_cents: 2500,
              created_at: row.created_at.toISOString(),
            },
          },
        ],
      ],
    )
  })

  test('is booked once in eight concurrent checks and all later ones', async () => {
    const agent = await market.agent()
    const { depositId, sessionId } = await open(agent)
    await market.sandbox.pay(sessionId)

    await Promise.all(Array.from({ length: 8 }, () => look(depositId)))
    market.advance(MINUTE)
    await look(depositId)

    assert.deepEqual(await linesOf(depositId), PAID)
    assert.equal(await market.balance(agent.id), 2500)
    assert.deepEqual(await told(), ['deposit.succeeded'])
  })

  test('keeps the fingerprint of its card, which is the same for all agents that pay with it', async () => {
    const fingerprintOf = async (card?: string) => {
      const { depositId, sessionId } = await open(await market.agent())
      await market.sandbox.pay(sessionId, card)
      if (card === 'bank_debit')
        await market.sandbox.control('POST', `sessions/${sessionId}/settle`, { ok: true })
      await look(depositId)
      const { status, card_fingerprint } = await rowOf(depositId)
      assert.equal(status, 'succeeded')
      return card_fingerprint
    }

    const shared = [await fingerprintOf(SHARED_CARD), await fingerprintOf(SHARED_CARD)]

    assert.match(shared[0]!, /^[\w-]{16}$/)
    assert.equal(shared[1], shared[0])
    assert.notEqual(await fingerprintOf(), shared[0])
    assert.equal(await fingerprintOf('bank_debit'), null)
  })

  test('is found by the timer alone if all notifications are lost', async () => {
    const agent = await market.agent()
    const { depositId, sessionId } = await open(agent)
    await market.sandbox.pay(sessionId)

    market.advance(31_000)
    await market.sweep()
    await market.work()

    assert.equal(await market.balance(agent.id), 2500)
    assert.equal((await rowOf(depositId)).status, 'succeeded')
  })

  test('is booked once, however often and in whatever order it is notified', async () => {
    const agent = await market.agent()
    const { depositId, sessionId } = await open(agent)
    await market.sandbox.pay(sessionId)

    for (const order of ['lifo', 'shuffle'])
      await market.sandbox.control('POST', 'deliveries/release', { order, times: 3, seed: 7 })
    await market.work()
    await market.work()

    assert.equal(await market.balance(agent.id), 2500)
    assert.deepEqual(await linesOf(depositId), PAID)
  })

  test('is paid by a good card after a declined one', async () => {
    const agent = await market.agent()
    const { depositId, sessionId } = await open(agent)
    await market.sandbox.pay(sessionId, DECLINED_CARD)
    await look(depositId)
    const declined = await rowOf(depositId)

    await market.sandbox.pay(sessionId)
    await look(depositId)

    assert.equal(declined.status, 'open')
    assert.equal((await rowOf(depositId)).status, 'succeeded')
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('is in the wallet before its fee is known, which is booked later', async () => {
    const agent = await market.agent()
    await market.sandbox.control('POST', 'settings', { asynchronous_capture: true })
    const { depositId, sessionId } = await open(agent)
    await market.sandbox.pay(sessionId)
    await look(depositId)
    const [early, wallet] = [await linesOf(depositId), await market.balance(agent.id)]
    const waiting = await rowOf(depositId)

    await market.sandbox.control('POST', 'captures')
    await market.sandbox.control('POST', 'settings', { asynchronous_capture: false })
    market.advance(31_000)
    await market.sweep()
    await market.work()

    assert.equal(wallet, 2500)
    assert.equal(waiting.status, 'succeeded')
    assert(waiting.check_at! > waiting.updated_at)
    assert.deepEqual(await linesOf(depositId), PAID)
    const row = await rowOf(depositId)
    assert.deepEqual([row.fee_cents, row.check_at], [103, null])
    assert.deepEqual(row.succeeded_at, waiting.succeeded_at)
    assert.deepEqual(early, PAID.slice(0, 1))
    const log = await market.db.reader
      .selectFrom('events')
      .select('type')
      .where('agent_id', '=', agent.id)
      .execute()
    assert.deepEqual(log, [{ type: 'deposit.succeeded' }])
  })

  for (const was of ['expired', 'failed'] as const)
    test(`is booked even if we had marked it as ${was}`, async () => {
      const agent = await market.agent()
      const { depositId, sessionId } = await open(agent)
      await market.asOwner(`update deposits set status = $1, check_at = null where id = $2`, [
        was,
        depositId,
      ])
      await market.sandbox.pay(sessionId)

      await look(depositId)

      assert.equal(await market.balance(agent.id), 2500)
      assert.equal((await rowOf(depositId)).status, 'succeeded')
      assert.deepEqual(await told(), ['deposit.succeeded'])
    })

  test('is found by the deposit’s id if we never received its page', async () => {
    const agent = await market.agent()
    await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    await fault('POST /v1/checkout/sessions', 'error_after', { stores: 'answer' })
    await agent.post('/wallet/deposit', { amount_cents: 2500 })
    const { data } = await market.sandbox.control('GET', 'objects/checkout.session?limit=1')
    const { id: sessionId, client_reference_id: depositId } = data[0]
    assert.equal((await rowOf(depositId)).session_id, null)
    await market.sandbox.pay(sessionId)

    await look(depositId)

    assert.equal(await market.balance(agent.id), 2500)
    assert.equal((await rowOf(depositId)).session_id, sessionId)
  })
})

describe('a payment that does not match its deposit', () => {
  test('goes into suspense with its fee, and not to the agent', async () => {
    const agent = await market.agent()
    const { depositId, sessionId } = await open(agent)
    await market.asOwner(`update deposits set amount_cents = 9999 where id = $1`, [depositId])
    await market.sandbox.pay(sessionId)

    await look(depositId)
    await look(depositId)

    assert.equal(await market.balance(agent.id), 0)
    assert.equal((await rowOf(depositId)).status, 'mismatched')
    assert.deepEqual(await linesOf(depositId), [
      ['processor_fee', 'exp:processor_fees', 'asset:processor_balance', 103],
      ['unmatched_receipt', 'asset:processor_balance', 'liab:suspense', 2500],
    ])
    assert.deepEqual(await told(), [])
  })

  test('waits for the processor’s transaction, and is still a mismatch then', async () => {
    const agent = await market.agent()
    await market.sandbox.control('POST', 'settings', { asynchronous_capture: true })
    const { depositId, sessionId } = await open(agent)
    await market.asOwner(`update deposits set amount_cents = 9999 where id = $1`, [depositId])
    await market.sandbox.pay(sessionId)
    await look(depositId)
    const waiting = await rowOf(depositId)

    await market.sandbox.control('POST', 'captures')
    await market.sandbox.control('POST', 'settings', { asynchronous_capture: false })
    await look(depositId)

    assert.equal(waiting.status, 'mismatched')
    assert.notEqual(waiting.check_at, null)
    assert.equal((await linesOf(depositId)).length, 2)
    assert.equal(await market.balance(agent.id), 0)
  })
})

describe('a bank debit', () => {
  test('is processing until the bank has decided, then in the wallet', async () => {
    const agent = await market.agent()
    const { depositId, sessionId } = await open(agent)
    await market.sandbox.pay(sessionId, 'bank_debit')
    await look(depositId)
    const processing = await rowOf(depositId)

    await market.sandbox.control('POST', `sessions/${sessionId}/settle`, { ok: true })
    await look(depositId)

    assert.equal(processing.status, 'processing')
    assert.notEqual(processing.check_at, null)
    assert.equal((await rowOf(depositId)).status, 'succeeded')
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('that the bank refuses fails, and nothing is booked', async () => {
    const agent = await market.agent()
    const { depositId, sessionId } = await open(agent)
    await market.sandbox.pay(sessionId, 'bank_debit')
    await look(depositId)

    await market.sandbox.control('POST', `sessions/${sessionId}/settle`, { ok: false })
    await look(depositId)

    const row = await rowOf(depositId)
    assert.equal(row.status, 'failed')
    assert.equal(row.check_at, null)
    assert.deepEqual(await linesOf(depositId), [])
    assert.equal(await market.balance(agent.id), 0)
  })
})

test('a balance transaction is not used before the charge has succeeded', async () => {
  const agent = await market.agent()
  const { depositId, sessionId } = await open(agent)
  await market.sandbox.pay(sessionId)
  const looked = await processorOf(market.server.config)!.getCheckout(sessionId)
  assert(looked.kind === 'ok')
  const charge = { ...looked.value.charge!, status: 'pending' as const }
  assert.notEqual(charge.balanceTransaction, undefined)

  const deposit = await market
    .at(depositId)
    .transaction((tx) =>
      recordLook(tx, { depositId, checkout: { ...looked.value, charge }, now: market.now() }),
    )

  assert.equal(deposit.status, 'processing')
  assert.equal(await market.balance(agent.id), 0)
})

describe('an unpaid deposit', () => {
  test('expires with its page, without a notification', async () => {
    const agent = await market.agent()
    const { depositId } = await open(agent)

    for (const minutes of [1, 30, 31]) {
      market.advance(minutes * MINUTE)
      await market.sweep()
      await market.work()
    }

    const row = await rowOf(depositId)
    assert.equal(row.status, 'expired')
    assert.equal(row.check_at, null)
    assert.deepEqual(await linesOf(depositId), [])
  })

  test('is checked a few times and not constantly', async () => {
    const agent = await market.agent()
    const { depositId } = await open(agent)

    let looks = 0
    for (let second = 0; second < 3600; second += 10) {
      market.advance(10_000)
      const moved = await sweepEverywhere(market, depositsDue)
      const events = await market.events()
      if (events.some(({ data }) => (data as { id?: string }).id === depositId)) {
        looks += 1
        await look(depositId)
      }
      assert(moved <= 1)
    }

    assert(looks >= 5 && looks <= 20, `${looks} looks`)
  })

  test('without a page fails an hour after its end', async () => {
    const agent = await market.agent()
    await fault('POST /v1/checkout/sessions', 'error_before', { times: 100 })
    await agent.post('/wallet/deposit', { amount_cents: 700 })
    const [row] = await market.db.reader
      .selectFrom('deposits')
      .selectAll()
      .where('agent_id', '=', agent.id)
      .execute()
    await market.work()
    const early = await rowOf(row!.id)

    market.advance(119 * MINUTE)
    await look(row!.id)
    const late = await rowOf(row!.id)
    market.advance(2 * MINUTE)
    await look(row!.id)
    await market.sandbox.control('DELETE', 'faults')

    assert.deepEqual([early.status, late.status], ['creating', 'creating'])
    const given = await rowOf(row!.id)
    assert.deepEqual([given.status, given.check_at], ['expired', null])
  })

  test('that gets its page too late is expired, not failed', async () => {
    const agent = await market.agent()
    await fault('POST /v1/checkout/sessions', 'error_before')
    await agent.post('/wallet/deposit', { amount_cents: 700 })
    await market.events()

    market.advance(45 * MINUTE)
    await market.sweep()
    await market.work()

    const [row] = await market.db.reader
      .selectFrom('deposits')
      .selectAll()
      .where('agent_id', '=', agent.id)
      .execute()
    assert.equal(row!.status, 'expired')
  })
})

describe('an unreachable processor', () => {
  for (const [mode, more] of [
    ['error_before', { status: 500 }],
    ['html502', {}],
    ['json_without_error', {}],
    ['rate_limit', {}],
    ['error_before', { status: 401, code: 'api_key_expired' }],
    ['error_before', { status: 404, code: 'resource_missing' }],
  ] as const)
    test(`leaves a deposit unchanged, to be checked later: ${mode} ${JSON.stringify(more)}`, async () => {
      const agent = await market.agent()
      const { depositId, sessionId } = await open(agent)
      await market.sandbox.pay(sessionId)
      await fault('GET /v1/checkout/sessions', mode, more)

      const first = await look(depositId)
      const between = await rowOf(depositId)
      await market.sandbox.control('DELETE', 'faults')
      market.advance(31_000)
      await market.sweep()
      await market.work()

      assert.equal(first, 'waiting')
      assert.equal(between.status, 'open')
      assert(between.check_at! > between.updated_at)
      assert.equal(await market.balance(agent.id), 2500)
    })
})

describe('the deposit of a charge', () => {
  test('is found before we know that it was paid', async () => {
    const agent = await market.agent()
    const { depositId, sessionId } = await open(agent)
    await market.sandbox.pay(sessionId)
    const { data } = await market.sandbox.control('GET', 'objects/charge?limit=1')

    const first = await depositOfCharge(market.background, data[0].id)
    const second = await depositOfCharge(market.background, data[0].id)

    assert(typeof first === 'object' && typeof second === 'object')
    assert.deepEqual([first.id, first.status], [depositId, 'succeeded'])
    assert.equal(second.id, depositId)
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('is unknown for a foreign charge, and waits while the processor is down', async () => {
    const agent = await market.agent()
    const { sessionId } = await open(agent)
    await market.sandbox.pay(sessionId, DECLINED_CARD)
    const { data } = await market.sandbox.control('GET', 'objects/charge?limit=1')

    assert.equal(await depositOfCharge(market.background, 'ch_nobody'), 'unknown')
    assert.equal(await depositOfCharge(market.background, data[0].id), 'unknown')
    await fault('GET /v1/charges', 'error_before')
    assert.equal(await depositOfCharge(market.background, 'ch_nobody'), 'waiting')
  })
})

test('a foreign deposit is unknown', async () => {
  assert.equal(await look('txn_00000000000000000000000000'), 'unknown')
})

describe('a return from the payment page', () => {
  /** Looks in every shard, as the page does. */
  async function comeBack(sessionId: string) {
    for (const shard of market.server.db.shards.all) {
      const deposit = await shard.transaction((tx) =>
        lookAtCheckoutSoon(tx, { sessionId, now: market.now() }),
      )
      if (deposit !== undefined) return deposit
    }
    return undefined
  }

  test('triggers a check, at most every two seconds', async () => {
    const agent = await market.agent()
    const { depositId, sessionId } = await open(agent)
    await market.sandbox.pay(sessionId)
    market.advance(5000)

    const seen = [await comeBack(sessionId), await comeBack(sessionId)]
    const asked = await market.events()
    await look(depositId)
    market.advance(5000)
    const after = await comeBack(sessionId)

    assert.deepEqual(seen, [
      { status: 'open', amount_cents: 2500 },
      { status: 'open', amount_cents: 2500 },
    ])
    assert.deepEqual(
      asked.map(({ type, data }) => [type, data]),
      [['deposit.look', { id: depositId }]],
    )
    assert.deepEqual(after, { status: 'succeeded', amount_cents: 2500 })
    assert.deepEqual(await told(), ['deposit.succeeded'])
  })

  test('with an unknown page does nothing', async () => {
    assert.equal(await comeBack('cs_test_other'), undefined)
  })
})

test('the status of an unpaid deposit follows its previous status and the processor', () => {
  const charge = (status: 'failed' | 'pending') => ({ status }) as Checkout['charge']
  const cases: [DepositStatus, Parameters<typeof statusAfter>[1], DepositStatus][] = [
    ['creating', { status: 'open', paymentStatus: 'unpaid', charge: undefined }, 'open'],
    ['open', { status: 'open', paymentStatus: 'unpaid', charge: charge('failed') }, 'open'],
    ['open', { status: 'complete', paymentStatus: 'unpaid', charge: undefined }, 'processing'],
    ['creating', { status: 'complete', paymentStatus: 'unpaid', charge: undefined }, 'processing'],
    [
      'open',
      { status: 'complete', paymentStatus: 'paid', charge: charge('pending') },
      'processing',
    ],
    [
      'processing',
      { status: 'complete', paymentStatus: 'unpaid', charge: charge('failed') },
      'failed',
    ],
    [
      'open',
      { status: 'complete', paymentStatus: 'no_payment_required', charge: undefined },
      'failed',
    ],
    ['open', { status: 'expired', paymentStatus: 'unpaid', charge: charge('failed') }, 'expired'],
    ['creating', { status: 'expired', paymentStatus: 'unpaid', charge: undefined }, 'expired'],
    ['expired', { status: 'open', paymentStatus: 'unpaid', charge: undefined }, 'expired'],
    ['failed', { status: 'complete', paymentStatus: 'unpaid', charge: undefined }, 'failed'],
  ]
  for (const [was, checkout, becomes] of cases) assert.equal(statusAfter(was, checkout), becomes)
})
