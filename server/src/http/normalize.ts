/**
 * Reads a request the way an ordinary client means it, before its schema validates it. Serializers write what their
 * language has for "nothing": Python's None and Go's nil become null, Go's zero values become "" and 0, PHP's empty
 * array becomes [] where an object belongs. None of them is a reason to refuse a request, and each field's schema says
 * which of them it can be:
 *
 *   null, ""   in an optional field       not given; where the field itself takes null, both are null
 *   zero time  in an optional time        not given: Go's time.Time has no empty value
 *   0          in an optional number      not given if the number must be larger, with a warning
 *   []         where an object belongs    an empty object
 *   "500"      where a number belongs     the number
 *
 * Free-form JSON is the caller's own and stays as it is.
 */
import type { z } from 'zod'

type Schema = z.core.$ZodType

const GO_ZERO_TIME = '0001-01-01T00:00:00Z'
const TIME_NAME = /^deadline$|_at$/
const PLAIN_DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/

export interface Normalized {
  value: unknown
  /** Paths of zeros that were treated as not given. */
  zeros: string[]
}

export function normalize(schema: Schema, value: unknown): Normalized {
  const zeros: string[] = []
  return { value: walk(schema, value, { path: '', zeros }), zeros }
}

interface At {
  path: string
  zeros: string[]
}

function walk(schema: Schema, value: unknown, at: At): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return isEmptyList(value) ? {} : isObject(value) ? walkFields(def.shape, value, at) : value
    case 'record':
      if (isEmptyList(value)) return {}
      return isObject(value) ? mapFields(value, (item) => walk(def.valueType, item, at)) : value
    case 'array':
      return Array.isArray(value)
        ? value.map((item, i) => walk(def.element, item, { ...at, path: join(at.path, String(i)) }))
        : value
    case 'union':
      return walkUnion(def.options, value, at)
    case 'number':
      return isDecimal(value) ? Number(value) : value
    default: {
      const wrapped = inner(schema)
      return wrapped === undefined || value === null ? value : walk(wrapped, value, at)
    }
  }
}

function walkFields(
  shape: Readonly<Record<string, Schema>>,
  value: Record<string, unknown>,
  at: At,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, sent]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (field === undefined) return [[name, sent]]
      if (isOptional(field) && isNothing(field, name, sent))
        return takesNull(field) ? [[name, null]] : []
      const path = join(at.path, name)
      if (isEmptyValue(field, sent)) {
        if (sent === 0) at.zeros.push(path)
        return []
      }
      return [[name, walk(field, sent, { ...at, path })]]
    }),
  )
}

/** Tries the options in order; if none accepts the normalized value, the value is kept for the schema to reject. */
function walkUnion(options: readonly Schema[], value: unknown, at: At): unknown {
  for (const option of options) {
    const zeros: string[] = []
    const meant = walk(option, value, { ...at, zeros })
    if (!fits(option, meant)) continue
    at.zeros.push(...zeros)
    return meant
  }
  return value
}

function isNothing(field: Schema, name: string, sent: unknown): boolean {
  if (sent === null) return true
  if (isFreeForm(field)) return false
  return sent === '' || (sent === GO_ZERO_TIME && TIME_NAME.test(name))
}

/**
 * A zero or empty list that the optional field can't hold. Where null has its own meaning, as for a key's limits, zero
 * is not a way to write null: no limit is the opposite of a limit of 0.
 */
function isEmptyValue(field: Schema, sent: unknown): boolean {
  if (!isOptional(field) || takesNull(field)) return false
  const { type } = bare(field)._zod.def
  if (type === 'number') return sent === 0 && !fits(field, sent)
  return type === 'union' && isEmptyList(sent) && !fits(field, sent)
}

/** Unwraps a schema that only adds optionality, a default or a transformation. */
function inner(schema: Schema): Schema | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      return def.innerType
    case 'pipe':
      return def.in
    default:
      return undefined
  }
}

function bare(schema: Schema): Schema {
  const wrapped = inner(schema)
  return wrapped === undefined ? schema : bare(wrapped)
}

/** Whether null is a value of the field, not just its absence. */
function takesNull(schema: Schema): boolean {
  if (schema._zod.def.type === 'nullable') return true
  const wrapped = inner(schema)
  return wrapped !== undefined && takesNull(wrapped)
}

/** Fields with a default are optional as well. */
const isOptional = (schema: Schema) => schema._zod.optin !== undefined

const isFreeForm = (schema: Schema) => ['unknown', 'any'].includes(bare(schema)._zod.def.type)

const fits = (schema: Schema, value: unknown) => (schema as z.ZodType).safeParse(value).success

const isDecimal = (value: unknown) => typeof value === 'string' && PLAIN_DECIMAL.test(value)

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

const mapFields = (value: Record<string, unknown>, change: (item: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
