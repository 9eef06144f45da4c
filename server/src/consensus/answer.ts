/**
 * Typed answers: parses a task's `answer_schema` and validates values against it. Pure rules for the subset of JSON
 * Schema that `AnswerSchema` (answer-schema.ts) allows. The scales of shorthands are stored as such a schema.
 */
import assert from 'node:assert/strict'
import type { z } from 'zod'
import { nestsAtMost } from '../kit/nesting.ts'
import { AnswerSchema } from './answer-schema.ts'

const BYTES_MAX = 16_384
const NESTING_MAX = 32
const TEXT_MAX = 5000

/** The kinds of answers that consist of a single value. */
export type ValueKind =
  | { kind: 'boolean' }
  | { kind: 'enum'; values: (string | number)[] }
  | { kind: 'number'; minimum?: number; maximum?: number; isInteger: boolean }
  | { kind: 'text'; minLength?: number; maxLength?: number }

export type AnswerKind =
  | ValueKind
  | { kind: 'object'; properties: Record<string, ValueKind>; required: string[] }
  | { kind: 'free' }

type Schema = z.output<typeof AnswerSchema>
type ValueSchema = Exclude<Schema, { type: 'object' }>

/** Returns the kind of answer that a task requires. */
export function answerKind({ answer_schema }: { answer_schema: unknown }): AnswerKind {
  if (answer_schema === null || answer_schema === undefined) return { kind: 'free' }
  const schema = AnswerSchema.parse(answer_schema)
  if (!('properties' in schema)) return valueKind(schema)
  return {
    kind: 'object',
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, value]) => [name, valueKind(value)]),
    ),
    required: schema.required ?? [],
  }
}

function valueKind(schema: ValueSchema): ValueKind {
  if ('enum' in schema) return { kind: 'enum', values: schema.enum }
  if (schema.type === 'boolean') return { kind: 'boolean' }
  if (schema.type === 'string') {
    const { minLength, maxLength } = schema as { minLength?: number; maxLength?: number }
    return { kind: 'text', ...given({ minLength, maxLength }) }
  }
  assert('type' in schema)
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number }
  return { kind: 'number', ...given({ minimum, maximum }), isInteger: schema.type === 'integer' }
}

/**
 * Returns undefined if the value matches the schema, and otherwise the problem as a phrase to follow the field's name:
 * `must be a whole number from 1 to 10`. Used for a worker's `answer` and an agent's `override_result`.
 */
export function checkAnswer(schema: unknown, value: unknown): string | undefined {
  if (value === undefined) return 'is required'
  if (!nestsAtMost(value, NESTING_MAX)) return `must be nested at most ${NESTING_MAX} deep`
  if (Buffer.byteLength(JSON.stringify(value)) > BYTES_MAX) return 'must be at most 16 KB'
  return misfit(answerKind({ answer_schema: schema }), value)
}

/** `missing` distinguishes a proof without an answer from one with an invalid answer. */
export type ReadAnswer = { answer: unknown } | { problem: string; missing: boolean }

/**
 * Reads the answer from a proof. A text that consists only of the answer (`yes`, `open`, `7`) counts as one. A task
 * without a schema needs no answer; it is null then.
 */
export function readAnswer(
  schema: unknown,
  { answer, text }: { answer?: unknown; text?: string | null | undefined },
): ReadAnswer {
  const kind = answerKind({ answer_schema: schema })
  if (answer !== undefined && answer !== null) {
    const problem = checkAnswer(schema, answer)
    return problem === undefined ? { answer } : { problem, missing: false }
  }
  if (kind.kind === 'free') return { answer: null }
  const written = text === null || text === undefined ? undefined : inText(kind, text.trim())
  if (written !== undefined && checkAnswer(schema, written) === undefined)
    return { answer: written }
  return { problem: `is required and must be ${wanted(kind)}`, missing: true }
}

