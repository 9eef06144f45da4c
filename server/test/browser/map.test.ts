import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { openHome, openPhone } from './phone.ts'
import { WEDEL } from './scene.ts'
import { streetMap, tileAt } from './tiles.ts'

const BAKERY = 'Is the bakery on Moorweg open right now?'

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
    await page.getByRole('button', { name: 'Show my location' }).tap()
    await page.getByRole('img', { name: 'You’re here' }).waitFor()
    await page.getByRole('button', { name: 'Zoom in' }).tap()
    await page.waitForLoadState('networkidle')
    const further = page.getByRole('button', { name: 'Zoom out' })
    for (let i = 0; i < 3; i += 1) await further.tap()

    await page.getByRole('button', { name: '2 tasks, up to $12.30' }).tap()
    await page.getByRole('group', { name: 'Selected on the map' }).waitFor()
    const together = await page.getByRole('group', { name: 'Selected on the map' }).innerText()
    await page.getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('button', { name: `$4.10: ${BAKERY}` }).tap()
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

    assert.match(together, /oat-milk/)
    assert.match(together, /lift/)
  })
})

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
