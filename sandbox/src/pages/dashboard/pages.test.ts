import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createAccount, createSession, createTransfer, idOf } from '../../../test/stand.ts'
import { openPages, textOf } from '../../../test/visitor.ts'
import { LISTS } from './desk.ts'
import { dashboardPages } from './pages.ts'

const pages = await openPages()
const { stripe, control, fund, activeAccount, paidCharge, visitor } = pages
await fund(1_000_000)
const operator = await pages.operator()

const look = async (path: string) => {
  const page = await operator.visit(path)
  assert.equal(page.status, 200, `${path}: ${page.status}`)
  return page
}
/** Presses a button on an object's page, and checks that the next page reports what was done. */
const act = async (id: string, action: string, fields: Record<string, string> = {}) => {
  const page = await look(`/dashboard/objects/${id}`)
  const answer = await operator.submit(page, new RegExp(`/${id}/${action}$`), fields)
  if (answer.location !== null)
    assert.match((await look(answer.location)).html, /role="status"/, `${action} says what it did`)
  return answer
}

test('401: no page and no form of the dashboard works without the token', async () => {
  const stranger = visitor()

  for (const { method, path } of dashboardPages) {
    if (path.startsWith('/dashboard/log-')) continue
    const address = path.replaceAll(/:\w+/g, 'x')
    const answer = method === 'GET' ? await stranger.visit(address) : await stranger.send(address)
    assert.equal(answer.status, 401, `${method} ${path}`)
    assert(textOf(answer).includes('Control token'))
  }
  assert(dashboardPages.length > 20)
})

test('the token is asked for once, and a wrong one is refused', async () => {
  const ann = visitor()

  const refused = await ann.submit(await ann.visit('/dashboard/events'), /log-in$/, {
    token: 'wrong',
  })
  const entered = await ann.submit(refused, /log-in$/, { token: pages.token })

  assert.equal(refused.status, 401)
  assert.match(refused.html, /role="alert"[^]*This token is not valid/)
  assert.equal(entered.location, '/dashboard/events')
  assert.match(
    entered.headers.get('set-cookie')!,
    /; Path=\/dashboard; Max-Age=43200; HttpOnly; SameSite=Lax$/,
  )
  assert.equal((await ann.visit('/dashboard')).status, 200)
  await ann.send('/dashboard/log-out')
  assert.equal((await ann.visit('/dashboard')).status, 401)
})

test('a link with the token logs in and redirects to the page without it', async () => {
  const ann = visitor()

  assert.equal((await ann.visit('/dashboard/faults?token=wrong')).status, 401)
  const entered = await ann.visit(`/dashboard/faults?token=${pages.token}`)

  assert.equal(entered.location, '/dashboard/faults')
  assert.equal((await ann.visit('/dashboard/faults')).status, 200)
})

test('the login redirects only within the dashboard', async () => {
  for (const next of ['https://evil.example', '//evil.example', '/dashboardx', '/express', '']) {
    const entered = await visitor().send('/dashboard/log-in', { token: pages.token, next })
    assert.equal(entered.location, '/dashboard', next)
  }
})

test('each kind has a list, each row links to its object, and each object shows its events', async () => {
  const charge = await paidCharge(5000)
  await stripe.refunds.create({ charge: charge.id, amount: 100 })
  await paidCharge(900, '4000000000000259')
  const account = await activeAccount()
  await createTransfer(stripe, account)
  await stripe.payouts.create({ amount: 100, currency: 'usd' }, { stripeAccount: account })

  for (const { path, many } of LISTS) {
    const list = await look(`/dashboard/${path}`)
    assert(textOf(list).includes(many))
    const to = /<a class="thing" href="(\/dashboard\/objects\/[^"]+)"/.exec(list.html)?.[1]
    assert(to, `${path} has a line`)
    const text = textOf(await look(to))
    assert(text.includes('Sandbox: no real money moves'))
    assert(text.includes('API response'), path)
    assert(text.includes('Events about this object'), path)
  }
  const one = await look(`/dashboard/objects/${charge.id}`)
  assert(textOf(one).includes('charge. succeeded'))
  assert(one.html.includes(`<a href="/dashboard/objects/${idOf(charge.payment_intent)}">`))
})

