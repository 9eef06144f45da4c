/** Reads openapi.json for the docs: operations by resource, and errors. */
import { anchorOf } from './html.ts'

/** The subset of JSON Schema 2020-12 that our API uses. */
export interface Schema {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  $ref?: string
  /** The name of the schema; `expand` sets it where it replaces a reference. */
  name?: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema?: Schema }>

interface Response {
  description: string
  content?: Content
}

interface Reference {
  $ref: string
}

interface RawOperation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters: (Parameter | Reference)[]
  requestBody?: { content: Content }
  responses: Record<string, Response | Reference>
}

export interface Operation extends Omit<RawOperation, 'parameters' | 'responses'> {
  parameters: Parameter[]
  method: string
  /** With parameters as `/tasks/:id`. */
  path: string
  /** For example `POST /tasks/:id/approve`. */
  name: string
  anchor: string
  body: Schema | undefined
  /** The media type of a body that isn't JSON. */
  rawBody: string | undefined
  success: { status: string; schema: Schema | undefined }
  errors: { status: string; code: string; schema: Schema }[]
  caller: 'agent' | 'worker' | 'anyone'
}

/** An error's entry in `x-errors`. */
interface SaidError {
  status: number
  message: string
  hint?: string
  who?: string
  cause?: string
  fix?: string
}

export interface ErrorPage extends SaidError {
  /** The endpoints that return this error. */
  endpoints: string[]
  schema: Schema | undefined
}

export interface Document {
  paths: Record<string, Record<string, RawOperation>>
  webhooks: Record<string, { post: RawOperation }>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, Response>
  }
  'x-errors'?: Record<string, SaidError>
}

export const JSON_TYPE = 'application/json'

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([verb, raw]) => operationOf(document, template, verb, raw)),
  )
}

function operationOf(
  document: Document,
  template: string,
  verb: string,
  raw: RawOperation,
): Operation {
  const method = verb.toUpperCase()
  const path = template.replaceAll(/\{(\w+)\}/g, ':$1')
  const { parameters, responses } = document.components
  const statuses = Object.entries(raw.responses).map(
    ([code, response]) => [code, follow(response, responses)] as const,
  )
  const [status, answer] = statuses.find(([code]) => /^[23]/.test(code)) ?? ['200', undefined]
  const content = raw.requestBody?.content ?? {}
  const schemes = raw.security.flatMap((one) => Object.keys(one))
  const schemaIn = (one: Content | undefined) => {
    const schema = one?.[JSON_TYPE]?.schema
    return schema && expand(schema, document)
  }
  return {
    ...raw,
    method,
    path,
    name: `${method} ${path}`,
    anchor: anchorOf(`${method} ${path}`.replaceAll(/[/:]+/g, ' ').replaceAll(/ +/g, ' ')),
    parameters: raw.parameters.map((parameter) => {
      const { schema, ...rest } = follow(parameter, parameters)
      return { ...rest, schema: expand(schema, document) }
    }),
    body: schemaIn(content),
    rawBody: Object.keys(content).find((type) => type !== JSON_TYPE),
    success: { status, schema: schemaIn(answer?.content) },
    errors: statuses
      .filter(([code]) => /^[45]/.test(code))
      .flatMap(([code, { content: refused }]) => {
        const schema = schemaIn(refused)
        return (schema?.oneOf ?? (schema ? [schema] : [])).map((one) => ({
          status: code,
          code: String(one.properties?.code?.const),
          schema: one,
        }))
      }),
    caller: schemes.includes('bearer') ? 'agent' : schemes.includes('token') ? 'worker' : 'anyone',
  }
}

const nameIn = (reference: string) => reference.split('/').at(-1)!

const follow = <T extends object>(value: T | Reference, components: Record<string, T>): T =>
  '$ref' in value ? components[nameIn(value.$ref)]! : value

const expandedSchemas = new WeakMap<Document, Map<string, Schema>>()

