/** The whole journey on one phone: from a shared link to money in the bank. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newEmail, PASSWORD } from '../people.ts'
import { openMarket, openPhone, type Phone, press, until } from './phone.ts'
import { pictureThere, sendProof } from './street.ts'

const { market, origin } = await openMarket({ mail: true })
const DOOR = { lat: 53.5511, lng: 9.9937 }
const TITLE = 'Does the door of the pharmacy open by itself?'

describe('a person with a phone', () => {
  test('registers, finds a task, photographs the answer, is paid, and gets the money in the bank', async () => {
    const agent = await market.agent({ name: 'Atlas Maps', freeTasks: false })
    const deposit = await agent.post('/wallet/deposit', { amount_cents: 5000 })
    await market.sandbox.pay(deposit.body.session_id as string)
    await until(async () => (await agent.get('/wallet')).body.balance_cents === 5000)
    const created = await agent.post('/tasks', {
      title: TITLE,
      description: 'Stand in front of the door and photograph it.',
      type: 'verification',
      proof_required: 'photo',
      budget_cents: 2500,
      location: { address: 'Bahnhofstrasse 21', ...DOOR },
      answer_schema: { type: 'boolean', description: 'Does it?' },
    })
    assert.equal(created.status, 201, created.text)
    const taskId = created.body.task.id as string
    const email = newEmail()
    const phone = await openPhone({
      permissions: ['camera', 'geolocation'],
      position: { latitude: DOOR.lat, longitude: DOOR.lng, accuracy: 9 },
    })
    const { page } = phone

    await join(phone, email)
    await page.getByRole('link', { name: TITLE }).tap()
    await page.getByRole('button', { name: /^Accept/ }).tap()
    await page.waitForURL(`**/active/${taskId}`)
    await press(phone, 'Open camera')
    await pictureThere(page)
    await press(phone, 'Take photo')
    await page.getByText('Sharp enough').waitFor()
    await page.getByText('Yes', { exact: true }).tap()
    const photo = await photoOn(phone)
    await sendProof(phone)
    const file = await market.db.reader
      .selectFrom('files')
      .selectAll()
      .where('task_id', '=', taskId)
      .executeTakeFirstOrThrow()

    const approved = await agent.post(`/tasks/${taskId}/approve`)
    assert.equal(approved.status, 200, approved.text)
    // A job writes the notice a moment after the verdict.
    await until(async () => {
      await phone.open(`${origin}/inbox`)
      await phone.heading('Inbox')
      return (await page.getByText('Atlas Maps paid you $20.50').count()) > 0
    }, 'the notice')
    await connectBank(phone)
    await until(async () => {
      const { body } = await agent.post(`/tasks/${taskId}/payout`)
      return body.payouts[0].status === 'paid'
    }, 'the payout')
    await phone.open(`${origin}/earnings`)
    await page.getByText('Paid out').first().waitFor()
    await phone.look('story-paid-out')
    const earned = await page.locator('main').innerText()
    await phone.close()

    assert(photo.bytes > 10_000, 'it is a photo, not a few bytes')
    assert.equal(file.sha256, photo.sha256)
    assert.match(earned, /\$20\.50/)
  })
})

/** From the landing page, through the link in the email, to the first list of tasks. */
async function join(phone: Phone, email: string): Promise<void> {
  const { page } = phone
  await phone.open(origin)
  await page.getByRole('link', { name: 'Join' }).tap()
  await phone.heading('Join')
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('I’m 18 or older').check()
  await press(phone, 'Join')
  await page.getByText(email).waitFor()
  const { links } = await market.inbox.mailTo(email)
  await phone.open(links[0]!.href)
  await press(phone, 'Confirm my email')
  await phone.heading('Two quick questions')
  await page.getByRole('button', { name: 'Photography' }).tap()
  await page.getByRole('combobox', { name: 'City or town' }).fill('Hamburg')
  await press(phone, 'Show my tasks')
  await page.waitForURL(`${origin}/`)
}

/** Uses the processor's own pages. */
async function connectBank(phone: Phone): Promise<void> {
  const { page } = phone
  await phone.open(`${origin}/payout`)
  await press(phone, 'Add your bank account')
  await page.waitForURL((url) => url.origin !== origin)
  await page.getByLabel('Legal name').fill('Ada Example')
  await page.getByLabel('Month').fill('3')
  await page.getByLabel('Day').fill('27')
  await page.getByLabel('Year').fill('1990')
  await page.getByRole('button', { name: 'Submit' }).tap()
  await page.waitForURL(/\/payouts\/return/)
  await page.getByText('Your bank account is connected').first().waitFor()
}

/** The only photo stored on the phone, with the size and hash that the phone computes. */
const photoOn = ({ page }: Phone) =>
  page.evaluate<{ bytes: number; sha256: string }>(`new Promise((resolve) => {
    const opening = indexedDB.open('legwork')
    opening.onsuccess = () => {
      const asking = opening.result.transaction('media').objectStore('media').getAll()
      asking.onsuccess = async () => {
        opening.result.close()
        const [photo] = asking.result
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', photo))
        const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
        resolve({ bytes: photo.byteLength, sha256 })
      }
    }
  })`)
