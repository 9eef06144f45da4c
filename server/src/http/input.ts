import type { z } from 'zod'
import type { AnyEndpoint, Warning, WrongField } from '../kit/endpoint.ts'
import { ApiError, invalidRequest } from '../kit/errors.ts'

const NOT_FOUND = 404
/** How many warnings or wrong fields a response lists, and the maximum length of a path in them. */
const LISTED_MAX = 20
const PATH_LENGTH_MAX = 200

/** Validates the caller's input: returns the typed value, or throws a 400 that names each wrong field. */
export function readInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: string,
): z.output<S> {
  const { data, error } = schema.safeParse(value, { reportInput: true })
  if (error === undefined) return data as z.output<S>

  const details = error.issues.slice(0, LISTED_MAX).map((issue) => ({
    path: cutPath([...(where === '' ? [] : [where]), ...issue.path.map(String)].join('.')),
    message: say(issue),
  }))
  const more = error.issues.length - details.length
  if (more > 0) details.push({ path: '', message: `has ${more} more invalid fields` })
  throw wrongFields(details)
}

/**
 * Reads the ids of a path. An id that does not match its pattern can't exist, so it gets the same response as an
 * unknown id, without a query.
 */
export function readParams(
  { params: schema, errors }: Pick<AnyEndpoint, 'params' | 'errors'>,
  params: unknown,
): unknown {
  if (schema === undefined) return undefined
  const { data, success } = (schema as z.ZodType).safeParse(params)
  if (success) return data
  const missing = errors.find(({ status }) => status === NOT_FOUND)
  if (missing === undefined) return readInput(schema as z.ZodType, params, '')
  throw new ApiError(missing.status, missing.code, missing.message, {}, missing.hint)
}

export function wrongFields(details: WrongField[]): ApiError {
  const [first] = details
  const sentence = first ? `${first.path || 'The body'} ${first.message}` : invalidRequest.message
  const { status, code, hint } = invalidRequest
  return new ApiError(status, code, sentence, { details }, hint)
}

/** The message follows the field's name: `budget_cents is required`. */
function say(issue: z.core.$ZodIssue): string {
  const isItem = typeof issue.path.at(-1) === 'number'
  const isMissing = issue.input === undefined || (issue.input === null && !isItem)
  if (issue.code === 'invalid_type') {
    if (isMissing) return 'is required'
    return `must be ${article(issue.expected)}`
  }
  if (issue.code === 'too_small') {
    if (issue.minimum === 1 && issue.origin !== 'number' && issue.origin !== 'int')
      return 'must not be empty'
    if (issue.origin === 'string') return `must have at least ${issue.minimum} characters`
    if (issue.origin === 'array') return `must have at least ${issue.minimum} items`
    return `must be at least ${issue.minimum}`
  }
  if (issue.code === 'too_big') {
    if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`
    if (issue.origin === 'array') return `must have at most ${issue.maximum} items`
    return `must be at most ${issue.maximum}`
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String).join(', ')
    return `${isMissing ? 'is required and ' : ''}must be one of ${values}`
  }
  return issue.message
}

function article(type: string): string {
  if (type === 'int') return 'a whole number'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

/**
 * Lists fields that were sent but have no effect. They cause a warning, which reveals typos, and not an error, so
 * clients that send extra fields still work. Schemas drop unknown fields, so any field missing from `read` was unknown.
 */
export function unknownFields(sent: unknown, read: unknown, path = ''): Warning[] {
  if (Array.isArray(sent) && Array.isArray(read))
    return sent.flatMap((item, i) => unknownFields(item, read[i], `${path}.${i}`))
  if (!isObject(sent) || !isObject(read)) return []
  return Object.keys(sent).flatMap((name) => {
    const at = path === '' ? name : `${path}.${name}`
    return Object.hasOwn(read, name)
      ? unknownFields(sent[name], read[name], at)
      : [{ code: 'unknown_field' as const, path: at }]
  })
}

/** A body can have thousands of unknown fields with names of any length; the first ones show what is wrong. */
export function boundWarnings(warnings: Warning[]): Warning[] {
  const shown = warnings
    .slice(0, LISTED_MAX)
    .map((warning) => ({ ...warning, path: cutPath(warning.path) }))
  const more = warnings.length - shown.length
  if (more === 0) return shown
  const message = `${more} more ${more === 1 ? 'warning is' : 'warnings are'} not listed`
  return [...shown, { code: 'more_warnings', path: '', message }]
}

const cutPath = (path: string) =>
  path.length > PATH_LENGTH_MAX ? `${path.slice(0, PATH_LENGTH_MAX).toWellFormed()}…` : path

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
