import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { keepSecret, mintWebhookSecret } from '../kit/secrets.ts'
import { signer } from './sign.ts'

const KEY = randomBytes(32).toString('base64')
const OWNER = { keys: [KEY], owner: 'agent_1' }
const OPENS = { keys: [KEY], agentId: 'agent_1' }
const BODY = '{"id":"evt_1","text":"é, 東京, 🎉"}'

describe('signer', () => {
  test('creates a signature that the reference library accepts, and for nothing else', () => {
    const secret = mintWebhookSecret()
    const sign = signer(kept({ secret }), OPENS)

    const headers = sign({ id: 'evt_1', body: BODY, at: new Date() })

    assert.deepEqual(new Webhook(secret).verify(BODY, headers), JSON.parse(BODY))
    assert.throws(() => new Webhook(secret).verify(`${BODY} `, headers))
    assert.throws(() => new Webhook(mintWebhookSecret()).verify(BODY, headers))
    assert.throws(() => new Webhook(secret).verify(BODY, { ...headers, 'webhook-id': 'evt_2' }))
  })

  test('signs with both secrets after a rotation, until the old one expires', () => {
    const [secret, old] = [mintWebhookSecret(), mintWebhookSecret()]
    const until = new Date(Date.now() + 60_000)
    const sign = signer(kept({ secret, old, until }), OPENS)

    const during = sign({ id: 'evt_1', body: BODY, at: new Date() })
    const after = sign({ id: 'evt_1', body: BODY, at: until })

    for (const one of [secret, old]) new Webhook(one).verify(BODY, during)
    assert.match(after['webhook-signature']!, /^v1,[^ ]+$/)
    new Webhook(secret).verify(BODY, after)
    assert.throws(() => new Webhook(old).verify(BODY, after))
  })

  test('signs with the current secret even if the old one cannot be opened', () => {
    const secret = mintWebhookSecret()
    const lost = keepSecret(mintWebhookSecret(), {
      keys: [randomBytes(32).toString('base64')],
      owner: 'agent_1',
    })
    const until = new Date(Date.now() + 60_000)
    const sign = signer({ ...kept({ secret, until }), webhook_secret_old: lost }, OPENS)

    new Webhook(secret).verify(BODY, sign({ id: 'evt_1', body: BODY, at: new Date() }))
  })

  test('refuses a secret that was sealed for another agent', () => {
    const row = kept({ secret: mintWebhookSecret() })

    assert.throws(() => signer(row, { keys: [KEY], agentId: 'agent_2' }))
  })
})

function kept({ secret, old, until }: { secret: string; old?: string; until?: Date }) {
  return {
    webhook_secret: keepSecret(secret, OWNER),
    webhook_secret_old: old === undefined ? null : keepSecret(old, OWNER),
    webhook_secret_old_until: until ?? null,
  }
}
