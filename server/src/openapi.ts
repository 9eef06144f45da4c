/** The OpenAPI 3.1 document, made from the same declarations that validate and route. */
import { z } from 'zod'
import { invalidApiKey } from './agents/errors.ts'
import { endpoints } from './endpoints.ts'
import type { AnyEndpoint } from './kit/endpoint.ts'
import {
  bodyTooLarge,
  type ErrorDefinition,
  idempotencyInProgress,
  idempotencyMismatch,
  invalidJson,
  invalidRequest,
  rateLimited,
  serverError,
  unavailable,
  wrongContentType,
} from './kit/errors.ts'
import { invalidToken } from './workers/errors.ts'

const Warnings = z
  .array(z.object({ code: z.literal('unknown_field'), path: z.string() }))
  .describe('Fields that were sent and had no effect')

export function renderOpenApi(): string {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints.filter(({ isInternal }) => !isInternal)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
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
      },
      headers: {
        'RateLimit-Policy': {
          schema: { type: 'string' },
          description: 'The limits that apply, as the IETF draft writes them',
        },
        RateLimit: { schema: { type: 'string' }, description: 'What is left of them' },
      },
    },
    paths,
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
      agent: [{ bearer: [] }, { header: [] }],
      'agent or none': [{ bearer: [] }, { header: [] }, {}],
      worker: [{ token: [] }],
    }[auth as 'none' | 'agent' | 'agent or none' | 'worker'],
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

function refusals(endpoint: AnyEndpoint) {
  const all: ErrorDefinition[] = [
    ...(endpoint.params || endpoint.query || endpoint.body ? [invalidRequest] : []),
    ...(endpoint.body ? [invalidJson, bodyTooLarge, wrongContentType] : []),
    ...(endpoint.auth === 'agent' ? [invalidApiKey] : []),
    ...(endpoint.auth === 'worker' ? [invalidToken] : []),
    ...endpoint.errors,
    ...(endpoint.method === 'POST' ? [idempotencyMismatch, idempotencyInProgress] : []),
    rateLimited,
    serverError,
    unavailable,
  ]
  const byStatus = Map.groupBy(all, ({ status }) => status)
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
  const words = path.split(/[/:-]+/).filter(Boolean)
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}
