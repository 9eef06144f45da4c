/**
 * A phone with a real browser in it. Whatever page it looks at has to fit the smallest screens, by day and by night,
 * without a word of complaint in the console. Pictures of all of it go to ARTIFACTS_DIR, for people to look at.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type ConsoleMessage,
  type Page,
} from 'playwright-core'
import { freePort } from '../../../scripts/postgres.ts'
import { type Json, marketplace } from '../harness.ts'
import { focused, hasFocus, survey } from './in-page.js'

const PROGRAM = process.env.CHROMIUM || '/usr/bin/chromium'
const ARTIFACTS = path.resolve(
  process.env.ARTIFACTS_DIR || path.join(import.meta.dirname, '../../../artifacts'),
)
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const SCREEN = { width: 390, height: 844 }
const NARROWEST = 320
/** What a thumb hits. */
const TARGET_MIN = 44
const WAIT_MS = 20_000
const TABS_MAX = 60

export type Phone = Awaited<ReturnType<typeof openPhone>>

/**
 * Everything as it runs in earnest, jobs and clock too. Earnings are paid out without a hold, and the operator has put
 * in some money, from which the processor's fees are paid.
 */
export async function openMarket() {
  const port = await freePort()
  const market = await marketplace({
    processor: true,
    roles: ['api', 'jobs'],
    clock: 'real',
    settings: {
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      HOLD_HOURS: 0,
      HOLD_HOURS_NEW: 0,
      HOLD_HOURS_FREE: 0,
    },
  })
  await market.sandbox.control('POST', 'topups', { amount: 100_000 })
  return market
}

/** Asks again until there is something. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T & Json> {
  const end = performance.now() + WAIT_MS
  for (;;) {
    const found = await ask()
    if (found !== undefined && found !== false) return found as T & Json
    assert(performance.now() < end, 'what was waited for did not come in time')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

export async function openPhone({ javaScript = true } = {}) {
  browser ??= chromium.launch({ executablePath: PROGRAM, args: FLAGS })
  const context = await (await browser).newContext({
    viewport: SCREEN,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    javaScriptEnabled: javaScript,
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const complaints = listen(context, page)

  return {
    page,
    /** Goes to a page and sees that it is one. */
    async open(address: string): Promise<void> {
      const response = await page.goto(address)
      assert(response?.ok(), `${address}: ${response?.status()}`)
    },
    /** Waits until the page says so in its heading. */
    heading: (text: string | RegExp) =>
      page.getByRole('heading', { level: 1, name: text }).waitFor(),
    /** Holds the page that is open against what every page must be, and keeps pictures of it. */
    look: (name: string) => look(page, name),
    /** Moves on by the keyboard alone until the field or button with this name has the focus, which must be seen. */
    tabTo: (name: string) => tabTo(page, name),
    /** Whether the focus was led there, as to what went wrong. */
    hasFocus: (selector: string) => inPage(page, hasFocus, selector),
    async close(): Promise<void> {
      await context.close()
      assert.deepEqual(complaints, [], 'the console has nothing to say')
    },
  }
}

function listen(context: BrowserContext, page: Page): string[] {
  const complaints: string[] = []
  const note = (message: ConsoleMessage) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // A refusal is a page with a status of its own; the browser mentions it.
    const isRefusal = /Failed to load resource: .* status of 4\d\d/.test(message.text())
    if (isRefusal && message.location().url === page.url()) return
    complaints.push(`${page.url()}: ${message.text()}`)
  }
  context.on('console', note)
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  return complaints
}

async function look(page: Page, name: string): Promise<void> {
  mkdirSync(ARTIFACTS, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await picture(page, `${name}-${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: NARROWEST, height: 640 })
  await picture(page, `${name}-narrow`)
  const seen = await inPage(page, survey, TARGET_MIN)
  await page.setViewportSize(SCREEN)

  assert(seen.width <= NARROWEST, `${name}: ${seen.width} pixels wide on a screen of ${NARROWEST}`)
  assert.equal(seen.language, 'en', `${name}: the page says its language`)
  assert.equal(seen.headings, 1, `${name}: the page has one main heading`)
  assert.equal(seen.mains, 1, `${name}: the page has one main part`)
  assert.deepEqual(seen.nameless, [], `${name}: every field and button has a name`)
  assert.deepEqual(seen.small, [], `${name}: everything to touch is large enough`)
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({
    path: path.join(ARTIFACTS, `${name}.png`),
    fullPage: true,
    animations: 'disabled',
  })
}

async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  for (let i = 0; i < TABS_MAX; i += 1) {
    await page.keyboard.press('Tab')
    const now = await inPage(page, focused)
    if (now === undefined) continue
    assert(now.isSeen, `one sees that “${now.name}” has the focus`)
    if (now.name.startsWith(name)) return
    passed.push(now.name)
  }
  assert.fail(`no Tab leads to ${name}, only to ${passed.join(' · ')}`)
}

const IN_PAGE = readFileSync(path.join(import.meta.dirname, 'in-page.js'), 'utf8').replaceAll(
  /^export /gm,
  '',
)

/** Runs a function of in-page.js there; they call each other, so that all of them go along. */
function inPage<Args extends unknown[], Result>(
  page: Page,
  run: (...args: Args) => Result,
  ...args: Args
): Promise<Result> {
  const call = `${run.name}(...${JSON.stringify(args)})`
  return page.evaluate(`(() => {${IN_PAGE}\nreturn ${call}})()`)
}