test('a long list has next and previous pages', async () => {
  await Promise.all(Array.from({ length: 60 }, () => fund(1)))

  const first = await look('/dashboard/top-ups')
  const older = /href="(\/dashboard\/top-ups\?after=[^"]+)">Older/.exec(first.html)?.[1]
  assert(older)
  const second = await look(older)

  const ids = (html: string) =>
    [...html.matchAll(/class="thing" href="([^"]+)"/g)].map(([, to]) => to)
  assert.equal(ids(first.html).length, 50)
  assert(ids(second.html).length >= 10)
  assert.equal(
    new Set([...ids(first.html), ...ids(second.html)]).size,
    ids(first.html).length + ids(second.html).length,
  )
  assert.match(second.html, />Newest</)
})

test('a session is paid, refused, expired, and its debit settled, from its page', async () => {
  const session = async () => (await createSession(stripe)).id
  const state = async (id: string) => {
    const { status, payment_status } = await stripe.checkout.sessions.retrieve(id)
    return `${status} ${payment_status}`
  }
  const [paid, refused, expired, debit, failed] = [
    await session(),
    await session(),
    await session(),
    await session(),
    await session(),
  ]

  const { location } = await act(paid, 'pay')
  assert.equal(location, `/dashboard/objects/${paid}?done=pay`)
  assert(textOf(await look(location)).includes('It is paid'))
  const declined = await act(refused, 'pay', { card: '4000000000000002' })
  await act(expired, 'expire')
  await act(debit, 'pay', { card: 'bank_debit' })
  await act(debit, 'settle')
  await act(failed, 'pay', { card: 'bank_debit' })
  await act(failed, 'fail')

  assert.equal(await state(paid), 'complete paid')
  assert.equal(declined.status, 409)
  assert.match(declined.html, /role="alert"[^]*Your card was declined/)
  assert.equal(await state(refused), 'open unpaid')
  assert.equal(await state(expired), 'expired unpaid')
  assert.equal(await state(debit), 'complete paid')
  assert.equal(await state(failed), 'complete unpaid')
  // Objects in a final state offer no actions.
  for (const id of [paid, expired, failed])
    assert(!textOf(await look(`/dashboard/objects/${id}`)).includes('Actions'))
})

test('a charge is disputed in part; the dispute is won or lost', async () => {
  const [won, lost] = [await paidCharge(5000), await paidCharge(5000)]

  await act(won.id, 'dispute', { amount: '12.50', reason: 'duplicate' })
  await act(lost.id, 'dispute')
  const disputeOf = async (charge: string) => (await stripe.disputes.list({ charge })).data[0]!
  assert.equal((await disputeOf(won.id)).amount, 1250)
  assert.equal((await disputeOf(won.id)).reason, 'duplicate')
  await act((await disputeOf(won.id)).id, 'won')
  await act((await disputeOf(lost.id)).id, 'lost')

  assert.equal((await disputeOf(won.id)).status, 'won')
  assert.equal((await disputeOf(lost.id)).status, 'lost')
  assert.equal((await disputeOf(lost.id)).amount, 5000)
})

test('409: an invalid amount is refused with a message, and nothing is disputed', async () => {
  const { id } = await paidCharge(5000)

  for (const amount of ['lots', '50.01']) {
    const refused = await act(id, 'dispute', { amount })
    assert.equal(refused.status, 409, amount)
    assert.match(refused.html, /role="alert"/)
  }
  assert.equal((await stripe.charges.retrieve(id)).disputed, false)
})

test('a refund fails, or is pending and reaches the payer', async () => {
  const failing = await stripe.refunds.create({ charge: (await paidCharge(5000)).id })
  await control('POST', 'settings', { pending_refunds: true })
  const pending = await stripe.refunds.create({ charge: (await paidCharge(5000)).id })
  await control('POST', 'settings', { pending_refunds: false })

  await act(failing.id, 'fail')
  await act(pending.id, 'succeed')

  assert.equal((await stripe.refunds.retrieve(failing.id)).status, 'failed')
  assert.equal((await stripe.refunds.retrieve(pending.id)).status, 'succeeded')
})

