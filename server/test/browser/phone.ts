/**
 * A phone with a real browser in it. Whatever page it looks at has to fit the smallest screens, by day and by night,
 * without a word of complaint in the console. Pictures of all of it go to ARTIFACTS_DIR, for people to look at.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type ConsoleMessage,
  type Page,
} from 'playwright-core'
import { freePort } from '../../../scripts/postgres.ts'
import { type Json, marketplace } from '../harness.ts'
import { drawDoor } from './door.ts'
import { focused, hasFocus, survey } from './in-page.js'

const PROGRAM = process.env.CHROMIUM || '/usr/bin/chromium'
export const ARTIFACTS = path.resolve(
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
  // A camera and a microphone that need no hardware; whether one may use them is each phone's own setting.
  '--use-fake-device-for-media-stream',
]
/** With the page drawn in another way than the map, the map would lack a strip. */
const MAP_FLAGS = [
  ...FLAGS.filter((flag) => flag !== '--disable-gpu'),
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]
export const SCREEN = { width: 390, height: 844 }
export const NARROWEST = 320
/** What a thumb hits. */
export const TARGET_MIN = 44
const WAIT_MS = 20_000
const TABS_MAX = 60

export type Phone = Awaited<ReturnType<typeof openPhone>>

/**
 * Everything as it runs in earnest, jobs and clock too. Earnings are paid out without a hold, and the operator has put
 * in some money, from which the processor's fees are paid.
 */
