import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createAccount } from '../../test/stand.ts'
import { formOf, openPages, textOf } from '../../test/visitor.ts'

const { stripe, advance, visitor } = await openPages()
const SETUP = /^\/setup\//
const PERSON = { name: 'Ann Worker', month: '3', day: '27', year: '1990', country: 'US' }
const RETURN = 'https://legwork.example/payouts/return'
const REFRESH = 'https://legwork.example/payouts/refresh'

async function newLink({ hasReturn = true } = {}) {
  const { id } = await createAccount(stripe, randomUUID())
  const { url } = await stripe.v2.core.accountLinks.create({
    account: id,
    use_case: {
      type: 'account_onboarding',
      account_onboarding: { refresh_url: REFRESH, ...(hasReturn ? { return_url: RETURN } : {}) },
    },
  })
  return { id, url }
}

async function statusOf(id: string) {
  const account = await stripe.v2.core.accounts.retrieve(id, {
    include: ['configuration.recipient'],
  })
  return account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status
}

test('the form is prefilled with the name and the test bank, and says that no money moves', async () => {
  const { url } = await newLink()

  const page = await visitor().visit(url)

  assert.equal(page.status, 200)
  assert(textOf(page).includes('Sandbox: no real money moves'))
  const { fields } = formOf(page.html, SETUP)
  assert.equal(fields.name, 'Ann Worker')
  assert.equal(fields.country, 'US')
  assert.equal(fields.routing, '110000000')
  assert.equal(fields.account, '000123456789')
  assert.equal(fields.outcome, 'verified')
  assert.match(
    page.headers.get('content-security-policy')!,
    /form-action 'self' https:\/\/legwork\.example;/,
  )
})

test('a link opens once: a second visit goes to the merchant, and the first form still works', async () => {
  const { id, url } = await newLink()
  const ann = visitor()
  const page = await ann.visit(url)

  const second = await visitor().visit(url)
  const sent = await ann.submit(page, SETUP, PERSON)

  assert.equal(second.status, 303)
  assert.equal(second.location, REFRESH)
  assert.equal(sent.status, 303)
  assert.equal(sent.location, RETURN)
  assert.equal(await statusOf(id), 'active')
})

test('one of several concurrent visits to a link gets the form', async () => {
  const { url } = await newLink()

  const pages = await Promise.all(Array.from({ length: 8 }, () => visitor().visit(url)))

  assert.equal(pages.filter(({ status }) => status === 200).length, 1)
  assert.equal(pages.filter(({ location }) => location === REFRESH).length, 7)
})

test('a HEAD request does not use up a link', async () => {
  const { url } = await newLink()

  const head = await visitor().visit(url, { method: 'HEAD' })

  assert.equal(head.status, 405)
  assert.equal((await visitor().visit(url)).status, 200)
})

const OUTCOMES = {
  verified: 'active',
  pending: 'pending',
  rejected: 'rejected',
  needs_information: 'restricted',
}
for (const [outcome, status] of Object.entries(OUTCOMES))
  test(`the outcome ${outcome} leaves the account ${status}`, async () => {
    const { id, url } = await newLink()

    const sent = await visitor().submit(await visitor().visit(url), SETUP, { ...PERSON, outcome })

    assert.equal(sent.location, RETURN)
    assert.equal(await statusOf(id), status)
    assert.equal((await stripe.accounts.retrieve(id)).details_submitted, true)
  })

test('the typed bank account is the one that is paid', async () => {
  const { id, url } = await newLink()
  const typed = { ...PERSON, routing: '021000021', account: '000 999 888 777' }

  await visitor().submit(await visitor().visit(url), SETUP, typed)

  const [bank] = (await stripe.accounts.retrieve(id)).external_accounts!.data
  assert(bank?.object === 'bank_account')
  assert.equal(bank.routing_number, '021000021')
  assert.equal(bank.last4, '8777')
})

const WRONG = [
  [{ name: '' }, 'name'],
  [{ month: '2', day: '30' }, 'day'],
  [{ year: '90' }, 'day'],
  [{ year: '2025' }, 'day'],
  [{ year: '1800' }, 'day'],
  [{ country: 'XX' }, 'country'],
  [{ routing: '1' }, 'routing'],
  [{ account: '!' }, 'account'],
  [{ outcome: 'rich' }, 'outcome'],
] as const
for (const [change, name] of WRONG)
  test(`400: ${JSON.stringify(change)} is reported at “${name}”, and the form can be sent again`, async () => {
    const { id, url } = await newLink()
    const typed = { ...PERSON, routing: '021000021', ...change }

    const refused = await visitor().submit(await visitor().visit(url), SETUP, typed)

    assert.equal(refused.status, 400)
    assert.match(refused.html, new RegExp(`role="alert"[^]*<a href="#${name}">`))
    assert.match(refused.html, new RegExp(`id="${name}"`))
    assert.equal(formOf(refused.html, SETUP).fields.month, typed.month)
    assert.equal((await stripe.accounts.retrieve(id)).details_submitted, false)
    const again = await visitor().submit(refused, SETUP, {
      ...PERSON,
      routing: '021000021',
      account: '000123456789',
      outcome: 'verified',
    })
    assert.equal(again.location, RETURN)
  })

test('an expired link goes to the merchant, and so does an expired form', async () => {
  const [unopened, opened] = [await newLink(), await newLink()]
  const page = await visitor().visit(opened.url)
  await advance(3601)

  const late = await visitor().submit(page, SETUP, PERSON)

  assert.equal((await visitor().visit(unopened.url)).location, REFRESH)
  assert.equal(late.location, REFRESH)
  assert.equal((await stripe.accounts.retrieve(opened.id)).details_submitted, false)
})

test('a form without its ticket, or with that of another link, changes nothing', async () => {
  const [mine, other] = [await newLink(), await newLink()]
  const { fields } = formOf((await visitor().visit(mine.url)).html, SETUP)
  await visitor().visit(other.url)

  for (const ticket of ['', fields.ticket!]) {
    const sent = await visitor().send(new URL(other.url).pathname, { ...fields, ...PERSON, ticket })
    assert.equal(sent.location, REFRESH)
  }
  assert.equal((await stripe.accounts.retrieve(other.id)).details_submitted, false)
})

test('without a return URL, the page says that setup is complete', async () => {
  const { url } = await newLink({ hasReturn: false })

  const sent = await visitor().submit(await visitor().visit(url), SETUP, PERSON)

  assert.equal(sent.status, 200)
  assert(textOf(sent).includes('Your details were submitted'))
})

test('410: an unknown link is refused', async () => {
  const page = await visitor().visit('/setup/lnk_none')

  assert.equal(page.status, 410)
  assert(textOf(page).includes('This link doesn’t work'))
})
