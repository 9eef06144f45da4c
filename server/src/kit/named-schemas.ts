/** Renders zod schemas as named JSON Schemas that reference each other with `$ref`. */
import assert from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { namedSchemas } from './named.ts'

export interface JsonSchema {
  [keyword: string]: unknown
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
}

type Direction = 'input' | 'output'

export interface Schemas {
  /** Returns a reference to a schema. */
  refer(direction: Direction, name: string): JsonSchema
  /** Returns the schema itself. */
  get(direction: Direction, name: string): JsonSchema
  /** Replaces a rendered schema. */
  replace(name: string, schema: JsonSchema): void
  /** The schemas that parts of the document reference, directly or transitively, sorted by name. */
  usedBy(...parts: unknown[]): Record<string, JsonSchema>
}

const PREFIX = '#/components/schemas/'
/** An object that has all fields of a named object extends it, if the named object has at least this many fields. */
const BASE_FIELDS_MIN = 5

/** Renders the given schemas and every schema registered with `named`. */
export function renderSchemas(given: Record<Direction, Map<string, z.ZodType>>): Schemas {
  const rendered = {
    input: renderDirection('input', given.input),
    output: renderDirection('output', given.output),
  }
  // A default or a transformation makes a schema's input and output differ.
  const isBoth = (name: string) => rendered.input.used.has(name) && rendered.output.used.has(name)
  const differing = new Set(
    [...rendered.input.used].filter(
      (name) =>
        isBoth(name) &&
        !isDeepStrictEqual(rendered.input.schemas[name], rendered.output.schemas[name]),
    ),
  )
  for (let before = -1; before !== differing.size; ) {
    before = differing.size
    for (const name of rendered.input.used)
      if (
        isBoth(name) &&
        [...referencesIn(rendered.input.schemas[name])].some((one) => differing.has(one))
      )
        differing.add(name)
  }
  const nameOf = (direction: Direction, name: string) =>
    direction === 'input' && differing.has(name) ? `${name}Input` : name
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === '$ref'
          ? PREFIX + nameOf('input', (inner as string).slice(PREFIX.length))
          : renamed(inner),
      ]),
    )
  }

  const all: Record<string, JsonSchema> = { ...rendered.output.schemas }
  for (const [name, schema] of Object.entries(rendered.input.schemas)) {
    if (name in all && !differing.has(name)) continue
    const target = nameOf('input', name)
    assert(!(target in all), `two schemas are named ${target}`)
    all[target] = renamed(schema) as JsonSchema
  }
  const idOf = (direction: Direction, name: string) =>
    nameOf(direction, rendered[direction].aliases.get(name) ?? name)
  return {
    refer: (direction, name) => ({ $ref: PREFIX + idOf(direction, name) }),
    get: (direction, name) => all[idOf(direction, name)]!,
    replace(name, schema) {
      assert(name in all, `no schema is named ${name}`)
      all[name] = schema
    },
    usedBy(...parts) {
      const used = closure(parts, all)
      return Object.fromEntries([...used].sort().map((name) => [name, all[name]!]))
    },
  }
}

function renderDirection(direction: Direction, given: Map<string, z.ZodType>) {
  const registry = z.registry<{ id: string }>()
  const byName = new Map(namedSchemas)
  const aliases = new Map<string, string>()
  for (const [name, schema] of namedSchemas) registry.add(schema, { id: name })
  for (const [name, schema] of given) {
    const known = registry.get(schema)
    if (known) aliases.set(name, known.id)
    else {
      assert(!byName.has(name), `two schemas are named ${name}`)
      registry.add(schema, { id: name })
      byName.set(name, schema)
    }
  }
  const { schemas: raw } = z.toJSONSchema(registry, {
    io: direction,
    uri: (id) => PREFIX + id,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema as JsonSchema, direction),
  })
  const schemas: Record<string, JsonSchema> = {}
  for (const [name, { $schema: _, $id: __, ...schema }] of Object.entries(raw))
    schemas[name] = schema as JsonSchema
  for (const [name, schema] of byName) {
    const base = baseOf(schema, byName)
    if (base !== undefined) schemas[name] = extend(schemas, name, base)
  }
  const roots = [...given.keys()].map((name) => aliases.get(name) ?? name)
  return {
    schemas,
    aliases,
    used: new Set([
      ...roots,
      ...closure(
        roots.map((name) => schemas[name]),
        schemas,
      ),
    ]),
  }
}

/** Removes keywords that zod adds and that readers don't need. */
function simplify(schema: JsonSchema, direction: Direction): void {
  // The format is enough; zod's pattern for a time has 300 characters.
  if (schema.format !== undefined) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  // Clients must accept fields added later.
  if (direction === 'output' && schema.additionalProperties === false)
    delete schema.additionalProperties
}

/** The largest named object whose fields are all in this one, unchanged. */
function baseOf(schema: z.ZodType, byName: Map<string, z.ZodType>): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined
  const sizeOf = ([, { shape }]: [string, z.ZodObject]) => Object.keys(shape).length
  const candidates = [...byName]
    .filter((entry): entry is [string, z.ZodObject] => entry[1] instanceof z.ZodObject)
    .filter(
      (entry) =>
        namedSchemas.has(entry[0]) &&
        sizeOf(entry) >= BASE_FIELDS_MIN &&
        sizeOf(entry) < Object.keys(schema.shape).length &&
        Object.entries(entry[1].shape).every(([key, field]) => schema.shape[key] === field),
    )
  return candidates.sort((a, b) => sizeOf(b) - sizeOf(a))[0]?.[0]
}

function extend(schemas: Record<string, JsonSchema>, name: string, base: string): JsonSchema {
  const { properties = {}, required = [], description, ...rest } = schemas[name]!
  const inherited = schemas[base]!
  const isOwn = (field: string) => !(field in fieldsOf(schemas, base))
  assert(
    inherited.additionalProperties === undefined,
    `${base} can’t be extended because it is closed`,
  )
  const ownRequired = required.filter(isOwn)
  return {
    ...(description === undefined ? {} : { description }),
    allOf: [
      { $ref: PREFIX + base },
      {
        ...rest,
        properties: Object.fromEntries(
          Object.entries(properties).filter(([field]) => isOwn(field)),
        ),
        ...(ownRequired.length === 0 ? {} : { required: ownRequired }),
      },
    ],
  }
}

/** The fields of a schema, including those of the schemas it extends. */
function fieldsOf(schemas: Record<string, JsonSchema>, name: string): Record<string, JsonSchema> {
  const { properties = {}, allOf = [] } = schemas[name] as JsonSchema & { allOf?: JsonSchema[] }
  return Object.assign(
    {},
    properties,
    ...allOf.map((part) =>
      typeof part.$ref === 'string'
        ? fieldsOf(schemas, part.$ref.slice(PREFIX.length))
        : part.properties,
    ),
  ) as Record<string, JsonSchema>
}

/** The schema names that a part of the document references. */
function referencesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inner] of Object.entries(value))
    if (key === '$ref' && typeof inner === 'string' && inner.startsWith(PREFIX))
      found.add(inner.slice(PREFIX.length))
    else referencesIn(inner, found)
  return found
}

function closure(parts: unknown[], schemas: Record<string, JsonSchema>): Set<string> {
  const found = new Set<string>()
  const pending = [...referencesIn(parts)]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue
    assert(name in schemas, `no schema is named ${name}`)
    found.add(name)
    pending.push(...referencesIn(schemas[name]))
  }
  return found
}