export async function openMarket({ mail = false } = {}) {
  const port = await freePort()
  const market = await marketplace({
    mail,
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
export async function until<T>(
  ask: () => Promise<T | undefined | false>,
  what = 'what was waited for',
  everyMs = 100,
): Promise<T & Json> {
  const end = performance.now() + WAIT_MS
  for (;;) {
    const found = await ask()
    if (found !== undefined && found !== false) return found as T & Json
    assert(performance.now() < end, `${what} did not come in time`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

/** One for the whole file; with a map, it draws by software what is drawn on a canvas, and takes its time for it. */
export const openBrowser = ({ hasMap = false } = {}) => (browser ??= launch({ hasMap }))

/** Before the camera of this browser stands a door. */
async function launch({ hasMap }: { hasMap: boolean }): Promise<Browser> {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'legwork-camera-')), 'door.mjpeg')
  const frame = await drawDoor({ width: 1280 })
  writeFileSync(file, Buffer.concat([frame, frame, frame]))
  return chromium.launch({
    executablePath: PROGRAM,
    args: [...(hasMap ? MAP_FLAGS : FLAGS), `--use-file-for-fake-video-capture=${file}`],
  })
}

interface PhoneOptions {
  javaScript?: boolean
  language?: string
  /** Allowed without asking. */
  permissions?: ('camera' | 'microphone' | 'geolocation' | 'notifications')[]
  position?: { latitude: number; longitude: number; accuracy?: number }
  screen?: { width: number; height: number }
  isDesktop?: boolean
  hasMap?: boolean
  /** What the console may say, where a test breaks something. */
  forgives?: RegExp
}

export async function openPhone({
  javaScript = true,
  language = 'en',
  permissions = [],
  position,
  screen = SCREEN,
  isDesktop = false,
  hasMap = false,
  forgives,
}: PhoneOptions = {}) {
  const context = await (await openBrowser({ hasMap })).newContext({
    viewport: screen,
    deviceScaleFactor: 2,
    isMobile: !isDesktop,
    hasTouch: true,
    javaScriptEnabled: javaScript,
    locale: language,
    permissions,
    ...(position ? { geolocation: position } : {}),
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const complaints = listen(context, page, forgives)

  return {
    page,
    context,
    /** Lets this worker in: the cookie that logging in would have set. */
    async as({ token }: { token: string }, address: string): Promise<void> {
      // By https, since a cookie of this kind is for nothing else; the browser sends it to this machine by http, too.
      const { host } = new URL(address)
      await context.addCookies([
        {
          name: '__Host-legwork',
          value: token,
          url: `https://${host}`,
          secure: true,
          httpOnly: true,
          sameSite: 'Lax',
        },
      ])
    },
    /** Goes to a page and sees that it is one. */
    async open(address: string): Promise<void> {
      const response = await page.goto(address)
      assert(response?.ok(), `${address}: ${response?.status()}`)
    },
    /** Waits until the page says so in its heading. */
    heading: (text: string | RegExp) =>
      page.getByRole('heading', { level: 1, name: text }).waitFor(),
    /** Holds the page that is open against what every page must be, and keeps pictures of it. */
    look: (name: string, { language = 'en' } = {}) => look(page, name, { language, javaScript }),
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

function listen(context: BrowserContext, page: Page, forgives?: RegExp): string[] {
  const complaints: string[] = []
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (/^https?:$/.test(protocol) && !['127.0.0.1', 'localhost'].includes(hostname))
      complaints.push(`${page.url()}: asks ${request.url()}, beyond this machine`)
  })
  const note = (message: ConsoleMessage) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // A refusal is a page, or an answer of the API, with a status of its own; the browser mentions it.
    const isRefusal = /Failed to load resource: .* status of 4\d\d/.test(message.text())
    // A test has taken the network away; the browser mentions that, too.
    if (/net::ERR_INTERNET_DISCONNECTED/.test(message.text())) return
    if (forgives?.test(message.text())) return
    const { url } = message.location()
    if (isRefusal && (url === page.url() || new URL(url).pathname.startsWith('/api/'))) return
    complaints.push(`${page.url()}: ${message.text()}`)
  }
  context.on('console', note)
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  return complaints
}

/**
 * In a run of the whole suite looks are quick: measured, and neither drawn nor held against axe, which screens.test.ts
 * does with every screen. `npm run test:browser` does both.
 */
export const IS_QUICK = process.env.LOOKS === 'quick'

async function look(
  page: Page,
  name: string,
  { language, javaScript }: { language: string; javaScript: boolean },
): Promise<void> {
  await page.setViewportSize({ width: NARROWEST, height: 640 })
  if (!IS_QUICK) await picture(page, `${name}-narrow`)
  const seen = await inPage(page, survey, TARGET_MIN)
  await page.setViewportSize(SCREEN)

  assert(seen.width <= NARROWEST, `${name}: ${seen.width} pixels wide on a screen of ${NARROWEST}`)
  assert.equal(seen.language, language, `${name}: the page says its language`)
  assert.equal(seen.headings, 1, `${name}: the page has one main heading`)
  assert.equal(seen.mains, 1, `${name}: the page has one main part`)
  assert.deepEqual(seen.nameless, [], `${name}: every field and button has a name`)
  assert.deepEqual(seen.small, [], `${name}: everything to touch is large enough`)
  if (IS_QUICK) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await picture(page, `${name}-${colorScheme}`)
    // axe itself is a script.
    if (javaScript) await assertAccessible(page, `${name}, ${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Of these rules alone the colours decide. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

export async function assertAccessible(
  page: Page,
  name: string,
  { rules }: { rules?: string[] } = {},
): Promise<void> {
  // What React Aria says aloud stays in its own corner for some seconds, also when the button that it names is gone.
  // There are no frames of others in our pages, for which the other mode opens a page of its own each time.
  const axe = new AxeBuilder({ page }).setLegacyMode().exclude('[data-live-announcer]')
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(AXE_RULES)).analyze()
  const found = violations.map(({ id, nodes }) => ({
    id,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
  }))
  assert.deepEqual(found, [], `${name}: axe finds nothing`)
}

export async function picture(page: Page, name: string): Promise<void> {
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
export function inPage<Args extends unknown[], Result>(
  page: Page,
  run: (...args: Args) => Result,
  ...args: Args
): Promise<Result> {
  const call = `${run.name}(...${JSON.stringify(args)})`
  return page.evaluate(`(() => {${IN_PAGE}\nreturn ${call}})()`)
}
