/** What the docs need of openapi.json: the operations, by resource, and the errors. */
import { anchorOf } from './html.ts'

/** A schema of JSON Schema 2020-12, as far as our own declarations use it. */
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
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema?: Schema }>

interface RawOperation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

export interface Operation extends RawOperation {
  method: string
  /** As we write it: `/tasks/:id`. */
  path: string
  /** `POST /tasks/:id/approve`. */
  name: string
  anchor: string
  body: Schema | undefined
  /** The media type of a body that is no JSON. */
  rawBody: string | undefined
  success: { status: string; schema: Schema | undefined }
  errors: { status: string; code: string }[]
  caller: 'agent' | 'worker' | 'anyone'
}

/** What the server says of an error, in `x-errors`. */
interface SaidError {
  status: number
  message: string
  hint?: string
  who?: string
  cause?: string
  fix?: string
}

export interface ErrorPage extends SaidError {
  /** The endpoints that answer with it. */
  endpoints: string[]
  schema: Schema | undefined
}

export interface Document {
  paths: Record<string, Record<string, RawOperation>>
  webhooks: Record<string, { post: RawOperation }>
  components: { schemas: Record<string, Schema> }
  'x-errors'?: Record<string, SaidError>
}

export const JSON_TYPE = 'application/json'

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([verb, raw]) => operationOf(template, verb, raw)),
  )
}

function operationOf(template: string, verb: string, raw: RawOperation): Operation {
  const method = verb.toUpperCase()
  const path = template.replaceAll(/\{(\w+)\}/g, ':$1')
  const statuses = Object.entries(raw.responses)
  const [status, answer] = statuses.find(([code]) => /^[23]/.test(code)) ?? ['200', undefined]
  const content = raw.requestBody?.content ?? {}
  const schemes = raw.security.flatMap((one) => Object.keys(one))
  return {
    ...raw,
    method,
    path,
    name: `${method} ${path}`,
    anchor: anchorOf(`${method} ${path}`.replaceAll(/[/:]+/g, ' ').replaceAll(/ +/g, ' ')),
    body: content[JSON_TYPE]?.schema,
    rawBody: Object.keys(content).find((type) => type !== JSON_TYPE),
    success: { status, schema: answer?.content?.[JSON_TYPE]?.schema },
    errors: statuses
      .filter(([code]) => /^[45]/.test(code))
      .flatMap(([code, { content: refused }]) =>
        errorSchemas(refused?.[JSON_TYPE]?.schema).map((schema) => ({
          status: code,
          code: String(schema.properties?.code?.const),
        })),
      ),
    caller: schemes.includes('bearer') ? 'agent' : schemes.includes('token') ? 'worker' : 'anyone',
  }
}

const errorSchemas = (schema: Schema | undefined): Schema[] =>
  schema === undefined ? [] : (schema.oneOf ?? schema.anyOf ?? [schema])

/** Every error by its code: what the server says of it, and what its body holds. */
export function errorsOf(document: Document): Map<string, ErrorPage> {
  const found = new Map<string, ErrorPage>()
  for (const operation of operationsOf(document))
    for (const [status, { content }] of Object.entries(operation.responses))
      for (const schema of /^[45]/.test(status) ? errorSchemas(content?.[JSON_TYPE]?.schema) : []) {
        const code = String(schema.properties?.code?.const)
        const known = found.get(code)
        if (known) known.endpoints.push(operation.name)
        else
          found.set(code, {
            status: Number(status),
            message: schema.properties?.error?.description ?? code,
            endpoints: [operation.name],
            schema,
          })
      }
  // What the server itself says is more than what its answers show.
  for (const [code, said] of Object.entries(document['x-errors'] ?? {})) {
    const { endpoints = [], schema } = found.get(code) ?? {}
    found.set(code, { ...said, endpoints, schema })
  }
  return new Map([...found].sort(([, a], [, b]) => a.status - b.status))
}

export interface Resource {
  title: string
  lead: string
  operations: Operation[]
}

/** First part of the path → the chapter of the reference; whatever is not here gets one by its own name. */
const RESOURCES: { title: string; lead: string; tags: string[] }[] = [
  {
    title: 'Tasks',
    lead: 'What you want done, from the order to the verdict.',
    tags: ['tasks'],
  },
  {
    title: 'Shorthands',
    lead: 'A task of one kind with one call. All fields of POST /tasks work, too.',
    tags: ['verify', 'call', 'gut-check', 'field', 'escalate', 'vibe'],
  },
  { title: 'Quotes', lead: 'What to expect before you ask.', tags: ['quote'] },
  { title: 'Wallet', lead: 'What you can spend, and how money comes in.', tags: ['wallet'] },
  { title: 'Statistics', lead: 'Counts, spending, timing and quality.', tags: ['stats'] },
  {
    title: 'Agents and keys',
    lead: 'Who you are, and what each of your keys may do.',
    tags: ['agents'],
  },
  { title: 'Events', lead: 'What has happened, for 30 days.', tags: ['events'] },
  { title: 'Webhooks', lead: 'How we reach you, and how that went.', tags: ['webhooks'] },
  { title: 'Requests', lead: 'Your calls that were refused, for seven days.', tags: ['requests'] },
  {
    title: 'Test mode',
    lead: 'Scripted workers and a clock of your own. Only for keys that begin with lw_test_.',
    tags: ['test'],
  },
  { title: 'Console', lead: 'The session of the console in a browser.', tags: ['console'] },
  {
    title: 'Workers',
    lead: 'The other side of the marketplace: what the workers’ app calls, with a worker’s token.',
    tags: ['worker'],
  },
  { title: 'Files', lead: 'The files of a proof, by the links that a proof has.', tags: ['files'] },
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
