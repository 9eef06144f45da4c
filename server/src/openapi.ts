/** The OpenAPI 3.1 document, made from the same declarations that validate and route. */
import { z } from 'zod'
import { CONSOLE_COOKIE } from './agents/console-cookie.ts'
import { invalidApiKey, keyScope } from './agents/errors.ts'
import { endpoints } from './endpoints.ts'
import { errorPages } from './error-pages.ts'
import { events } from './events.ts'
import { type AnyEndpoint, type Callers, needsOrigin } from './kit/endpoint.ts'
import {
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
  routeNotFound,
  serverError,
  unavailable,
  wrongContentType,
  wrongOrigin,
} from './kit/errors.ts'
import { AgentAssignment } from './tasks/assignment-view.ts'
import { DisputeView } from './tasks/dispute-view.ts'
import { Settlement } from './tasks/settlement.ts'
import { TaskView } from './tasks/view.ts'
import { EventView } from './webhooks/event-view.ts'
import { USUAL_TYPES } from './webhooks/record-event.ts'
import { DELAYS_MS } from './webhooks/schedule.ts'
import { invalidToken } from './workers/errors.ts'
import { SESSION_COOKIE } from './workers/session-cookie.ts'

const Warnings = z
  .array(z.object({ code: z.literal('unknown_field'), path: z.string() }))
  .describe('Fields that were sent and had no effect')

export function renderOpenApi(): string {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints.filter(({ isInternal }) => !isInternal)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  const { bodies, shared } = eventSchemas()
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Legwork',
      version: '1',
      summary: 'Software agents post paid tasks, people complete them.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Your API key, recommended' },
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
            'A worker’s session in a browser, from POST /worker/session; whatever changes something needs our Origin',
        },
        console: {
          type: 'apiKey',
          in: 'cookie',
          name: CONSOLE_COOKIE,
          description:
            'A session of the console in a browser, from POST /console/session; it counts as its key, and whatever ' +
            'changes something needs our Origin',
        },
      },
      headers: {
        'RateLimit-Policy': {
          schema: { type: 'string' },
          description: 'The limits that apply, as the IETF draft writes them',
        },
        RateLimit: { schema: { type: 'string' }, description: 'What is left of them' },
      },
      schemas: shared,
    },
    paths,
    webhooks: Object.fromEntries(
      Object.entries(events).map(([type, { when }]) => [
        type,
        { post: webhook(type, when, bodies[type]!) },
      ]),
    ),
    'x-errors': errorsByCode(),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function operation(endpoint: AnyEndpoint) {
  const { method, path, auth, summary, description, success } = endpoint
  const isPost = method === 'POST'
  return {
    operationId: operationId(method, path),
    tags: [path.split('/')[1]],
    summary,
    ...(description === undefined ? {} : { description }),
    security: {
      none: [],
      agent: [{ bearer: [] }, { header: [] }, { console: [] }],
      'agent or none': [{ bearer: [] }, { header: [] }, { console: [] }, {}],
      worker: [{ token: [] }, { cookie: [] }],
      'token or none': [{ token: [] }, { cookie: [] }, {}],
    }[auth as keyof Callers],
    parameters: [
      ...parameters('path', endpoint.params),
      ...parameters('query', endpoint.query),
      ...(isPost
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: false,
              description:
                'Makes the call safe to repeat: one effect, the same answer for seven days',
              schema: { type: 'string', minLength: endpoint.isSecret ? 20 : 1, maxLength: 255 },
            },
          ]
        : []),
    ],
    ...(endpoint.raw === undefined
      ? {}
      : { requestBody: { required: true, content: { [endpoint.raw]: {} } } }),
    ...(endpoint.body
      ? { requestBody: { required: true, ...json(toJson(endpoint.body, 'input')) } }
      : {}),
    responses: {
      [success.status]: {
        description: summary,
        headers: rateLimitHeaders(),
        ...json(toJson(method === 'GET' ? success.body : withWarnings(success.body), 'output')),
      },
      ...refusals(endpoint),
    },
  }
}

const withWarnings = (body: z.ZodType) =>
  body instanceof z.ZodObject ? body.extend({ warnings: Warnings.optional() }) : body

const rateLimitHeaders = () => ({
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
})

