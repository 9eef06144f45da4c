/**
 * The operators' desk. Every screen passes axe in light and dark mode, has no touch target that is too small, and fits
 * a phone at 200% text size.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { widthAt } from '../browser/in-page.js'
import {
  assertAccessible,
  assertBuilt,
  COLOR_RULES,
  inPage,
  IS_QUICK,
  NARROWEST,
  onNarrowest,
  picture,
} from '../browser/phone.ts'
import { atEnd } from '../hooks.ts'
import { setDeskScene } from './desk-scene.ts'
import { DESK_SCREENS, DESKTOP, openDesk } from './desk-screens.ts'

const APP = path.join(import.meta.dirname, '../../../web/operators/app.tsx')
/** Minimum of WCAG 2.2; ours are 36 pixels high, and inline links 28. */
const TARGET_MIN = 24
const FITS = { width: NARROWEST, culprits: [] }
const PHONE = { width: 390, height: 844 }
const LOOKED_AT = IS_QUICK
  ? DESK_SCREENS.filter(
      ({ address }, at) => DESK_SCREENS.findIndex((one) => one.address === address) === at,
    )
  : DESK_SCREENS

const scene = await setDeskScene()
const desk = openDesk(scene)
atEnd(() => desk.close())

describe('every screen of the desk', () => {
  test('is in the table', () => {
    const source = readFileSync(APP, 'utf8')
    const addresses = [...source.matchAll(/^ {2}'(\/[^']*)':/gm)].map(([, address]) => address!)
    const known = new Set(DESK_SCREENS.map(({ address }) => address))

    assert(addresses.length > 5)
    assert.deepEqual(
      addresses.filter((address) => !known.has(address)),
      [],
    )
  })

  for (const screen of LOOKED_AT)
    test(`${screen.name} is accessible`, async () => {
      const { page, complaints } = await desk.to(screen)

      if (!IS_QUICK) await picture(page, `${screen.name}-light`)
      await assertAccessible(page, `${screen.name}, light`)
      await page.emulateMedia({ colorScheme: 'dark' })
      if (!IS_QUICK) await picture(page, `${screen.name}-dark`)
      await assertAccessible(page, `${screen.name}, dark`, { rules: COLOR_RULES })
      await page.emulateMedia({ colorScheme: 'light' })
      await assertBuilt(page, screen.name, { targetMin: TARGET_MIN })
      if (!IS_QUICK) {
        await page.setViewportSize(PHONE)
        await picture(page, `${screen.name}-phone`)
        await page.setViewportSize(DESKTOP.screen)
      }
      const [normal, large] = await onNarrowest(page, async () => [
        await inPage(page, widthAt, 100, NARROWEST),
        await inPage(page, widthAt, 200, NARROWEST),
      ])
      assert.deepEqual(normal, FITS, `${screen.name} fits a phone`)
      assert.deepEqual(large, FITS, `${screen.name} fits it with doubled font size`)
      assert.deepEqual(complaints, [])
    })
})
