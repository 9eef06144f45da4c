/** Typed answers: turns a task's `answer_schema` into form controls, and validates values. Pure rules. */
import type { Block, Fact } from '../brief/blocks.ts'
import type { Work } from './queries.ts'

type Schema = NonNullable<Work['task']['answer_schema']>

export type ValueKind =
  | { kind: 'boolean' }
  /** One of a few values: choices, or the steps of a short scale. */
  | { kind: 'choice'; values: (string | number)[]; isScale: boolean }
  | { kind: 'number'; minimum: number | null; maximum: number | null; isInteger: boolean }
  | { kind: 'text'; minLength: number; maxLength: number }

export interface Question {
  /** Property name in an object; null if the answer is a single value. */
  name: string | null
  /** In the agent's words, if it gave a label. */
  label: string | null
  isRequired: boolean
  value: ValueKind
}

const SCALE_STEPS_MAX = 21
const TEXT_MAX = 5000

/** The questions in order; empty if the task asks for no typed answer. */
export function questionsOf(schema: Schema | null): Question[] {
  if (schema === null) return []
  if ('properties' in schema) {
    const required = schema.required ?? []
    return Object.entries(schema.properties).map(([name, value]) => ({
      name,
      label: value.description ?? readable(name),
      isRequired: required.includes(name),
      value: valueKind(value),
    }))
  }
  return [
    { name: null, label: schema.description ?? null, isRequired: true, value: valueKind(schema) },
  ]
}

const readable = (name: string) =>
  name.replaceAll(/[_-]+/g, ' ').replace(/^./, (letter) => letter.toUpperCase())

/** The options in the task's text, if they are the choices of its only question: `A`, `B` with their texts. */
export function optionsFor(questions: Question[], blocks: Block[]): Fact[] {
  const [question] = questions
  const options = blocks.find((block) => block.kind === 'options')?.facts ?? []
  if (questions.length !== 1 || question!.value.kind !== 'choice') return []
  const { values } = question!.value
  const isSame =
    values.length > 0 && values.every((value) => options.some(({ name }) => name === value))
  return isSame ? options : []
}

interface LooseSchema {
  type?: string
  enum?: (string | number)[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

function valueKind(given: object): ValueKind {
  const schema = given as LooseSchema
  if (schema.enum !== undefined) return { kind: 'choice', values: schema.enum, isScale: false }
  if (schema.type === 'boolean') return { kind: 'boolean' }
  if (schema.type === 'string')
    return {
      kind: 'text',
      minLength: schema.minLength ?? 0,
      maxLength: schema.maxLength ?? TEXT_MAX,
    }
  const { minimum = null, maximum = null } = schema
  const isInteger = schema.type === 'integer'
  if (isInteger && minimum !== null && maximum !== null && maximum - minimum < SCALE_STEPS_MAX) {
    const first = Math.ceil(minimum)
    const values = Array.from({ length: Math.floor(maximum) - first + 1 }, (_, at) => first + at)
    return { kind: 'choice', values, isScale: true }
  }
  return { kind: 'number', minimum, maximum, isInteger }
}

/** The value as text for a field. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

export type Problem = 'missing' | 'number' | 'whole' | 'range' | 'short' | 'long'

/** Validates one value. */
export function problemOf({ value: kind, isRequired }: Question, value: unknown): Problem | null {
  if (value === undefined || value === '') return isRequired ? 'missing' : null
  if (kind.kind === 'text') {
    const { length } = textOf(value)
    return length < kind.minLength ? 'short' : length > kind.maxLength ? 'long' : null
  }
  if (kind.kind !== 'number') return null
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'number'
  if (kind.isInteger && !Number.isInteger(value)) return 'whole'
  const isWithin =
    (kind.minimum === null || value >= kind.minimum) &&
    (kind.maximum === null || value <= kind.maximum)
  return isWithin ? null : 'range'
}

/** The value of one question within the answer. */
export const valueIn = (answer: unknown, { name }: Question): unknown =>
  name === null ? answer : (answer as Record<string, unknown> | undefined)?.[name]

/** The answer with one value changed; empty values are removed. */
export function withValue(answer: unknown, { name }: Question, value: unknown): unknown {
  if (name === null) return value === '' ? undefined : value
  const { [name]: _, ...rest } = (answer ?? {}) as Record<string, unknown>
  if (value !== undefined && value !== '') return { ...rest, [name]: value }
  return Object.keys(rest).length > 0 ? rest : undefined
}

export const problemsOf = (questions: Question[], answer: unknown): (Problem | null)[] =>
  questions.map((question) => problemOf(question, valueIn(answer, question)))
