import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { openHome, openPhone, type Phone, until } from './phone.ts'
import { WEDEL } from './scene.ts'
import { streetMap, tileAt } from './tiles.ts'

const BAKERY = 'Is the bakery on Moorweg open right now?'
const FERRY = 'Photograph the ferry timetable'

const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-map-'))
after(() => rmSync(folder, { recursive: true }))
const tiles = path.join(folder, 'wedel.pmtiles')
writeFileSync(tiles, drawStreets())

const { market, origin: HOME } = await openHome({
  clock: 'real',
  settings: { MAP_TILES_FILE: tiles },
})

describe('the map, on a phone', () => {
  test('shows pay on its pins, loads streets from the server, and works offline', {
    timeout: 120_000,
  }, async () => {
    const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
    for (const [title, budget_cents, km] of [
      [BAKERY, 500, 1.5],
      ['Photograph five oat-milk price labels', 1500, 7],
      ['Is the lift at the station running?', 800, 7],
    ] as const)
      await agent.post('/tasks', {
        title,
        description: title,
        type: 'verification',
        proof_required: 'photo',
        budget_cents,
        location: { lat: WEDEL.lat + km / 111.2, lng: WEDEL.lng + km / 100 },
      })
    await market.events()
    const ada = await market.worker({ location: { ...WEDEL, radius_km: 20 } })
    const phone = await openPhone({
      hasMap: true,
      permissions: ['geolocation'],
      position: { latitude: WEDEL.lat, longitude: WEDEL.lng, accuracy: 600 },
    })
    const { page } = phone
    await phone.as(ada, HOME)

    await phone.open(`${HOME}/map`)
    await page.getByRole('button', { name: `$4.10: ${BAKERY}` }).waitFor()
    await page.getByText('© Street people').waitFor()
    await page.getByRole('img', { name: 'You’re here' }).waitFor()
    const center = await fromMiddle(page)
    await page.getByRole('button', { name: 'Show my location' }).tap()
    await page.getByRole('button', { name: 'Zoom in' }).tap()
    await page.waitForLoadState('networkidle')
    const further = page.getByRole('button', { name: 'Zoom out' })
    for (let i = 0; i < 3; i += 1) await further.tap()

    await page.getByRole('button', { name: '2 tasks, $7–$12' }).tap()
    await page.getByRole('group', { name: 'Selected on the map' }).waitFor()
    const together = await page.getByRole('group', { name: 'Selected on the map' }).innerText()
    await page.getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('button', { name: `$4.10: ${BAKERY}` }).tap()
    const preview = page.getByRole('group', { name: 'Selected on the map' })
    await preview.getByText('$4.10').waitFor()
    const see = await preview.getByRole('link', { name: 'See task' }).getAttribute('href')
    await phone.look('map')

    for (let i = 0; i < 6; i += 1) await further.tap()
    await page.getByRole('button', { name: /^3 tasks/ }).waitFor()

    // The service worker has cached everything, or will in a moment.
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    await page.reload()
    await page.getByText('© Street people').waitFor()
    await phone.context.setOffline(true)
    await page.reload()
    await page.getByRole('button', { name: `$4.10: ${BAKERY}` }).waitFor()
    await page.getByText('© Street people').waitFor()
    await page.getByRole('link', { name: BAKERY }).first().focus()
    await page.keyboard.press('Enter')
    await phone.heading(BAKERY)
    const back = page.getByRole('link', { name: 'Map', exact: true })
    assert.equal(await back.getAttribute('href'), '/map')
    await phone.close()

    assert(center < 40, `the worker is ${center} px from the middle`)
    assert.match(together, /oat-milk/)
    assert.match(together, /lift/)
    assert.match(see!, /^\/task\/task_.*from=map$/)
  })

  test('finds quarters and towns, and says where it has no streets', {
    timeout: 120_000,
  }, async () => {
    const ada = await market.worker({ location: { ...WEDEL, radius_km: 20 } })
    const phone = await openPhone({ hasMap: true })
    const { page } = phone
    await phone.as(ada, HOME)
    const notice = page.getByText('No street map here yet.')
    const field = page.getByRole('combobox', { name: 'Search for a place' })

    await phone.open(`${HOME}/map`)
    await page.getByText('© Street people').waitFor()
    await field.fill('moor')
    await page.getByRole('option', { name: 'Moorwegsiedlung' }).waitFor()
    assert.equal(await notice.isVisible(), false)

    await field.fill('sao paulo')
    await page.getByRole('option', { name: 'São Paulo Brazil' }).waitFor()
    await field.press('ArrowDown')
    await field.press('Enter')
    await notice.waitFor()
    await phone.look('map-without-streets')

    await field.fill('moorw')
    await page.getByRole('option', { name: 'Moorwegsiedlung' }).tap()
    await notice.waitFor({ state: 'hidden' })
    await phone.close()
  })

  test('shows the way to a task before it is accepted, as a straight line', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    await agent.post('/tasks', {
      title: FERRY,
      description: FERRY,
      type: 'verification',
      proof_required: 'photo',
      budget_cents: 700,
      location: { lat: WEDEL.lat + 0.012, lng: WEDEL.lng + 0.012 },
    })
    await market.events()
    const ada = await market.worker({ location: { ...WEDEL, radius_km: 20 } })
    const phone = await openPhone()
    const { page } = phone
    await phone.as(ada, HOME)

    await phone.open(HOME)
    await page.getByRole('link', { name: FERRY }).tap()
    await phone.heading(FERRY)
    const caption = page.locator('figcaption')
    await caption.filter({ hasText: 'in a straight line' }).waitFor()
    const way = await caption.innerText()
    const roads = page.locator('figure path').nth(3)
    await until(async () => ((await roads.getAttribute('d')) ?? '').startsWith('M'), 'the roads')
    await phone.close()

    assert.match(way, /^About .* km in a straight line, .* on foot\. The real way is longer\.$/)
  })
})

