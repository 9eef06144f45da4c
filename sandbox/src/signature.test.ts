import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import { signatureHeader } from './signature.ts'

const stripe = new Stripe('sk_test_x', { telemetry: false })
const BODY = JSON.stringify({ id: 'evt_1', object: 'event', data: { object: {} } })

test('a signature is accepted by the processor’s own package', () => {
  const at = Math.floor(Date.now() / 1000)

  const event = stripe.webhooks.constructEvent(
    BODY,
    signatureHeader('whsec_a', BODY, at),
    'whsec_a',
  )

  assert.equal(event.id, 'evt_1')
})

test('a signature is refused for another secret, another body or another time', () => {
  const at = Math.floor(Date.now() / 1000)
  const signed = signatureHeader('whsec_a', BODY, at)

  for (const [body, header, secret] of [
    [BODY, signed, 'whsec_b'],
    [`${BODY} `, signed, 'whsec_a'],
    [BODY, signed.replace(`t=${at}`, `t=${at + 1}`), 'whsec_a'],
    [BODY, signatureHeader('whsec_a', BODY, at - 301), 'whsec_a'],
  ] as const)
    assert.throws(
      () => stripe.webhooks.constructEvent(body, header, secret),
      Stripe.errors.StripeSignatureVerificationError,
    )
})
