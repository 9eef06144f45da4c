/**
 * Request parameters: parsed from a form or from JSON, then read by the schema that the route declares. Undeclared
 * parameters are rejected, like the processor does, so that misspelled names are found here.
 */
import { invalidParameter } from './errors.ts'

/** Reads one value; `at` is the name that the caller used. Undefined means not given. */
export interface Reader<T> {
  read(value: unknown, at: string): T
}

export type Shape = Record<string, Reader<unknown>>
export type Value<R> = R extends Reader<infer T> ? T : never
export type Read<S extends Shape> = { [Name in keyof S]: Value<S[Name]> }

const DEPTH_MAX = 8

/** `a[b][0]=x` → `{a: {b: {0: 'x'}}}`; the readers know which of these are lists. */
export function parseForm(text: string): Record<string, unknown> {
  const parsed = emptyRecord()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    place(parsed, splitName(name), value)
  }
  return parsed
}

function splitName(name: string): string[] {
  const bracket = name.indexOf('[')
  if (bracket === -1) return [name]
  const inner = [...name.slice(bracket).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1]!)
  return [name.slice(0, bracket), ...inner].slice(0, DEPTH_MAX)
}

function place(target: Record<string, unknown>, path: string[], value: string): void {
  let record = target
  for (const [index, step] of path.entries()) {
    const name = step === '' ? String(Object.keys(record).length) : step
    if (index === path.length - 1) {
      record[name] = value
      return
    }
    if (!isRecord(record[name])) record[name] = emptyRecord()
    record = record[name] as Record<string, unknown>
  }
}

export function parseJson(text: string): Record<string, unknown> {
  if (text === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (isRecord(parsed)) return parsed
  } catch {}
  throw invalidParameter('The request body is not a JSON object.', 'parameter_invalid', '')
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function emptyRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

const decode = (text: string) => decodeText(text.replaceAll('+', ' '))

/** Text that is not validly encoded is returned unchanged. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads all parameters of a route. */
export function readParams<S extends Shape>(shape: S, given: Record<string, unknown>): Read<S> {
  return readShape(shape, given, (name) => name)
}

function readShape<S extends Shape>(
  shape: S,
  given: Record<string, unknown>,
  nameOf: (name: string) => string,
): Read<S> {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(shape, name))
  if (unknown.length > 0) {
    const names = unknown.map(nameOf)
    const plural = names.length > 1 ? 's' : ''
    throw invalidParameter(
      `Received unknown parameter${plural}: ${names.join(', ')}`,
      'parameter_unknown',
      names[0]!,
    )
  }
  return Object.fromEntries(
    Object.entries(shape).map(([name, { read }]) => [name, read(given[name], nameOf(name))]),
  ) as Read<S>
}

const reader = <T>(read: Reader<T>['read']): Reader<T> => ({ read })

export function required<T>(optional: Reader<T | undefined>): Reader<T> {
  return reader((value, at) => {
    const found = optional.read(value, at)
    if (found === undefined)
      throw invalidParameter(`Missing required param: ${at}.`, 'parameter_missing', at)
    return found
  })
}

export function object<S extends Shape>(shape: S): Reader<Read<S> | undefined> {
  return reader((value, at) => {
    if (value === undefined) return undefined
    if (!isRecord(value)) throw invalidParameter('Invalid object', 'parameter_invalid_object', at)
    return readShape(shape, value, (name) => `${at}[${name}]`)
  })
}

export function list<T>(
  item: Reader<T | undefined>,
  { max = 100 }: { max?: number } = {},
): Reader<T[] | undefined> {
  return reader((value, at) => {
    if (value === undefined) return undefined
    if (!isRecord(value) && !Array.isArray(value))
      throw invalidParameter('Invalid array', 'parameter_invalid_array', at)
    const entries = Object.entries(value)
    if (entries.length > max)
      throw invalidParameter(
        `Array ${at} exceeded maximum ${max} allowed elements.`,
        'parameter_invalid_array',
        at,
      )
    return entries.map(([index, one]) => required(item).read(one, `${at}[${index}]`))
  })
}

export function text(lengthMax = 5000): Reader<string | undefined> {
  return reader((value, at) => {
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string')
      throw invalidParameter(
        `Invalid string: ${JSON.stringify(value)}`,
        'parameter_invalid_string',
        at,
      )
    if (value === '')
      throw invalidParameter(
        `You passed an empty string for '${at}'. We assume empty values are an attempt to unset a field; ` +
          `however '${at}' cannot be unset. You should remove '${at}' from your request or supply a non-empty value.`,
        'parameter_invalid_empty',
        at,
      )
    if (value.length > lengthMax)
      throw invalidParameter(
        `Invalid string: ${value.slice(0, 20)}…; must be at most ${lengthMax} characters`,
        'parameter_invalid_string',
        at,
      )
    return value
  })
}

