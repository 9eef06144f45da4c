/**
 * The front page in a browser: complete without JavaScript, accessible in light and dark mode, usable at 320 pixels,
 * and its example runs to the end with the real test API. The service worker leaves it to visitors who don't work.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assertAccessible,
  NARROWEST,
  openHome,
  openPhone,
  type Phone,
  picture,
  until,
} from './phone.ts'

const DESKTOP = { isDesktop: true, hasTouch: false, screen: { width: 1440, height: 900 } }
const HEADLINE = /^Your software can’t knock on a door/
const WEIGHT_MAX = 60 * 1024
const { market, origin } = await openHome({ roles: ['api', 'jobs'], clock: 'real' })

const step = ({ page }: Phone, name: string) => page.locator(`[data-step="${name}"]`)

describe('the front page', () => {
  test('is accessible in light and dark mode, and light', async () => {
    const phone = await openPhone(DESKTOP)
    let bytes = 0
    phone.page.on('requestfinished', (request) => {
      // Typefaces are shared with the app, and have their own budget.
      if (request.resourceType() === 'font') return
      void request.sizes().then(({ responseBodySize }) => (bytes += responseBodySize))
    })
    await phone.open(`${origin}/`)
    await phone.heading(HEADLINE)
    for (const colorScheme of ['light', 'dark'] as const) {
      await phone.page.emulateMedia({ colorScheme })
      await picture(phone.page, `front-${colorScheme}`)
      await assertAccessible(phone.page, `front page, ${colorScheme}`)
    }
    assert(bytes > 5000 && bytes <= WEIGHT_MAX, `${bytes} bytes`)
    await phone.close()
  })

  test('fits the smallest phone at /about, also with doubled font size', async () => {
    const phone = await openPhone()
    await phone.open(`${origin}/about`)
    await phone.look('front-about')
    for (const address of [
      '/help',
      '/contact',
      '/do-not-contact',
      '/legal/imprint',
      '/legal/terms',
      '/legal/privacy',
    ]) {
      await phone.open(origin + address)
      await phone.page.setViewportSize({ width: NARROWEST, height: 640 })
      await phone.page.evaluate(`document.documentElement.style.fontSize = '200%'`)
      const width = await phone.page.evaluate<number>('document.documentElement.scrollWidth')
      assert(width <= NARROWEST, `${address}: ${width} pixels wide`)
      await phone.page.evaluate(`document.documentElement.style.fontSize = ''`)
      await assertAccessible(phone.page, address)
      await picture(phone.page, `front${address.replaceAll('/', '-')}`)
    }
    await phone.close()
  })

  test('someone without an account asks not to be contacted', async () => {
    const phone = await openPhone()
    await phone.open(`${origin}/do-not-contact`)
    const { page } = phone
    await page.getByLabel(/^The number with its country code/).fill('030 12340001')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText(/must be a phone number with its country code/).waitFor()
    await page.getByLabel(/^The number with its country code/).fill('+49 30 12340001')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText('A person will look at it.').waitFor()

    const [row] = await market.asOwner('select kind, state from do_not_contact')

    assert.deepEqual(row, { kind: 'phone', state: 'requested' })
    await phone.close()
  })

  test('shows a sample run without JavaScript', async () => {
    const phone = await openPhone({ ...DESKTOP, javaScript: false })
    await phone.open(`${origin}/`)
    await phone.page.getByText('A sample run, shortened.').waitFor()
    await step(phone, 'paid').getByText('$4.10').waitFor()
    assert.equal(await phone.page.getByRole('button').count(), 0)
    await phone.page.getByText('/test/agents').click()
    await phone.page.getByText('"free_tasks_remaining": 3').waitFor()
    await phone.close()
  })

  test('phones get the app, and logged-in workers', async () => {
    const phone = await openPhone()
    await phone.open(`${origin}/`)
    await phone.heading('Get paid for small tasks near you')
    await phone.page.getByRole('link', { name: 'About Legwork' }).tap()
    await phone.heading(HEADLINE)
    await phone.close()

    const desk = await openPhone(DESKTOP)
    await desk.as(await market.worker(), origin)
    await desk.open(`${origin}/`)
    await until(async () => (await desk.page.title()).endsWith('– Legwork'), 'a screen of the app')
    assert.equal(await desk.page.getByRole('heading', { name: HEADLINE }).count(), 0)
    await desk.close()
  })

  test('stays at / after a look at the app, whose service worker is installed then', async () => {
    const phone = await openPhone(DESKTOP)
    await phone.open(`${origin}/hello`)
    await phone.page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    await until(() => phone.page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))
    await phone.open(`${origin}/`)
    await phone.heading(HEADLINE)
    await phone.open(`${origin}/legal/terms`)
    await phone.heading('Terms')
    await phone.open(`${origin}/?app`)
    await phone.heading('Get paid for small tasks near you')
    await phone.close()
  })
})

describe('the example', () => {
  test('runs to its end by keyboard, shows the requests, and runs again with the same agent', async () => {
    const phone = await openPhone(DESKTOP)
    const { page } = phone
    await phone.open(`${origin}/`)
    await phone.enter('Run it now')
    await step(phone, 'accepted')
      .getByText(/^Sim \w+ takes the task/)
      .waitFor()
    await page.getByText('Proof received. Look at it').waitFor()
    await phone.enter('Approve and pay')
    await page.getByText('Done. The worker gets $4.10.').waitFor()
    await picture(page, 'front-example')
    assert.match((await step(phone, 'paid').textContent())!, /\d\.\d s/)
    const paths = await page.locator('.path').allTextContents()
    assert.deepEqual(
      paths.map((path) => path.replace(/task_\w+…/, 'ID').replace(/\?.*/, '')),
      ['/test/agents', '/verify', '/tasks/ID', '/tasks/ID', '/tasks/ID/approve'],
    )
    await until(() =>
      page.evaluate<boolean>(`document.querySelector('[data-slot="photo"]').naturalWidth > 0`),
    )
    assert(!(await page.locator('.calls').textContent())!.match(/lw_test_\w/), 'no key is shown')
    await assertAccessible(page, 'the example after its run')

    await page.getByRole('button', { name: 'Run it again' }).click()
    await page.getByRole('button', { name: 'Approve and pay' }).click()
    await page.getByText('Done. The worker gets $4.10.').waitFor()
    assert(!(await page.locator('.path').allTextContents()).includes('/test/agents'))
    await phone.close()
  })

  test('says when to try again if the limit of test agents is reached', async () => {
    const phone = await openPhone(DESKTOP)
    const { page } = phone
    await page.route('**/api/v1/test/agents', (route) =>
      route.fulfill({
        status: 429,
        json: { error: 'Too many requests', code: 'rate_limited', retry_after_seconds: 600 },
      }),
    )
    await phone.open(`${origin}/`)
    await page.getByRole('button', { name: 'Run it now' }).click()
    await page.getByText('Try again in 10 minutes').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await phone.close()
  })
})
