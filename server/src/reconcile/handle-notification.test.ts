import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR, MINUTE, openBooks, posted } from '../../test/money.ts'
import type { Notification } from '../processor/client-notifications.ts'
import { EVENT_ATTEMPTS_MAX, reviveEvents, storeNotification } from '../processor/events.ts'
import { handleNotification, lookFor } from './handle-notification.ts'

const market = await openBooks()
await market.sandbox.control('POST', 'topups', { amount: 100_000 })
await market.settle()

let count = 0

/** Stores a notification about an object. */
async function told(type: string, objectId: string | undefined, more: Partial<Notification> = {}) {
  count += 1
  const notification: Notification = {
    id: `evt_told_${count}`,
    type,
    account: undefined,
    livemode: false,
    createdAt: market.now(),
    objectId,
    objectType: 'unknown',
    payload: { data: { object: { id: objectId } } },
    ...more,
  }
  await market.server.db.shards.global.transaction((tx) =>
    storeNotification(tx, { source: 'account', notification, now: market.now() }),
  )
  return notification.id
}

async function eventOf(id: string) {
  const [row] = await market.asOwner(
    'select status, attempts, error, check_at, handled_at from processor_events where event_id = $1',
    [id],
  )
  return row!
}

const down = () =>
  market.sandbox.control('POST', 'faults', { match: 'GET /', mode: 'error_before', times: 10_000 })
const up = () => market.sandbox.control('DELETE', 'faults')

/** A deposit whose page was paid without a notification reaching us. */
async function paidInSilence(amountCents: number) {
  const agent = await market.agent()
  const { body } = await agent.post('/wallet/deposit', { amount_cents: amountCents })
  await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
  await market.sandbox.pay(body.session_id as string)
  await market.sandbox.control('POST', 'deliveries/release', { drop: 1 })
  await market.sandbox.control('POST', 'deliveries', { mode: 'normal' })
  return {
    agent,
    sessionId: body.session_id as string,
    depositId: body.transaction_id as string,
  }
}