/** Replaces references with the schemas they name, and merges inherited fields. */
export function expand(schema: Schema, document: Document): Schema {
  const { $ref, allOf, ...rest } = schema
  const own = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => [
      keyword,
      expandKeyword(keyword, value, document),
    ]),
  ) as Schema
  if ($ref !== undefined) return { ...expandName(nameIn($ref), document), ...own }
  if (allOf === undefined) return own
  const parts = allOf.map((part) => expand(part, document))
  return {
    type: 'object',
    ...own,
    properties: Object.fromEntries(
      parts.flatMap(({ properties = {} }) => Object.entries(properties)),
    ),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

function expandName(name: string, document: Document): Schema {
  const known = expandedSchemas.get(document) ?? new Map<string, Schema>()
  expandedSchemas.set(document, known)
  const schema = known.get(name) ?? {
    ...expand(document.components.schemas[name]!, document),
    name,
  }
  known.set(name, schema)
  return schema
}

/** Handles keywords whose value is a schema, a list of schemas, or schemas by name. */
function expandKeyword(keyword: string, value: unknown, document: Document): unknown {
  if (keyword === 'anyOf' || keyword === 'oneOf')
    return (value as Schema[]).map((one) => expand(one, document))
  if (keyword === 'properties')
    return Object.fromEntries(
      Object.entries(value as Record<string, Schema>).map(([name, one]) => [
        name,
        expand(one, document),
      ]),
    )
  const isSchema = keyword === 'items' || keyword === 'additionalProperties'
  return isSchema && typeof value === 'object' ? expand(value as Schema, document) : value
}

/** Every error by code: its description and the schema of its body. */
export function errorsOf(document: Document): Map<string, ErrorPage> {
  const found = new Map<string, ErrorPage>()
  for (const operation of operationsOf(document))
    for (const { status, code, schema } of operation.errors) {
      const known = found.get(code)
      if (known) known.endpoints.push(operation.name)
      else
        found.set(code, {
          status: Number(status),
          message: schema.description ?? code,
          endpoints: [operation.name],
          schema,
        })
    }
  // `x-errors` has more detail than the response schemas.
  for (const [code, details] of Object.entries(document['x-errors'] ?? {})) {
    const { endpoints = [], schema } = found.get(code) ?? {}
    found.set(code, { ...details, endpoints, schema })
  }
  return new Map([...found].sort(([, a], [, b]) => a.status - b.status))
}

export interface Resource {
  title: string
  lead: string
  operations: Operation[]
}

/** First path segment → chapter of the reference. Others get a chapter named after the segment. */
const RESOURCES: { title: string; lead: string; tags: string[] }[] = [
  {
    title: 'Tasks',
    lead: 'Create tasks, read their proof, and approve or dispute the work.',
    tags: ['tasks'],
  },
  {
    title: 'Shorthands',
    lead: 'Create a task of one type with a single call. All fields of POST /tasks work, too.',
    tags: ['verify', 'call', 'gut-check', 'field', 'escalate', 'vibe'],
  },
  {
    title: 'Quotes',
    lead: 'Typical price and time of a task before you create it.',
    tags: ['quote'],
  },
  { title: 'Wallet', lead: 'Your balance, transactions and deposits.', tags: ['wallet'] },
  { title: 'Statistics', lead: 'Counts, spending, timing and quality.', tags: ['stats'] },
  {
    title: 'Agents and keys',
    lead: 'Your agent, and the scopes and limits of its keys.',
    tags: ['agents'],
  },
  {
    title: 'Events',
    lead: 'Everything that happened to your tasks in the last 30 days.',
    tags: ['events'],
  },
  {
    title: 'Webhooks',
    lead: 'Deliveries, test events and the signing secret.',
    tags: ['webhooks'],
  },
  {
    title: 'Requests',
    lead: 'Your rejected and failed requests of the last seven days.',
    tags: ['requests'],
  },
  {
    title: 'Test mode',
    lead: 'Scripted workers and a test clock. Only for keys that start with lw_test_.',
    tags: ['test'],
  },
  { title: 'Console', lead: 'The console’s browser session.', tags: ['console'] },
  {
    title: 'Workers',
    lead: 'The endpoints of the worker app. They need a worker token.',
    tags: ['worker'],
  },
  {
    title: 'Files',
    lead: 'Download the files of a proof with the links it contains.',
    tags: ['files'],
  },
]

export function resourcesOf(document: Document): Resource[] {
  const operations = operationsOf(document)
  const known = new Set(RESOURCES.flatMap(({ tags }) => tags))
  const others = [...new Set(operations.map(({ tags }) => tags[0]!))].filter(
    (tag) => !known.has(tag),
  )
  return [
    ...RESOURCES,
    ...others.map((tag) => ({
      title: tag[0]!.toUpperCase() + tag.slice(1),
      lead: '',
      tags: [tag],
    })),
  ]
    .map(({ title, lead, tags }) => ({
      title,
      lead,
      operations: operations.filter((operation) => tags.includes(operation.tags[0]!)),
    }))
    .filter(({ operations: some }) => some.length > 0)
}
