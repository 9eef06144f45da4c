/**
 * What the SDK knows of the API, made from openapi.json: sdk/src/types.ts (of every route its query, body and answer)
 * and sdk/src/error-classes.ts (a class for every code that an error can have).
 */
import openapiTS, { astToString } from 'openapi-typescript'

interface Schema {
  [key: string]: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

interface Operation {
  operationId: string
  parameters?: {
    name: string
    in: string
    required: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: Content
  responses: Record<string, Content & { description: string }>
}

interface Document {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  'x-errors'?: Record<string, { status: number; message: string }>
}

/** Parts of answers that get a name of their own, so that each is written once: where one of them is found. */
const NAMED: Record<string, [operationId: string, ...path: string[]]> = {
  Task: ['getTasks', 'tasks', 'items'],
  Assignment: ['getTasksId', 'task', 'assignments', 'items'],
  Settlement: ['postTasksIdApprove', 'settlement'],
  Dispute: ['getTasksId', 'task', 'dispute'],
  Proof: ['getTasksIdProof', 'proofs', 'items'],
  Transaction: ['getTasksId', 'task', 'transactions', 'items'],
  Consensus: ['getTasksId', 'task', 'consensus'],
}

const HEAD = '// Generated from openapi.json by npm run generate.\n'

export async function renderSdkTypes(openapi: string): Promise<string> {
  const document = JSON.parse(openapi) as Document
  const operations = operationsOf(document)
  const schemas: Record<string, Schema> = { ...document.components.schemas }
  for (const [name, [operationId, ...path]] of Object.entries(NAMED)) {
    const { operation } = operations.find((one) => one.operation.operationId === operationId)!
    schemas[name] = path.reduce(
      (schema, step) => (step === 'items' ? schema.items! : schema.properties![step]!),
      answerOf(operation)!,
    )
  }
  const named = Object.keys(schemas)

  const routes: string[] = []
  for (const { route, operation } of operations) {
    const name = operation.operationId[0]!.toUpperCase() + operation.operationId.slice(1)
    const parts = {
      query: queryOf(operation),
      body: operation.requestBody?.content?.['application/json']?.schema,
      answer: answerOf(operation),
    }
    const types = Object.entries(parts).map(([part, schema]) => {
      if (schema === undefined) return `${part}: undefined`
      schemas[`${name}_${part}`] = schema
      return `${part}: components['schemas']['${name}_${part}']`
    })
    routes.push(`  '${route}': { ${types.join('; ')} }`)
  }
  const events = Object.entries(document.webhooks).map(([type, { post }]) => {
    const name = `${post.operationId.replace(/^on/, '')}Event`
    schemas[name] = post.requestBody!.content!['application/json']!.schema!
    return `  '${type}': components['schemas']['${name}']`
  })

  const written = new Map(named.map((name) => [textOf(schemas[name]!), name]))
  const components = {
    schemas: Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [
        name,
        withNames(schema, { written, except: name }),
      ]),
    ),
  }
  const tree = await openapiTS(
    { openapi: '3.1.0', info: { title: 'Legwork', version: '1' }, paths: {}, components } as never,
    // A field that has a default may be left out; an object of which nothing is said may hold anything.
    { defaultNonNullable: false, emptyObjectsUnknown: true },
  )
  const onlyComponents = tree.filter(
    (node) => (node as { name?: { text?: string } }).name?.text === 'components',
  )
  return [
    HEAD,
    '/** Every route, with what it takes and what it answers. */',
    `export interface Routes {\n${routes.join('\n')}\n}\n`,
    '/** Every type of event, with the body in which it is delivered. */',
    `export interface Events {\n${events.join('\n')}\n}\n`,
    astToString(onlyComponents),
  ].join('\n')
}

export function renderErrorClasses(openapi: string): string {
  const document = JSON.parse(openapi) as Document
  const found = new Map<string, { message: string; fields: Schema }>()
  for (const { operation } of operationsOf(document))
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const schema = content?.['application/json']?.schema
      if (status < '400' || schema === undefined) continue
      for (const body of schema.oneOf ?? [schema]) {
        const { error, code, request_id: _, ...fields } = body.properties!
        found.set(code!.const as string, {
          message: error!.description as string,
          fields: { ...body, properties: fields },
        })
      }
    }
  // Those that come before a route is found stand in no route.
  for (const [code, { message }] of Object.entries(document['x-errors'] ?? {}))
    if (!found.has(code)) found.set(code, { message, fields: {} })

  const codes = [...found.keys()].sort()
  const classes = codes.map((code) => {
    const { message, fields } = found.get(code)!
    const types = Object.entries(fields.properties ?? {}).map(
      ([name, schema]) => `${name}${fields.required?.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
    )
    const body =
      types.length === 0 ? '{}' : `{\n  declare readonly fields: { ${types.join('; ')} }\n}`
    return `/** \`${code}\`: ${message} */\nexport class ${classOf(code)} extends LegworkError ${body}\n`
  })
  return [
    HEAD,
    "import { LegworkError } from './errors.ts'\n",
    ...classes,
    '/** The class of each code. */',
    `export const ERROR_CLASSES: Record<string, typeof LegworkError> = {\n${codes
      .map((code) => `  ${code}: ${classOf(code)},`)
      .join('\n')}\n}\n`,
  ].join('\n')
}

function operationsOf({ paths }: Document): { route: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

function queryOf({ parameters = [] }: Operation): Schema | undefined {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  if (query.length === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  }
}

function answerOf({ responses }: Operation): Schema | undefined {
  const status = Object.keys(responses).find((one) => one.startsWith('2'))!
  return responses[status]!.content?.['application/json']?.schema
}

/** Whether further fields may come makes no difference to a type. */
const textOf = (schema: Schema) =>
  JSON.stringify(schema, (key, value: unknown) =>
    (key === 'additionalProperties' && value === false) || key === 'description'
      ? undefined
      : value,
  )

/** The same schema, in which each part that has a name is that name. */
function withNames(
  schema: Schema,
  { written, except }: { written: Map<string, string>; except: string },
): Schema {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace)
    if (typeof value !== 'object' || value === null) return value
    const name = written.get(textOf(value as Schema))
    if (name !== undefined && name !== except) {
      const { description } = value as Schema
      const reference = { $ref: `#/components/schemas/${name}` }
      return description === undefined ? reference : { ...reference, description }
    }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, inner]) => key !== 'additionalProperties' || inner !== false)
        .map(([key, inner]) => [key, replace(inner)]),
    )
  }
  return replace(schema) as Schema
}

/** The few kinds of fields that errors have. */
function typeOf(schema: Schema): string {
  const types = [schema.type ?? 'unknown'].flat() as string[]
  if (schema.enum) return (schema.enum as unknown[]).map((one) => JSON.stringify(one)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return (schema.anyOf as Schema[]).map((one) => typeOf(one)).join(' | ')
  return types
    .map((type) => {
      if (type === 'integer') return 'number'
      if (type === 'array') return `(${typeOf(schema.items ?? {})})[]`
      if (type !== 'object') return type
      if (schema.properties === undefined) return 'Record<string, unknown>'
      const fields = Object.entries(schema.properties).map(
        ([name, field]) => `${name}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(field)}`,
      )
      return `{ ${fields.join('; ')} }`
    })
    .join(' | ')
}

/** `no_slot` → `NoSlotError`; `server_error` → `ServerError`. */
function classOf(code: string): string {
  const words = code.replace(/_error$/, '').split('_')
  return `${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')}Error`
}
