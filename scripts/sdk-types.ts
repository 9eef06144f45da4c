/**
 * Generates what the SDK knows of the API from openapi.json: sdk/src/types.ts (query, body and response of every route)
 * and sdk/src/error-classes.ts (a class for every error code). The desk's app gets its routes the same way.
 */
import openapiTS, { astToString } from 'openapi-typescript'
import type { Content, Document, Operation, Parameter, Schema } from './openapi-types.ts'

const HEAD = '// Generated from openapi.json by npm run generate.\n'
const PREFIX = '#/components/schemas/'

type Routed = Pick<Document, 'components' | 'paths'> & Partial<Document>

export const renderSdkTypes = (openapi: string): Promise<string> =>
  renderRoutes(JSON.parse(openapi) as Document, HEAD)

/** The types of every route, and of every event if the document has some. */
export async function renderRoutes(document: Routed, head: string): Promise<string> {
  const schemas: Record<string, Schema> = { ...document.components.schemas }
  const used = new Set<string>()
  const typeOfName = (name: string) => {
    for (const one of [name, ...namesBehind(name, schemas)]) used.add(one)
    return `components['schemas']['${name}']`
  }
  const typeOfContent = ({ content }: Content = {}) => {
    const schema = content?.['application/json']?.schema
    return schema === undefined ? 'undefined' : typeOfName(schema.$ref!.slice(PREFIX.length))
  }
  const routes = operationsOf(document).map(({ route, operation }) => {
    const query = queryOf(operation)
    const name = `${operation.operationId[0]!.toUpperCase()}${operation.operationId.slice(1)}Query`
    if (query !== undefined) schemas[name] = query
    const parts = [
      `query: ${query === undefined ? 'undefined' : typeOfName(name)}`,
      `body: ${typeOfContent(operation.requestBody)}`,
      `answer: ${typeOfContent(successOf(operation))}`,
    ]
    return `  '${route}': { ${parts.join('; ')} }`
  })
  const events = Object.entries(document.webhooks ?? {}).map(
    ([type, { post }]) => `  '${type}': ${typeOfContent(post.requestBody)}`,
  )

  const components = {
    schemas: Object.fromEntries([...used].sort().map((name) => [name, schemas[name]])),
  }
  const tree = await openapiTS(
    { openapi: '3.1.0', info: { title: 'Legwork', version: '1' }, paths: {}, components } as never,
    // A field with a default is optional; an object without properties may hold anything.
    { defaultNonNullable: false, emptyObjectsUnknown: true },
  )
  const onlyComponents = tree.filter(
    (node) => (node as { name?: { text?: string } }).name?.text === 'components',
  )
  return [
    head,
    '/** Every route, with what it takes and what it answers. */',
    `export interface Routes {\n${routes.join('\n')}\n}\n`,
    ...(events.length === 0
      ? []
      : [
          '/** Every type of event, with the body in which it is delivered. */',
          `export interface Events {\n${events.join('\n')}\n}\n`,
        ]),
    astToString(onlyComponents),
  ].join('\n')
}

/** The names of all schemas that a schema refers to, directly or indirectly. */
function namesBehind(
  name: string,
  schemas: Record<string, Schema>,
  found = new Set<string>(),
): Set<string> {
  for (const [, one] of JSON.stringify(schemas[name]).matchAll(
    /"#\/components\/schemas\/(\w+)"/g,
  )) {
    if (found.has(one!)) continue
    found.add(one!)
    namesBehind(one!, schemas, found)
  }
  return found
}

export function renderErrorClasses(openapi: string): string {
  const document = JSON.parse(openapi) as Document
  const { schemas } = document.components
  const common = schemas.Error!
  const found = new Map<string, { message: string; fields: Schema }>()
  for (const [code, { message }] of Object.entries(document['x-errors'])) {
    // Errors that occur before routing are in no response and have no schema.
    const own = schemas[classOf(code)]?.allOf?.[1]
    if (own === undefined) {
      found.set(code, { message, fields: {} })
      continue
    }
    const { code: _, ...extra } = own.properties!
    const properties = { ...extra, doc_url: common.properties!.doc_url! }
    found.set(code, {
      message,
      fields: { properties, required: [...(own.required ?? []), 'doc_url'] },
    })
  }

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

function operationsOf({ paths }: Routed): { route: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

function queryOf({ parameters = [] }: Operation): Schema | undefined {
  const query = parameters.filter(
    (parameter): parameter is Parameter => 'in' in parameter && parameter.in === 'query',
  )
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

const successOf = ({ responses }: Operation): Content =>
  responses[Object.keys(responses).find((status) => status.startsWith('2'))!]!

/** Covers the few types that error fields have. */
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
