/** An endpoint's input schema as JSON Schema, and values that fit it or just miss. */
import { z } from 'zod'
import type { Random } from './random.ts'

export interface JsonSchema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  pattern?: string
  format?: string
}

export const inputSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as unknown as JsonSchema

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Supplies a value by field name where the schema is not enough. Undefined leaves it to the schema. */
export type Named = (name: string, schema: JsonSchema) => unknown

/** A value that fits; `often` is the share of optional fields to include. */
export function valid(
  random: Random,
  schema: JsonSchema,
  { named, often, name = '' }: { named: Named; often: number; name?: string },
): unknown {
  const known = named(name, schema)
  if (known !== undefined) return known
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return valid(random, random.pick(options), { named, often, name })
  if (schema.allOf)
    return Object.assign(
      {},
      ...schema.allOf.map((part) => valid(random, part, { named, often, name })),
    ) as unknown
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
      return number(schema, random.below(random.chance(0.5) ? 30 : 3000))
    case 'number':
      return number(schema, random.below(10_000) / 100)
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, random.below(3)) }, () =>
        valid(random, schema.items ?? {}, { named, often, name }),
      )
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([field]) => schema.required?.includes(field) || random.chance(often))
          .map(([field, inner]) => [field, valid(random, inner, { named, often, name: field })]),
      )
    case 'string': {
      const text = random.pick(['Look', 'Is it open?', 'Grüße', '你好', 'Look\nagain'])
      return text.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength ?? 100)
    }
    default:
      return random.pick([1, 'x', true, { a: 1 }, [1]])
  }
}

const number = ({ minimum, maximum, exclusiveMinimum }: JsonSchema, wanted: number) =>
  Math.min(maximum ?? 1e6, Math.max(minimum ?? (exclusiveMinimum ?? -1) + 1, wanted))

/** The boundary values of a schema, and one beyond each. */
export function boundaries(schema: JsonSchema): unknown[] {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.flatMap(boundaries)
  const { minimum, maximum, minLength, maxLength, maxItems } = schema
  const lengths = [minLength, maxLength].filter((length) => length !== undefined && length < 20_000)
  return [
    ...[minimum, maximum].flatMap((edge) =>
      edge === undefined || Math.abs(edge) > 2 ** 53 ? [] : [edge - 1, edge, edge + 1],
    ),
    ...lengths.flatMap((length) =>
      [length! - 1, length!, length! + 1]
        .filter((one) => one >= 0)
        .flatMap((one) => ['x'.repeat(one), '💥'.repeat(Math.ceil(one / 2))]),
    ),
    ...(maxItems === undefined || maxItems > 200
      ? []
      : [maxItems, maxItems + 1].map((count) => Array.from({ length: count }, () => 'x'))),
    ...(schema.type === 'string' ? [0, false] : []),
    ...(schema.type === 'integer' ? ['1', 1.5] : []),
  ]
}