test('an account is submitted, restricted, activated and paid out', async () => {
  const { id } = await createAccount(stripe, randomUUID())
  const state = async () => (await control('GET', `object/${id}`)).object.transfers

  await act(id, 'submit', { outcome: 'pending' })
  assert.equal(await state(), 'pending')
  await act(id, 'capability', { status: 'active' })
  assert.equal(await state(), 'active')
  await createTransfer(stripe, id, { amount: 410 })
  await act(id, 'payout')
  const [payout] = (await stripe.payouts.list({}, { stripeAccount: id })).data
  assert.equal(payout?.amount, 410)
  await act(id, 'capability', { status: 'restricted' })

  assert.equal(await state(), 'restricted')
})

test('an inquiry is closed, a fraud warning moves no money, and a deferred booking is made', async () => {
  const [asked, warned] = [await paidCharge(5000), await paidCharge(5000)]
  await control('POST', `charges/${asked.id}/dispute`, { inquiry: true })
  const [inquiry] = (await stripe.disputes.list({ charge: asked.id })).data
  await control('POST', 'settings', { asynchronous_capture: true })
  const late = await paidCharge(5000)
  await control('POST', 'settings', { asynchronous_capture: false })
  const balance = async () => (await stripe.balance.retrieve()).available[0]!.amount
  const before = await balance()

  await act(inquiry!.id, 'warning_closed')
  await act(warned.id, 'warn')
  assert.equal(await balance(), before)
  await act(late.id, 'capture')

  assert.equal((await stripe.disputes.retrieve(inquiry!.id)).status, 'warning_closed')
  assert.notEqual((await stripe.charges.retrieve(late.id)).balance_transaction, null)
  assert((await balance()) > before)
})

test('a charge is refunded in part and then in full; an inquiry becomes a dispute', async () => {
  const [refunded, asked] = [await paidCharge(5000), await paidCharge(5000)]
  await control('POST', `charges/${asked.id}/dispute`, { inquiry: true })
  const [inquiry] = (await stripe.disputes.list({ charge: asked.id })).data

  await act(refunded.id, 'refund', { refund_amount: '12.50' })
  assert.equal((await stripe.charges.retrieve(refunded.id)).amount_refunded, 1250)
  await act(refunded.id, 'refund')
  await act(inquiry!.id, 'escalate')

  assert.equal((await stripe.charges.retrieve(refunded.id)).refunded, true)
  assert.equal((await stripe.disputes.retrieve(inquiry!.id)).status, 'needs_response')
})

test('a top-up is reversed', async () => {
  const { id } = await fund(700)

  await act(id as string, 'reverse')

  assert.equal((await stripe.topups.retrieve(id as string)).status, 'reversed')
})

test('a bank payout arrives, and is returned afterwards', async () => {
  const account = await activeAccount()
  await createTransfer(stripe, account, { amount: 410 })
  const { id } = await stripe.payouts.create(
    { amount: 410, currency: 'usd' },
    { stripeAccount: account },
  )
  const payout = () => stripe.payouts.retrieve(id, {}, { stripeAccount: account })

  await act(id, 'paid')
  assert.equal((await payout()).status, 'paid')
  await act(id, 'failed', { code: 'account_closed' })

  assert.equal((await payout()).status, 'failed')
  assert.equal((await payout()).failure_code, 'account_closed')
})

test('409: an action that is no longer possible is refused', async () => {
  const { id } = await createSession(stripe)
  const page = await look(`/dashboard/objects/${id}`)
  await control('POST', `sessions/${id}/expire`)

  const late = await operator.submit(page, /\/pay$/)

  assert.equal(late.status, 409)
  assert.match(late.html, /role="alert"/)
})

test('money is added to our balance, and an invalid amount is refused', async () => {
  const list = await look('/dashboard/top-ups')
  const available = async () => (await stripe.balance.retrieve()).available[0]!.amount
  const before = await available()

  const added = await operator.submit(list, /top-ups$/, { amount: '1,234.50' })
  const refused = await operator.submit(list, /top-ups$/, { amount: 'x' })

  assert.equal(added.location, '/dashboard/top-ups?done=yes')
  assert.equal(refused.status, 400)
  assert.equal((await available()) - before, 123_450)
  assert.match(textOf(await look('/dashboard/balance')), /Transactions Topup \$1,234\.50/)
})

