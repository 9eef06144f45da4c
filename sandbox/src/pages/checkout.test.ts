import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSession } from '../../test/stand.ts'
import { formOf, openPages, textOf } from '../../test/visitor.ts'

const { stripe, control, advance, url, visitor } = await openPages()
const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 40', cvc: '987', name: 'Ann Payer' }
const PAY = /^\/c\/pay\/[^/]+$/

const open = async (params: Parameters<typeof createSession>[1] = {}) => {
  const session = await createSession(stripe, { amount: 5000, ...params })
  return { id: session.id, page: await visitor().visit(session.url!), path: `/c/pay/${session.id}` }
}
const paymentOf = async (id: string) => {
  const { status, payment_status } = await stripe.checkout.sessions.retrieve(id)
  return `${status} ${payment_status}`
}

test('the page shows payee, amount, purpose and email, and says that no money moves', async () => {
  const { page } = await open()

  assert.equal(page.status, 200)
  const text = textOf(page)
  for (const words of [
    'Sandbox: no real money moves',
    'Pay Legwork',
    '$50.00',
    'Wallet deposit',
    '4000 0000 0000 0002 Declined',
  ])
    assert(text.includes(words), words)
  assert.match(page.html, /<input id="email"[^>]*value="robot@example.com"[^>]*readonly/)
  assert.match(page.html, /autocomplete="cc-number"[^>]*inputmode="numeric"/)
})

test('the policy of the page allows only our scripts, no frames, and forms to us and the merchant', async () => {
  const { page } = await open()
  const policy = page.headers.get('content-security-policy') ?? ''

  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /style-src 'sha256-[^']+'/)
  assert.match(policy, /script-src 'self';/)
  assert.match(policy, /form-action 'self' https:\/\/legwork\.example;/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.doesNotMatch(page.html, /\sstyle="|\son\w+="|<script(?! src="\/pages\/enhance.js" defer>)/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
})

test('the page loads nothing from other hosts, and all of its assets exist', async () => {
  const { page } = await open()
  const loaded = [...page.html.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="([^"]+)"/g)]

  assert.equal(loaded.length, 2)
  for (const [, address] of loaded) assert.equal((await visitor().visit(address!)).status, 200)
})

test('a payer is redirected to the merchant with the session id', async () => {
  const { id, page } = await open()

  const answer = await visitor().submit(page, PAY, CARD)

  assert.equal(answer.status, 303)
  assert.equal(answer.location, `https://legwork.example/wallet?session_id=${id}`)
  assert.equal(await paymentOf(id), 'complete paid')
})

const REFUSALS = [
  ['4000 0000 0000 0002', 'Your card was declined. Try another card.'],
  ['4000 0000 0000 9995', 'Your card has insufficient funds. Try another card.'],
  ['4000 0000 0000 0069', 'Your card has expired. Try another card.'],
  ['4111 1111 1111 1111', 'This is not a test card.'],
] as const

for (const [number, words] of REFUSALS)
  test(`402: ${number} shows “${words}”, and can be retried`, async () => {
    const { id, page } = await open()

    const refused = await visitor().submit(page, PAY, { ...CARD, number })

    assert.equal(refused.status, 402)
    assert.match(refused.html, /role="alert" tabindex="-1" autofocus/)
    assert(textOf(refused).includes(words))
    const { fields } = formOf(refused.html, PAY)
    assert.equal(fields.name, 'Ann Payer')
    assert.equal(fields.expiry, '12 / 40')
    assert.deepEqual([fields.number, fields.cvc], ['', ''])
    assert(!refused.html.includes('987'))
    assert.equal(await paymentOf(id), 'open unpaid')
    assert.equal((await visitor().submit(refused, PAY, CARD)).status, 303)
  })

test('400: each invalid field has its message, and no payment is attempted', async () => {
  const { id, page } = await open()

  const refused = await visitor().submit(page, PAY, { number: '4242', expiry: '1 / 20', cvc: '' })

  assert.equal(refused.status, 400)
  for (const name of ['number', 'expiry', 'cvc', 'name'])
    assert.match(refused.html, new RegExp(`<a href="#${name}">`), name)
  const session = await stripe.checkout.sessions.retrieve(id)
  assert.equal(session.payment_intent, null)
})

test('a session without an email asks for one, and uses the typed one', async () => {
  const { id } = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 5000, product_data: { name: 'x' } },
      },
    ],
    success_url: 'https://legwork.example/wallet',
  })
  const page = await visitor().visit(`/c/pay/${id}`)

  const refused = await visitor().submit(page, PAY, CARD)
  const paid = await visitor().submit(refused, PAY, { ...CARD, email: 'ann@example.com' })

  assert.equal(refused.status, 400)
  assert.match(refused.html, /<a href="#email">Enter your email address\.<\/a>/)
  assert.equal(paid.location, 'https://legwork.example/wallet')
  const session = await stripe.checkout.sessions.retrieve(id)
  assert.equal(session.customer_details?.email, 'ann@example.com')
})

