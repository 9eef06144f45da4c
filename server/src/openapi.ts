/** Generates the OpenAPI 3.1 document from the same declarations that are used for validation and routing. */
import assert from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { CONSOLE_COOKIE } from './agents/console-cookie.ts'
import { invalidApiKey, keyScope, roleNotAllowed } from './agents/errors.ts'
import { endpoints } from './endpoints.ts'
import { errorPages } from './error-pages.ts'
import { events } from './events.ts'
import {
  type AnyEndpoint,
  bodyLimitOf,
  type Callers,
  isRefusedReadOnly,
  needsOrigin,
  WARNING_CODES,
} from './kit/endpoint.ts'
import {
  bodyTimeout,
  bodyTooLarge,
  type ErrorDefinition,
  headersTooLarge,
  idempotencyInProgress,
  idempotencyMismatch,
  invalidJson,
  invalidRequest,
  malformedRequest,
  methodNotAllowed,
  rateLimited,
  readOnly,
  routeNotFound,
  serverError,
  unavailable,
  wrongContentType,
  wrongOrigin,
} from './kit/errors.ts'
import { accessOf } from './kit/access.ts'
import { named } from './kit/named.ts'
import { type JsonSchema, renderSchemas, type Schemas } from './kit/named-schemas.ts'
import { EventView } from './webhooks/event-view.ts'
import { USUAL_TYPES } from './webhooks/record-event.ts'
import { DELAYS_MS } from './webhooks/schedule.ts'
import { invalidToken } from './workers/errors.ts'
import { SESSION_COOKIE } from './workers/session-cookie.ts'

const Warnings = z
  .array(
    named(
      'Warning',
      z.object({
        code: z.enum(WARNING_CODES),
        path: z.string().describe('The field that the warning refers to'),
        message: z.string().optional().describe('For people to read; absent for unknown_field'),
        eligible_workers: z
          .int()
          .optional()
          .describe(
            'For no_eligible_workers: the number of eligible workers, rounded down to a multiple of five',
          ),
      }),
    ),
  )
  .describe('Parts of the request that were ignored or changed')

type Part = 'all' | 'agents'

const rendered = new Map<Part, string>()

/**
 * Returns the document of the whole API, or of the part for agents. It is cached because rendering blocks the process
 * for a tenth of a second, and anyone may request it.
 */
export function renderOpenApi(part: Part = 'all'): string {
  const known = rendered.get(part)
  if (known !== undefined) return known
  const text = JSON.stringify(render(part))
  rendered.set(part, text)
  return text
}

/** Agents don't call the endpoints of workers or of the console. */
const isForAgents = ({ path }: AnyEndpoint) => !/^\/(?:worker|console)\//.test(path)

const INFO = {
  title: 'Legwork',
  version: '1',
  summary: 'Software agents post paid tasks, people complete them.',
  description:
    'Bodies are JSON. In an optional field, `null` and an empty string mean that it is not ' +
    'given, unless the field itself accepts `null`. Clients may omit such fields or send them ' +
    'empty.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Your API key (recommended)' },
  header: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A worker’s token, from POST /worker/login',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'A worker’s browser session, from POST /worker/session; requests that change something need our Origin',
  },
  console: {
    type: 'apiKey',
    in: 'cookie',
    name: CONSOLE_COOKIE,
    description:
      'A browser session of the console, from POST /console/session; it works like its key, ' +
      'and requests that change something need our Origin',
  },
}

const AGENT_SCHEMES = ['bearer', 'header'] as const

const SECURITY: Record<keyof Callers, Partial<Record<keyof typeof SECURITY_SCHEMES, never[]>>[]> = {
  none: [],
  agent: [{ bearer: [] }, { header: [] }, { console: [] }],
  'agent?': [{ bearer: [] }, { header: [] }, { console: [] }, {}],
  worker: [{ token: [] }, { cookie: [] }],
  'token or none': [{ token: [] }, { cookie: [] }, {}],
}

let components: { schemas: Schemas; responses: Responses } | undefined