const WORDS: Record<string, boolean> = { yes: true, true: true, no: false, false: false }

/** Coerces "yes", "7" or 1 to the type that the schema requires. Returns the value unchanged if that isn't possible. */
export function coerceAnswer(schema: unknown, value: unknown): unknown {
  if (checkAnswer(schema, value) === undefined) return value
  const kind = answerKind({ answer_schema: schema })
  const meant =
    kind.kind === 'boolean' && (value === 0 || value === 1)
      ? value === 1
      : typeof value === 'string' || typeof value === 'number'
        ? inText(kind, String(value).trim())
        : undefined
  return meant !== undefined && checkAnswer(schema, meant) === undefined ? meant : value
}

function inText(kind: AnswerKind, text: string): unknown {
  if (kind.kind === 'boolean')
    return Object.hasOwn(WORDS, text.toLowerCase()) ? WORDS[text.toLowerCase()] : undefined
  if (kind.kind === 'enum') return kind.values.find((value) => String(value) === text)
  if (kind.kind === 'number') return /^[-+]?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : undefined
  return kind.kind === 'text' && text !== '' ? text : undefined
}

function misfit(kind: AnswerKind, value: unknown): string | undefined {
  if (kind.kind === 'object') return objectMisfit(kind, value)
  if (fits(kind, value)) return undefined
  const isWord = kind.kind === 'boolean' && Object.hasOwn(WORDS, String(value).toLowerCase())
  return `must be ${wanted(kind)}${isWord ? ', not a string such as "yes"' : ''}`
}

function objectMisfit(
  { properties, required }: Extract<AnswerKind, { kind: 'object' }>,
  value: unknown,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object'
  const object = value as Record<string, unknown>
  for (const name of required)
    if (!Object.hasOwn(object, name)) return `must have the property ${name}`
  for (const [name, inner] of Object.entries(object)) {
    if (!Object.hasOwn(properties, name)) return `has the property ${name}, which was not requested`
    const problem = misfit(properties[name]!, inner)
    if (problem !== undefined) return `has a property ${name} that ${problem}`
  }
  return undefined
}

function fits(kind: Exclude<AnswerKind, { kind: 'object' }>, value: unknown): boolean {
  switch (kind.kind) {
    case 'free':
      return true
    case 'boolean':
      return typeof value === 'boolean'
    case 'enum':
      return kind.values.some((one) => one === value)
    case 'number':
      return (
        typeof value === 'number' &&
        Number.isFinite(value) &&
        (!kind.isInteger || Number.isInteger(value)) &&
        value >= (kind.minimum ?? -Infinity) &&
        value <= (kind.maximum ?? Infinity)
      )
    case 'text': {
      if (typeof value !== 'string') return false
      // Counts code points, like JSON Schema: an emoji counts once.
      const length = Array.from(value).length
      return length >= (kind.minLength ?? 0) && length <= (kind.maxLength ?? TEXT_MAX)
    }
  }
}

/** Describes the required value, as a phrase to follow `must be`. */
function wanted(kind: AnswerKind): string {
  switch (kind.kind) {
    case 'free':
      return 'any JSON'
    case 'object':
      return 'an object'
    case 'boolean':
      return 'true or false'
    case 'enum':
      return `one of ${kind.values.join(', ')}`
    case 'number': {
      const { minimum, maximum } = kind
      const what = kind.isInteger ? 'a whole number' : 'a number'
      if (minimum !== undefined && maximum !== undefined)
        return `${what} from ${minimum} to ${maximum}`
      if (minimum !== undefined) return `${what}, ${minimum} or more`
      return maximum === undefined ? what : `${what}, ${maximum} or less`
    }
    case 'text': {
      const { minLength = 0, maxLength = TEXT_MAX } = kind
      return minLength > 0
        ? `text of ${minLength} to ${maxLength} characters`
        : `text of at most ${maxLength} characters`
    }
  }
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
const given = <T extends Record<string, unknown>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
