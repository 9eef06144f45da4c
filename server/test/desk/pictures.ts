/**
 * `npm run pictures` also runs this: captures the pictures of docs/operators.md into docs/pictures. PICTURES_DIR chooses
 * another folder; PICTURES=desk-case captures only that one.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { openPhone, type Phone } from '../browser/phone.ts'
import { atEnd } from '../hooks.ts'
import { type DeskScene, setDeskScene } from './desk-scene.ts'
import { giveCookie } from './sign-in.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const FOLDER = path.resolve(process.env.PICTURES_DIR || path.join(ROOT, 'docs/pictures'))
const SCREEN = { width: 1280, height: 800 }
const COLORS = 128

interface Picture {
  as: keyof DeskScene['people']
  at(scene: DeskScene): string
  show(page: Phone['page']): Promise<unknown>
}

const heading = (name: string | RegExp) => (page: Phone['page']) =>
  page.getByRole('heading', { name, level: 1 }).waitFor()

const PICTURES: Record<string, Picture> = {
  'desk-queues': { as: 'admin', at: () => '/', show: heading('Queues') },
  'desk-case': {
    as: 'trust',
    at: ({ appeals }) => `/case/${appeals.small}?queue=appeals`,
    show: async (page) => {
      await page.getByRole('button', { name: 'Pay the worker' }).click()
      await page.getByText('What happens').first().waitFor()
      await page.getByRole('button', { name: 'The proof shows what was asked' }).click()
    },
  },
  'desk-second': {
    as: 'admin',
    at: ({ decision }) => `/decisions/${decision}`,
    show: (page) => page.getByText('What happens').first().waitFor(),
  },
  'desk-board': { as: 'finance', at: () => '/boards/money', show: heading('Money') },
}

const wanted = (process.env.PICTURES ?? '').split(',')
const names = Object.keys(PICTURES).filter((name) => wanted.some((one) => name.startsWith(one)))
if (names.length > 0) await capture(names)

async function capture(chosen: string[]): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const scene = await setDeskScene()
  for (const name of chosen)
    test(`${name}.png shows the desk`, async () => {
      const { as, at, show } = PICTURES[name]!
      const phone = await openPhone({ screen: SCREEN, isDesktop: true, hasTouch: false })
      atEnd(() => phone.close())
      await giveCookie(phone.context, scene.people[as].cookie, scene.origin)
      await phone.open(`${scene.origin}/desk${at(scene)}`)
      await show(phone.page)
      await phone.page.waitForLoadState('networkidle')
      const shot = await phone.page.screenshot({ animations: 'disabled' })
      await sharp(shot)
        .resize(SCREEN.width)
        .png({ palette: true, colors: COLORS, effort: 8 })
        .toFile(path.join(FOLDER, `${name}.png`))
    })
}
