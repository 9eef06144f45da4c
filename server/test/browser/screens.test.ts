/**
 * Checks the general requirements on every screen. The table of screens is complete. Each screen passes axe in light
 * and dark mode, has large enough touch targets, and fits the smallest phone, also at 200% text size. The same holds in
 * the pseudo-language: all text comes from the messages, and still fits when it is longer.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { atEnd } from '../hooks.ts'
import { focused, moving, untranslated, widthAt } from './in-page.js'
import {
  assertAccessible,
  assertBuilt,
  COLOR_RULES,
  inPage,
  IS_QUICK,
  NARROWEST,
  onNarrowest,
  openPhone,
  type Phone,
  picture,
} from './phone.ts'
import { SCRIPT, setScene } from './scene.ts'
import { openVisits, type Screen, screenNamed, SCREENS, type Visit } from './screens.ts'

const APP = path.join(import.meta.dirname, '../../../web/worker/app.tsx')
/** Each address in one state. */
const ADDRESSES = SCREENS.filter(
  ({ address }, at) => SCREENS.findIndex((one) => one.address === address) === at,
)
/**
 * A map is rendered in software here, which takes many seconds; map.test.ts covers it. A run of the whole suite checks
 * each address in one state; `npm run test:browser` checks all states.
 */
const LOOKED_AT = (IS_QUICK ? ADDRESSES : SCREENS).filter(({ name }) => name !== 'map')
const TABS = 45
const FITS = { width: NARROWEST, culprits: [] }

const scene = await setScene()
const visits = openVisits(scene)
const pseudo = openVisits(scene, { language: 'en-XA' })
atEnd(async () => {
  await visits.close()
  await pseudo.close()
})

async function visit(
  by: typeof visits,
  screen: Screen,
  look: (visit: Visit) => Promise<void>,
): Promise<void> {
  const there = await by.to(screen)
  try {
    await look(there)
  } finally {
    await screen.leave?.(there)
  }
}

describe('the table of screens', () => {
  test('has every route of the app', () => {
    const source = readFileSync(APP, 'utf8')
    const addresses = [...source.matchAll(/^ {2}'(\/[^']*)':/gm)].map(([, address]) => address!)
    const known = new Set(SCREENS.map(({ address }) => address))

    assert(addresses.length > 20)
    assert.deepEqual(
      addresses.filter((address) => !known.has(address)),
      [],
    )
  })
})

describe('every screen', () => {
  for (const screen of LOOKED_AT)
    test(`${screen.name} is accessible`, async () => {
      await visit(visits, screen, async ({ page }) => {
        await assertAccessible(page, `${screen.name}, light`)
        await page.emulateMedia({ colorScheme: 'dark' })
        // Dark mode changes only the colors.
        await assertAccessible(page, `${screen.name}, dark`, { rules: COLOR_RULES })
        await page.emulateMedia({ colorScheme: 'light' })
        await assertFits(page, screen.name)
        await assertBuilt(page, screen.name)
      })
    })
})

/** Asserts that nobody has to scroll sideways, even on the smallest phone at 200% text size. */
async function assertFits(page: Phone['page'], name: string): Promise<void> {
  const [normal, large] = await onNarrowest(page, async () => [
    await inPage(page, widthAt, 100, NARROWEST),
    await inPage(page, widthAt, 200, NARROWEST),
  ])
  assert.deepEqual(normal, FITS, `${name} fits the smallest phone`)
  assert.deepEqual(large, FITS, `${name} fits it with doubled font size`)
}

describe('in the pseudo-language', () => {
  const names = [
    'Legwork',
    'Stripe',
    'GPS',
    'CSV',
    'Hamburg',
    'Osaka',
    // Language names come from the browser.
    'English',
    'German',
    'Pseudo',
    // React Aria's own strings, which it translates itself.
    'Dismiss',
    'Number field',
    ...Object.values(scene.agents).map(({ name }) => name),
    ...[scene.ada, scene.ben, ...scene.others].map(({ name }) => name),
  ]
  for (const screen of LOOKED_AT)
    test(`${screen.name} has no text outside of the messages, and the text fits`, async () => {
      await visit(pseudo, screen, async ({ page }) => {
        assert.deepEqual(await inPage(page, untranslated, names), [])
        const width = await onNarrowest(page, () => inPage(page, widthAt, 100, NARROWEST))
        assert.deepEqual(width, FITS)
      })
    })

  test('control: a hard-coded text is found', async () => {
    const { page } = await pseudo.to(screenNamed('me'))
    await page.evaluate(`document.querySelector('main').append('Forgotten words')`)

    assert.deepEqual(await inPage(page, untranslated, names), ['Forgotten words'])
  })
})

describe('by keyboard', () => {
  for (const name of ['hello', 'find', 'find-filter', 'task', 'work-scale', 'earnings', 'notify'])
    test(`on ${name} the focus is always visible, and never behind a bar`, async () => {
      await visit(visits, screenNamed(name), async ({ page }) => {
        const wrong: string[] = []
        for (let i = 0; i < TABS; i += 1) {
          await page.keyboard.press('Tab')
          const now = await inPage(page, focused)
          if (now === undefined) break
          if (!now.isSeen) wrong.push(`${now.name}: not seen`)
          if (now.isCovered) wrong.push(`${now.name}: covered`)
        }
        assert.deepEqual(wrong, [])
      })
    })
})

describe('the content security policy', () => {
  test('is sent for every route, and allows no inline script or style', async () => {
    for (const screen of ADDRESSES) {
      const address = (await screen.at?.(scene)) ?? screen.address
      const response = await fetch(scene.origin + address, { headers: { accept: 'text/html' } })
      const policy = response.headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src|script-src/, screen.name)
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/, screen.name)
    }
  })

  test('is violated by no screen, and texts of people are shown unchanged', async () => {
    // Scripts blocked by the CSP show up in the console; a script that ran would open a dialog.
    for (const name of ['task-script', 'work-script', 'dispute-script', 'public-script'])
      await visit(visits, screenNamed(name), async ({ page, phone }) => {
        const shown = await page.locator('main').innerText()
        assert(shown.replaceAll(/\s+/g, ' ').includes(SCRIPT.slice(0, 20)), name)
        assert.deepEqual(phone.complaints, [], name)
      })
  })

  test('control: a violation is reported', async () => {
    const phone = await openPhone()
    await phone.open(`${scene.origin}/hello`)
    await phone.page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<p style="color: red">x</p>')`,
    )

    await assert.rejects(phone.close(), /Content Security Policy/)
  })
})

describe('accessibility settings of the phone', () => {
  test('nothing moves with reduced motion', async () => {
    for (const name of ['find', 'find-filter', 'work-check', 'notify'])
      await visit(visits, screenNamed(name), async ({ page }) => {
        await page.emulateMedia({ reducedMotion: 'reduce' })
        assert.deepEqual(await inPage(page, moving), [], name)
        await page.emulateMedia({ reducedMotion: 'no-preference' })
      })
  })

  // This proves nothing without a person looking at it, and a run of the whole suite takes no screenshots anyway.
  if (!IS_QUICK)
    test('forced colors give screenshots for people to review', async () => {
      for (const name of ['find', 'work-scale', 'earnings', 'notify'])
        await visit(visits, screenNamed(name), async ({ page }) => {
          await page.emulateMedia({ forcedColors: 'active' })
          await picture(page, `forced-colors-${name}`)
          await page.emulateMedia({ forcedColors: 'none' })
        })
    })
})
