import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPages, textOf, type Visitor } from '../../test/visitor.ts'

const { stripe, fund, advance, activeAccount, control, visitor } = await openPages()
await fund(1_000_000)

async function worker({ earned = 0 } = {}) {
  const account = await activeAccount()
  if (earned > 0) await transfer(account, earned, 'Is the bakery open?')
  return account
}

const transfer = (destination: string, amount: number, description: string) =>
  stripe.transfers.create({ amount, currency: 'usd', destination, description })

async function logIn(account: string): Promise<Visitor> {
  const ann = visitor()
  const { url } = await stripe.accounts.createLoginLink(account)
  assert.equal((await ann.visit(url)).location, '/express')
  return ann
}

test('a link logs in once, with an HttpOnly cookie', async () => {
  const account = await worker()
  const { url } = await stripe.accounts.createLoginLink(account)

  const first = await visitor().visit(url)
  const second = await visitor().visit(url)

  assert.equal(first.status, 303)
  assert.equal(first.location, '/express')
  assert.match(
    first.headers.get('set-cookie')!,
    /^sandbox_express=\S+; Path=\/express; Max-Age=1800; HttpOnly; SameSite=Lax$/,
  )
  assert.equal(second.status, 410)
  assert.equal(second.headers.get('set-cookie'), null)
})

test('the page shows the balance, incoming transfers and payouts', async () => {
  const account = await worker({ earned: 4205 })
  const { id } = await transfer(account, 1230, 'Photograph <b>five</b> labels')
  await stripe.transfers.createReversal(id, { amount: 230 })
  const payout = await stripe.payouts.create(
    { amount: 1000, currency: 'usd' },
    { stripeAccount: account },
  )
  await control('POST', `payouts/${payout.id}`, { status: 'failed', code: 'account_closed' })
  await stripe.payouts.create({ amount: 500, currency: 'usd' }, { stripeAccount: account })

  const page = await (await logIn(account)).visit('/express')

  const text = textOf(page)
  for (const words of [
    'Sandbox: no real money moves',
    'Available now $47.05',
    'Is the bakery open?',
    '$42.05',
    'Photograph &lt;b&gt;five&lt;/b&gt; labels',
    '$2.30 reversed',
    'Returned to your balance $10.00 The bank account has been closed. Failed',
    '$5.00',
    'Pending',
    '•••• 6789',
  ])
    assert(text.includes(words), words)
})

test('pending money is shown beside available money', async () => {
  await control('POST', 'settings', { available_delay_seconds: 86_400 })
  const account = await worker()
  const { id } = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 9000, product_data: { name: 'x' } },
      },
    ],
    success_url: 'https://legwork.example/wallet',
  })
  await control('POST', `sessions/${id}/pay`)
  const { data } = await control('GET', 'objects/charge?limit=1')
  await stripe.transfers.create({
    amount: 1820,
    currency: 'usd',
    destination: account,
    source_transaction: (data as { id: string }[])[0]!.id,
  })
  await control('POST', 'settings', { available_delay_seconds: 0 })

  const page = await (await logIn(account)).visit('/express')

  assert(textOf(page).includes('Available now $0.00 $18.20 pending'))
})

test('“Pay out now” sends money to the bank', async () => {
  const account = await worker({ earned: 4205 })
  const ann = await logIn(account)

  const sent = await ann.submit(await ann.visit('/express'), /payouts$/, { amount: '12.05' })

  assert.equal(sent.location, '/express?done=payout')
  assert(textOf(await ann.visit(sent.location)).includes('The money is on its way to your bank.'))
  const { data } = await stripe.payouts.list({}, { stripeAccount: account })
  assert.deepEqual(
    data.map(({ amount, status }) => [amount, status]),
    [[1205, 'pending']],
  )
})

test('“Pay out now” offers the whole available balance', async () => {
  const account = await worker({ earned: 123_456 })
  const ann = await logIn(account)

  await ann.submit(await ann.visit('/express'), /payouts$/)

  const balance = await stripe.balance.retrieve({}, { stripeAccount: account })
  assert.equal(balance.available[0]!.amount, 0)
})

test('400: an amount above the balance, or none, pays nothing out and says why', async () => {
  const account = await worker({ earned: 4205 })
  const ann = await logIn(account)

  for (const [amount, words] of [
    ['42.06', 'This is more than your available balance. Enter a smaller amount.'],
    ['0', 'Enter an amount such as 12.50.'],
    ['-1', 'Enter an amount such as 12.50.'],
    ['all', 'Enter an amount such as 12.50.'],
  ] as const) {
    const refused = await ann.send('/express/payouts', { amount })
    assert.equal(refused.status, 400, amount)
    assert.match(refused.html, /role="alert"/)
    assert(textOf(refused).includes(words), amount)
  }
  assert.equal((await stripe.payouts.list({}, { stripeAccount: account })).data.length, 0)
})

test('400: an account that is no longer verified pays nothing out', async () => {
  const account = await worker({ earned: 4205 })
  const ann = await logIn(account)
  await control('POST', `accounts/${account}/capability`, { status: 'restricted' })

  const refused = await ann.send('/express/payouts', { amount: '1' })

  assert.equal(refused.status, 400)
  assert(textOf(refused).includes('this account is not verified'))
})

test('the bank account can be changed, but not to an invalid one', async () => {
  const account = await worker()
  const ann = await logIn(account)

  const refused = await ann.send('/express/bank', { routing: '1', account: '' })
  const saved = await ann.send('/express/bank', { routing: '021000021', account: '000999888777' })

  assert.equal(refused.status, 400)
  assert.match(refused.html, /<details open>/)
  assert.equal(saved.location, '/express?done=bank')
  assert(textOf(await ann.visit('/express')).includes('•••• 8777'))
})

test('401: nothing is shown without the cookie, after 30 minutes, and after logout', async () => {
  const account = await worker({ earned: 4205 })
  const [ann, bob] = [await logIn(account), await logIn(account)]

  const out = await ann.send('/express/log-out')
  assert.equal(out.status, 200)
  assert(textOf(out).includes('You are logged out'))
  assert.equal((await ann.visit('/express')).status, 401)
  assert.equal((await visitor().visit('/express')).status, 401)
  assert.equal((await bob.visit('/express')).status, 200)
  await advance(1801)
  const late = await bob.send('/express/payouts', { amount: '1' })

  assert.equal(late.status, 401)
  assert.equal((await stripe.payouts.list({}, { stripeAccount: account })).data.length, 0)
})

test('401: a forged cookie, or one of another kind, is refused', async () => {
  const account = await worker()
  const ann = await logIn(account)
  const real = ann.cookies.get('sandbox_express')!
  const parts = real.split('.')
  const forged = [
    '',
    'acct_1',
    [parts[0], parts[1], Buffer.from('acct_other').toString('base64url'), parts[3]].join('.'),
    ['dashboard', ...parts.slice(1)].join('.'),
  ]

  for (const value of forged) {
    ann.cookies.set('sandbox_express', value)
    assert.equal((await ann.visit('/express')).status, 401, value)
  }
  ann.cookies.set('sandbox_dashboard', real)
  assert.equal((await ann.visit('/dashboard')).status, 401)
})

test('403: another site cannot start a payout', async () => {
  const account = await worker({ earned: 4205 })
  const ann = await logIn(account)

  const sent = await ann.send(
    '/express/payouts',
    { amount: '1' },
    { origin: 'https://evil.example' },
  )

  assert.equal(sent.status, 403)
  assert.equal((await stripe.payouts.list({}, { stripeAccount: account })).data.length, 0)
})
