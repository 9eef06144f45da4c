/**
 * The operators' desk: its API and its app, on a port of its own. The public port serves neither. Every operation
 * declares who may call it; a session is a cookie, and a request that changes something must come from the desk's own
 * pages.
 */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AnyDeskOperation, OperatorCaller } from '../kit/desk-operation.ts'
import { deskUrl } from '../kit/desk-url.ts'
import { rateLimited, renderError, routeNotFound, wrongOrigin } from '../kit/errors.ts'
import { mintId } from '../kit/ids.ts'
import type { Background } from '../kit/job.ts'
import { trustedProxies } from '../kit/proxies.ts'
import { hasRight, RIGHTS } from '../kit/rights.ts'
import { missingRight, notSignedIn } from '../operators/errors.ts'
import { findSession, readDeskCookie } from '../operators/sessions.ts'
import { deviceOf } from '../workers/device-words.ts'
import { readBodies } from './bodies.ts'
import { findFault, refuseFault } from './clean-request.ts'
import { readInput, unknownFields } from './input.ts'
import type { Limiter } from './limiter.ts'
import { addressKey, type Policies } from './limits.ts'
import { isOwnOrigin } from './origin.ts'
import { toApiError } from './refusals.ts'
import { openDeskWeb } from './web.ts'

const BASE_PATH = '/desk/api'
const BODY_MAX_BYTES = 65_536
const DEVICE_LENGTH_MAX = 100

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator who is signed in; only on the desk. */
    operator: OperatorCaller | undefined
  }
}

export interface DeskParts extends Background {
  operations: readonly AnyDeskOperation[]
  limiter: Limiter | undefined
  policies: Policies
}

export function buildDeskServer(parts: DeskParts): FastifyInstance {
  const { config, clock, operations } = parts
  const proxies = trustedProxies(config.TRUST_PROXY)
  const server = Fastify({
    trustProxy: proxies.length > 0 && proxies,
    bodyLimit: BODY_MAX_BYTES,
    genReqId: () => mintId('req', clock.now(), 0),
    forceCloseConnections: 'idle',
    requestTimeout: 30_000,
    logger: false,
  })
  server.decorateRequest('unread', undefined)
  server.decorateRequest('sentBytes', 0)
  server.decorateRequest('operator', undefined)
  readBodies(server, [], () => [])
  const web = openDeskWeb(config)
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    if (config.NODE_ENV === 'production')
      reply.header('strict-transport-security', 'max-age=31536000')
    const fault = findFault(request.raw)
    if (fault !== undefined) throw refuseFault(fault)
  })
  for (const operation of operations) serveOperation(server, parts, operation)
  server.setNotFoundHandler(async (request, reply) => {
    const send = web.find(request)
    if (send === undefined) throw routeNotFound()
    return send(reply)
  })
  server.setErrorHandler((error, request, reply) => sendError(parts, error, request, reply))
  return server
}

function serveOperation(
  server: FastifyInstance,
  parts: DeskParts,
  operation: AnyDeskOperation,
): void {
  const { method, path, right, name } = operation
  assert(
    right === 'anyone' || right === 'session' || Object.hasOwn(RIGHTS, right),
    `${name} declares no right that exists`,
  )
  server.route({
    method,
    url: BASE_PATH + path,
    // Before the body is read: whoever has no right learns nothing about the input, and costs us no parsing.
    async onRequest(request) {
      if (method !== 'GET' && !isOwnOrigin(request.headers, { publicUrl: deskUrl(parts.config) }))
        throw wrongOrigin()
      if (right === 'anyone') await limitStranger(parts, request)
      else request.operator = await admit(parts, operation, request, parts.clock.now())
    },
    async handler(request, reply) {
      const now = parts.clock.now()
      const { browser, system } = deviceOf(request.headers['user-agent'])
      let elsewhere: string | undefined
      let lines: AsyncIterable<string> | undefined
      const result: unknown = await operation.handler({
        ...readRequest(operation, request),
        operator: request.operator,
        background: parts,
        now,
        requestId: request.id,
        headers: request.headers,
        device: `${browser ?? 'Unknown browser'} on ${system ?? 'unknown system'}`.slice(
          0,
          DEVICE_LENGTH_MAX,
        ),
        setCookie: (cookie: string) => void reply.header('set-cookie', cookie),
        redirect: (url: string) => {
          elsewhere = url
        },
        sendLines: (fileName: string, rows: AsyncIterable<string>) => {
          reply.header('content-disposition', `attachment; filename="${fileName}"`)
          lines = rows
        },
      })
      if (elsewhere !== undefined) return reply.redirect(elsewhere)
      if (lines !== undefined)
        return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(lines))
      if (parts.config.CHECK_ANSWERS === 'on') checkAnswer(operation, result)
      return reply
        .code(operation.success.status)
        .header('content-type', 'application/json; charset=utf-8')
        .send(JSON.stringify(result))
    },
  })
}

/** Who is signed in, and whether the role allows it: 401 before 403. */
async function admit(
  parts: DeskParts,
  { right }: AnyDeskOperation,
  request: FastifyRequest,
  now: Date,
): Promise<OperatorCaller> {
  const { db, config } = parts
  const token = readDeskCookie(request.headers.cookie)
  const operator =
    token === undefined ? undefined : await findSession(db.shards.global, { token, config, now })
  if (operator === undefined) {
    await limitStranger(parts, request)
    throw notSignedIn()
  }
  if (right !== 'session' && !hasRight(operator.role, right))
    throw missingRight({ required_right: right, role: operator.role })
  return operator
}

/** Signing in is limited by address: there are few operators, and nobody signs in often. */
async function limitStranger({ limiter, policies }: DeskParts, { ip }: FastifyRequest) {
  const verdict = await limiter?.take([{ policy: policies.global, key: `desk ${addressKey(ip)}` }])
  if (verdict && !verdict.admitted)
    throw rateLimited({ limit: 'global', retry_after_seconds: verdict.retryAfterSeconds })
}

function readRequest({ params, query, body }: AnyDeskOperation, request: FastifyRequest) {
  return {
    params: params && readInput(params, request.params, ''),
    query: query && readInput(query, request.query, ''),
    body: body && readInput(body, request.body ?? {}, ''),
  }
}

function checkAnswer({ path, success }: AnyDeskOperation, result: unknown): void {
  const read: unknown = success.body.parse(JSON.parse(JSON.stringify(result)))
  const extra = unknownFields(JSON.parse(JSON.stringify(result)), read)
  assert(extra.length === 0, `${path} returns undocumented fields: ${JSON.stringify(extra)}`)
}

function sendError(
  { log, config }: DeskParts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const apiError = toApiError(error, { bodyMaxBytes: BODY_MAX_BYTES })
  if (apiError.code === 'server_error') log.error({ request_id: request.id, error }, 'defect')
  if (typeof apiError.extra.retry_after_seconds === 'number')
    reply.header('retry-after', String(apiError.extra.retry_after_seconds))
  return reply
    .code(apiError.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(renderError(apiError, request.id, config))
}