export function integer({
  min,
  max,
}: {
  min?: number
  max?: number
} = {}): Reader<number | undefined> {
  return reader((value, at) => {
    if (value === undefined) return undefined
    const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isSafeInteger(number))
      throw invalidParameter(
        `Invalid integer: ${JSON.stringify(value)}`,
        'parameter_invalid_integer',
        at,
      )
    if (min !== undefined && number < min)
      throw invalidParameter(
        `This value must be greater than or equal to ${min}.`,
        'parameter_invalid_integer',
        at,
      )
    if (max !== undefined && number > max)
      throw invalidParameter(
        `This value must be less than or equal to ${max}.`,
        'parameter_invalid_integer',
        at,
      )
    return number
  })
}

/** A number between 0 and 1, for the control API. */
export const probability: Reader<number | undefined> = reader((value, at) => {
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw invalidParameter('Invalid probability: must be between 0 and 1', 'parameter_invalid', at)
  return value
})

export const boolean: Reader<boolean | undefined> = reader((value, at) => {
  if (value === undefined) return undefined
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw invalidParameter(
    `Invalid boolean: ${JSON.stringify(value)}`,
    'parameter_invalid_boolean',
    at,
  )
})

export function oneOf<const T extends readonly string[]>(
  ...choices: T
): Reader<T[number] | undefined> {
  return reader((value, at) => {
    if (value === undefined) return undefined
    if (typeof value === 'string' && choices.includes(value)) return value
    const named =
      choices.length === 1
        ? choices[0]
        : `one of ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
    throw invalidParameter(`Invalid ${at}: must be ${named}`, 'parameter_invalid', at)
  })
}

export const url: Reader<string | undefined> = reader((value, at) => {
  const given = text(5000).read(value, at)
  if (given === undefined) return undefined
  // A success URL may contain `{CHECKOUT_SESSION_ID}`; with the braces it would not be a valid URL.
  if (!/^https?:$/.test(URL.parse(given.replaceAll(/[{}]/g, ''))?.protocol ?? ''))
    throw invalidParameter('Not a valid URL', 'url_invalid', at)
  return given
})

/** The sandbox supports one currency, like the service. */
export const currency: Reader<string | undefined> = reader((value, at) => {
  const given = text(3).read(value, at)?.toLowerCase()
  if (given !== undefined && given !== 'usd')
    throw invalidParameter(
      `Invalid currency: ${given}. The sandbox supports only usd.`,
      'parameter_invalid',
      at,
    )
  return given
})

/** A point in time or a range, in seconds. */
export const range: Reader<Range | undefined> = reader((value, at) => {
  if (value === undefined) return undefined
  if (!isRecord(value)) {
    const moment = integer().read(value, at)!
    return { gte: moment, lte: moment }
  }
  const bound = integer()
  return object({ gt: bound, gte: bound, lt: bound, lte: bound }).read(value, at)
})
export interface Range {
  gt?: number | undefined
  gte?: number | undefined
  lt?: number | undefined
  lte?: number | undefined
}

const KEYS_MAX = 50
const KEY_LENGTH_MAX = 40
const VALUE_LENGTH_MAX = 500

/** An empty value removes a key; the result is a plain record of strings. */
export const metadata: Reader<Record<string, string> | undefined> = reader((value, at) => {
  if (value === undefined) return undefined
  if (value === '' || value === null) return {}
  if (!isRecord(value)) throw invalidParameter('Invalid object', 'parameter_invalid_object', at)
  const entries = Object.entries(value).map(([key, item]) => {
    if (key.length > KEY_LENGTH_MAX)
      throw invalidParameter(
        `Metadata keys must be under ${KEY_LENGTH_MAX} characters, but one key you supplied was ${key.length}.`,
        'parameter_invalid',
        at,
      )
    const held = item === null ? '' : String(item as string)
    if (held.length > VALUE_LENGTH_MAX)
      throw invalidParameter(
        `Metadata values must be under ${VALUE_LENGTH_MAX} characters, but you passed in a value of ` +
          `${held.length} characters.`,
        'parameter_invalid',
        `${at}[${key}]`,
      )
    return [key, held] as const
  })
  const kept = entries.filter(([, held]) => held !== '')
  if (kept.length > KEYS_MAX)
    throw invalidParameter(
      `You can specify up to ${KEYS_MAX} keys, but you passed ${kept.length}.`,
      'parameter_invalid',
      at,
    )
  return Object.fromEntries(kept)
})

export const paging = {
  limit: integer({ min: 1, max: 100 }),
  starting_after: text(),
  ending_before: text(),
}