function render(part: Part) {
  const documented = endpoints.filter(({ isInternal }) => !isInternal)
  const shown = part === 'all' ? documented : documented.filter(isForAgents)
  components ??= componentsOf(documented)
  const { schemas, responses } = components
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of shown) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    const described = operation(endpoint, { part, schemas, responses })
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: described }
  }
  const webhooks = Object.fromEntries(
    Object.entries(events).map(([type, { when }]) => [
      type,
      { post: webhook(type, when, schemas.refer('output', eventName(type))) },
    ]),
  )
  const text = JSON.stringify(paths)
  const usedResponses = Object.fromEntries(
    [...responses.components].filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  )
  return {
    openapi: '3.1.0',
    info:
      part === 'all'
        ? INFO
        : { ...INFO, title: 'Legwork for agents', description: `${INFO.description} ${OF_AGENTS}` },
    servers: [{ url: '/api/v1' }],
    components: {
      securitySchemes:
        part === 'all'
          ? SECURITY_SCHEMES
          : Object.fromEntries(AGENT_SCHEMES.map((name) => [name, SECURITY_SCHEMES[name]])),
      headers: {
        'RateLimit-Policy': {
          schema: { type: 'string' },
          description: 'The limits that apply, in the format of the IETF draft',
        },
        RateLimit: { schema: { type: 'string' }, description: 'The remaining requests' },
      },
      parameters: PARAMETERS,
      responses: usedResponses,
      schemas: schemas.usedBy(paths, webhooks, usedResponses),
    },
    paths,
    webhooks,
    ...(part === 'all' ? { 'x-errors': errorsByCode() } : {}),
  }
}

const OF_AGENTS =
  'This is the part of the API that agents call. The whole API is at `GET ' +
  '/api/v1/openapi.json`, which also has the cause of each error and how to fix it.'

function componentsOf(documented: AnyEndpoint[]) {
  const schemas = schemasOf(documented)
  return { schemas, responses: responsesOf(documented, schemas) }
}

/** All schemas of the documented endpoints and of the events, by name. */
function schemasOf(documented: AnyEndpoint[]): Schemas {
  const input = new Map<string, z.ZodType>()
  const output = new Map<string, z.ZodType>()
  for (const endpoint of documented) {
    const name = nameOf(endpoint)
    if (endpoint.params) input.set(`${name}Path`, endpoint.params)
    if (endpoint.query) input.set(`${name}Query`, endpoint.query)
    if (endpoint.body) input.set(`${name}Input`, endpoint.body)
    // Not …Response: client generators create that name themselves and would call this one …Response2.
    if (hasJson(endpoint)) output.set(`${name}Result`, answerOf(endpoint))
  }
  for (const [type, { data }] of Object.entries(events))
    output.set(eventName(type), EventView.extend({ type: z.literal(type), data }))
  const errors = new Map(documented.flatMap(refusalsOf).map((error) => [error.code, error]))
  for (const [code, { body }] of errors) output.set(errorName(code), body)

  const schemas = renderSchemas({ input, output })
  for (const [code, { message }] of errors) {
    const { properties = {}, required = [] } = schemas.get('output', errorName(code))
    const isOwn = (field: string) => !['error', 'request_id', 'doc_url'].includes(field)
    schemas.replace(errorName(code), {
      description: message,
      allOf: [
        { $ref: '#/components/schemas/Error' },
        {
          type: 'object',
          properties: Object.fromEntries(
            Object.entries(properties).filter(([field]) => isOwn(field)),
          ),
          required: required.filter(isOwn),
        },
      ],
    })
  }
  return schemas
}

function nameOf({ name, method, path }: AnyEndpoint): string {
  assert(name !== undefined, `${method} ${path} has no name`)
  return name[0]!.toUpperCase() + name.slice(1)
}

/** `task.completed` → `TaskCompletedEvent`. */
const eventName = (type: string) => `${pascal(type.split(/[._]/))}Event`

/** `no_slot` → `NoSlotError`; `server_error` → `ServerError`. */
const errorName = (code: string) => `${pascal(code.replace(/_error$/, '').split('_'))}Error`

const hasJson = ({ method, success }: AnyEndpoint) => method !== 'HEAD' && success.status !== 204

function answerOf({ method, success }: AnyEndpoint): z.ZodType {
  const body = success.body as z.ZodType
  return method !== 'GET' && body instanceof z.ZodObject
    ? body.extend({ warnings: Warnings.optional() })
    : body
}

const SIGNED_HEADERS = {
  'webhook-id': 'The id of the event',
  'webhook-timestamp':
    'When this was sent, in seconds since 1970; reject requests that are several minutes old',
  'webhook-signature':
    '`v1,` and the base64 of the HMAC-SHA256 of id, timestamp and body joined with dots; the ' +
    'key is the part of your secret after `whsec_`, decoded from base64. During a secret ' +
    'rotation there are two signatures, space-separated',
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the call safe to retry: it takes effect once, and retries get the same response for ' +
    'seven days',
}

