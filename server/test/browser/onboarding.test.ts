import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openMarket, openPhone, until } from './phone.ts'

const { market, origin } = await openMarket()

describe('payout onboarding, on a phone', () => {
  test('by keyboard only: bank, questions, status, a used link, a payout, the dashboard', async () => {
    const agent = await market.agent({ freeTasks: false })
    const deposit = await agent.post('/wallet/deposit', { amount_cents: 5000 })
    await market.sandbox.pay(deposit.body.session_id as string)
    await until(async () => (await agent.get('/wallet')).body.balance_cents === 5000)
    const task = await market.taskIn(agent, 'completed', { budget_cents: 2500 })
    const worker = task.workers[0]!
    const before = await worker.get('/worker/stripe/status')
    const waiting = await agent.post(`/tasks/${task.id}/payout`)
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/payout`)
    await page.getByText('No bank account yet').waitFor()
    await page.getByText('$20.50').waitFor()
    await phone.look('onboarding-1-payout')
    await phone.type('Where do you live?', 'United Sta')
    await phone.enter('Add your bank account')
    await page.waitForURL((url) => url.origin !== origin)
    const link = page.url()
    await phone.look('onboarding-2-form')
    await phone.type('Legal name', 'Ada Example')
    await phone.type('Month', '3')
    await phone.type('Day', '27')
    await phone.type('Year', '1990')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/payouts\/return/)
    await phone.heading('Thank you')
    await page.getByRole('link', { name: 'View your payout account' }).waitFor()
    await phone.look('onboarding-3-thank-you')
    const steps = await page.getByRole('list').first().innerText()
    await phone.enter('View your payout account')
    await phone.heading('Payout account')
    await page.getByText('Your bank account is connected').waitFor()
    await phone.look('onboarding-4-connected')
    const status = await worker.get('/worker/stripe/status')

    // The same link again: it works only once.
    await page.goto(link)
    await phone.heading('This link works only once')
    await phone.look('onboarding-5-link-used')
    await phone.enter('Continue with a new link')
    await page.waitForURL((url) => url.origin !== origin)
    const fresh = page.url()

    const paid = await until(async () => {
      const { body } = await agent.post(`/tasks/${task.id}/payout`)
      return body.payouts[0].status === 'paid' ? body : undefined
    })
    await phone.open(`${origin}/earnings`)
    await page.getByText('Paid out').waitFor()
    await phone.look('onboarding-6-paid-out')
    await phone.open(`${origin}/payout`)
    await page.getByText('Your bank account is connected').waitFor()
    await phone.enter('Open Stripe dashboard')
    await page.waitForURL((url) => url.origin !== origin)
    await phone.look('onboarding-7-dashboard')
    const shown = await page.locator('main').innerText()
    await phone.close()

    assert.equal(before.body.status, 'not_connected')
    assert.equal(waiting.body.payouts[0].status, 'awaiting_account')
    assert.match(steps, /Stripe has checked your details\s+Your bank account is connected/)
    assert.equal(status.body.transfers_enabled, true)
    assert.equal(status.body.onboarding_required, false)
    assert.notEqual(fresh, link)
    assert.equal(paid.payouts[0].amount_cents, 2050)
    assert.match(shown, /\$20\.50/)
  })

  test('shows errors at their fields, and loses no input', async () => {
    const worker = await market.worker()
    const { body } = await worker.post('/worker/stripe/connect')
    const phone = await openPhone()
    const { page } = phone

    await phone.open(body.onboarding_url as string)
    await page.getByLabel('Legal name').fill('Ada Example')
    await page.getByRole('button', { name: 'Submit' }).tap()
    await page.getByRole('alert').waitFor()
    await phone.look('onboarding-8-missing')
    const name = await page.getByLabel('Legal name').inputValue()
    const status = await worker.get('/worker/stripe/status')
    await phone.close()

    assert.equal(name, 'Ada Example')
    assert.equal(status.body.status, 'onboarding')
  })

  test('a worker who returns too early sees what is missing, and how to continue', async () => {
    const worker = await market.worker()
    await worker.post('/worker/stripe/connect')
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)
    await page.clock.install()

    await phone.open(`${origin}/payouts/return`)
    await page.getByText('Stripe is checking your details').waitFor()
    await page.clock.fastForward(15_000)
    await page.getByText('Some questions are unanswered').waitFor()
    await page.clock.resume()
    await phone.look('onboarding-9-unfinished')
    const asked = await page.locator('main').innerText()
    await page.getByRole('button', { name: 'Continue on Stripe' }).tap()
    await page.waitForURL((url) => url.origin !== origin)
    await phone.close()

    assert.match(asked, /Stripe asks for\s+your legal name\s+your date of birth/)
  })

  test('a phone without a session shows a thank-you page and a login', async () => {
    const phone = await openPhone()
    const { page } = phone

    await phone.open(`${origin}/payouts/return`)
    await phone.heading('Thank you')
    await phone.look('onboarding-10-stranger')
    const next = await page.getByRole('link', { name: 'Log in' }).getAttribute('href')
    await phone.open(`${origin}/payouts/refresh`)
    await page.getByText('Log in to get a new one.').waitFor()
    await phone.close()

    assert.equal(next, '/login?next=%2Fpayout')
  })
})
