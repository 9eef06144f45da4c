/**
 * `node scripts/make-city.ts streets.pmtiles` draws the street map of the demo city and writes it as a PMTiles archive
 * in the OpenMapTiles schema. The river, the lake and the quarters resemble Hamburg; every street is invented, and the
 * streets of the demo's tasks are where those tasks are. Every run draws the same city.
 */
import { writeFileSync } from 'node:fs'
import { districtsOf } from './city/districts.ts'
import { GREENS, isGreen, isWater, LINES, WATER, WATER_NAMES } from './city/land.ts'
import {
  bent,
  between,
  BOUNDS,
  dense,
  mercatorOf,
  onMercator,
  onPlane,
  type XY,
} from './city/plane.ts'
import { writeArchive } from './city/pmtiles.ts'
import { type Road, streetsOf } from './city/streets.ts'
import { cutTiles, type Shape } from './city/vector-tiles.ts'
import { QUARTERS, type Quarter } from './demo/city.ts'
import { demoPlaces } from './demo/plan.ts'
import { seeded } from './demo/random.ts'

const SEED = 1189
/** Further out, the app shows its own world map. */
const ZOOMS = { minZoom: 6, maxZoom: 14 }
const ATTRIBUTION = 'Streets of the demo city are invented'
/** From which zoom a road is drawn. */
const ROADS_FROM = {
  motorway: 5,
  primary: 8,
  secondary: 10,
  tertiary: 11,
  minor: 12,
  path: 13,
  rail: 10,
}

export function drawCity(): Buffer {
  const random = seeded(SEED)
  const { roads, blocks } = streetsOf(districtsOf(random), { random, places: demoPlaces() })
  const shapes = [
    ...ground(),
    ...water(),
    ...greens(),
    ...blocks.flatMap(houses),
    ...roads.flatMap(road),
    ...lines(),
    ...labels(),
  ]
  const { west, south, east, north } = BOUNDS
  const bounds: [XY, XY] = [
    mercatorOf({ lat: north, lng: west }),
    mercatorOf({ lat: south, lng: east }),
  ]
  return writeArchive({
    tiles: cutTiles(shapes, { ...ZOOMS, bounds }),
    bounds: [west, south, east, north],
    metadata: {
      name: 'Demo city',
      description: 'A made-up street map for the demo',
      attribution: ATTRIBUTION,
      vector_layers: [...new Set(shapes.map(({ layer }) => layer))].map((id) => ({
        id,
        fields: {},
      })),
    },
  })
}

const drawn = (
  layer: string,
  kind: Shape['kind'],
  parts: XY[][],
  { tags = {}, minZoom }: { tags?: Shape['tags']; minZoom: number },
): Shape => ({ layer, kind, tags, minZoom, parts: parts.map((part) => part.map(onMercator)) })

/** Covers the whole map, so that every tile within its bounds exists: a missing one means that there is no map. */
function ground(): Shape[] {
  const { west, south, east, north } = BOUNDS
  const ring = [
    { lat: south, lng: west },
    { lat: south, lng: east },
    { lat: north, lng: east },
    { lat: north, lng: west },
  ].map(onPlane)
  return [drawn('landuse', 'area', [ring], { tags: { class: 'residential' }, minZoom: 0 })]
}

const water = (): Shape[] => [
  ...WATER.map(({ kind, ring }) =>
    drawn('water', 'area', [ring], { tags: { class: kind }, minZoom: kind === 'dock' ? 10 : 6 }),
  ),
  ...WATER_NAMES.map(({ name, line }) =>
    drawn('water_name', 'line', [line], { tags: { class: 'river', name }, minZoom: 11 }),
  ),
]

const greens = (): Shape[] =>
  GREENS.map(({ kind, name, ring }) =>
    drawn(kind === 'park' ? 'park' : 'landcover', 'area', [ring], {
      tags: { class: kind, ...(name === undefined ? {} : { name }) },
      minZoom: 9,
    }),
  )

/** A closed row of houses around a yard. */
function houses(block: XY[]): Shape[] {
  const middle = between(
    between(block[0]!, block[2]!, 0.5),
    between(block[1]!, block[3]!, 0.5),
    0.5,
  )
  const inset = (share: number) =>
    dense([...block, block[0]!], 60)
      .slice(0, -1)
      .map((corner) => bent(between(corner, middle, share)))
  if (inset(0).some((corner) => isWater(corner) || isGreen(corner))) return []
  return [drawn('building', 'area', [inset(0.2), inset(0.48)], { minZoom: 14 })]
}

function road({ kind, name, line }: Road): Shape[] {
  const tags = { class: kind }
  const named = { class: kind, ...(name === undefined ? {} : { name }) }
  const minZoom = ROADS_FROM[kind]
  return [
    drawn('transportation', 'line', [line], { tags, minZoom }),
    ...(name === undefined
      ? []
      : [
          drawn('transportation_name', 'line', [line], {
            tags: named,
            minZoom: Math.max(minZoom + 1, 12),
          }),
        ]),
  ]
}

const lines = (): Shape[] =>
  LINES.map(({ kind, line }) =>
    drawn('transportation', 'line', [line], { tags: { class: kind }, minZoom: ROADS_FROM[kind] }),
  )

const labels = (): Shape[] => [
  drawn('place', 'point', [[onPlane({ lat: 53.5511, lng: 9.9937 })]], {
    tags: { class: 'city', name: 'Hamburg', rank: 3 },
    minZoom: 4,
  }),
  ...QUARTERS.map((quarter: Quarter, i) =>
    drawn('place', 'point', [[onPlane(quarter)]], {
      tags: { class: 'suburb', name: quarter.name, rank: 10 + i },
      minZoom: 9,
    }),
  ),
]

if (import.meta.main) {
  const [file = 'streets.pmtiles'] = process.argv.slice(2)
  const bytes = drawCity()
  writeFileSync(file, bytes)
  console.log(`${file}: ${(bytes.length / 1024).toFixed(0)} KiB`)
}
