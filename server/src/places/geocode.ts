/**
 * Geocoding and reverse geocoding from a gazetteer that ships with the server: 7,300 cities, no network.
 *
 * To replace it, write another `Geocoder` and assign it below. It must be synchronous and in memory, because it is
 * called inside transactions. To use an external service, resolve the name before the transaction, when a task or a
 * profile comes in, and store the result as `{lat, lng}`, which is never looked up again.
 */
import { type CityData, cityMapping } from 'city-timezones'
import { distanceKm, type Point } from './cells.ts'

export interface Found extends Point {
  label: string
}

export interface Geocoder {
  /** The place that a text names, if it is known. */
  geocode(text: string): Found | undefined
  /** A label that doesn't reveal the exact address: the city, or the nearest one. */
  areaOf(place: string | Point): string | undefined
  /** The ISO 3166-1 alpha-2 code of the country that contains the place or that the text names. */
  countryOf(place: string | Point): string | undefined
  /** The same for a time zone such as `Europe/Berlin`: the country of its largest city. */
  countryOfZone(zone: string): string | undefined
  /** The time zone of a country, unless it has several. */
  zoneOfCountry(country: string): string | undefined
  /** The time zone of the nearest city. */
  zoneOf(point: Point): string | undefined
}

/** The radius within which a point counts as in a city; big cities have a larger one. */
const CITY_KM = 12
const BIG_CITY_KM = 25
const BIG_CITY_PEOPLE = 1_000_000
/** The side length of a spatial bucket, as a fraction of the Earth's radius: 159 km. */
const BUCKET = 0.025
/** Beyond this distance a point is not near any city. */
const NEAR_KM = 150

interface City extends Found {
  name: string
  country: string
  zone: string
  people: number
  /** Normalized names of the country and state that contain it. */
  regions: Set<string>
}

interface Gazetteer {
  /** Cities that share a name, most populous first. */
  byName: Map<string, City[]>
  regions: Set<string>
  /** Country codes by name. */
  countries: Map<string, string>
  buckets: Map<string, City[]>
}

let loaded: Gazetteer | undefined
/** Country codes by time zone. Loaded apart from the rest, which is needed inside transactions and must load fast. */
let zones: Map<string, string> | undefined
let zonesByCountry: Map<string, CityData[]> | undefined

/** Assign another geocoder here to replace this one. */
const geocoder: Geocoder = {
  geocode: findByName,
  areaOf: nameArea,
  countryOf: findCountry,
  countryOfZone: findCountryOfZone,
  zoneOfCountry: findZoneOfCountry,
  zoneOf: (point) => nearestCity(point)?.city.zone,
}
export const { geocode, areaOf, countryOf, countryOfZone, zoneOfCountry, zoneOf } = geocoder

/**
 * Parses an address by its parts: `Berlin`, `Berlin, Germany`, `Main Street 5, 10115 Berlin`. A part that names a
 * country, a state or a city that doesn't contain the candidate rules it out; unknown parts are ignored.
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

/** If no city is found, the last part of the address may name the country: `Springfield, USA`. */
function findCountry(place: string | Point): string | undefined {
  const { countries } = (loaded ??= load())
  const found =
    typeof place === 'string'
      ? (findCity(place)?.country ?? countries.get(partsOf(place).at(-1) ?? ''))
      : nearestCity(place)?.city.country
  return found === '' ? undefined : found
}

function findCountryOfZone(zone: string): string | undefined {
  zones ??= loadZones()
  return zones.get(zone) ?? zones.get(canonicalZone(zone) ?? '')
}

function findZoneOfCountry(country: string): string | undefined {
  zonesByCountry ??= Map.groupBy(
    new Map(cityMapping.map((city) => [`${city.iso2} ${city.timezone}`, city])).values(),
    ({ iso2 }) => String(iso2),
  )
  const [only, ...others] = zonesByCountry.get(country) ?? []
  return others.length === 0 ? only?.timezone : undefined
}

/** Under both the names of the gazetteer and the canonical ones of the few zones that have another. */
function loadZones(): Map<string, string> {
  const named = new Map<string, string>()
  for (const { iso2, timezone } of cityMapping.toSorted((a, b) => b.pop - a.pop))
    if (typeof iso2 === 'string' && !named.has(timezone)) named.set(timezone, iso2)
  const canonical = new Map<string, string>()
  for (const [zone, country] of named) {
    const name = canonicalZone(zone)
    if (name !== undefined && !canonical.has(name)) canonical.set(name, country)
  }
  return new Map([...canonical, ...named])
}

/** Zones have several names: `Asia/Calcutta` is `Asia/Kolkata`. Undefined for an unknown one. */
function canonicalZone(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

function nearestCity(point: Point): { city: City; km: number } | undefined {
  const { buckets } = (loaded ??= load())
  let best: { city: City; km: number } | undefined
  for (const bucket of bucketsAround(point))
    for (const city of buckets.get(bucket) ?? []) {
      const km = distanceKm(point, city)
      // A city that contains the point beats a closer one that doesn't.
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
    // Some names include the state: `Washington, D.C.`
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
  const { city, country, iso2, province, state_ansi, lat, lng, pop, timezone } = data
  const names = [...countryNames(data), province, state_ansi]
  // The gazetteer has a number where a code is missing.
  const regions = new Set(names.flatMap((name) => normal(String(name ?? '')) || []))
  return {
    name: city,
    label: `${city}, ${country}`,
    country: typeof iso2 === 'string' ? iso2 : '',
    zone: timezone,
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

/** Common names of countries that the gazetteer lists under a long name. */
const COUNTRY_NAMES: Record<string, string[]> = {
  USA: ['usa', 'united states', 'us'],
  GBR: ['uk', 'great britain', 'england', 'scotland', 'wales'],
  CZE: ['czechia'],
  KOR: ['korea'],
}

/** Removes case, accents, punctuation, and house and postal numbers. */
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

/** On the unit sphere, where neighbors are close even across the date line and the poles. */
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
