/** The world map of the build, as GeoJSON; see build/geo.ts for its compact form. */
import address from 'virtual:world'
import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { points } from './steps.ts'

interface World {
  /** Polygons, their rings, and the steps from point to point in hundredths of a degree. */
  land: number[][][]
  borders: number[][]
  countries: Named[]
  cities: Named[]
}
/** A UN M49 code or a name, the area or population, longitude and latitude in hundredths. */
type Named = [name: string, size: number, lng: number, lat: number]

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }
let loaded: FeatureCollection | undefined

/** Empty until `loadWorld` has finished. */
export const world = (): FeatureCollection => loaded ?? NOTHING

export async function loadWorld(): Promise<FeatureCollection> {
  if (loaded) return loaded
  const response = await fetch(address)
  const { land, borders, countries, cities } = (await response.json()) as World
  const names = (kind: string, list: Named[], key: string) =>
    list.map(([name, size, lng, lat]) =>
      drawn(kind, { type: 'Point', coordinates: [lng / 100, lat / 100] }, { [key]: name, size }),
    )
  loaded = {
    type: 'FeatureCollection',
    features: [
      drawn('land', { type: 'MultiPolygon', coordinates: land.map((rings) => rings.map(points)) }),
      drawn('border', { type: 'MultiLineString', coordinates: borders.map(points) }),
      ...names('country', countries, 'code'),
      ...names('city', cities, 'name'),
    ],
  }
  return loaded
}

const drawn = (kind: string, geometry: Geometry, properties: object = {}): Feature => ({
  type: 'Feature',
  properties: { kind, ...properties },
  geometry,
})