test('bank debit is listed as a payment method where it is offered, else as a test option', async () => {
  const debit = (html: string) => html.indexOf('Pay by bank debit') < html.indexOf('Test cards')

  const { page: without } = await open()
  const { page: offered } = await open({
    params: { allowed_payment_method_types: ['card', 'us_bank_account'] },
  })

  assert.equal(debit(offered.html), true)
  assert.equal(debit(without.html), false)
})

test('a bank debit completes the session and leaves it unpaid', async () => {
  const { id, page } = await open()
  assert(textOf(page).includes('Pay by bank debit'))

  const answer = await visitor().send(`/c/pay/${id}`, { method: 'bank_debit' })

  assert.equal(answer.status, 303)
  assert.equal(await paymentOf(id), 'complete unpaid')
  assert(textOf(await visitor().visit(`/c/pay/${id}`)).includes('Payment processing'))
})

test('a card that needs confirmation: Yes pays, No does not, and only for its own session', async () => {
  const [yes, no, other] = [await open(), await open(), await open()]
  const card = { ...CARD, number: '4000 0025 0000 3155' }
  const asked = await visitor().submit(yes.page, PAY, card)
  assert(textOf(asked).includes('Your bank asks: is this you?'))
  assert.equal(await paymentOf(yes.id), 'open unpaid')
  const { fields } = formOf(asked.html, /\/confirm$/)

  const stolen = await visitor().send(`${other.path}/confirm`, { ...fields, answer: 'yes' })
  const confirmed = await visitor().submit(asked, /\/confirm$/, { answer: 'yes' })
  const denied = await visitor().submit(await visitor().submit(no.page, PAY, card), /\/confirm$/, {
    answer: 'no',
  })

  assert.equal(stolen.status, 400)
  assert.equal(await paymentOf(other.id), 'open unpaid')
  assert.equal(confirmed.status, 303)
  assert.equal(await paymentOf(yes.id), 'complete paid')
  assert.equal(denied.status, 402)
  assert(textOf(denied).includes('Your bank could not confirm your identity.'))
  assert.equal(formOf(denied.html, PAY).fields.name, 'Ann Payer')
  assert.equal(await paymentOf(no.id), 'open unpaid')
})

test('concurrent payments charge once', async () => {
  const { id, page } = await open()

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => visitor().submit(page, PAY, CARD)),
  )

  assert.equal(answers.filter(({ status }) => status === 303).length, 1)
  assert.equal(answers.filter((answer) => textOf(answer).includes('Payment complete')).length, 7)
  const { data } = await control('GET', 'objects/charge')
  const intent = (await stripe.checkout.sessions.retrieve(id)).payment_intent
  const charges = (data as { payment_intent: string }[]).filter(
    (one) => one.payment_intent === intent,
  )
  assert.equal(charges.length, 1)
})

test('a paid session links on, an expired one links back, and an unknown one is 404', async () => {
  const [paid, expired] = [await open(), await open()]
  await visitor().submit(paid.page, PAY, CARD)
  await stripe.checkout.sessions.expire(expired.id)

  const done = await visitor().visit(paid.path)
  const over = await visitor().visit(expired.path)

  assert.equal(done.status, 200)
  assert(textOf(done).includes('Payment complete'))
  assert(done.html.includes(`href="https://legwork.example/wallet?session_id=${paid.id}"`))
  assert.equal(over.status, 410)
  assert(textOf(over).includes('You were not charged.'))
  assert(over.html.includes('href="https://legwork.example/wallet"'))
  assert.equal((await visitor().submit(expired.page, PAY, CARD)).status, 410)
  assert.equal((await visitor().visit('/c/pay/cs_test_none')).status, 404)
})

test('410: a form of an expired session charges nothing', async () => {
  const { id, page } = await open()
  await advance(24 * 3600 + 1)

  const answer = await visitor().submit(page, PAY, CARD)

  assert.equal(answer.status, 410)
  assert.equal(await paymentOf(id), 'expired unpaid')
})

test('403: a form from another site is refused, and nothing is paid', async () => {
  const { id, path } = await open()
  const fields = { ...CARD, method: 'card' }

  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: url, 'sec-fetch-site': 'cross-site' },
  ])
    assert.equal((await visitor().send(path, fields, headers)).status, 403)

  assert.equal(await paymentOf(id), 'open unpaid')
})

test('405: only GET, HEAD and POST are allowed', async () => {
  const { path } = await open()

  const answer = await visitor().visit(path, { method: 'DELETE' })

  assert.equal(answer.status, 405)
  assert.equal(answer.headers.get('allow'), 'GET, POST')
})

test('texts of the merchant and the payer are escaped', async () => {
  const evil = `<img src=x onerror="alert(1)">`
  const { page } = await open({
    params: {
      line_items: [
        {
          price_data: { currency: 'usd', unit_amount: 5000, product_data: { name: evil } },
          quantity: 1,
        },
      ],
    },
  })

  const refused = await visitor().submit(page, PAY, {
    ...CARD,
    name: `"><script>1</script>`,
    cvc: '',
  })

  assert(page.html.includes('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;'))
  assert(!page.html.includes('<img'))
  assert(refused.html.includes('value="&quot;&gt;&lt;script&gt;1&lt;/script&gt;"'))
})
