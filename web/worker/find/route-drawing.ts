/** Street tiles as paths for an SVG of fixed size. */
import type { PMTiles } from 'pmtiles'
import { tileOf } from './street-places.ts'
import { type Feature, readTile } from './tile-reader.ts'
import type { Point } from './wishes.ts'

export const WIDTH = 340
export const HEIGHT = 150
const MARGIN = 46
/** The place is known to about a kilometer. */
const AREA_M = 700
const EARTH_M = 40_075_016.7
/** The closest view shows about three kilometers. */
const WORLD_PX_MAX = (WIDTH / 3000) * EARTH_M
const TILE_PX_MIN = 256

const LAYERS = ['water', 'park', 'landcover', 'transportation', 'roads']
const GREEN = ['park', 'wood', 'grass', 'forest', 'garden', 'meadow']
const MAIN = ['motorway', 'trunk', 'primary', 'secondary', 'highway', 'major_road']
const NO_STREET = ['rail', 'transit', 'ferry', 'path']

export interface Drawing {
  green: string
  water: string
  mainRoads: string
  streets: string
}

export type Picture = ReturnType<typeof pictureOf>

/** Fits both points, with a margin; x runs to the east in every language. */
export function pictureOf(from: Point | null, near: Point) {
  const [a, b] = [tileOf(from ?? near, 0), tileOf(near, 0)]
  const middle: [number, number] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
  const span = Math.max(
    Math.abs(a[0] - b[0]) / (WIDTH - 2 * MARGIN),
    Math.abs(a[1] - b[1]) / (HEIGHT - 2 * MARGIN),
  )
  const mercatorM = EARTH_M * Math.cos((near.lat * Math.PI) / 180)
  const worldPx = Math.min(WORLD_PX_MAX / Math.cos((near.lat * Math.PI) / 180), 1 / span)
  const at = (point: Point): [number, number] => {
    const [x, y] = tileOf(point, 0)
    return [
      Math.round((x - middle[0]) * worldPx + WIDTH / 2),
      Math.round((y - middle[1]) * worldPx + HEIGHT / 2),
    ]
  }
  const areaRadius = Math.max(8, Math.round((AREA_M / mercatorM) * worldPx))
  return { middle, worldPx, at, areaRadius }
}

export async function drawingOf(
  archive: PMTiles,
  { middle, worldPx }: Picture,
): Promise<Drawing | undefined> {
  const { minZoom, maxZoom } = await archive.getHeader()
  const z = Math.min(maxZoom, Math.floor(Math.log2(worldPx / TILE_PX_MIN)))
  if (z < minZoom) return undefined
  const size = worldPx / 2 ** z
  const [left, top] = [middle[0] * worldPx - WIDTH / 2, middle[1] * worldPx - HEIGHT / 2]
  const drawing: Drawing = { green: '', water: '', mainRoads: '', streets: '' }
  for (let x = Math.floor(left / size); x * size < left + WIDTH; x += 1)
    for (let y = Math.floor(top / size); y * size < top + HEIGHT; y += 1) {
      const tile = await archive.getZxy(z, x, y)
      if (tile === undefined) continue
      for (const feature of readTile(new Uint8Array(tile.data), LAYERS)) {
        const part = partOf(feature)
        const scale = size / feature.extent
        if (part) drawing[part] += pathOf(feature, scale, [x * size - left, y * size - top])
      }
    }
  return drawing
}

function partOf({ layer, kind, tags }: Feature): keyof Drawing | undefined {
  const which = String(tags.class ?? tags.kind ?? '')
  if (kind === 'area') {
    if (layer === 'water') return 'water'
    return layer === 'park' || GREEN.includes(which) ? 'green' : undefined
  }
  if (kind === 'point' || !['transportation', 'roads'].includes(layer)) return undefined
  if (NO_STREET.includes(which)) return undefined
  return MAIN.includes(which) ? 'mainRoads' : 'streets'
}

const pathOf = ({ parts, kind }: Feature, scale: number, [dx, dy]: [number, number]): string =>
  parts
    .map((part) => {
      const points = part.map(([x, y]) => `${tenths(x * scale + dx)} ${tenths(y * scale + dy)}`)
      return `M${points.join('L')}${kind === 'area' ? 'Z' : ''}`
    })
    .join('')

const tenths = (value: number) => Math.round(value * 10) / 10
