import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { PMTiles, type RangeResponse } from 'pmtiles'
import { type Feature, readTile } from '../web/worker/find/tile-reader.ts'
import { BOUNDS, mercatorOf } from './city/plane.ts'
import { QUARTERS } from './demo/city.ts'
import { demoPlaces } from './demo/plan.ts'
import { drawCity } from './make-city.ts'

const KIB_MAX = 1500
/** How far from its street an address may be, in meters. */
const ADDRESS_M = 150

const bytes = drawCity()
const city = new PMTiles({
  getKey: () => 'city',
  getBytes: async (offset, length): Promise<RangeResponse> => ({
    data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer,
  }),
})

describe('the street map of the demo city', () => {
  test('is the same in every run, and small', () => {
    assert.equal(hash('sha256', drawCity()), hash('sha256', bytes))
    assert(bytes.length < KIB_MAX * 1024, `${bytes.length} bytes`)
  })

  test('is a PMTiles archive of vector tiles that says its streets are invented', async () => {
    const { specVersion, tileType, minZoom, maxZoom, minLon, maxLat } = await city.getHeader()
    const metadata = (await city.getMetadata()) as {
      attribution: string
      vector_layers: { id: string }[]
    }

    assert.deepEqual(
      { specVersion, tileType, minZoom, maxZoom },
      { specVersion: 3, tileType: 1, minZoom: 6, maxZoom: 14 },
    )
    assert.deepEqual([minLon, maxLat], [BOUNDS.west, BOUNDS.north])
    assert.match(metadata.attribution, /invented/)
    assert.deepEqual(metadata.vector_layers.map(({ id }) => id).sort(), [
      'building',
      'landcover',
      'landuse',
      'park',
      'place',
      'transportation',
      'transportation_name',
      'water',
      'water_name',
    ])
  })

  test('has a tile for every part of its area, and none outside', async () => {
    const corners = [
      { lat: BOUNDS.north - 0.001, lng: BOUNDS.west + 0.001 },
      { lat: BOUNDS.south + 0.001, lng: BOUNDS.east - 0.001 },
      { lat: 53.51, lng: 10.12 },
    ]
    for (const place of corners)
      for (const z of [6, 10, 14])
        assert(await tileAt(place, z), `no tile ${z} at ${JSON.stringify(place)}`)
    assert.equal(await tileAt({ lat: 52.52, lng: 13.4 }, 14), undefined)
  })

  test('names every quarter where the demo has it', async () => {
    for (const { name, lat, lng } of QUARTERS) {
      const places = await featuresAt({ lat, lng }, 'place')
      assert(
        places.some(({ tags }) => tags.name === name),
        name,
      )
    }
  })

  test('has the street of every task where the task is, on dry land', async () => {
    for (const place of demoPlaces()) {
      const streets = await featuresAt(place, 'transportation_name')
      const street = streets.filter(({ tags }) => tags.name === place.street)
      assert(metersTo(place, street) < ADDRESS_M, `${place.street} is not at its place`)
      const water = await featuresAt(place, 'water')
      assert(!water.some((area) => isInside(place, area)), `${place.street} is in the water`)
    }
  })
})

async function tileAt(
  place: { lat: number; lng: number },
  z: number,
): Promise<Uint8Array | undefined> {
  const [x, y] = mercatorOf(place).map((one) => Math.floor(one * 2 ** z))
  const tile = await city.getZxy(z, x!, y!)
  return tile && new Uint8Array(tile.data)
}

const featuresAt = async (place: { lat: number; lng: number }, layer: string): Promise<Feature[]> =>
  readTile((await tileAt(place, 14))!, [layer])

const EXTENT = 4096
function withinTile(place: { lat: number; lng: number }): [number, number] {
  return mercatorOf(place).map((one) => ((one * 2 ** 14) % 1) * EXTENT) as [number, number]
}

function metersTo(place: { lat: number; lng: number }, lines: Feature[]): number {
  const [x, y] = withinTile(place)
  const meters = (40_075_016 / 2 ** 14 / EXTENT) * Math.cos((place.lat * Math.PI) / 180)
  const distances = lines
    .flatMap(({ parts }) => parts)
    .flatMap((line) =>
      line.slice(1).map(([bx, by], i) => {
        const [ax, ay] = line[i]!
        const length = (bx - ax) ** 2 + (by - ay) ** 2
        const t = Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
        return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)) * meters
      }),
    )
  return Math.min(Number.POSITIVE_INFINITY, ...distances)
}

function isInside(place: { lat: number; lng: number }, { parts: [ring = []] }: Feature): boolean {
  const [x, y] = withinTile(place)
  return ring.reduce((isIn, [bx, by], i) => {
    const [ax, ay] = ring.at(i - 1)!
    const isCrossed = ay > y !== by > y && x < ((ax - bx) * (y - by)) / (ay - by) + bx
    return isCrossed ? !isIn : isIn
  }, false)
}
