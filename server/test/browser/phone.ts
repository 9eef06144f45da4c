/**
 * A phone with a real browser in it. Whatever page it looks at has to fit the smallest screens, by day and by night,
 * without a word of complaint in the console. Pictures of all of it go to ARTIFACTS_DIR, for people to look at.
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
const SCREEN = { width: 390, height: 844 }
export const NARROWEST = 320
/** What a thumb hits. */
const TARGET_MIN = 44
const WAIT_MS = 20_000
const TABS_MAX = 60

export type Phone = Awaited<ReturnType<typeof openPhone>>

/** A marketplace whose links, in mails and to files, lead to it. */
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
 * Everything as it runs in earnest, jobs and clock too. The operator has put in some money, from which the processor's
 * fees are paid.
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

const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-camera-'))
const browsers: { usual?: Promise<Browser>; drawing?: Promise<Browser> } = {}
after(async () => {
  for (const browser of Object.values(browsers)) await (await browser).close()
  rmSync(folder, { recursive: true })
})

/** One for all tests; those with a map have another, which draws by software what is on a canvas, and takes its time. */
const browserFor = ({ hasMap }: { hasMap: boolean }) =>
  hasMap ? (browsers.drawing ??= launch(MAP_FLAGS)) : (browsers.usual ??= launch(FLAGS))

/** Before the camera of this browser stands a door. */
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
  /** Allowed without asking. */
  permissions?: ('camera' | 'microphone' | 'geolocation' | 'notifications')[]
  position?: { latitude: number; longitude: number; accuracy?: number }
  screen?: { width: number; height: number }
  isDesktop?: boolean
  hasTouch?: boolean
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
  hasTouch = true,
  hasMap = false,
  forgives,
}: PhoneOptions = {}) {
  const context = await (await browserFor({ hasMap })).newContext({
    viewport: screen,
    deviceScaleFactor: 2,
    isMobile: !isDesktop,
    hasTouch,
    javaScriptEnabled: javaScript,
    locale: language,
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
    /** What the browser has said until now that it should not have to. */
    complaints,
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
    /** The same, and writes there. */
    async type(name: string, text: string): Promise<void> {
      await tabTo(page, name)
      await page.keyboard.type(text)
    },
    /** The same, and presses Enter. */
    async enter(name: string): Promise<void> {
      await tabTo(page, name)
      await page.keyboard.press('Enter')
    },
    /** Whether the focus was led there, as to what went wrong. */
    hasFocus: (selector: string) => inPage(page, hasFocus, selector),
    async close(): Promise<void> {
      await context.close()
      assert.deepEqual(complaints, [], 'the console has nothing to say')
    },
  }
}

/** By the whole of its name. */
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
  // We open none: a script that came with what somebody wrote would.
  page.on('dialog', (dialog) => {
    complaints.push(`${page.url()}: opens a dialog, ${dialog.message()}`)
    void dialog.dismiss()
  })
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
  await onNarrowest(page, async () => {
    if (!IS_QUICK) await picture(page, `${name}-narrow`)
    const { width } = await assertBuilt(page, name, { language })
    assert(width <= NARROWEST, `${name}: ${width} pixels wide on a screen of ${NARROWEST}`)
  })
  if (IS_QUICK) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await picture(page, `${name}-${colorScheme}`)
    // axe itself is a script.
    if (javaScript) await assertAccessible(page, `${name}, ${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

/** What holds for the smallest phone. */
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
  const runOnly = rules
    ? { type: 'rule' as const, values: rules }
    : { type: 'tag' as const, values: AXE_RULES }
  // To say of everything that is right where it stands takes as long as to look at it.
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

/** Runs a function of in-page.js there; they call each other, so that all of them go along. */
export function inPage<Args extends unknown[], Result>(
  page: Page,
  run: (...args: Args) => Result,
  ...args: Args
): Promise<Result> {
  const call = `${run.name}(...${JSON.stringify(args)})`
  return page.evaluate(`(() => {${IN_PAGE}\nreturn ${call}})()`)
}
