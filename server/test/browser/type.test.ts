/** The app's typefaces: columns of money align, text never moves, and Arabic keeps the phone's own font. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { moving } from './in-page.js'
import { inPage, openMarket, openPhone, type Phone, until } from './phone.ts'
import { WEDEL } from './scene.ts'
import { BAKERY } from './street.ts'

const { market, origin } = await openMarket()
const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
const ada = await market.worker({ name: 'Ada', location: WEDEL })
const { status } = await agent.post('/tasks', { ...BAKERY, urgency: 'standard', deadline: '5h' })
assert.equal(status, 201)

const families = ({ page }: Phone) =>
  page.evaluate<string[]>(
    `[...document.fonts].map(({ family }) => family.replaceAll('"', '')).sort()`,
  )

const OURS = ['Bricolage Grotesque', 'Figtree']

/** The widths of two amounts with as many digits, in one style. */
const widthsIn = ({ page }: Phone, className: string) =>
  page.evaluate<number[]>(`['$111.11', '$908.76'].map((amount) => {
    const span = document.body.appendChild(document.createElement('span'))
    span.className = ${JSON.stringify(className)}
    span.textContent = amount
    const { width } = span.getBoundingClientRect()
    span.remove()
    return width
  })`)

const layoutShift = ({ page }: Phone) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const sumOf = (entries) =>
      entries.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0)
    new PerformanceObserver((list) => resolve(sumOf(list.getEntries())))
      .observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(0), 500)
  })`)

async function openFeed(phone: Phone): Promise<void> {
  await phone.as(ada, origin)
  await phone.open(`${origin}/`)
  await phone.page.getByRole('article').first().waitFor()
}

describe('type', () => {
  test('amounts of as many digits are as wide, in text and in headings', async () => {
    const phone = await openPhone()
    await openFeed(phone)
    // On a slow machine they come late, and wait for the next screen.
    await phone.page.waitForLoadState('networkidle')
    await phone.page.getByRole('link', { name: 'Active' }).tap()
    await phone.heading('Your tasks')

    assert.deepEqual(await families(phone), OURS)
    for (const className of ['', 'font-bold', 'text-money font-bold']) {
      const [ones, others] = await widthsIn(phone, className)
      assert.equal(ones, others, className)
    }
    await phone.close()
  })

  test('a typeface that comes late waits for the next screen, and nothing moves', async () => {
    const phone = await openPhone()
    let send = () => {}
    const held = new Promise<void>((resolve) => {
      send = resolve
    })
    await phone.context.route('**/*.woff2', async (route) => {
      await held
      await route.continue()
    })
    await openFeed(phone)

    const before = await families(phone)
    const shiftBefore = await layoutShift(phone)
    const loaded = ['figtree', 'bricolage-grotesque'].map((name) =>
      phone.page.waitForResponse((response) => response.url().includes(name)),
    )
    send()
    for (const response of await Promise.all(loaded)) await response.finished()
    const stillBefore = await families(phone)
    const shift = await layoutShift(phone)
    await phone.page.getByRole('link', { name: /bakery/ }).tap()
    await phone.heading(/bakery/)
    const after = await families(phone)
    await phone.close()

    assert.deepEqual(before, [])
    assert.deepEqual(stillBefore, [])
    assert.deepEqual(after, OURS)
    assert.equal(shift, shiftBefore)
  })

  test('an app in Arabic loads no typeface', async () => {
    const phone = await openPhone({ language: 'ar' })
    await openFeed(phone)
    await until(() => phone.page.evaluate<boolean>("document.documentElement.lang === 'ar'"))

    assert.deepEqual(await families(phone), [])
    const family = await phone.page.evaluate<string>(
      'getComputedStyle(document.querySelector("article strong")).fontFamily',
    )
    await phone.close()

    assert.match(family, /^system-ui/)
  })
})

describe('motion', () => {
  test('a task comes from the end and its list from the start, unless motion is reduced', async () => {
    const phone = await openPhone()
    const { page } = phone
    await phone.context.addInitScript(`
      globalThis.ways = []
      new MutationObserver(() => {
        const { way } = document.documentElement.dataset
        if (way) ways.push(way)
      }).observe(document, { subtree: true, attributeFilter: ['data-way'] })`)
    await openFeed(phone)

    await page.getByRole('link', { name: /bakery/ }).tap()
    await phone.heading(/bakery/)
    await page.getByRole('link', { name: 'All tasks' }).tap()
    await page.getByRole('article').first().waitFor()
    const ways = await page.evaluate<string[]>('ways')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.getByRole('link', { name: /bakery/ }).tap()
    await phone.heading(/bakery/)
    const still = await inPage(page, moving)
    await phone.close()

    assert.deepEqual(ways, ['deeper', 'back'])
    assert.deepEqual(still, [])
  })
})
