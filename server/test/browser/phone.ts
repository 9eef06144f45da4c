/**
 * A phone with a real browser. Every page it checks must fit the smallest screens, in light and dark mode, without
 * console errors. Screenshots go to ARTIFACTS_DIR for people to look at.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
import { atEnd } from '../hooks.ts'
import { type Json, type MarketOptions, marketplace } from '../harness.ts'
import { drawDoor } from './door.ts'
import { focused, hasFocus, motionEnded, survey } from './in-page.js'

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
  // A fake camera and microphone; each phone sets its own permissions for them.
  '--use-fake-device-for-media-stream',
]
/** If the page is rendered differently from the map, a strip of the map is missing. */
const MAP_FLAGS = [
  ...FLAGS.filter((flag) => flag !== '--disable-gpu'),
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]
const SCREEN = { width: 390, height: 844 }
/** The server tells phones by it; the browser derives its client hints from it. */
const PHONE_NAME =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
export const NARROWEST = 320
/** Minimum touch target size. */
const TARGET_MIN = 44
const WAIT_MS = 20_000
const TABS_MAX = 60

export type Phone = Awaited<ReturnType<typeof openPhone>>

/** A marketplace whose links, in emails and to files, point to its own server. */
export async function openHome({ settings, ...options }: MarketOptions = {}) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const market = await marketplace({
    ...options,
    settings: { PORT: port, PUBLIC_URL: origin, ...settings },
  })
  return { market, origin }
}

/** Earnings are paid out without a hold. */
export const NO_HOLD = { HOLD_HOURS: 0, HOLD_HOURS_NEW: 0, HOLD_HOURS_FREE: 0 }

/**
 * Runs everything as in production, including jobs and the clock. The operator has deposited some money, which covers
 * the processor's fees.
 */
export async function openMarket({ mail = false } = {}) {
  const home = await openHome({
    mail,
    processor: true,
    roles: ['api', 'jobs'],
    clock: 'real',
    settings: NO_HOLD,
  })
  await home.market.sandbox.control('POST', 'topups', { amount: 100_000 })
  return home
}

/** Polls until the result is truthy. */
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

const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-camera-'))
const browsers: { usual?: Promise<Browser>; drawing?: Promise<Browser> } = {}
after(async () => {
  for (const browser of Object.values(browsers)) await (await browser).close()
  rmSync(folder, { recursive: true })
})

/** All tests share one browser. Tests with a map use another, which renders canvases in software and is slow. */
const browserFor = ({ hasMap }: { hasMap: boolean }) =>
  hasMap ? (browsers.drawing ??= launch(MAP_FLAGS)) : (browsers.usual ??= launch(FLAGS))

/** The fake camera of this browser shows a door. */
async function launch(flags: string[]): Promise<Browser> {
  const file = path.join(folder, 'door.mjpeg')
  const frame = await drawDoor({ width: 1280 })
  writeFileSync(file, Buffer.concat([frame, frame, frame]))
  return chromium.launch({
    executablePath: PROGRAM,
    args: [...flags, `--use-file-for-fake-video-capture=${file}`],
  })
}

interface PhoneOptions {
  javaScript?: boolean
  language?: string
  timeZone?: string
  /** Granted without a prompt. */
  permissions?: ('camera' | 'microphone' | 'geolocation' | 'notifications')[]
  position?: { latitude: number; longitude: number; accuracy?: number }
  screen?: { width: number; height: number }
  isDesktop?: boolean
  hasTouch?: boolean
  hasMap?: boolean
  /** Console messages to ignore, for tests that break something on purpose. */
  forgives?: RegExp
}

