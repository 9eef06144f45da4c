/**
 * The docs in a browser: complete without JavaScript, passing axe in light and dark mode, and usable on the smallest
 * phone at 200% text size. What the script adds works under our own CSP, with a test key and with no other key.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import { GUIDES } from '../../../web/docs/navigation.ts'
import {
  ARTIFACTS,
  assertAccessible,
  COLOR_RULES,
  IS_QUICK,
  NARROWEST,
  openHome,
  openPhone,
  picture,
  until,
} from './phone.ts'

const DESKTOP = { isDesktop: true, screen: { width: 1440, height: 900 } }
/** A page without its typefaces, and what the search adds when it first opens, both compressed. */
const WEIGHT_MAX = 30 * 1024
const SEARCH_MAX = 140 * 1024
const { market, origin } = await openHome()
const agent = await market.agent()
const at = (slug: string) => `${origin}/docs${slug === '' ? '' : `/${slug}`}`

/** A run of the whole suite checks one page of each kind. */
const KINDS = ['', 'how-a-task-lives', 'reference', 'errors/insufficient_funds']
const ALL = [...GUIDES.map(({ slug }) => slug), 'errors/insufficient_funds']

/**
 * All endpoints of the reference have the same markup, and axe takes a minute for all of them, so only the first ones
 * are checked.
 */
const SHORTEN = `for (const one of [...document.querySelectorAll('.operation')].slice(6)) one.remove()`

