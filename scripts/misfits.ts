/** Lists where a JSON value doesn't match its schema. The schema has no references: see `expand` of the docs. */
import type { Schema } from '../web/docs/openapi.ts'

interface Options {
  /** A page may omit fields that it doesn't discuss; those that it shows must match. */
  isPartial?: boolean
}

export function misfits(value: unknown, schema: Schema, options: Options = {}, at = ''): string[] {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const all = choices.map((one) => misfits(value, one, options, at))
    // With several alternatives, report the one with the fewest problems.
    return all.sort((a, b) => a.length - b.length)[0]!
  }
  if (schema.const !== undefined && schema.const !== value)
    return [`${at}: is not ${JSON.stringify(schema.const)}`]
  if (schema.enum && !schema.enum.includes(value))
    return [`${at}: ${JSON.stringify(value)} is none of ${schema.enum.join(', ')}`]
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !types.some((type) => isOf(value, type)))
    return [`${at}: ${JSON.stringify(value)} is no ${types.join(' or ')}`]
  if (Array.isArray(value))
    return value.flatMap((item, i) =>
      schema.items ? misfits(item, schema.items, options, `${at}[${i}]`) : [],
    )
  if (typeof value === 'object' && value !== null && schema.properties)
    return misfitsOfObject(value as Record<string, unknown>, schema, options, at)
  if (typeof value === 'number' && value < (schema.minimum ?? -Infinity))
    return [`${at}: too small`]
  if (typeof value === 'number' && value > (schema.maximum ?? Infinity)) return [`${at}: too large`]
  return []
}

function misfitsOfObject(
  value: Record<string, unknown>,
  { properties = {}, required = [], additionalProperties }: Schema,
  options: Options,
  at: string,
): string[] {
  const missing = options.isPartial ? [] : required.filter((name) => !(name in value))
  return [
    ...missing.map((name) => `${at}.${name}: is missing`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const known = properties[name]
      if (known) return misfits(inner, known, options, `${at}.${name}`)
      return additionalProperties === undefined || additionalProperties === false
        ? [`${at}.${name}: there is no such field`]
        : []
    }),
  ]
}

function isOf(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