describe('a notification', () => {
  test('updates its object, and is handled', async () => {
    const { agent, sessionId } = await paidInSilence(5000)
    const id = await told('checkout.session.completed', sessionId)

    await market.work()

    const { status, handled_at, check_at } = await eventOf(id)
    assert.deepEqual([status, handled_at, check_at], ['handled', market.now(), null])
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('that comes before its deposit is stored still finds it', async () => {
    const { agent, sessionId, depositId } = await paidInSilence(5000)
    await market.asOwner('update deposits set session_id = null where id = $1', [depositId])
    await told('checkout.session.completed', sessionId)

    await market.work()

    assert.equal(await market.balance(agent.id), 5000)
  })

  test('is not trusted: a false one changes nothing', async () => {
    const agent = await market.agent()
    const { body } = await agent.post('/wallet/deposit', { amount_cents: 5000 })
    const payload = {
      data: { object: { payment_status: 'paid', amount_total: 5000, status: 'complete' } },
    }
    const id = await told('checkout.session.completed', body.session_id as string, { payload })

    await market.work()

    assert.equal((await eventOf(id)).status, 'handled')
    assert.equal(await market.balance(agent.id), 0)
  })

  test('of an unneeded or unknown type is ignored', async () => {
    const ids = [
      await told('product.created', 'prod_1'),
      await told('payout.paid', 'po_1', { account: 'acct_1' }),
      await told('toString', 'x'),
    ]

    await market.work()

    for (const id of ids) assert.equal((await eventOf(id)).status, 'ignored')
  })

  test('about a foreign or unknown object is handled', async () => {
    const ids = [
      await told('checkout.session.completed', 'cs_nobody'),
      await told('charge.updated', 'ch_nobody'),
      await told('charge.dispute.created', 'dp_nobody'),
      await told('refund.updated', 're_nobody'),
      await told('transfer.reversed', 'tr_nobody'),
      await told('payout.failed', 'po_nobody'),
      await told('account.updated', 'acct_nobody', { account: 'acct_nobody' }),
      await told('v2.core.account[requirements].updated', 'acct_nobody'),
      await told('v2.core.account_link.returned', undefined),
      await told('balance.available', undefined),
    ]

    await market.work()

    for (const id of ids) assert.equal((await eventOf(id)).status, 'handled', id)
  })

  test('of fraud restricts the paying agent', async () => {
    const agent = await market.agent()
    const depositId = await market.deposit(agent, 5000)
    const [row] = await market.asOwner('select charge_id from deposits where id = $1', [depositId])
    const payload = { data: { object: { id: 'issfr_1', charge: row!.charge_id } } }
    const id = await told('radar.early_fraud_warning.created', 'issfr_1', { payload })

    await market.work()

    const { status, body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
    assert.equal((await eventOf(id)).status, 'handled')
    assert.deepEqual([status, body.code], [403, 'agent_restricted'])
  })

  test('is handled once, also in eight concurrent jobs', async () => {
    const { agent, sessionId, depositId } = await paidInSilence(5000)
    const id = await told('checkout.session.completed', sessionId)

    await Promise.all(Array.from({ length: 8 }, () => handleNotification(market.background, id)))
    await handleNotification(market.background, id)

    assert.equal((await posted(market, `deposit:${depositId}:settled`)).length, 1)
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('whose job was lost is handled by the timer after a minute', async () => {
    const id = await told('charge.updated', 'ch_nobody')
    await market.events()

    await market.sweep()
    const before = await eventOf(id)
    market.advance(MINUTE)
    await market.sweep()
    await market.work()

    assert.equal(before.status, 'pending')
    assert.equal((await eventOf(id)).status, 'handled')
  })
})

describe('a notification that fails', () => {
  test('is retried with backoff, and handled when the processor responds', async () => {
    const id = await told('charge.dispute.created', 'dp_nobody')
    await down()

    const waits = []
    for (let i = 0; i < 4; i += 1) {
      await market.work()
      const { attempts, check_at, error } = await eventOf(id)
      waits.push([attempts, (check_at.getTime() - market.now().getTime()) / MINUTE])
      assert.match(error, /could not be queried/)
      market.advance(check_at.getTime() - market.now().getTime())
      await market.sweep()
    }
    await up()
    await market.work()

    assert.deepEqual(waits, [
      [1, 2],
      [2, 4],
      [3, 8],
      [4, 16],
    ])
    const { status, error } = await eventOf(id)
    assert.deepEqual([status, error], ['handled', null])
  })

  test('is dead-lettered after twelve attempts; an operator can retry it', async () => {
    const id = await told('refund.failed', 're_nobody')
    await down()
    const begun = market.now().getTime()

    for (let i = 0; i < EVENT_ATTEMPTS_MAX; i += 1) {
      await market.work()
      market.advance(6 * HOUR)
      await market.sweep()
    }
    const { status, attempts, check_at } = await eventOf(id)
    const shown = (await market.server.metrics.deadEvents.get()).values[0]?.value
    await market.work()
    const later = await eventOf(id)
    await up()
    const revived = await market.server.db.shards.global.transaction((tx) =>
      reviveEvents(tx, { now: market.now() }),
    )
    await market.work()

    assert.deepEqual([status, attempts, check_at], ['dead', 12, null])
    assert.deepEqual([later.status, later.attempts], ['dead', 12])
    assert.equal(shown, 1)
    assert.equal(revived, 1)
    assert.equal((await eventOf(id)).status, 'handled')
    assert(market.now().getTime() - begun > 24 * HOUR)
  })

  test('does not block the others', async () => {
    const { agent, sessionId } = await paidInSilence(3000)
    await market.sandbox.control('POST', 'faults', {
      match: 'GET /v1/disputes',
      mode: 'error_before',
      times: 100,
    })
    const bad = await told('charge.dispute.created', 'dp_nobody')
    const good = await told('checkout.session.completed', sessionId)

    await market.work()
    await up()

    assert.equal((await eventOf(bad)).status, 'pending')
    assert.equal((await eventOf(good)).status, 'handled')
    assert.equal(await market.balance(agent.id), 3000)
  })
})

describe('the notification table', () => {
  const ACCOUNT = [
    ...['completed', 'async_payment_succeeded', 'async_payment_failed', 'expired'].map(
      (name) => `checkout.session.${name}`,
    ),
    'charge.updated',
    ...['created', 'updated', 'failed'].map((name) => `refund.${name}`),
    ...['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'].map(
      (name) => `charge.dispute.${name}`,
    ),
    ...['created', 'updated', 'reversed'].map((name) => `transfer.${name}`),
    ...['created', 'paid', 'failed', 'canceled'].map((name) => `payout.${name}`),
    'balance.available',
    'topup.succeeded',
    'radar.early_fraud_warning.created',
  ]
  const CONNECT = [
    'account.updated',
    'capability.updated',
    'account.application.deauthorized',
    ...['created', 'updated', 'deleted'].map((name) => `account.external_account.${name}`),
    'payout.failed',
  ]
  const THIN = [
    'v2.core.account[requirements].updated',
    'v2.core.account[configuration.recipient].capability_status_updated',
    'v2.core.account.closed',
  ]

  test('covers all types of our account, workers’ accounts and thin ones', () => {
    const looks = [
      ...ACCOUNT.map((type) => lookFor({ type, account_id: null })),
      ...CONNECT.map((type) => lookFor({ type, account_id: 'acct_1' })),
      ...THIN.map((type) => lookFor({ type, account_id: null })),
    ]

    assert(looks.every((look) => look !== undefined))
  })

  test('does not take a payout to a worker’s bank for one of ours', () => {
    assert.notEqual(
      lookFor({ type: 'payout.failed', account_id: 'acct_1' }),
      lookFor({ type: 'payout.failed', account_id: null }),
    )
    assert.equal(lookFor({ type: 'payout.paid', account_id: 'acct_1' }), undefined)
  })
})
