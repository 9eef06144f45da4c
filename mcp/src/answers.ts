/**
 * Typed answers. An `answer_schema` of a question may only have values that the asker lists or bounds: yes or no, a
 * number, one of an enum. Such values can't carry an instruction, so the result may return them outside of the data
 * block, as structured content. What people write in their own words is always data (untrusted.ts).
 */
import type { TaskDetail } from '@legwork/sdk'
import { z } from 'zod'

const CLOSED =
  'must be of type boolean, number or integer, or an enum, or an object of these. People’s own words come back as ' +
  'data, without a schema'

const description = z.string().max(500).exactOptional()
const ClosedValue = z.union(
  [
    z.object({
      type: z.enum(['string', 'number', 'integer']).exactOptional(),
      enum: z
        .array(z.union([z.string().max(200), z.number()]))
        .min(2)
        .max(50),
      description,
    }),
    z.object({ type: z.literal('boolean'), description }),
    z.object({
      type: z.enum(['number', 'integer']),
      minimum: z.number().exactOptional(),
      maximum: z.number().exactOptional(),
      description,
    }),
  ],
  { error: CLOSED },
)
const ClosedSchema = z.union(
  [
    z.object({
      type: z.literal('object'),
      properties: z.record(z.string().max(100), ClosedValue),
      required: z.array(z.string().max(100)).max(100).exactOptional(),
      description,
    }),
    ClosedValue,
  ],
  { error: CLOSED },
)
type ClosedValue = z.output<typeof ClosedValue>
type ClosedSchema = z.output<typeof ClosedSchema>

export const AskedSchema = ClosedSchema.describe(
  'A JSON Schema of the answer: boolean, number, integer, an enum, or an object of these. The answer is checked ' +
    'against it and returned as structuredContent.answer',
)

/** The structured result of ask_human and wait_for_human. It never contains a person's own words. */
export const Structured = z.object({
  task_id: z.string(),
  status: z.string(),
  answer: z
    .unknown()
    .describe(
      'Matches answer_schema; of several people, what they agree on. null: no answer yet, no agreement, or the task ' +
        'has no such schema',
    ),
  answers: z
    .array(z.unknown())
    .describe('The answer of each person, null if they say that it can’t be done'),
  next: z.string().describe('What to do now'),
})
export type Structured = z.output<typeof Structured>

/** The answers to a task that match its schema. Anything that a person could have worded does not. */
export function answersTo({
  answer_schema,
  proofs,
  consensus,
}: Pick<TaskDetail, 'answer_schema' | 'proofs' | 'consensus'>): Pick<
  Structured,
  'answer' | 'answers'
> {
  // The task may have been created in another way, with a schema that also allows text.
  const schema = ClosedSchema.safeParse(answer_schema).data
  const checked = (value: unknown) =>
    schema !== undefined && isAnswer(schema, value) ? value : null
  const answers = proofs.map(({ answer, outcome }) => (outcome === 'done' ? checked(answer) : null))
  return {
    answer: consensus === undefined ? (answers[0] ?? null) : checked(consensus.result),
    answers,
  }
}

function isAnswer(schema: ClosedSchema, value: unknown): boolean {
  if (!('properties' in schema)) return isClosedValue(schema, value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { properties, required = [] } = schema
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(
      ([name, one]) => Object.hasOwn(properties, name) && isClosedValue(properties[name]!, one),
    )
  )
}

function isClosedValue(schema: ClosedValue, value: unknown): boolean {
  if ('enum' in schema) return (schema.enum as unknown[]).includes(value)
  if (schema.type === 'boolean') return typeof value === 'boolean'
  const { type, minimum = -Infinity, maximum = Infinity } = schema
  if (typeof value !== 'number' || value < minimum || value > maximum) return false
  return type === 'number' || Number.isInteger(value)
}
