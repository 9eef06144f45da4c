/**
 * Place names to coordinates and back, from a gazetteer that is part of the server: 7,300 cities, no network.
 *
 * To replace it, write another `Geocoder` and name it below. It must answer from memory: it is asked
 * inside transactions. One that asks a service belongs before them: resolve the name when a task or a profile comes in,
 * and store what was found as `{lat, lng}`, which is never looked up again.
 */
import { type CityData, cityMapping } from 'city-timezones'
import { distanceKm, type Point } from './cells.ts'

export interface Found extends Point {
  label: string
}

export interface Geocoder {
  /** The place that a text names, if it is known. */
  geocode(text: string): Found | undefined
  /** Where that is, in words that do not tell the house: the city, or the one that it is near. */
  areaOf(place: string | Point): string | undefined
  /** The ISO 3166-1 alpha-2 code of the country that the place lies in, or that the text names. */
  countryOf(place: string | Point): string | undefined
}

/** Within this, one is in a city; and in a big one, a little further out. */
const CITY_KM = 12
const BIG_CITY_KM = 25
const BIG_CITY_PEOPLE = 1_000_000
/** The side of a bucket of cities, as a part of the Earth's radius: 159 km. */
const BUCKET = 0.025
/** What is farther away from a city is near none. */
const NEAR_KM = 150

interface City extends Found {
  name: string
  country: string
  people: number
  /** The names of what it lies in. */
  regions: Set<string>
}

interface Gazetteer {
  /** The most populous of a name first. */
  byName: Map<string, City[]>
  regions: Set<string>
  /** Codes of countries by their names. */
  countries: Map<string, string>
  buckets: Map<string, City[]>
}

let loaded: Gazetteer | undefined

/** Where names come from: another geocoder takes its place in this line. */
const geocoder: Geocoder = { geocode: findByName, areaOf: nameArea, countryOf: findCountry }
export const { geocode, areaOf, countryOf } = geocoder

/**
 * Reads an address by its parts: `Berlin`, `Berlin, Germany`, `Main Street 5, 10115 Berlin`. A part that names a
 * country, a state or a city which the found one does not lie in speaks against it; an unknown part says nothing.
 */
function findByName(text: string): Found | undefined {
  const city = findCity(text)
  return city && { label: city.label, lat: city.lat, lng: city.lng }
}

function findCity(text: string): City | undefined {
  const { byName, regions } = (loaded ??= load())
  const parts = partsOf(text)
  for (const [i, part] of parts.entries()) {
    const around = parts.slice(i + 1).filter((name) => regions.has(name) || byName.has(name))
    const city = byName.get(part)?.find((one) => around.every((name) => one.regions.has(name)))
    if (city) return city
  }
  return undefined
}

const partsOf = (text: string) =>
  text
    .split(/[,;\n]/)
    .map(normal)
    .filter(Boolean)

function nameArea(place: string | Point): string | undefined {
  const point = typeof place === 'string' ? findByName(place) : place
  const best = point && nearestCity(point)
  if (best === undefined) return undefined
  return best.km <= sizeKm(best.city) ? best.city.name : `near ${best.city.name}`
}

/** The last part of an address names the country, if any does: `Springfield, USA`. */
function findCountry(place: string | Point): string | undefined {
  const { countries } = (loaded ??= load())
  const found =
    typeof place === 'string'
      ? (findCity(place)?.country ?? countries.get(partsOf(place).at(-1) ?? ''))
      : nearestCity(place)?.city.country
  return found === '' ? undefined : found
}

function nearestCity(point: Point): { city: City; km: number } | undefined {
  const { buckets } = (loaded ??= load())
  let best: { city: City; km: number } | undefined
  for (const bucket of bucketsAround(point))
    for (const city of buckets.get(bucket) ?? []) {
      const km = distanceKm(point, city)
      // One that the point lies in beats one that is nearer, however small.
      if (km <= NEAR_KM && (best === undefined || km - sizeKm(city) < best.km - sizeKm(best.city)))
        best = { city, km }
    }
  return best
}

const sizeKm = ({ people }: City) => (people >= BIG_CITY_PEOPLE ? BIG_CITY_KM : CITY_KM)

function load(): Gazetteer {
  const gazetteer: Gazetteer = {
    byName: new Map(),
    regions: new Set(),
    countries: new Map(),
    buckets: new Map(),
  }
  for (const data of cityMapping.toSorted((a, b) => b.pop - a.pop)) {
    const city = cityOf(data)
    // Some bring their state along: `Washington, D.C.`
    const names = [data.city, data.city_ascii].flatMap((name) => [name, name.split(',')[0]!])
    for (const name of new Set(names.map(normal))) push(gazetteer.byName, name, city)
    for (const region of city.regions) gazetteer.regions.add(region)
    for (const name of countryNames(data))
      gazetteer.countries.set(normal(String(name)), city.country)
    push(gazetteer.buckets, bucketOf(cartesian(city)), city)
  }
  return gazetteer
}

function cityOf(data: CityData): City {
  const { city, country, iso2, province, state_ansi, lat, lng, pop } = data
  const names = [...countryNames(data), province, state_ansi]
  // Where a code is missing, the gazetteer has a number.
  const regions = new Set(names.flatMap((name) => normal(String(name ?? '')) || []))
  return {
    name: city,
    label: `${city}, ${country}`,
    country: typeof iso2 === 'string' ? iso2 : '',
    lat,
    lng,
    people: pop,
    regions,
  }
}

const countryNames = ({ country, iso2, iso3 }: CityData) => [
  country,
  iso2,
  iso3,
  ...(COUNTRY_NAMES[iso3] ?? []),
]

/** What people write for a country where the gazetteer has its long name. */
const COUNTRY_NAMES: Record<string, string[]> = {
  USA: ['usa', 'united states', 'us'],
  GBR: ['uk', 'great britain', 'england', 'scotland', 'wales'],
  CZE: ['czechia'],
  KOR: ['korea'],
}

/** Without case, accents, punctuation and house or postal numbers. */
const normal = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\b\d[\d-]*\b/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function push(map: Map<string, City[]>, key: string, city: City): void {
  const list = map.get(key)
  if (list) list.push(city)
  else map.set(key, [city])
}

/** On a sphere of radius 1: here no date line and no pole is in the way of a neighbour. */
function cartesian({ lat, lng }: Point): [number, number, number] {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}

const bucketOf = (at: [number, number, number]) => at.map((x) => Math.floor(x / BUCKET)).join()

function bucketsAround(point: Point): string[] {
  const steps = [-BUCKET, 0, BUCKET]
  const [x, y, z] = cartesian(point)
  return steps.flatMap((dx) =>
    steps.flatMap((dy) => steps.map((dz) => bucketOf([x + dx, y + dy, z + dz]))),
  )
}