/** How far the worker's dot is from the middle of the map, in pixels. */
async function fromMiddle(page: Phone['page']): Promise<number> {
  const map = await page.locator('.maplibregl-map').boundingBox()
  const dot = await page.getByRole('img', { name: 'You’re here' }).boundingBox()
  assert(map && dot)
  return Math.hypot(
    map.x + map.width / 2 - dot.x - dot.width / 2,
    map.y + map.height / 2 - dot.y - dot.height / 2,
  )
}

function drawStreets(): Buffer {
  const tile = tileAt(WEDEL, 10)
  const [x, y] = tile.at
  const road = (dx: number, dy: number, kind: string, name: string) => {
    const points: [number, number][] = [
      [x - dx, y - dy],
      [x, y + 12],
      [x + dx, y + dy],
    ]
    return [
      { layer: 'transportation', tags: { class: kind }, points },
      { layer: 'transportation_name', tags: { class: kind, name }, points },
    ]
  }
  return streetMap(tile, [
    { layer: 'place', tags: { class: 'suburb', name: 'Moorwegsiedlung' }, points: [[x, y]] },
    ...road(700, 120, 'primary', 'Moorweg'),
    ...road(90, 600, 'minor', 'Egenbüttelweg'),
    ...road(500, -420, 'secondary', 'Seemoorweg'),
    {
      layer: 'landcover',
      tags: { class: 'grass' },
      isArea: true,
      points: [
        [x - 500, y - 500],
        [x - 120, y - 460],
        [x - 160, y - 80],
        [x - 520, y - 60],
      ],
    },
    {
      layer: 'water',
      tags: { class: 'lake' },
      isArea: true,
      points: [
        [x + 150, y + 150],
        [x + 420, y + 190],
        [x + 380, y + 420],
        [x + 140, y + 380],
      ],
    },
  ])
}