/** What there is to say about each error, for whoever writes pages or classes of them. */
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
    ...(endpoint.params || endpoint.query || endpoint.body ? [invalidRequest] : []),
    ...(endpoint.body ? [invalidJson, bodyTooLarge, wrongContentType] : []),
    ...(endpoint.auth === 'agent' ? [invalidApiKey] : []),
    ...(endpoint.scope === undefined || endpoint.scope === 'any' ? [] : [keyScope]),
    ...(endpoint.auth === 'worker' ? [invalidToken] : []),
    ...(needsOrigin(endpoint) ? [wrongOrigin] : []),
    ...endpoint.errors,
    ...(endpoint.method === 'POST' ? [idempotencyMismatch, idempotencyInProgress] : []),
    rateLimited,
    serverError,
    unavailable,
  ]
}

function refusals(endpoint: AnyEndpoint) {
  const byStatus = Map.groupBy(refusalsOf(endpoint), ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => {
      const schemas = errors.map(({ body }) => toJson(body, 'output'))
      return [
        status,
        {
          description: errors.map(({ code, message }) => `\`${code}\`: ${message}`).join('; '),
          ...json(schemas.length === 1 ? schemas[0]! : { oneOf: schemas }),
        },
      ]
    }),
  )
}

function parameters(where: 'path' | 'query', schema: z.ZodObject | undefined) {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = toJson(schema, 'input') as {
    properties?: Record<string, Record<string, unknown>>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: property,
  }))
}

function toJson(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** `POST /tasks/:id/cancel` → `postTasksIdCancel`: a stable name for generated clients. */
function operationId(method: string, path: string): string {
  return method.toLowerCase() + pascal(path.split(/[/:-]+/).filter(Boolean))
}

const pascal = (words: string[]) =>
  words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')

/** What events have in common, written once. */
const SHARED = {
  Task: TaskView,
  Assignment: AgentAssignment,
  Settlement,
  Dispute: DisputeView,
}

/** The body of each event, and the schemas that they refer to. */
function eventSchemas() {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(SHARED)) registry.add(schema, { id })
  for (const [id, { data }] of Object.entries(events))
    registry.add(EventView.extend({ type: z.literal(id), data }), { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    // Whoever checks what arrives must not refuse a field that is added one day.
    override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties,
  })
  const pick = (isWanted: (id: string) => boolean) =>
    Object.fromEntries(
      Object.entries(schemas)
        .filter(([id]) => isWanted(id))
        .map(([id, named]) => {
          const { $schema: _, $id: __, ...schema } = named
          return [id, schema]
        }),
    )
  return { shared: pick((id) => id in SHARED), bodies: pick((id) => id in events) }
}

/** What we send to an agent's address, and what its answer means. */
function webhook(type: string, when: string, body: object) {
  return {
    operationId: `on${pascal(type.split(/[._]/))}`,
    tags: ['webhooks'],
    summary: when,
    description: toWhom(type),
    security: [],
    parameters: Object.entries(SIGNED_HEADERS).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, ...json(body) },
    responses: {
      '2XX': { description: 'You have it, and it is not sent again' },
      '410': {
        description:
          'Nothing more is sent to this address, until you set it again or a ping to it is answered by 2xx',
      },
      default: {
        description: `Anything else, a redirect too, and no answer within 10 seconds: ${
          type === 'webhook.ping'
            ? 'it has failed, and is not sent again'
            : `sent again ${DELAYS_MS.map(duration).join(', ')} after the failure before, give or take a fifth`
        }`,
        headers: {
          'Retry-After': {
            description: 'Asks for more time, at most twice as much',
            schema: { type: 'string' },
          },
        },
      },
    },
  }
}

function toWhom(type: string): string {
  if (type === 'webhook.ping') return 'Sent once, to see whether you can be reached.'
  return USUAL_TYPES.some((usual) => usual === type)
    ? 'Sent to the `callback_url` of its task, else to your `webhook_url`, unless you chose other events.'
    : 'Sent if you have chosen it in `events`.'
}

const SIGNED_HEADERS = {
  'webhook-id': 'The id of the event',
  'webhook-timestamp': 'When this was sent, in seconds since 1970; refuse what is minutes old',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 in base64 of id, timestamp and body with dots between, under what follows `whsec_` in ' +
    'your secret, decoded from base64. While two secrets are valid there are two, with a blank between',
}

function duration(ms: number): string {
  if (ms < 60_000) return `${ms / 1000} s`
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`
}