test('faults are switched on, strike, and are switched off', async () => {
  const form = await look('/dashboard/faults')
  const fault = { match: 'GET /v1/balance', mode: 'rate_limit', times: '2' }

  const added = await operator.submit(form, /faults$/, fault)
  await assert.rejects(stripe.balance.retrieve(), { statusCode: 429 })
  const list = await look('/dashboard/faults')
  const warned = await look('/dashboard')
  await operator.submit(list, /faults\/clear$/)

  assert.equal(added.location, '/dashboard/faults?done=add')
  assert(textOf(list).includes('Too many requests · once more · triggered 1×'))
  assert(textOf(warned).includes('One fault is on.'))
  assert((await stripe.balance.retrieve()).object)
  assert(textOf(await look('/dashboard/faults')).includes('every request gets its normal response'))
})

test('400: an invalid fault is refused, and the form keeps its input', async () => {
  const form = await look('/dashboard/faults')

  const refused = await operator.submit(form, /faults$/, { match: 'GET /v1/x', times: 'often' })

  assert.equal(refused.status, 400)
  assert.match(refused.html, /role="alert"/)
  assert(refused.html.includes('value="GET /v1/x"'))
  assert.deepEqual((await control('GET', 'faults')).data, [])
})

test('the clock is advanced, and nobody is logged out', async () => {
  const before = (await control('GET', 'clock')).seconds as number

  const set = await operator.submit(await look('/dashboard'), /clock$/, { by: '3', unit: 'days' })
  const refused = await operator.send('/dashboard/clock', { by: '-1', unit: 'days' })

  assert.equal(set.location, '/dashboard?done=clock')
  assert.equal(refused.status, 400)
  const passed = ((await control('GET', 'clock')).seconds as number) - before
  assert(passed >= 3 * 86_400 && passed < 3 * 86_400 + 60)
  assert(textOf(await look('/dashboard')).includes('Ahead of the system clock by 3 d'))
})

test('the settings of the sandbox are changed on the first page', async () => {
  const form = await look('/dashboard')

  await operator.submit(form, /behaviour$/, {
    available_delay_seconds: '60',
    asynchronous_capture: 'on',
  })

  const settings = await control('GET', 'settings')
  assert.equal(settings.available_delay_seconds, 60)
  assert.equal(settings.asynchronous_capture, true)
  assert.equal(settings.pending_refunds, false)
  await operator.submit(await look('/dashboard'), /behaviour$/, {
    available_delay_seconds: '0',
    asynchronous_capture: '',
  })
  assert.equal((await control('GET', 'settings')).asynchronous_capture, false)
})

test('404: an unknown page or object says so', async () => {
  for (const path of ['/dashboard/objects/ch_none', '/dashboard/events/evt_none'])
    assert.equal((await operator.visit(path)).status, 404)
  assert.equal((await operator.visit('/dashboard/nothing')).status, 404)
})

test('foreign text is escaped in lists, in JSON and in headings', async () => {
  const evil = `</pre><script>alert(1)</script>`
  const account = await activeAccount()
  const { id } = await stripe.transfers.create({
    amount: 100,
    currency: 'usd',
    destination: account,
    description: evil,
    metadata: { evil, link: 'ch_x"><script>' },
  })

  for (const path of ['/dashboard/transfers', `/dashboard/objects/${id}`]) {
    const { html } = await look(path)
    assert(!html.includes('<script>'), path)
    assert(html.includes('&lt;script&gt;'), path)
  }
})

test('403: another site cannot use the operator’s cookie', async () => {
  const { id } = await createSession(stripe)

  const sent = await operator.send(
    `/dashboard/objects/${id}/expire`,
    {},
    { 'sec-fetch-site': 'cross-site' },
  )

  assert.equal(sent.status, 403)
  assert.equal((await stripe.checkout.sessions.retrieve(id)).status, 'open')
})
