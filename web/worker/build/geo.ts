/**
 * World map data, generated at build time: land, borders, and label positions of countries and cities. It has enough
 * detail up to about zoom 7; streets come from the server's own tiles, if it has any.
 *
 * The atlas is made for globes: its shapes cross the 180th meridian, which would draw bands across a flat map. This
 * cuts them there, and rounds coordinates to a hundredth of a degree, about a kilometer.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cityMapping } from 'city-timezones'
import { geoArea, geoCentroid, geoEquirectangular } from 'd3-geo'
import { geoProject } from 'd3-geo-projection'
import type { Feature, Geometry, MultiPolygon, Polygon } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)

const NAME = 'virtual:world'
const DEV_PATH = '/map/world.json'
const LAT_MAX = 85
const CITY_PEOPLE_MIN = 100_000

/** `import world from 'virtual:world'` gives its URL. */
export function world(): Plugin {
  let isBuild = false
  return {
    name: 'legwork:world',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null
      if (!isBuild) return `export default ${JSON.stringify(DEV_PATH)}`
      const file = this.emitFile({ type: 'asset', name: 'world.json', source: drawWorld() })
      return `export default import.meta.ROLLUP_FILE_URL_${file}`
    },
    configureServer(server) {
      server.middlewares.use(DEV_PATH, (_, response) => {
        response.setHeader('content-type', 'application/json').end(drawWorld())
      })
    },
  }
}

type Atlas = Parameters<typeof mesh>[0]
type Country = Feature<Polygon | MultiPolygon>

function drawWorld(): string {
  const file = require.resolve('world-atlas/countries-50m.json')
  const atlas = JSON.parse(readFileSync(file, 'utf8')) as Atlas
  const { land, countries } = atlas.objects
  const lands = feature(atlas, land!) as unknown as { features: Feature[] }
  const states = feature(atlas, countries!) as unknown as { features: Country[] }
  const features = [
    ...lands.features.map(({ geometry }) => drawn('land', flat(geometry))),
    drawn('border', flat(mesh(atlas, countries as never, (a, b) => a !== b))),
    ...states.features.flatMap(nameOfCountry),
    ...cityMapping.filter(({ pop }) => pop >= CITY_PEOPLE_MIN).map(nameOfCity),
  ]
  return JSON.stringify({ type: 'FeatureCollection', features })
}

const drawn = (kind: string, geometry: Geometry, properties: object = {}): Feature => ({
  type: 'Feature',
  properties: { kind, ...properties },
  geometry,
})

const plane = geoEquirectangular()
  .scale(180 / Math.PI)
  .translate([0, 0])
  .precision(0)

/** Projects onto a plane and cuts at its edges. The projection's y axis points down, so `roundedPoint` flips it. */
const flat = (geometry: Geometry) => rounded(geoProject(geometry, plane))

function rounded(geometry: Geometry): Geometry {
  if (geometry.type === 'GeometryCollection') return geometry
  const pointsMin = geometry.type.endsWith('Polygon') ? 4 : 2
  const round = (part: unknown): unknown => {
    const parts = part as unknown[]
    if (typeof parts[0] === 'number') return roundedPoint(parts as [number, number])
    const roundedParts = parts.map(round) as unknown[][]
    const isLine = typeof roundedParts[0]?.[0] === 'number'
    return isLine
      ? withoutRepeats(roundedParts, pointsMin)
      : roundedParts.filter(({ length }) => length > 0)
  }
  return { ...geometry, coordinates: round(geometry.coordinates) } as Geometry
}

const roundedPoint = ([x, y]: [number, number]) => [
  hundredths(x),
  hundredths(Math.max(-LAT_MAX, Math.min(LAT_MAX, -y))),
]
const hundredths = (degrees: number) => Math.round(degrees * 100) / 100

/** Rounding merges neighboring points and can shrink islets to a point. */
function withoutRepeats(line: unknown[][], pointsMin: number): unknown[][] {
  const points = line.filter((point, at) => at === 0 || String(point) !== String(line[at - 1]))
  return points.length < pointsMin ? [] : points
}

/** The label is at the center of the country's largest part. The app translates its name by the UN M49 code. */
function nameOfCountry({ id, geometry }: Country): Feature[] {
  if (id === undefined) return []
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const shapes = parts.map((coordinates) => ({ type: 'Polygon' as const, coordinates }))
  const largest = shapes.reduce((best, shape) => (geoArea(shape) > geoArea(best) ? shape : best))
  const [lng, lat] = geoCentroid(largest)
  const size = Math.round(geoArea(largest) * 1e5)
  return [drawn('country', pointAt(lng, lat), { code: String(id).padStart(3, '0'), size })]
}

const nameOfCity = ({ city, lat, lng, pop }: (typeof cityMapping)[number]) =>
  drawn('city', pointAt(lng, lat), { name: city, size: pop })

const pointAt = (lng: number, lat: number): Geometry => ({
  type: 'Point',
  coordinates: [hundredths(lng), hundredths(lat)],
})
