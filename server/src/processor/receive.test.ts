import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace({ processor: true })
const closed = await marketplace()
const limited = await marketplace({
  processor: true,
  settings: {
    RATE_LIMITS: 'on',
    LIMIT_GLOBAL_PER_MINUTE: 3,
    LIMIT_ADDRESS_PER_MINUTE: 5,
    LIMIT_NOTIFY_PER_MINUTE: 20,
  },
})

const { STRIPE_SECRETS_ACCOUNT, STRIPE_SECRETS_CONNECT, STRIPE_SECRETS_V2 } =
  market.sandbox.settings
const SECRETS = {
  account: STRIPE_SECRETS_ACCOUNT,
  connect: STRIPE_SECRETS_CONNECT,
  v2: STRIPE_SECRETS_V2,
}
type Kind = keyof typeof SECRETS
const TYPE = 'application/json; charset=utf-8'

let count = 0

/** A notification in the processor's format, about an object that does not exist. */
function snapshot(fields: object = {}) {
  count += 1
  return {
    id: `evt_test_${count}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: seconds(market.now()),
    data: { object: { id: `prod_${count}`, object: 'product' } },
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type: 'product.created',
    ...fields,
  }
}

function thin() {
  count += 1
  return {
    id: `evt_test_${count}`,
    object: 'v2.core.event',
    created: market.now().toISOString(),
    livemode: false,
    type: 'v2.core.account.updated',
    related_object: {
      id: 'acct_nobody',
      type: 'v2.core.account',
      url: '/v2/core/accounts/acct_nobody',
    },
  }
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

function sign(body: string, secret: string, at = market.now()): string {
  const t = seconds(at)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}

function send(
  kind: Kind,
  body: string,
  {
    signature = sign(body, SECRETS[kind]),
    to = market,
  }: { signature?: string; to?: typeof market } = {},
) {
  const headers = { 'content-type': TYPE, 'stripe-signature': signature }
  return to.call('POST', `/processor/${kind}`, { body, headers })
}

const stored = (id: string) =>
  market.asOwner('select * from processor_events where event_id = $1', [id])
const asked = async (id: string) => {
  const rows = await market.asOwner(
    `select from outbox where type = 'processor.notified' and data ->> 'id' = $1`,
    [id],
  )
  return rows.length
}

describe('a notification of the processor', () => {
  test('is stored, and queued for handling', async () => {
    const event = snapshot()

    const { status, body } = await send('account', JSON.stringify(event))

    const [row] = await stored(event.id)
    assert.equal(status, 200)
    assert.deepEqual(body, { received: true })
    assert.equal(row?.source, 'account')
    assert.equal(row?.type, 'product.created')
    assert.equal(row?.object_id, event.data.object.id)
    assert.equal(row?.status, 'pending')
    assert.equal(await asked(event.id), 1)
  })

  test('stores no data of the payer, only object ids', async () => {
    const object = {
      id: 'cs_1',
      object: 'checkout.session',
      payment_intent: 'pi_1',
      charge: 'ch_1',
      client_secret: 'pi_1_secret_2',
      customer_email: 'payer@example.com',
      customer_details: { name: 'Pat Payer', address: { line1: 'Main Street 1' } },
      description: 'Pat Payer pays',
      url: 'https://pay.example.com/c/pay/cs_1',
    }
    const event = snapshot({ type: 'checkout.session.completed', data: { object } })

    await send('account', JSON.stringify(event))

    const [row] = await stored(event.id)
    assert.deepEqual(row?.payload, { id: 'cs_1', payment_intent: 'pi_1', charge: 'ch_1' })
  })

  test('is stored once, however often and concurrently it comes', async () => {
    const event = snapshot()
    const body = JSON.stringify(event)

    const replies = await Promise.all(Array.from({ length: 8 }, () => send('account', body)))
    const again = await send('account', body)

    assert.deepEqual(new Set([...replies, again].map(({ status }) => status)), new Set([200]))
    assert.equal((await stored(event.id)).length, 1)
    assert.equal(await asked(event.id), 1)
  })

  test('of a worker’s account is stored with that account', async () => {
    const event = snapshot({ account: 'acct_worker', type: 'account.updated' })

    const { status } = await send('connect', JSON.stringify(event))

    const [row] = await stored(event.id)
    assert.equal(status, 200)
    assert.deepEqual([row?.source, row?.account_id], ['connect', 'acct_worker'])
  })

  test('that is thin names its object', async () => {
    const event = thin()

    const { status } = await send('v2', JSON.stringify(event))

    const [row] = await stored(event.id)
    assert.equal(status, 200)
    assert.deepEqual([row?.source, row?.object_id], ['v2', 'acct_nobody'])
  })

  test('without an object is accepted, too', async () => {
    const event = snapshot({ type: 'balance.available', data: { object: { object: 'balance' } } })

    const { status } = await send('account', JSON.stringify(event))

    const [row] = await stored(event.id)
    assert.equal(status, 200)
    assert.equal(row?.object_id, '')
  })

  test('may be signed by any secret of the list, for rotation', async () => {
    const both = await marketplace({
      processor: true,
      settings: { STRIPE_SECRETS_ACCOUNT: 'whsec_old,whsec_new' },
    })
    const body = JSON.stringify(snapshot())

    const statuses = await Promise.all(
      ['whsec_old', 'whsec_new', 'whsec_other'].map((secret) =>
        send('account', body, { signature: sign(body, secret, both.now()), to: both }),
      ),
    )

    assert.deepEqual(
      statuses.map(({ status }) => status),
      [200, 200, 400],
    )
  })

  test('of the other mode is acknowledged and dropped, because a refusal would be retried for days', async () => {
    const event = snapshot({ livemode: true })

    const { status } = await send('connect', JSON.stringify(event))

    assert.equal(status, 200)
    assert.deepEqual(await stored(event.id), [])
  })
})

describe('400 notification_refused, without storing or echoing anything, for one that', () => {
  const event = snapshot()
  const body = JSON.stringify(event)
  const thinBody = JSON.stringify(thin())
  const cases: Record<string, () => ReturnType<typeof send>> = {
    'has no signature': () => send('account', body, { signature: '' }),
    'is signed by somebody else': () =>
      send('account', body, { signature: sign(body, 'whsec_forged') }),
    'is signed for another address': () =>
      send('account', body, { signature: sign(body, SECRETS.connect) }),
    'was changed after it was signed': () =>
      send('account', body.replace('prod_', 'prod-'), { signature: sign(body, SECRETS.account) }),
    'was reformatted after it was signed': () =>
      send('account', JSON.stringify(event, null, 1), { signature: sign(body, SECRETS.account) }),
    'is older than five minutes': () =>
      send('account', body, {
        signature: sign(body, SECRETS.account, new Date(market.now().getTime() - 301_000)),
      }),
    'is thin and sent as a full one': () =>
      send('account', thinBody, { signature: sign(thinBody, SECRETS.account) }),
    'is full and sent as a thin one': () => send('v2', body, { signature: sign(body, SECRETS.v2) }),
    'is not JSON': () => send('account', '{"id":', { signature: sign('{"id":', SECRETS.account) }),
    'is empty': () => send('account', '', { signature: sign('', SECRETS.account) }),
  }
  for (const [name, attempt] of Object.entries(cases))
    test(name, async () => {
      const { status, body: answer, text } = await attempt()

      assert.equal(status, 400, text)
      assert.equal(answer.code, 'notification_refused')
      assert(!text.includes('prod'))
      assert.deepEqual(await stored(event.id), [])
    })
})

describe('the notification endpoints', () => {
  test('404 notifications_off without a secret, because an empty one could be guessed', async () => {
    const body = JSON.stringify(snapshot())
    const signature = sign(body, '', closed.now())

    for (const kind of ['account', 'connect', 'v2'] as const) {
      const { status, body: answer } = await send(kind, body, { signature, to: closed })
      assert.deepEqual([status, answer.code], [404, 'notifications_off'])
    }
  })

  test('413 body_too_large above 256 KiB, signed or not', async () => {
    const body = JSON.stringify(snapshot({ filler: 'x'.repeat(262_144) }))

    const { status, body: answer } = await send('account', body)

    assert.deepEqual([status, answer.code], [413, 'body_too_large'])
  })

  test('have a separate, higher rate limit for bursts', async () => {
    const events = Array.from({ length: 20 }, () => snapshot())
    const one = snapshot()

    const replies = await Promise.all(
      events.map((event) => {
        const body = JSON.stringify(event)
        return send('account', body, {
          signature: sign(body, SECRETS.account, limited.now()),
          to: limited,
        })
      }),
    )
    const tooMuch = await send('account', JSON.stringify(one), { to: limited })
    const others = await limited.call('GET', '/nowhere')

    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    assert.deepEqual([tooMuch.status, tooMuch.body.limit], [429, 'notify'])
    assert.equal(others.status, 404)
  })

  test('are not part of the API documentation', async () => {
    const { body } = await market.call('GET', '/openapi.json')

    assert.deepEqual(
      Object.keys(body.paths as object).filter((path) => path.startsWith('/processor')),
      [],
    )
  })
})
