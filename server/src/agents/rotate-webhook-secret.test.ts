import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { marketplace } from '../../test/harness.ts'
import { openReceiver, type Received } from '../../test/receiver.ts'

const HOUR = 3_600_000

const market = await marketplace()

type Agent = Awaited<ReturnType<typeof market.agent>>

/** Which of the secrets a delivery is signed with. Ignores the timestamp, because the market has its own clock. */
function signers({ text, headers }: Received, secrets: string[]): boolean[] {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  const signatures = String(headers['webhook-signature']).split(' ')
  return secrets.map((secret) =>
    signatures.includes(new Webhook(secret).sign(String(headers['webhook-id']), at, text)),
  )
}

async function pinged(agent: Pick<Agent, 'post'>, receiver: { received: Received[] }) {
  await agent.post('/webhooks/ping')
  await market.deliver()
  return receiver.received.at(-1)!
}

const rotate = async (agent: Pick<Agent, 'post'>, body: object = {}) => {
  const reply = await agent.post('/webhooks/rotate-secret', body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body as { webhook_secret: string; previous_valid_until: string | null }
}

describe('POST /webhooks/rotate-secret', () => {
  test('returns a secret; both secrets sign for a day, then only the new one', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })
    const before = await pinged(agent, receiver)

    const { webhook_secret, previous_valid_until } = await rotate(agent)
    const until = new Date(market.now().getTime() + 24 * HOUR)
    const both = await pinged(agent, receiver)
    market.advance(24 * HOUR - 1)
    const stillBoth = await pinged(agent, receiver)
    market.advance(1)
    const afterwards = await pinged(agent, receiver)

    const secrets = [agent.webhook_secret, webhook_secret]
    assert.match(webhook_secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.notEqual(webhook_secret, agent.webhook_secret)
    assert.equal(previous_valid_until, until.toISOString())
    assert.deepEqual(
      [before, both, stillBoth, afterwards].map((one) => signers(one, secrets)),
      [
        [true, false],
        [true, true],
        [true, true],
        [false, true],
      ],
    )
  })

  test('the old secret ends after the requested hours, or at once', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })

    const second = await rotate(agent, { overlap_hours: 0.5 })
    market.advance(HOUR / 2)
    const half = await pinged(agent, receiver)
    const third = await rotate(agent, { overlap_hours: 0 })
    const none = await pinged(agent, receiver)

    const secrets = [agent.webhook_secret, second.webhook_secret, third.webhook_secret]
    assert.equal(third.previous_valid_until, null)
    assert.deepEqual(signers(half, secrets), [false, true, false])
    assert.deepEqual(signers(none, secrets), [false, false, true])
  })

  test('a second rotation ends the oldest secret', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })

    const [second, third] = [await rotate(agent), await rotate(agent)]
    const delivery = await pinged(agent, receiver)

    const secrets = [agent.webhook_secret, second.webhook_secret, third.webhook_secret]
    assert.deepEqual(signers(delivery, secrets), [false, true, true])
  })

  test('applies to one mode: the twin’s secret stays', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })

    const { webhook_secret } = await rotate(agent.test, { overlap_hours: 0 })
    const live = await pinged(agent, receiver)
    const test = await pinged(agent.test, receiver)

    const secrets = [agent.webhook_secret, webhook_secret]
    assert.deepEqual(signers(live, secrets), [true, false])
    assert.deepEqual(signers(test, secrets), [false, true])
  })

  test('concurrent rotations leave one secret and its predecessor', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })

    const given = await Promise.all(Array.from({ length: 6 }, () => rotate(agent)))
    const delivery = await pinged(agent, receiver)

    const secrets = given.map(({ webhook_secret }) => webhook_secret)
    assert.equal(new Set(secrets).size, 6)
    assert.equal(signers(delivery, secrets).filter(Boolean).length, 2)
  })

  test('the secret is stored sealed', async () => {
    const agent = await market.agent()
    const { webhook_secret } = await rotate(agent)

    const rows = await market.asOwner('select * from agents where email = $1 order by mode', [
      agent.email,
    ])

    assert.equal(rows.length, 2)
    const kept = rows.flatMap((row) => [row.webhook_secret, row.webhook_secret_old as unknown])
    assert.deepEqual(
      kept.map((secret) => typeof secret === 'string' && secret.startsWith('sealed_')),
      [true, true, true, false],
    )
    for (const secret of [webhook_secret, agent.webhook_secret])
      assert(!JSON.stringify(rows).includes(secret.slice(6)))
  })

  test('400 for invalid hours, and for a short Idempotency-Key, which would open the response', async () => {
    const agent = await market.agent()

    const replies = await Promise.all(
      [-1, 25, 'an hour', true].map((overlap_hours) =>
        agent.post('/webhooks/rotate-secret', { overlap_hours }),
      ),
    )
    const short = await agent.post('/webhooks/rotate-secret', {}, { 'idempotency-key': 'short' })

    assert.deepEqual(
      [...replies, short].map(({ status, body }) => [status, body.details[0].path]),
      [...replies.map(() => [400, 'overlap_hours']), [400, 'Idempotency-Key']],
    )
  })
})
