/** Quarters and villages that the street map names, for the place search. */
import type { PMTiles } from 'pmtiles'
import { readTile } from './tile-reader.ts'
import { plainOf, type FoundPlace, QUERY_MIN, startsWord } from './town-search.ts'
import type { Point } from './wishes.ts'

/** Few tiles of a low zoom name all quarters of a city. */
const TILES_MAX = 8
const ZOOM_MAX = 11
const LAYERS = ['place', 'places']
const KINDS =
  'suburb quarter neighbourhood neighborhood borough macrohood village hamlet town locality'.split(
    ' ',
  )

export async function placesIn(archive: PMTiles): Promise<FoundPlace[]> {
  const { minLon, minLat, maxLon, maxLat, maxZoom, minZoom } = await archive.getHeader()
  let z = Math.min(maxZoom, ZOOM_MAX)
  const range = () => {
    const [west, north] = tileOf({ lat: maxLat, lng: minLon }, z).map(Math.floor)
    const [east, south] = tileOf({ lat: minLat, lng: maxLon }, z).map(Math.floor)
    return { west: west!, north: north!, east: east!, south: south! }
  }
  const count = () => {
    const { west, north, east, south } = range()
    return (east - west + 1) * (south - north + 1)
  }
  while (z > minZoom && count() > TILES_MAX) z -= 1
  if (count() > TILES_MAX) return []
  const { west, north, east, south } = range()
  const found = new Map<string, FoundPlace>()
  for (let x = west; x <= east; x += 1)
    for (let y = north; y <= south; y += 1) {
      const tile = await archive.getZxy(z, x, y)
      if (tile === undefined) continue
      for (const { tags, parts, extent } of readTile(new Uint8Array(tile.data), LAYERS)) {
        const kind = String(tags.class ?? tags.kind ?? '')
        const [name, point] = [tags.name, parts[0]?.[0]]
        if (typeof name !== 'string' || point === undefined || !KINDS.includes(kind)) continue
        const at = pointOf([x + point[0] / extent, y + point[1] / extent], z)
        found.set(name, { key: `own ${name}`, name, detail: '', ...at })
      }
    }
  return [...found.values()]
}

export function searchOwn(places: FoundPlace[], query: string): FoundPlace[] {
  const asked = plainOf(query)
  if (asked.length < QUERY_MIN) return []
  return places.filter(({ name }) => startsWord(plainOf(name), asked))
}

/** Web Mercator, in tiles. */
export function tileOf({ lat, lng }: Point, z: number): [x: number, y: number] {
  const sin = Math.sin((lat * Math.PI) / 180)
  return [
    ((lng + 180) / 360) * 2 ** z,
    (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z,
  ]
}

export function pointOf([x, y]: [number, number], z: number): Point {
  const angle = Math.PI * (1 - (2 * y) / 2 ** z)
  return {
    lng: (x / 2 ** z) * 360 - 180,
    lat: (Math.atan(Math.sinh(angle)) * 180) / Math.PI,
  }
}
