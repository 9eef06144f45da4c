import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DECLINED_CARD, GOOD_CARD } from '../sandbox.ts'
import { openMarket, openPhone, type Phone, until } from './phone.ts'

const { market, origin } = await openMarket()

async function depositOf(amountCents: number) {
  const agent = await market.agent({ freeTasks: false })
  const { status, body, text } = await agent.post('/wallet/deposit', { amount_cents: amountCents })
  assert.equal(status, 201, text)
  return { agent, checkoutUrl: body.checkout_url as string }
}

async function payBy(card: string, { page }: Phone): Promise<void> {
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel('Expiration date').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
  await page.getByLabel('Name on the card').fill('Ann Agent')
  await page.getByRole('button', { name: 'Pay $' }).tap()
}

describe('a deposit, on a phone', () => {
  test('a card is declined, another one pays, and the money is in the wallet [1-agent-funds] [1-checkout]', async () => {
    const { agent, checkoutUrl } = await depositOf(2500)
    const phone = await openPhone()
    const { page } = phone

    await phone.open(checkoutUrl)
    await phone.look('deposit-1-checkout')
    await payBy(DECLINED_CARD, phone)
    const alert = page.getByRole('alert')
    await alert.waitFor()
    const refusal = await alert.innerText()
    const hasFocus = await phone.hasFocus('[role=alert]')
    await phone.look('deposit-2-declined')
    const before = await agent.get('/wallet')

    // The payment webhook is held back, and the first status requests fail.
    await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    await market.sandbox.control('POST', 'faults', [
      { match: 'GET /v1/checkout/sessions', mode: 'error_before', times: 3 },
    ])
    await payBy(GOOD_CARD, phone)
    await page.waitForURL(/\/wallet\?session_id=/)
    await phone.heading('Your payment is being confirmed')
    await phone.look('deposit-3-confirming')
    // No user action: the page polls on its own.
    await phone.heading('$25.00 added to your wallet')
    await phone.look('deposit-4-arrived')
    const after = await agent.get('/wallet')
    await market.sandbox.control('POST', 'deliveries', { mode: 'normal' })
    await phone.close()

    assert.match(refusal, /declined/i)
    assert(hasFocus, 'the focus moves to the error')
    assert.equal(before.body.balance_cents, 0)
    assert.equal(after.body.balance_cents, 2500)
    assert.deepEqual(
      after.body.transactions.map(({ type, amount_cents }: Record<string, unknown>) => [
        type,
        amount_cents,
      ]),
      [['deposit', 2500]],
    )
  })

  test('a bank debit takes days, and the page says so until it has arrived', async () => {
    const { agent, checkoutUrl } = await depositOf(9900)
    const phone = await openPhone()

    await phone.open(checkoutUrl)
    await phone.page.getByRole('button', { name: 'Pay by bank debit' }).tap()
    await phone.page.waitForURL(/\/wallet\?session_id=/)
    const sessionId = new URL(phone.page.url()).searchParams.get('session_id')!
    await phone.heading('Your bank transfer is on its way')
    await phone.look('deposit-5-bank-debit')
    const before = await agent.get('/wallet')
    await market.sandbox.control('POST', `sessions/${sessionId}/settle`, { ok: true })
    await until(async () => (await agent.get('/wallet')).body.balance_cents === 9900)
    await phone.page.getByRole('link', { name: 'Refresh' }).tap()
    await phone.heading('$99.00 added to your wallet')
    await phone.close()

    assert.equal(before.body.balance_cents, 0)
  })

  test('a payer who cancels has paid nothing, and sees how to continue', async () => {
    const { agent, checkoutUrl } = await depositOf(500)
    const phone = await openPhone({ javaScript: false })

    await phone.open(checkoutUrl)
    await phone.page.getByRole('link', { name: 'Cancel' }).tap()
    await phone.heading('Payment canceled')
    await phone.look('deposit-6-turned-back')
    await phone.open(checkoutUrl)
    await payBy(GOOD_CARD, phone)
    await phone.heading('$5.00 added to your wallet')
    await phone.close()

    assert.equal((await agent.get('/wallet')).body.balance_cents, 500)
  })

  test('the page of an unknown payment says so', async () => {
    const phone = await openPhone()

    const response = await phone.page.goto(`${origin}/wallet?session_id=cs_test_unknown`)
    await phone.look('deposit-7-unknown')
    await phone.close()

    assert.equal(response?.status(), 404)
  })
})