const PARAMETERS = {
  IdempotencyKey: { ...IDEMPOTENCY_KEY, schema: { type: 'string', minLength: 1, maxLength: 255 } },
  LongIdempotencyKey: {
    ...IDEMPOTENCY_KEY,
    schema: { type: 'string', minLength: 20, maxLength: 255 },
  },
  ...Object.fromEntries(
    Object.entries(SIGNED_HEADERS).map(([name, description]) => [
      pascal(name.split('-')),
      { name, in: 'header', required: true, description, schema: { type: 'string' } },
    ]),
  ),
}

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })

function operation(
  endpoint: AnyEndpoint,
  { part, schemas, responses }: { part: Part; schemas: Schemas; responses: Responses },
) {
  const { path, auth, summary, description, success } = endpoint
  const name = nameOf(endpoint)
  const isPost = endpoint.method === 'POST'
  const security = SECURITY[auth as keyof Callers]
  return {
    operationId: endpoint.name,
    tags: [path.split('/')[1]],
    summary,
    ...(description === undefined ? {} : { description }),
    security: part === 'all' ? security : security.filter((scheme) => !('console' in scheme)),
    parameters: [
      ...(endpoint.params ? parameters('path', schemas.get('input', `${name}Path`)) : []),
      ...(endpoint.query ? parameters('query', schemas.get('input', `${name}Query`)) : []),
      ...(isPost ? [parameter(endpoint.isSecret ? 'LongIdempotencyKey' : 'IdempotencyKey')] : []),
    ],
    ...(endpoint.raw === undefined
      ? {}
      : { requestBody: { required: true, content: { [endpoint.raw]: {} } } }),
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            description: `At most ${bodyLimitOf(endpoint).toLocaleString('en-US')} bytes`,
            ...json(schemas.refer('input', `${name}Input`)),
          },
        }
      : {}),
    responses: {
      [success.status]: {
        description: summary,
        headers: rateLimitHeaders(),
        ...(hasJson(endpoint) ? json(schemas.refer('output', `${name}Result`)) : {}),
      },
      ...responses.refer(endpoint),
    },
  }
}

const rateLimitHeaders = () => ({
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
})

/** Details of each error, for tools that generate documentation pages or error classes. */
function errorsByCode() {
  const unrouted = [malformedRequest, headersTooLarge, routeNotFound, methodNotAllowed]
  const all = [...endpoints.flatMap(refusalsOf), ...unrouted]
  const byCode = new Map(all.map((error) => [error.code, error]))
  return Object.fromEntries(
    [...byCode]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, error]) => [
        code,
        {
          status: error.status,
          message: error.message,
          ...(error.hint === undefined ? {} : { hint: error.hint }),
          fields: Object.keys(error.body.shape).filter((name) => !COMMON_FIELDS.includes(name)),
          ...errorPages[code],
        },
      ]),
  )
}

const COMMON_FIELDS = ['error', 'code', 'request_id', 'hint', 'doc_url']

function refusalsOf(endpoint: AnyEndpoint): ErrorDefinition[] {
  return [
    invalidRequest,
    ...(endpoint.body ? [invalidJson, bodyTimeout, bodyTooLarge, wrongContentType] : []),
    ...(endpoint.auth === 'agent' ? [invalidApiKey] : []),
    ...(endpoint.scope === undefined || endpoint.scope === 'any' ? [] : [keyScope]),
    ...([undefined, 'any'].includes(accessOf(endpoint).right) ? [] : [roleNotAllowed]),
    ...(endpoint.auth === 'worker' ? [invalidToken] : []),
    ...(needsOrigin(endpoint) ? [wrongOrigin] : []),
    ...endpoint.errors,
    ...(endpoint.method === 'POST' ? [idempotencyMismatch, idempotencyInProgress] : []),
    rateLimited,
    serverError,
    unavailable,
    ...(isRefusedReadOnly(endpoint) ? [readOnly] : []),
  ]
}

interface Responses {
  /** All error responses by name, in alphabetical order. */
  components: Map<string, object>
  /** References to the error responses of an endpoint, by status. */
  refer(endpoint: AnyEndpoint): Record<string, object>
}

