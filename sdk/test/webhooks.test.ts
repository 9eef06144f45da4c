import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Legwork, verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@legwork/sdk'
import { Webhook } from 'standardwebhooks'
import { marketplace } from '../../server/test/harness.ts'
import { openReceiver } from '../../server/test/receiver.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const BODY = JSON.stringify({ id: 'evt_1', type: 'webhook.ping', data: { says: 'Grüße' } })

function sign(body = BODY, { secret = SECRET, at = new Date() } = {}): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
}

const refused = (reason: RegExp) => (error: Error) => {
  assert(error instanceof WebhookVerificationError, String(error))
  assert.match(error.message, reason)
  return true
}

describe('verifyWebhook', () => {
  test('accepts signatures of the standardwebhooks package for every type of body and headers', async () => {
    const headers = sign()
    const bytes = new TextEncoder().encode(BODY)

    const events = await Promise.all([
      verifyWebhook(BODY, headers, SECRET),
      verifyWebhook(bytes, new Headers(headers), SECRET),
      verifyWebhook(bytes.buffer, { 'Webhook-Id': 'evt_1', ...headers }, SECRET),
      verifyWebhook(Buffer.from(BODY), headers, [OTHER, SECRET]),
    ])

    for (const event of events) assert.deepEqual(event, JSON.parse(BODY))
  })

  test('accepts deliveries of the server, also while two secrets are valid', async (t) => {
    const market = await marketplace()
    const { url, received } = await openReceiver(t)
    const agent = await market.agent({ webhook_url: url })
    const legwork = new Legwork({
      apiKey: agent.api_key,
      baseUrl: market.server.addresses.api!,
      webhookSecret: agent.webhook_secret,
    })
    market.catchUp()
    await legwork.webhooks.ping()
    await market.deliver()
    const rotated = await legwork.webhooks.rotateSecret()
    await legwork.webhooks.ping()
    await market.deliver()

    const [before, after] = received
    const { type } = await legwork.webhooks.verify(before!.text, before!.headers)
    assert.equal(type, 'webhook.ping')
    for (const secret of [agent.webhook_secret, rotated.webhook_secret])
      assert.equal(
        (await legwork.webhooks.verify(after!.text, after!.headers, secret)).id,
        after!.body.id,
      )
    await assert.rejects(
      legwork.webhooks.verify(before!.text, before!.headers, rotated.webhook_secret),
      WebhookVerificationError,
    )
  })

  test('refuses another body, secret, id or signature version', async () => {
    const headers = sign()

    await assert.rejects(verifyWebhook(`${BODY} `, headers, SECRET), refused(/signature/))
    await assert.rejects(verifyWebhook(BODY, headers, OTHER), refused(/signature/))
    await assert.rejects(
      verifyWebhook(BODY, { ...headers, 'webhook-id': 'evt_2' }, SECRET),
      refused(/signature/),
    )
    for (const signature of [
      '',
      'v1,',
      'v1,%%%',
      headers['webhook-signature']!.slice(3),
      'v2,AAAA',
    ])
      await assert.rejects(
        verifyWebhook(BODY, { ...headers, 'webhook-signature': signature }, SECRET),
        WebhookVerificationError,
      )
  })

  test('checks only the first ten signatures', async () => {
    const headers = sign()
    const behind = (count: number) => ({
      ...headers,
      'webhook-signature': `${'v1,AAAA '.repeat(count)}${headers['webhook-signature']}`,
    })

    await verifyWebhook(BODY, behind(9), SECRET)
    await assert.rejects(verifyWebhook(BODY, behind(10), SECRET), refused(/signature/))
  })

  test('refuses timestamps more than five minutes away', async () => {
    const now = new Date()
    const after = (seconds: number) =>
      verifyWebhook(BODY, sign(BODY, { at: now }), SECRET, {
        now: new Date(now.getTime() + seconds * 1000),
      })

    await after(299)
    await after(-298)
    await assert.rejects(after(302), refused(/30\d s old/))
    await assert.rejects(after(-302), refused(/30\d s early/))
    await assert.rejects(
      verifyWebhook(BODY, { ...sign(), 'webhook-timestamp': 'now' }, SECRET),
      refused(/number/),
    )
  })

  test('names a missing header and a malformed secret', async () => {
    const { 'webhook-id': _, ...headers } = sign()

    await assert.rejects(verifyWebhook(BODY, headers, SECRET), refused(/webhook-id/))
    await assert.rejects(verifyWebhook(BODY, sign(), 'whsec_'), TypeError)
    await assert.rejects(new Legwork({ apiKey: 'x' }).webhooks.verify(BODY, sign()), /SECRET/)
  })
})

test('the type of an event narrows its data', () => {
  const tell = (event: WebhookEvent): string => {
    if (event.type === 'task.completed') return event.data.task.id
    return event.type === 'deposit.succeeded' ? 'money' : 'other'
  }

  assert.equal(tell({ type: 'deposit.succeeded' } as WebhookEvent), 'money')
})
