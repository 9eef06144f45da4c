/**
 * `npm run pictures`: builds the demo's world and captures the pictures of the README from it into docs/pictures.
 * PICTURES_DIR chooses another folder; PICTURES=find,earnings captures only those. DEMO_ORIGIN and DEMO_KEY, as printed by
 * `npm run demo -- --json`, use that demo instead of building another.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { AGENTS, PASSWORD, WORKERS } from '../../../scripts/demo/people.ts'
import { DAY, planWorld, START_DAYS } from '../../../scripts/demo/plan.ts'
import { playWorld } from '../../../scripts/demo/play.ts'
import { openDemo } from '../../../scripts/demo/stage.ts'
import { freePort } from '../../../scripts/postgres.ts'
import { atEnd } from '../hooks.ts'
import { openPhone, type Phone } from './phone.ts'
import { takePhoto } from './street.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const FOLDER = path.resolve(process.env.PICTURES_DIR || path.join(ROOT, 'docs/pictures'))
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
/** Wide enough for a sharp picture in three columns of a README. */
const PHONE_PX = 585
const COLORS = 128
/** The map says nothing when its last tile is drawn. */
const STREETS_MS = 5000

const [lena] = WORKERS
assert(lena)
const { origin, apiKey } =
  process.env.DEMO_ORIGIN && process.env.DEMO_KEY
    ? { origin: process.env.DEMO_ORIGIN, apiKey: process.env.DEMO_KEY }
    : await buildDemo()
mkdirSync(FOLDER, { recursive: true })

let worker: Promise<Phone> | undefined
let agent: Promise<Phone> | undefined

async function buildDemo() {
  const present = Date.now()
  const port = async () => String(await freePort())
  const demo = await openDemo({
    ports: {
      PORT: await port(),
      OPS_PORT: await port(),
      DESK_PORT: await port(),
      INBOX_PORT: await port(),
      SANDBOX_PORT: await port(),
    },
    start: present - (START_DAYS + 1) * DAY,
  })
  atEnd(demo.stop)
  const building = await demo.startBuilding()
  const { agents } = await playWorld(building, { plan: planWorld(present), present, say: () => {} })
  await building.stop()
  const { api } = await demo.startServing()
  return { origin: new URL(api).origin, apiKey: agents.wayfare.apiKey }
}

async function openWorker(): Promise<Phone> {
  const phone = await openPhone({
    screen: PHONE,
    hasMap: true,
    permissions: ['camera', 'geolocation'],
    position: { latitude: 53.5625, longitude: 9.964, accuracy: 9 },
  })
  const { page } = phone
  await phone.open(`${origin}/login`)
  await page.getByLabel('Email').fill(lena!.email)
  await page.getByLabel('Password').first().fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).tap()
  await page.getByText('tasks for you').waitFor()
  // The news of the last payment lies over the list.
  const news = page.getByRole('complementary', { name: 'News about your pay' })
  await news.getByRole('button', { name: 'Close' }).tap()
  return phone
}

async function openAgent(): Promise<Phone> {
  const desk = await openPhone({ screen: DESKTOP, isDesktop: true })
  const { page } = desk
  await desk.open(`${origin}/console`)
  await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Log in' }).click()
  await desk.heading(/Overview/)
  return desk
}

interface Picture {
  as: 'worker' | 'agent'
  at: string
  show(phone: Phone): Promise<unknown>
}

const text = (words: string | RegExp) => (phone: Phone) =>
  phone.page.getByText(words).first().waitFor()

const PICTURES: Record<string, Picture> = {
  find: { as: 'worker', at: '/', show: text('tasks for you') },
  map: {
    as: 'worker',
    at: '/map',
    show: async (phone) => {
      await text('Streets of the demo city')(phone)
      await sleep(STREETS_MS)
    },
  },
  check: {
    as: 'worker',
    at: '/active',
    show: async (phone) => {
      await phone.page
        .getByRole('link', { name: /restroom/ })
        .first()
        .tap()
      await takePhoto(phone)
    },
  },
  earnings: {
    as: 'worker',
    at: '/earnings',
    show: async (phone) => {
      await phone.page.getByText('Month', { exact: true }).tap()
      await text(/This month/)(phone)
    },
  },
  'console-overview': { as: 'agent', at: '/console', show: text('Available') },
  'console-task': {
    as: 'agent',
    at: '/console/waiting',
    show: async (phone) => {
      // Another list of the same tasks is hidden, for narrow windows.
      const task = phone.page.getByText(/Which headline/).filter({ visible: true })
      await task.first().click()
      await text(/\d of \d answers/)(phone)
    },
  },
}

const wanted = (process.env.PICTURES ?? '').split(',')
for (const [name, { as, at, show }] of Object.entries(PICTURES)) {
  if (!wanted.some((prefix) => name.startsWith(prefix))) continue
  test(`${name}.png shows the demo of ${as === 'worker' ? lena.name : AGENTS.wayfare.name}`, async () => {
    const phone = await (as === 'worker' ? (worker ??= openWorker()) : (agent ??= openAgent()))
    await phone.open(`${origin}${at}`)
    await show(phone)
    await phone.page.waitForLoadState('networkidle')
    const shot = await phone.page.screenshot({ animations: 'disabled' })
    const picture =
      as === 'worker' ? sharp(shot).resize(PHONE_PX) : sharp(shot).resize(DESKTOP.width)
    await picture
      .png({ palette: true, colors: COLORS, effort: 8 })
      .toFile(path.join(FOLDER, `${name}.png`))
  })
}