export async function openPhone({
  javaScript = true,
  language = 'en',
  timeZone,
  permissions = [],
  position,
  screen = SCREEN,
  isDesktop = false,
  hasTouch = true,
  hasMap = false,
  forgives,
}: PhoneOptions = {}) {
  const context = await (await browserFor({ hasMap })).newContext({
    viewport: screen,
    deviceScaleFactor: 2,
    isMobile: !isDesktop,
    ...(isDesktop ? {} : { userAgent: PHONE_NAME }),
    hasTouch,
    javaScriptEnabled: javaScript,
    locale: language,
    ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
    permissions,
    ...(position ? { geolocation: position } : {}),
  })
  atEnd(() => context.close())
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const complaints = listen(context, page, forgives)

  return {
    page,
    context,
    /** Unexpected console messages so far. */
    complaints,
    /** Logs this worker in by setting the session cookie. */
    async as({ token }: { token: string }, address: string): Promise<void> {
      // The cookie is secure-only, so it needs an https URL; the browser still sends it over http to this machine.
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
    /** Opens a page and asserts that it loaded. */
    async open(address: string): Promise<void> {
      const response = await page.goto(address)
      assert(response?.ok(), `${address}: ${response?.status()}`)
    },
    /** Waits for this text in the page's heading. */
    heading: (text: string | RegExp) =>
      page.getByRole('heading', { level: 1, name: text }).waitFor(),
    /** Checks the open page against the general requirements, and keeps screenshots of it. */
    look: (name: string, { language = 'en' } = {}) => look(page, name, { language, javaScript }),
    /** Tabs until the field or button with this name has a visible focus. */
    tabTo: (name: string) => tabTo(page, name),
    /** The same, and types the text there. */
    async type(name: string, text: string): Promise<void> {
      await tabTo(page, name)
      await page.keyboard.type(text)
    },
    /** The same, and presses Enter. */
    async enter(name: string): Promise<void> {
      await tabTo(page, name)
      await page.keyboard.press('Enter')
    },
    /** Whether the focus was moved there, for example to an error. */
    hasFocus: (selector: string) => inPage(page, hasFocus, selector),
    async close(): Promise<void> {
      await context.close()
      assert.deepEqual(complaints, [], 'the console has nothing to say')
    },
  }
}

/** Matches the button's full name. */
export const press = ({ page }: Phone, name: string) =>
  page.getByRole('button', { name, exact: true }).tap()

function listen(context: BrowserContext, page: Page, forgives?: RegExp): string[] {
  const complaints: string[] = []
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (/^https?:$/.test(protocol) && !['127.0.0.1', 'localhost'].includes(hostname))
      complaints.push(`${page.url()}: asks ${request.url()}, beyond this machine`)
  })
  const note = (message: ConsoleMessage) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // A refusal is a page or an API response with a 4xx status, which the browser logs.
    const isRefusal = /Failed to load resource: .* status of 4\d\d/.test(message.text())
    // The browser also logs it when a test takes the network away.
    if (/net::ERR_INTERNET_DISCONNECTED/.test(message.text())) return
    if (forgives?.test(message.text())) return
    const { url } = message.location()
    if (isRefusal && (url === page.url() || /^\/(?:desk\/)?api\//.test(new URL(url).pathname)))
      return
    complaints.push(`${page.url()}: ${message.text()}`)
  }
  context.on('console', note)
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  // Our pages open no dialogs; an injected script would.
  page.on('dialog', (dialog) => {
    complaints.push(`${page.url()}: opens a dialog, ${dialog.message()}`)
    void dialog.dismiss()
  })
  return complaints
}

/**
 * A run of the whole suite only measures pages, without screenshots or axe; screens.test.ts runs axe on every screen.
 * `npm run test:browser` does both.
 */
export const IS_QUICK = process.env.LOOKS === 'quick'

async function look(
  page: Page,
  name: string,
  { language, javaScript }: { language: string; javaScript: boolean },
): Promise<void> {
  await onNarrowest(page, async () => {
    if (!IS_QUICK) await picture(page, `${name}-narrow`)
    const { width } = await assertBuilt(page, name, { language })
    assert(width <= NARROWEST, `${name}: ${width} pixels wide on a screen of ${NARROWEST}`)
  })
  if (IS_QUICK) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await picture(page, `${name}-${colorScheme}`)
    // axe itself needs JavaScript.
    if (javaScript) await assertAccessible(page, `${name}, ${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Runs a check at the size of the smallest phone. */
export async function onNarrowest<T>(page: Page, run: () => Promise<T>): Promise<T> {
  const usual = page.viewportSize() ?? SCREEN
  await page.setViewportSize({ width: NARROWEST, height: 640 })
  try {
    return await run()
  } finally {
    await page.setViewportSize(usual)
  }
}

export async function assertBuilt(
  page: Page,
  name: string,
  { language = 'en', targetMin = TARGET_MIN } = {},
) {
  const seen = await inPage(page, survey, targetMin)
  assert.equal(seen.language, language, `${name}: the page says its language`)
  assert.equal(seen.headings, 1, `${name}: the page has one main heading`)
  assert.equal(seen.mains, 1, `${name}: the page has one main part`)
  assert.deepEqual(seen.nameless, [], `${name}: every field and button has a name`)
  assert.deepEqual(seen.small, [], `${name}: everything to touch is large enough`)
  return seen
}

const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The only rules that depend on colors. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

export async function assertAccessible(
  page: Page,
  name: string,
  { rules }: { rules?: string[] } = {},
): Promise<void> {
  // While a text fades in, it has less contrast than it will have.
  await inPage(page, motionEnded)
  // React Aria's live announcements stay in the DOM for some seconds, even when the button they name is gone. Our pages
  // have no third-party frames, for which the non-legacy mode opens an extra page each time.
  const axe = new AxeBuilder({ page }).setLegacyMode().exclude('[data-live-announcer]')
  const runOnly = rules
    ? { type: 'rule' as const, values: rules }
    : { type: 'tag' as const, values: AXE_RULES }
  // Reporting the location of everything that passes takes as long as the check itself.
  axe.options({ runOnly, resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
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

/** Runs a function of in-page.js in the page. These functions call each other, so all of them are included. */
export function inPage<Args extends unknown[], Result>(
  page: Page,
  run: (...args: Args) => Result,
  ...args: Args
): Promise<Result> {
  const call = `${run.name}(...${JSON.stringify(args)})`
  return page.evaluate(`(() => {${IN_PAGE}\nreturn ${call}})()`)
}
