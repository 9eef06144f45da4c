/** Finds whom or what a task targets: the phone number to call, the place to go to, the person to talk to. */
import { readPhoneNumber } from '../kit/phone-number.ts'
import { countryOf, geocode } from '../places/geocode.ts'

export const TARGET_KINDS = ['phone', 'place', 'person'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

export interface Target {
  kind: TargetKind
  /** The same for every spelling of the target. */
  value: string
}

export interface TargetedTask {
  type: string
  description: string
  location:
    | string
    | { address?: string | undefined; lat: number; lng: number; radius_m?: number | undefined }
    | null
  context: Record<string, unknown>
}

/** A larger circle is an area, not a place where somebody lives or works. */
const RADIUS_MAX_M = 200
const METERS_PER_DEGREE = 111_320
const CELL_M = 30
/** Fewer digits can't be dialed from elsewhere. */
const DIGITS_MIN = 7

export function findTargets(task: TargetedTask): Target[] {
  const phone = findNumber(task)
  const place = placeOf(task.location)
  const found: Target[] = []
  if (phone !== undefined) found.push({ kind: 'phone', value: phone })
  if (place !== undefined) found.push({ kind: 'place', value: place })
  const contact = findPhoneOfPerson(task)
  if (contact !== undefined && contact !== phone) found.push({ kind: 'phone', value: contact })
  const person = findPerson(task, place)
  if (person !== undefined) found.push(person)
  return found
}

/** The number that the worker calls, as E.164 if it can be converted. */
export function findNumber({
  type,
  description,
  location,
  context,
}: TargetedTask): string | undefined {
  if (type !== 'voice_proxy') return undefined
  const { number, script } = context
  if (typeof number === 'string' || typeof number === 'number')
    return dialed(String(number), location)
  for (const text of [description, script]) {
    // In a text, only a number with a country code is surely one.
    const written = typeof text === 'string' && /\+\d[\d\s().-]{5,24}\d/.exec(text)?.[0]
    if (written) return dialed(written, location)
  }
  return undefined
}

function dialed(written: string, location: TargetedTask['location']): string | undefined {
  let number = written.replace(/ x\d+$/, '')
  if (!/^\+\d{8,15}$/.test(number)) {
    const read = readPhoneNumber(written, location === null ? undefined : countryOf(location))
    if ('problem' in read) return undefined
    number = read.isNormalized
      ? read.number.replace(/ x\d+$/, '')
      : read.number.replaceAll(/\D/g, '')
  }
  if (number.replaceAll(/\D/g, '').length < DIGITS_MIN) return undefined
  return UNASSIGNED.some((range) => range.test(number)) ? undefined : number
}

/** Ranges reserved for films and examples: nobody can be called there. */
const UNASSIGNED = [
  /^(?:\+?1)?(?:\d{3})?55501\d\d$/,
  // All of 555 was given back, except for directory assistance and toll-free numbers.
  /^\+1(?!8(\d)\1)\d{3}555(?!1212|4334)\d{4}$/,
  /^\+49(?:3023125|4066969|6990009|2214710|8999998)\d{3}$/,
  /^\+44(?:2079460|7700900|1632960)\d{3}$/,
]

/** A cell of about 30 m, or a normalized address. A city, a district or a street without a number is no place. */
function placeOf(location: TargetedTask['location']): string | undefined {
  if (location === null) return undefined
  if (typeof location === 'string') return addressOf(location)
  const { lat, lng, radius_m: radius = 0 } = location
  if (radius > RADIUS_MAX_M) return undefined
  const row = Math.round((lat * METERS_PER_DEGREE) / CELL_M)
  const metersOfRow =
    METERS_PER_DEGREE * Math.cos((row * CELL_M * Math.PI) / METERS_PER_DEGREE / 180)
  return `${row} ${Math.round((lng * metersOfRow) / CELL_M)}`
}

function addressOf(text: string): string | undefined {
  if (!/\p{Nd}/u.test(text)) return undefined
  const parts = text.split(/[,;\n]/)
  // A number in the part that names a city is its postal code.
  const hasHouse = parts.some(
    (part) => /\p{Nd}/u.test(part) && /\p{L}/u.test(part) && !geocode(part),
  )
  return hasHouse ? words(text) : undefined
}

/** A name alone can be anybody's, so it counts together with a contact or a place. */
function findPerson(
  { context, location }: TargetedTask,
  place: string | undefined,
): Target | undefined {
  const { person } = context
  if (typeof person !== 'object' || person === null) return undefined
  const { name, contact } = person as { name?: unknown; contact?: unknown }
  if (typeof contact === 'string' && contact.trim() !== '') {
    const value = contactOf(contact, location)
    return value === undefined ? undefined : { kind: 'person', value }
  }
  if (typeof name !== 'string' || place === undefined) return undefined
  return { kind: 'person', value: `${words(name)} at ${place}` }
}

/** Whoever is told to talk to a person by this number calls it. */
function findPhoneOfPerson({ context, location }: TargetedTask): string | undefined {
  const contact = (context.person as { contact?: unknown } | null | undefined)?.contact
  return typeof contact === 'string' && IS_NUMBER.test(contact)
    ? dialed(contact, location)
    : undefined
}

/** A contact names one person, whatever name the agent gives. */
function contactOf(contact: string, location: TargetedTask['location']): string | undefined {
  if (IS_NUMBER.test(contact)) return dialed(contact, location)
  const address = contact.trim().toLowerCase()
  return NOBODY.test(address) ? undefined : address
}

const IS_NUMBER = /^[+\d\s().-]+$/
/** Domains reserved for examples (RFC 2606). */
const NOBODY = /@(?:.+\.)?(?:example\.(?:com|net|org)|example|test|invalid)$/

const COORDINATES = /^(-?\d{1,2}(?:\.\d+)?)[\s,;]+(-?\d{1,3}(?:\.\d+)?)$/

/** A target as a person writes it into the form; `problem` follows the field's name. */
export function readTarget(kind: TargetKind, written: string): Target | { problem: string } {
  const value = { phone: phoneOf, place: placeIn, person: (text: string) => contactOf(text, null) }[
    kind
  ](written.trim())
  return value === undefined ? { problem: PROBLEMS[kind] } : { kind, value }
}

const PROBLEMS: Record<TargetKind, string> = {
  phone: 'must be a phone number with its country code, such as +49 30 901820',
  place:
    'must be an address with a house number, such as Moorweg 12, Wedel, or coordinates, such as 53.5837, 9.7049',
  person: 'must be the email address or the phone number by which you were contacted',
}

const phoneOf = (text: string) => (/^(?:\+|00)/.test(text) ? dialed(text, null) : undefined)

function placeIn(text: string): string | undefined {
  const [, lat, lng] = COORDINATES.exec(text) ?? []
  return lat === undefined ? addressOf(text) : placeOf({ lat: Number(lat), lng: Number(lng) })
}

const SHORT: Record<string, string> = {
  street: 'st',
  avenue: 'ave',
  road: 'rd',
  boulevard: 'blvd',
  strasse: 'str',
}

/** Removes case, accents, punctuation and the longer forms of a few words. */
function words(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/strasse\b/g, 'str')
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => SHORT[word] ?? word).join(' ')
}