describe('every page of the docs', () => {
  for (const slug of IS_QUICK ? KINDS : ALL)
    test(`/docs/${slug} is accessible, in light and dark mode`, async () => {
      const phone = await openPhone(DESKTOP)
      await phone.open(at(slug))
      await phone.page.evaluate(SHORTEN)
      await assertAccessible(phone.page, `/docs/${slug}, light`)
      if (!IS_QUICK) await picture(phone.page, `docs-${slug.replace('/', '-') || 'overview'}`)
      await phone.page.emulateMedia({ colorScheme: 'dark' })
      // Dark mode changes only the colors.
      await assertAccessible(phone.page, `/docs/${slug}, dark`, { rules: COLOR_RULES })
      await phone.close()
    })

  test('fits the smallest phone, also with doubled font size', async () => {
    const phone = await openPhone()
    for (const slug of ALL) {
      await phone.open(at(slug))
      await phone.page.setViewportSize({ width: NARROWEST, height: 640 })
      for (const percent of [100, 200]) {
        await phone.page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`)
        const width = await phone.page.evaluate<number>('document.documentElement.scrollWidth')
        assert(width <= NARROWEST, `/docs/${slug} at ${percent} %: ${width} pixels wide`)
      }
    }
    await phone.close()
  })

  test('is complete without JavaScript: text, every code sample, a menu', async () => {
    const phone = await openPhone({ javaScript: false })
    await phone.open(at(''))
    await phone.heading('People for the last mile of your agent')
    for (const words of ['await legwork.verify(', 'npx @legwork/cli ask', '"wait_seconds"'])
      await phone.page.getByText(words).first().waitFor()
    await phone.page.getByText('Pages', { exact: true }).tap()
    await phone.page.getByRole('link', { name: 'Quickstart' }).first().tap()
    await phone.heading('Quickstart')
    await phone.close()
  })
})

describe('with JavaScript', () => {
  test('the chosen language of the samples is used everywhere, and kept', async () => {
    const phone = await openPhone(DESKTOP)
    await phone.open(at('how-a-task-lives'))
    const tab = phone.page.getByRole('tab', { name: 'TypeScript' })
    await tab.first().click()
    assert.equal(await phone.page.getByRole('tab', { name: 'curl', selected: true }).count(), 0)

    await phone.open(at('test-mode'))
    await tab.first().waitFor()
    assert.equal(await tab.first().getAttribute('aria-selected'), 'true')
    await tab.first().focus()
    await phone.page.keyboard.press('ArrowLeft')
    assert.equal(await tab.first().getAttribute('aria-selected'), 'false')

    const python = phone.page.getByRole('tab', { name: 'Python' })
    await python.first().click()
    await phone.page.getByText('legwork = Legwork()').first().waitFor()
    await phone.open(at('reference'))
    await python.first().waitFor()
    for (const one of (await python.all()).slice(0, 5))
      assert.equal(await one.getAttribute('aria-selected'), 'true')
    await phone.page.getByText('task = legwork.tasks.create(').first().waitFor()
    await phone.close()
  })

  test('a test key appears in the samples, and Run uses it; a live key is refused', async () => {
    const phone = await openPhone(DESKTOP)
    await phone.open(at('reference'))
    const { page } = phone
    const first = page.locator('.operation').first()
    await first.getByRole('button', { name: 'Run in test mode' }).click()
    await first.getByText('Add a test key first').waitFor()

    const field = page.getByLabel('Your test key')
    await field.fill(agent.api_key)
    await page.getByText('This is a live key').waitFor()
    assert.equal(await first.getByText(agent.api_key).count(), 0)
    await field.fill(agent.test_api_key)
    await first.getByText(agent.test_api_key).waitFor()
    await page.keyboard.press('Escape')

    await first.getByRole('button', { name: 'Run in test mode' }).click()
    await first.getByText(/^201 in \d+ ms$/).waitFor()
    const { body } = await agent.test.get('/tasks')
    const { id } = (body.tasks as { id: string }[])[0]!
    // The samples below use the id of the created task.
    const show = page.locator('.operation', { has: page.locator('#get-tasks-id') })
    await show.getByText(id).first().waitFor()
    assert.equal(await page.evaluate('localStorage.length'), 0, 'the key stays in this window')
    await phone.close()
  })

  test('a visitor without a key gets one with one click, without an account', async () => {
    const phone = await openPhone(DESKTOP)
    await phone.open(at('money'))
    await phone.page.getByText('Add a test key').click()
    await phone.page.getByRole('button', { name: 'Create a test key' }).click()
    await phone.page.getByText('Created a test agent with play money').waitFor()
    await phone.page.keyboard.press('Escape')
    await phone.page.getByRole('button', { name: 'Run in test mode' }).first().click()
    await phone.page.getByText('"balance_cents": 100000').waitFor()
    await phone.close()
  })

  test('the page can be copied as Markdown', async () => {
    const phone = await openPhone(DESKTOP)
    await phone.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    await phone.open(at('money'))
    await phone.page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await phone.page.getByText('Copied').first().waitFor()
    const copied = await phone.page.evaluate<string>('navigator.clipboard.readText()')
    assert.match(copied, /^# Money\n/)
    assert.match(copied, /\]\(\/docs\/keys\.md\)/, 'its links lead to Markdown')
    await phone.close()
  })
})

describe('the search', () => {
  test('is loaded when it first opens, and no page pays for it before', async () => {
    const phone = await openPhone(DESKTOP)
    const loaded: { path: string; bytes: number }[] = []
    phone.page.on('requestfinished', (request) => {
      if (request.resourceType() === 'font') return
      const { pathname } = new URL(request.url())
      void request
        .sizes()
        .then(({ responseBodySize }) => loaded.push({ path: pathname, bytes: responseBodySize }))
    })
    const isOfSearch = ({ path }: { path: string }) => /\/search(?:er)?-/.test(path)
    const total = (some: typeof loaded) => some.reduce((sum, { bytes }) => sum + bytes, 0)
    await phone.open(at('money'))
    await phone.page.waitForLoadState('networkidle')
    assert.deepEqual(loaded.filter(isOfSearch), [])
    assert(
      loaded.length > 2 && total(loaded) <= WEIGHT_MAX,
      `the page takes ${total(loaded)} bytes`,
    )

    await phone.page.keyboard.press('/')
    await until(async () => loaded.filter(isOfSearch).length === 2)
    const bytes = total(loaded.filter(isOfSearch))
    assert(bytes <= SEARCH_MAX, `the search takes ${bytes} bytes`)
    await phone.close()
  })

  test('opens with ⌘K, Ctrl-K, / and its button; Escape closes it and returns the focus', async () => {
    const phone = await openPhone(DESKTOP)
    await phone.open(at(''))
    const { page } = phone
    const field = page.getByRole('combobox', { name: 'Search the docs' })
    const opener = page.getByRole('button', { name: 'Search the docs' })
    for (const key of ['Meta+k', 'Control+k', '/']) {
      await opener.focus()
      await page.keyboard.press(key)
      await field.waitFor()
      assert(await phone.hasFocus('.finder input'), key)
      await page.keyboard.press('Escape')
      await field.waitFor({ state: 'hidden' })
      assert(await phone.hasFocus('.opener'), key)
    }
    await opener.click()
    await field.fill('a/b')
    await page.keyboard.press('/')
    assert.equal(await field.inputValue(), 'a/b/', '/ can be typed into it')
    await phone.close()
  })

  test('leads to a section with the keyboard alone', async () => {
    const phone = await openPhone(DESKTOP)
    await phone.open(at(''))
    const { page } = phone
    const field = page.getByRole('combobox', { name: 'Search the docs' })
    const selected = page.getByRole('option', { selected: true })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('money back')
    await selected.waitFor()
    assert.match((await page.getByRole('status').first().textContent())!, /^\d+ results$/)
    assert.equal(await field.getAttribute('aria-expanded'), 'true')
    const first = await field.getAttribute('aria-activedescendant')
    assert.equal(await selected.getAttribute('id'), first)
    assert.match((await selected.textContent())!, /^RefundsMoney/)
    assert((await selected.locator('mark').count()) > 1)

    await page.keyboard.press('ArrowDown')
    assert.notEqual(await field.getAttribute('aria-activedescendant'), first)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    const all = await page.getByRole('option').count()
    assert.equal(
      await selected.getAttribute('id'),
      `found-${all - 1}`,
      'the last is above the first',
    )
    await page.keyboard.press('ArrowDown')
    assert.equal(await selected.getAttribute('id'), first)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/money#refunds$/)
    await page.getByRole('heading', { name: 'Refunds' }).waitFor()

    // A section of the open page is shown without loading the page again.
    await page.keyboard.press('/')
    await page.keyboard.type('escrow')
    await page.getByRole('option', { name: /^Wallet and escrow/ }).click()
    await page.waitForURL(/\/docs\/money#wallet-and-escrow$/)
    await field.waitFor({ state: 'hidden' })
    await phone.close()
  })

  test('says that nothing was found, and where to go next', async () => {
    const phone = await openPhone(DESKTOP)
    await phone.open(at('money'))
    const { page } = phone
    await page.keyboard.press('/')
    await page.keyboard.type('qzxwv')
    await page.getByText('Nothing found for “qzxwv”.').waitFor()
    assert.equal(await page.getByRole('option').count(), 0)
    await page.keyboard.press('Enter')
    await phone.enter('API reference')
    await page.waitForURL(/\/docs\/reference$/)
    await phone.close()
  })

  test('is accessible in light and dark mode, and fits the smallest phone', async () => {
    for (const isDesktop of [true, false]) {
      const phone = await openPhone(isDesktop ? DESKTOP : {})
      const { page } = phone
      await phone.open(at('money'))
      await page.getByRole('button', { name: 'Search the docs' }).click()
      const field = page.getByRole('combobox', { name: 'Search the docs' })
      for (const [question, shown] of [
        ['qzxwv', 'Nothing found'],
        ['verify a webhook', 'results'],
      ] as const) {
        await field.fill(question)
        await page.getByText(shown).waitFor()
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const name = `docs-search-${shown.split(' ')[0]}-${isDesktop ? 'desktop' : 'phone'}-${colorScheme}`
          await assertAccessible(page, name)
          await page.screenshot({ path: path.join(ARTIFACTS, `${name}.png`) })
        }
      }
      await page.setViewportSize({ width: NARROWEST, height: 640 })
      for (const percent of [100, 200]) {
        await page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`)
        const width = await page.evaluate<number>(
          `Math.max(...[...document.querySelectorAll('.finder, .finder *')].map((one) => one.getBoundingClientRect().right))`,
        )
        assert(width <= NARROWEST, `${width} pixels wide at ${percent} %`)
      }
      await phone.close()
    }
  })

  test('says so if it can’t be loaded, and works once it can', async () => {
    const phone = await openPhone({ ...DESKTOP, forgives: /Failed to load resource/ })
    const { page } = phone
    await phone.open(at('money'))
    await page.route('**/docs/assets/search-*', (route) => route.abort())
    await page.keyboard.press('/')
    await page.keyboard.type('refund')
    await page.getByText('Couldn’t load the search. Check your connection').waitFor()
    await page.unroute('**/docs/assets/search-*')
    await page.keyboard.type('s')
    await page.getByRole('option').first().waitFor()
    await phone.close()
  })
})

describe('beside the app', () => {
  test('the service worker of the app ignores the docs and the files for programs', async () => {
    const phone = await openPhone()
    await phone.open(`${origin}/`)
    await until(() => phone.page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))

    await phone.open(at('quickstart'))
    await phone.heading('Quickstart')
    for (const [address, begin] of [
      ['/llms.txt', '# Legwork'],
      ['/auth.md', '# How to get a Legwork key'],
      ['/openapi.json', '{"openapi":"3.1.0"'],
    ] as const) {
      const text = await phone.page.evaluate<string>(
        `fetch('${address}').then((response) => response.text())`,
      )
      assert(text.startsWith(begin), address)
    }
    const kept = await phone.page.evaluate<string[]>(
      `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
        .then((all) => all.flat().map(({ url }) => new URL(url).pathname))`,
    )
    assert(kept.length > 5)
    assert.deepEqual(
      kept.filter((name) => /docs|llms|openapi|auth\.md/.test(name)),
      [],
    )
    await phone.close()
  })

  test('an unknown page says so', async () => {
    const phone = await openPhone()
    const response = await phone.page.goto(at('nowhere'))
    assert.equal(response!.status(), 404)
    await phone.heading('Page not found')
    await phone.close()
  })
})
