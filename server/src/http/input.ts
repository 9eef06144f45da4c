import type { z } from 'zod'
import type { Warning, WrongField } from '../kit/endpoint.ts'
import { ApiError, invalidRequest } from '../kit/errors.ts'

/** Holds what the caller sent against its schema: the typed value, or a 400 that names each wrong field. */
export function readInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: string,
): z.output<S> {
  const { data, error } = schema.safeParse(value, { reportInput: true })
  if (error === undefined) return data as z.output<S>

  const details = error.issues.map((issue) => ({
    path: [...(where === '' ? [] : [where]), ...issue.path.map(String)].join('.'),
    message: say(issue),
  }))
  throw wrongFields(details)
}

export function wrongFields(details: WrongField[]): ApiError {
  const [first] = details
  const sentence = first ? `${first.path || 'The body'} ${first.message}` : invalidRequest.message
  const { status, code, hint } = invalidRequest
  return new ApiError(status, code, sentence, { details }, hint)
}

/** Reads after the field's name: `budget_cents is required`. */
function say(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is required'
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
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  return issue.message
}

function article(type: string): string {
  if (type === 'int') return 'a whole number'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

/**
 * The fields that were sent and have no effect, so that a typo is seen and a client that sends more than it must
 * still works. The schemas drop what they do not know: what is missing from the result was unknown.
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