/** Maps error codes that share a status to the name of the response that lists them. */
const SHARED_RESPONSES: Record<string, string> = {
  'invalid_request, invalid_json': 'BadRequest',
  'invalid_request, invalid_mail_link': 'InvalidMailLink',
  'invalid_request, invalid_json, invalid_mail_link': 'BadRequestOrMailLink',
  'key_scope, role_not_allowed, wrong_origin': 'Forbidden',
  'key_scope, role_not_allowed, wrong_origin, test_mode_only': 'TestModeOnly',
  'insufficient_funds, key_cap': 'PaymentRequired',
  'invalid_state, idempotency_in_progress': 'InvalidState',
  'test_quota_exceeded, rate_limited': 'TooManyRequests',
  'unavailable, read_only': 'UnavailableOrReadOnly',
  'registrations_off, unavailable, read_only': 'RegistrationsOff',
  'task_type_off, unavailable, read_only': 'TaskTypeOff',
  'payments_unavailable, processor_unavailable, unavailable, read_only': 'PaymentsUnavailable',
  'push_unavailable, unavailable, read_only': 'PushUnavailable',
}

const STATUS_WORDS: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  502: 'BadGateway',
  503: 'Unavailable',
}

function responsesOf(documented: AnyEndpoint[], schemas: Schemas): Responses {
  const components = new Map<string, object>()
  // Endpoints with the same errors share a response, which is named after the first such endpoint.
  const names = new Map(Object.entries(SHARED_RESPONSES))
  const codesOf = (errors: ErrorDefinition[]) => errors.map(({ code }) => code).join(', ')
  const byStatus = (endpoint: AnyEndpoint) =>
    Map.groupBy(new Set(refusalsOf(endpoint)), ({ status }) => status)
  for (const endpoint of documented)
    for (const [status, errors] of byStatus(endpoint)) {
      const codes = codesOf(errors)
      const name =
        errors.length === 1
          ? pascal(codes.split('_'))
          : (names.get(codes) ?? nameOf(endpoint) + (STATUS_WORDS[status] ?? status))
      names.set(codes, name)
      const references = errors.map(({ code }) => schemas.refer('output', errorName(code)))
      const response = {
        description: errors.map(({ code, message }) => `\`${code}\`: ${message}`).join('; '),
        ...json(references.length === 1 ? references[0]! : { oneOf: references }),
      }
      const known = components.get(name)
      assert(
        known === undefined || isDeepStrictEqual(known, response),
        `two responses are named ${name}`,
      )
      components.set(name, response)
    }
  return {
    components: new Map([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    refer: (endpoint) =>
      Object.fromEntries(
        [...byStatus(endpoint)].map(([status, errors]) => [
          status,
          { $ref: `#/components/responses/${names.get(codesOf(errors))!}` },
        ]),
      ),
  }
}

function parameters(where: 'path' | 'query', { properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: property,
  }))
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

function pascal(words: string[]): string {
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

/** Documents a webhook request, and what the agent's response to it means. */
function webhook(type: string, when: string, body: object) {
  return {
    operationId: `on${pascal(type.split(/[._]/))}`,
    tags: ['webhooks'],
    summary: when,
    description: toWhom(type),
    security: [],
    parameters: Object.keys(SIGNED_HEADERS).map((name) => parameter(pascal(name.split('-')))),
    requestBody: { required: true, ...json(body) },
    responses: {
      '2XX': { description: 'Received; the event is not sent again' },
      '410': {
        description:
          'We stop sending to this URL until you set it again or it responds with 2xx to a ping',
      },
      default: {
        description: `Any other response, including redirects, and no response within 10 seconds: ${
          type === 'webhook.ping'
            ? 'it has failed and is not sent again'
            : `sent again ${DELAYS_MS.map(duration).join(', ')} after the previous failure, give or take a fifth`
        }`,
        headers: {
          'Retry-After': {
            description: 'Requests a longer delay, at most twice as long',
            schema: { type: 'string' },
          },
        },
      },
    },
  }
}

function toWhom(type: string): string {
  if (type === 'webhook.ping') return 'Sent once, to check that your receiver can be reached.'
  return USUAL_TYPES.some((usual) => usual === type)
    ? 'Sent to the `callback_url` of its task, otherwise to your `webhook_url`, unless you chose other events.'
    : 'Sent if you chose it in `events`.'
}

function duration(ms: number): string {
  if (ms < 60_000) return `${ms / 1000} s`
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`
}
