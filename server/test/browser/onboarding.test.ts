import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openMarket, openPhone, until } from './phone.ts'

const market = await openMarket()

describe('how a worker comes to be paid, on a phone', () => {
  test('by the keyboard alone: onboarding, status, dashboard with what was earned', async () => {
    const agent = await market.agent({ freeTasks: false })
    const deposit = await agent.post('/wallet/deposit', { amount_cents: 5000 })
    await market.sandbox.pay(deposit.body.session_id as string)
    await until(async () => (await agent.get('/wallet')).body.balance_cents === 5000)
    const task = await market.taskIn(agent, 'completed', { budget_cents: 2500 })
    const worker = task.workers[0]!
    const before = await worker.get('/worker/stripe/status')
    const waiting = await agent.post(`/tasks/${task.id}/payout`)

    const connected = await worker.post('/worker/stripe/connect')
    const phone = await openPhone()
    const { page } = phone
    await phone.open(connected.body.onboarding_url as string)
    await phone.look('onboarding-1-form')
    await phone.tabTo('Legal name')
    await page.keyboard.type('Ada Example')
    await phone.tabTo('Month')
    await page.keyboard.type('3')
    await phone.tabTo('Day')
    await page.keyboard.type('27')
    await phone.tabTo('Year')
    await page.keyboard.type('1990')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/payouts\/return/)
    await phone.heading('Thank you')
    await phone.look('onboarding-2-thank-you')
    const status = await until(async () => {
      const { body } = await worker.get('/worker/stripe/status')
      return body.status === 'active' ? body : undefined
    })

    // The same link again: it works only once.
    await page.goto(connected.body.onboarding_url as string)
    await phone.heading('This link works only once')
    await phone.look('onboarding-3-link-used')

    const paid = await until(async () => {
      const { body } = await agent.post(`/tasks/${task.id}/payout`)
      return body.payouts[0].status === 'paid' ? body : undefined
    })
    const dashboard = await worker.post('/worker/stripe/dashboard')
    await phone.open(dashboard.body.dashboard_url as string)
    await phone.look('onboarding-4-dashboard')
    const shown = await page.locator('main').innerText()
    await phone.close()

    assert.equal(before.body.status, 'not_connected')
    assert.equal(waiting.body.payouts[0].status, 'awaiting_account')
    assert.equal(status.transfers_enabled, true)
    assert.equal(status.onboarding_required, false)
    assert.equal(paid.payouts[0].amount_cents, 2050)
    assert.match(shown, /\$20\.50/)
  })

  test('what is missing or wrong is said at its field, and nothing that was typed is lost', async () => {
    const worker = await market.worker()
    const { body } = await worker.post('/worker/stripe/connect')
    const phone = await openPhone()
    const { page } = phone

    await phone.open(body.onboarding_url as string)
    await page.getByLabel('Legal name').fill('Ada Example')
    await page.getByRole('button', { name: 'Submit' }).tap()
    await page.getByRole('alert').waitFor()
    await phone.look('onboarding-5-missing')
    const name = await page.getByLabel('Legal name').inputValue()
    const status = await worker.get('/worker/stripe/status')
    await phone.close()

    assert.equal(name, 'Ada Example')
    assert.equal(status.body.status, 'onboarding')
  })
})
