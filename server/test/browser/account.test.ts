import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { completedBy } from '../payouts.ts'
import { PASSWORD, signUp } from '../people.ts'
import { openHome, openPhone, press } from './phone.ts'

const DAY = 86_400_000
const { market, origin } = await openHome({ mail: true })

describe('the account page', () => {
  test('downloads all data as one file', async () => {
    const worker = await market.worker({ name: 'Ada', approvals: 100 })
    await completedBy(await market.agent({ balanceCents: 1000 }), [worker])
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)
    await phone.open(`${origin}/me/account`)
    await page.getByRole('link', { name: 'Download your data' }).tap()
    await phone.heading('Download your data')
    await phone.look('account-1-data')

    const [download] = await Promise.all([page.waitForEvent('download'), press(phone, 'Download')])

    assert.equal(download.suggestedFilename(), 'legwork-data.json')
    const data = JSON.parse(readFileSync(await download.path(), 'utf8'))
    assert.equal(data.account.email, worker.email)
    assert.equal(data.assignments[0].proofs[0].text, 'Done')
    await page.getByText('Saved as legwork-data.json').waitFor()
    await phone.close()
  })

  test('points out tasks in progress and a missing bank account before closing', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const worker = await market.worker({ approvals: 100 })
    await completedBy(agent, [worker])
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
    await worker.post(`/worker/tasks/${body.task.id}/accept`)
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/me/close`)

    await page.getByText('You have 1 task in progress').waitFor()
    await page.getByText(/We owe you \$8\.20/).waitFor()
    assert.equal(await page.getByLabel('Current password').count(), 0)
    await phone.look('account-2-busy')
    await page.getByRole('link', { name: 'Show my tasks' }).tap()
    await page.waitForURL(`${origin}/active`)
    await phone.close()
  })

  test('closes the account, says so on every screen, and keeps it with one tap', async () => {
    const worker = await market.worker()
    await market.taskIn(await market.agent({ balanceCents: 5000 }), 'pending')
    await market.work()
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)
    await phone.open(`${origin}/me/account`)
    await page.getByRole('link', { name: 'Close your account' }).tap()
    await phone.look('account-3-close')
    await page.getByLabel('Current password').fill('not it')
    await press(phone, 'Close my account')
    await page.getByText('This isn’t your current password').first().waitFor()

    await page.getByLabel('Current password').fill(PASSWORD)
    await press(phone, 'Close my account')
    await page.getByText('Your account is being closed').waitFor()
    await phone.look('account-4-closing')
    await phone.open(`${origin}/`)
    await page.getByText(/You see no new tasks/).waitFor()
    assert.equal(await page.getByRole('article').count(), 0)
    await phone.look('account-5-banner')
    await press(phone, 'Keep my account')

    await page.getByText(/You see no new tasks/).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /\$/ }).first().waitFor()
    const { body } = await worker.get('/worker/close')
    assert.equal(body.closing.requested_at, null)
    await phone.close()
  })

  test('after the grace period the login is refused, and the email can join again', async () => {
    const person = await signUp(market)
    const phone = await openPhone({ forgives: /401/ })
    const { page } = phone
    const logIn = async () => {
      await phone.open(`${origin}/login?next=%2Fme%2Fclose`)
      await page.getByLabel('Email').fill(person.email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await press(phone, 'Log in')
    }
    await logIn()
    await page.getByLabel('Current password').fill(PASSWORD)
    await press(phone, 'Close my account')
    await page.getByText('Your account is being closed').waitFor()

    await market.work()
    market.advance(14 * DAY)
    await market.sweep()
    await market.work()
    await logIn()

    await page
      .getByText(/Wrong email or password/)
      .first()
      .waitFor()
    assert.match((await market.inbox.mailTo(person.email)).subject, /will be closed/)
    assert.match((await market.inbox.mailTo(person.email)).subject, /is closed/)
    const again = await signUp(market, { email: person.email })
    assert.equal((await again.logIn()).status, 200)
    await phone.close()
  })
})
