/** Tests the moments: the app shows each of them once, blocks nothing, and announces it to screen readers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { completedBy, payableWorker } from '../payouts.ts'
import { moving } from './in-page.js'
import { inPage, openMarket, openPhone, type Phone, press, until } from './phone.ts'

const { market, origin } = await openMarket()
const agent = await market.agent({ name: 'Atlas Maps', balanceCents: 50_000, freeTasks: false })

/** Records the amounts that were shown, and vibrations. */
const RECORDER = `
  globalThis.shown = []
  globalThis.vibrations = []
  navigator.vibrate = (ms) => vibrations.push(ms) > 0
  new MutationObserver(() => {
    const amount = document.querySelector('.text-money [aria-hidden]')?.textContent
    if (amount && amount !== shown.at(-1)) shown.push(amount)
  }).observe(document, { subtree: true, childList: true, characterData: true })`

async function openApp(worker: { token: string }, at = '/'): Promise<Phone> {
  const phone = await openPhone()
  await phone.context.addInitScript(RECORDER)
  await phone.as(worker, origin)
  await phone.open(origin + at)
  await phone.page.getByRole('navigation').first().waitFor()
  return phone
}

const news = ({ page }: Phone) => page.getByRole('complementary', { name: 'News about your pay' })

const toldOf = (worker: { get(path: string): Promise<{ body: any }> }, kind: string, count = 1) =>
  until(async () => {
    const { body } = await worker.get('/worker/notices')
    return body.notices.filter((one: { kind: string }) => one.kind === kind).length >= count
  }, `${count} notices: ${kind}`)

describe('moments', () => {
  test('the first accepted task says how long there is and where to go, once', async () => {
    const worker = await market.worker({ name: 'Zoe' })
    const created = await agent.post('/tasks', {
      title: 'Is the bakery on Moorweg open?',
      description: 'Look at the door',
      budget_cents: 500,
      deadline: '5h',
    })
    await market.events()
    const phone = await openApp(worker)
    const { page } = phone

    await page.getByRole('link', { name: /bakery on Moorweg/ }).tap()
    await page.getByRole('button', { name: /^Accept/ }).tap()
    await page.getByRole('heading', { name: 'The task is yours' }).waitFor()
    const said = await page.locator('main').innerText()
    await phone.look('moments-1-accepted')
    await press(phone, 'Got it')
    await page.getByRole('heading', { name: 'The task is yours' }).waitFor({ state: 'hidden' })
    await phone.open(`${origin}/active/${created.body.task.id}`)
    await phone.heading(/bakery on Moorweg/)
    const again = await page.getByText('The task is yours').count()
    await phone.close()

    assert.match(said, /Send your proof by \w{3} \d/)
    assert.match(said, /hand it back within 5 minutes/)
    assert.equal(again, 0)
  })

  test('a payment counts up when the app is opened, shows what it adds to the week, and comes once', async () => {
    const worker = await market.worker({ name: 'Ada' })
    await completedBy(agent, [worker], { description: 'Is it open?', budget_cents: 500 })
    await toldOf(worker, 'paid', 1)
    await completedBy(agent, [worker], { description: 'Is it lit?', budget_cents: 1000 })
    await toldOf(worker, 'paid', 2)
    const phone = await openApp(worker)
    const { page } = phone

    await news(phone).getByText('$8.20 brings your week to $12.30').waitFor()
    await news(phone).getByRole('heading', { name: 'Atlas Maps paid you $8.20' }).waitFor()
    await until(() => page.evaluate("!document.querySelector('.text-money [aria-hidden]')"))
    const shown = await page.evaluate<string[]>('shown')
    await phone.look('moments-2-paid')
    await news(phone).getByRole('button', { name: 'Close' }).tap()
    await news(phone).waitFor({ state: 'hidden' })
    await page.reload()
    await page
      .getByRole('article')
      .or(page.getByRole('heading', { level: 2 }))
      .first()
      .waitFor()
    const again = await news(phone).count()
    await phone.close()

    const cents = shown.map((amount) => Math.round(Number(amount.slice(1)) * 100))
    assert(
      cents.some((one) => one > 0 && one < 820),
      `it counted: ${shown.join(' ')}`,
    )
    assert.deepEqual(
      cents,
      cents.toSorted((a, b) => a - b),
    )
    assert.equal(again, 0)
  })

  test('a paid task counts up with a vibration, and offers to share the amount alone', async () => {
    const worker = await market.worker({ name: 'Ben' })
    const { id } = await completedBy(agent, [worker], { title: 'Secret shop', budget_cents: 500 })
    const phone = await openApp(worker, '/active')
    const { page } = phone
    await page.evaluate(`navigator.share = async (shared) => { globalThis.sent = shared }`)

    await page.getByRole('link', { name: /Secret shop/ }).tap()
    await page.getByText('$4.10 is your first payment this week').waitFor()
    await until(() => page.evaluate<boolean>('vibrations.length > 0'))
    const vibrations = await page.evaluate<number[]>('vibrations')
    await phone.look('moments-3-status')
    await press(phone, 'Share')
    const sent = await page.evaluate<{ text: string; url: string }>('sent')
    await phone.open(`${origin}/earnings/${id}`)
    await phone.heading('Receipt')
    await page.getByText('Approved task').waitFor()
    const again = await page.getByText('first payment this week').count()
    await phone.close()

    assert.deepEqual(vibrations, [20])
    assert.deepEqual(sent, {
      text: 'I just earned $4.10 with a small task on Legwork.',
      url: origin,
    })
    assert.equal(again, 0)
  })

  test('with reduced motion the amount is there at once, and nothing moves or vibrates', async () => {
    const worker = await market.worker({ name: 'Cleo' })
    await completedBy(agent, [worker], { budget_cents: 500 })
    await toldOf(worker, 'paid')
    const phone = await openPhone()
    const { page } = phone
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await phone.context.addInitScript(RECORDER)
    await phone.as(worker, origin)
    await phone.open(`${origin}/me`)
    await phone.heading('Me')

    await page.getByRole('link', { name: 'Find' }).tap()
    await news(phone).getByText('$4.10 is your first payment this week').waitFor()
    const still = await inPage(page, moving)
    const { shown, vibrations } = await page.evaluate<{ shown: string[]; vibrations: number[] }>(
      '({ shown, vibrations })',
    )
    await phone.close()

    assert.deepEqual(still, [])
    assert.deepEqual(shown, [])
    assert.deepEqual(vibrations, [])
  })

  test('the first payout says where the money is', async () => {
    const worker = await payableWorker(market)
    const { id } = await completedBy(agent, [worker], { budget_cents: 5000 })
    await until(async () => {
      const { body } = await agent.post(`/tasks/${id}/payout`)
      return body.payouts[0].status === 'paid'
    }, 'the payout')
    await toldOf(worker, 'payout_paid')
    await toldOf(worker, 'paid')
    const phone = await openApp(worker)
    const { page } = phone

    await news(phone).getByRole('link', { name: 'View receipt' }).tap()
    await phone.heading('Receipt')
    await page.getByRole('link', { name: 'Find' }).tap()
    await news(phone).getByRole('heading', { name: 'Your first payout: $41.00' }).waitFor()
    const said = await news(phone).innerText()
    await phone.look('moments-4-payout')
    await news(phone).getByRole('link', { name: 'Payout account' }).tap()
    await phone.heading('Payout account')
    await phone.close()

    assert.match(
      said,
      /We sent it to your payout account on \w{3} \d{1,2}, \d{4}\. Stripe forwards it/,
    )
  })
})
