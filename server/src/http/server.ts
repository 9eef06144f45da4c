import assert from 'node:assert/strict'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify'
import { isRecorded, recordAction } from '../agents/actions.ts'
import type { RequestLog } from '../agents/request-log.ts'
import type { Config } from '../config.ts'
import { missingDeclarations } from '../kit/access.ts'
import { StoreFailure } from '../files/failures.ts'
import type { Db, Tenant, Tx } from '../kit/db.ts'
import {
  type AgentCaller,
  type Answer,
  answerWith,
  type AnyEndpoint,
  bodyLimitOf,
  isRefusedReadOnly,
  type LimitName,
  OPEN_BODY_MAX_BYTES,
  ORDINARY_BODY_MAX_BYTES,
  type RunAt,
  SCOPES,
  type StreamedAnswer,
  type TokenCaller,
  type Warning,
  type WorkerCaller,
  type WrongField,
} from '../kit/endpoint.ts'
import {
  ApiError,
  headersTooLarge,
  malformedRequest,
  methodNotAllowed,
  renderError,
  routeNotFound,
  unavailable,
} from '../kit/errors.ts'
import { mintId } from '../kit/ids.ts'
import { exemplarOf } from '../kit/metrics.ts'
import { trustedProxies } from '../kit/proxies.ts'
import { sha256 } from '../kit/secrets.ts'
import { refuseWhileReadOnly } from '../kit/switches.ts'
import { tracesOf } from '../kit/traces.ts'
import { admit, tooMany } from './admit.ts'
import { checkBodyHeaders, endUnread, JSON_TYPE, readBodies } from './bodies.ts'
import { type Fault, findFault } from './clean-request.ts'
import { compress } from './compress.ts'
import { endConnections } from './end-connections.ts'
import { isKnown, once, readClaim, recall } from './idempotency.ts'
import { boundWarnings, readInput, readParams, unknownFields, wrongFields } from './input.ts'
import { LARGE_BODY_BYTES } from './large-bodies.ts'
import { rateLimitHeaders } from './limiter.ts'
import { normalize } from './normalize.ts'
import { addressKey, publicAddress } from './limits.ts'
import { serveMcp } from './mcp.ts'
import { serveMoneyPages } from './money-pages.ts'
import { serveOAuth } from './oauth.ts'
import type { Gate } from './read-body.ts'
import { toApiError } from './refusals.ts'
import { serveSecurityTxt } from './security-txt.ts'
import type { ServerParts } from './server-parts.ts'
import { dbFor, modeOf, openTestModeGate } from './test-mode.ts'
import { traceRequest } from './trace-requests.ts'
import { closeUnread } from './unread-bodies.ts'
import { openWeb, type Send } from './web.ts'

export const BASE_PATH = '/api/v1'
const NOWHERE = '/api'
const SHED_SECONDS = 2
/**
 * `deposit_url` of a 402 is a path from the origin. Clients that join it to their base URL, by concatenation or by the
 * rules of relative URLs, request one of these paths instead.
 */
const JOINED_DEPOSIT_URL = /^\/api(?:\/v1)?\/{1,2}api(\/v1\/wallet\/deposit\/?(?:\?.*)?)$/
const DOCUMENTS = [
  { method: 'GET', path: '/openapi.json', part: 'all' },
  { method: 'GET', path: '/openapi/agents.json', part: 'agents' },
] as const

/** Faults found before routing, by request. */
type Faults = WeakMap<IncomingMessage, Fault>

/** Records a refusal in logs and metrics, and returns the error to send. */
type Refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => ApiError

declare module 'fastify' {
  interface FastifyRequest {
    now: Date
    agent: AgentCaller | undefined
    worker: WorkerCaller | undefined
    token: TokenCaller | undefined
    /**
     * `refused` is the code and body of an error response, `unread` the request body while it is not parsed. Both go to
     * the request log for the agent's developers.
     */
    refused: { code: string; body: string } | undefined
    unread: string | undefined
    sentBytes: number
    /** Releases the slot of a large body. */
    giveBack: (() => void) | undefined
    /** Sends the web app's response, if the request is for the web app. */
    sendWeb: Send | undefined
  }
  interface FastifyContextConfig {
    endpoint?: AnyEndpoint
    /** For a route that is not an endpoint: `anyone` gets the same response, `agent` needs an API key. */
    access?: 'anyone' | 'agent'
    /** Name of a route that is not an endpoint, for logs and metrics. */
    label?: string
    /** Limits of such a route beyond the global one. */
    limits?: readonly LimitName[]
    /** Accepts access tokens of OAuth clients, besides API keys. */
    takesTokens?: boolean
  }
}

/** Serves the endpoints. Only this folder knows the web framework. */
export function buildServer(parts: ServerParts): FastifyInstance {
  const { config, endpoints, draining } = parts
  const traces = tracesOf(config)
  const faults: Faults = new WeakMap()
  const server = openFastify(parts, faults)
  endConnections(server, draining)
  closeUnread(server)
  decorateRequests(server)
  server.addHook('onRoute', assertDeclared)
  readBodies(server, endpoints, (request) => gatesOf(parts, request))
  admitRequests(server, parts, faults)
  server.addHook('onSend', async (request, reply) => endUnread(request, reply))

  for (const endpoint of endpoints)
    server.route({
      method: endpoint.method,
      url: BASE_PATH + endpoint.path,
      config: { endpoint },
      bodyLimit: bodyLimitOf(endpoint),
      handler: (request, reply) =>
        traceRequest(traces, endpoint, request, reply, async () =>
          sendResponse(
            endpoint,
            request,
            reply,
            await serveRecorded(parts, endpoint, request, reply),
          ),
        ),
    })
  serveOpenApi(server, parts)
  refuseUnknownRoutes(server, endpoints)
  const refuse: Refuse = (...refused) => recordRefusal(parts, ...refused)
  renderErrors(server, config, refuse)
  serveMoneyPages(server, { ...parts, refuse })
  serveMcp(server, { ...parts, basePath: BASE_PATH })
  serveOAuth(server, { ...parts, refuse })
  serveSecurityTxt(server, config)
  recordResponses(server, parts)
  return server
}

function openFastify({ config, clock }: ServerParts, faults: Faults): FastifyInstance {
  const proxies = trustedProxies(config.TRUST_PROXY)
  return Fastify({
    trustProxy: proxies.length > 0 && proxies,
    clientErrorHandler: (error, socket) =>
      refuseMalformed(error, socket, { requestId: mintId('req', clock.now(), 0), config }),
    bodyLimit: OPEN_BODY_MAX_BYTES,
    genReqId: () => mintId('req', clock.now(), 0),
    // The router's own refusals would bypass rate limits and our error format. Therefore a URL with a fault is
    // rewritten to a path without a route, and the first hook refuses it.
    rewriteUrl(request) {
      const fault = findFault(request)
      if (fault === undefined) return (request.url ?? '/').replace(JOINED_DEPOSIT_URL, '/api$1')
      faults.set(request, fault)
      return NOWHERE
    },
    // A client that joins `{base_url}/` and `/tasks` sends two slashes.
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 65_536,
    },
    // Requests on open connections are served until shutdown completes; `endConnections` makes clients reconnect.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    logger: false,
  })
}

function decorateRequests(server: FastifyInstance): void {
  server.decorateRequest('agent', undefined)
  server.decorateRequest('worker', undefined)
  server.decorateRequest('token', undefined)
  server.decorateRequest('refused', undefined)
  server.decorateRequest('unread', undefined)
  server.decorateRequest('sentBytes', 0)
  server.decorateRequest('giveBack', undefined)
  server.decorateRequest('sendWeb', undefined)
  server.decorateRequest('trace', undefined)
  server.decorateRequest('now', null as unknown as Date)
}

/** Runs before each request's body is read: sets its common headers, refuses it, or records who sent it. */
function admitRequests(server: FastifyInstance, parts: ServerParts, faults: Faults): void {
  const { config, clock, metrics } = parts
  const web = openWeb(config)
  const refuseWhenFull = openTestModeGate(parts.testMode)
  server.addHook('onRequest', async (request, reply) => {
    request.now = clock.now()
    reply.header('x-request-id', request.id)
    // In-process calls belong to a request that was already admitted.
    if (parts.shedding.isOn() && request.raw.socket instanceof Socket) {
      metrics.shed.inc()
      throw unavailable({ retry_after_seconds: SHED_SECONDS })
    }
    reply.header('x-content-type-options', 'nosniff')
    reply.header('cache-control', 'no-store')
    if (config.NODE_ENV === 'production')
      reply.header('strict-transport-security', 'max-age=31536000')
    const fault = faults.get(request.raw)
    if (request.is404 && fault === undefined) request.sendWeb = web.find(request)
    if (request.sendWeb) return
    await refuseWhenFull(request)
    const { agent, worker, token, headers, refusal } = await admit(parts, {
      ip: request.ip,
      headers: request.headers,
      now: request.now,
      endpoint: request.routeOptions.config.endpoint,
      limits: request.routeOptions.config.limits,
      // In-process calls are those of tools at /mcp, with the credential that was accepted there.
      takesTokens:
        request.routeOptions.config.takesTokens === true || !(request.raw.socket instanceof Socket),
      fault,
    })
    reply.headers(headers)
    request.agent = agent
    request.worker = worker
    request.token = token
    if (refusal) throw refusal
    const { endpoint } = request.routeOptions.config
    if (endpoint && isRefusedReadOnly(endpoint)) await refuseWhileReadOnly(parts.switches)
    checkBodyHeaders(request)
    if (request.routeOptions.bodyLimit > LARGE_BODY_BYTES)
      reply.raw.once('close', () => request.giveBack?.())
  })
}

async function sendResponse(
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | StreamedAnswer,
): Promise<FastifyReply> {
  if (answer.status >= 400 && typeof answer.body === 'string')
    request.refused = { code: codeOf(answer.body), body: answer.body }
  if (answer.isReplay) reply.header('idempotency-replayed', 'true')
  const isByCookie =
    request.agent?.session !== undefined ||
    (request.worker !== undefined && request.headers.authorization === undefined)
  const { body, headers } =
    isByCookie && endpoint.method === 'GET' && typeof answer.body === 'string'
      ? await compress(answer.body, request.headers['accept-encoding'])
      : { body: answer.body, headers: {} }
  return reply
    .code(answer.status)
    .header('content-type', 'application/json; charset=utf-8')
    .headers({ ...headers, ...answer.headers })
    .send(body)
}

function serveOpenApi(server: FastifyInstance, parts: ServerParts): void {
  for (const { path, part } of DOCUMENTS) {
    // Rendering blocks the event loop noticeably, so it is done once.
    let openapi: string | undefined
    server.get(`${BASE_PATH}${path}`, { config: { access: 'anyone' } }, (_, reply) => {
      openapi ??= parts.openapi(part)
      return reply.header('content-type', 'application/json; charset=utf-8').send(openapi)
    })
  }
}

/** Distinguishes an unknown path, 404, from a known path with another method, 405. */
function refuseUnknownRoutes(server: FastifyInstance, endpoints: readonly AnyEndpoint[]): void {
  const patterns = [...endpoints, ...DOCUMENTS].map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${BASE_PATH}${path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
  }))
  server.setNotFoundHandler(async (request, reply) => {
    if (request.sendWeb) return request.sendWeb(reply)
    const path = request.url.split('?')[0]!.replaceAll(/\/{2,}/g, '/')
    const allowed = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (allowed.length === 0) throw routeNotFound()
    reply.header('allow', allowed.join(', '))
    throw methodNotAllowed()
  })
}

function recordRefusal(
  { log, metrics, shedding }: ServerParts,
  ...[error, request, reply]: Parameters<Refuse>
): ApiError {
  const apiError = toApiError(error, { bodyMaxBytes: request.routeOptions.bodyLimit })
  if (apiError.code === 'server_error') log.error({ request_id: request.id, error }, 'defect')
  else if (apiError.cause instanceof StoreFailure) {
    const { store } = apiError.cause
    metrics.storeFailures.inc({ store })
    log.error(
      { request_id: request.id, store, error: apiError.cause },
      'files cannot be stored or read: see the runbook files-store-down',
    )
  } else if (apiError.status === 503 && !shedding.isOn())
    log.warn(
      { request_id: request.id, ...(apiError.cause ? { error: apiError.cause } : {}) },
      apiError.cause ? 'database unreachable' : 'too busy',
    )
  if (apiError.status === 429) metrics.limited.inc({ policy: String(apiError.extra.limit) })
  if (typeof apiError.extra.retry_after_seconds === 'number')
    reply.header('retry-after', String(apiError.extra.retry_after_seconds))
  return apiError
}

function renderErrors(server: FastifyInstance, config: Config, refuse: Refuse): void {
  server.setErrorHandler((error, request, reply) => {
    const apiError = refuse(error, request, reply)
    const body = renderError(apiError, request.id, config)
    request.refused = { code: apiError.code, body }
    return reply
      .code(apiError.status)
      .header('content-type', 'application/json; charset=utf-8')
      .send(body)
  })
}

/** Logs each request, measures it, and keeps refused ones for the agent's developers. */
function recordResponses(
  server: FastifyInstance,
  { log, metrics, requestLog, requestCounts }: ServerParts,
): void {
  server.addHook('onResponse', async (request, reply) => {
    keepRefused(requestLog, request, reply)
    const { endpoint, label } = request.routeOptions.config
    const route = endpoint?.path ?? label ?? (request.sendWeb ? 'web' : 'other')
    const { trace } = request
    trace?.end(reply.statusCode, reply.elapsedTime)
    metrics.requests.observe({
      labels: { method: request.method, route, status: reply.statusCode, mode: modeOf(request) },
      value: reply.elapsedTime / 1000,
      ...exemplarOf(trace?.id),
    })
    if (modeOf(request) !== 'test')
      requestCounts?.add({
        method: request.method,
        route,
        status: reply.statusCode,
        ms: reply.elapsedTime,
      })
    const level = request.sendWeb ? 'debug' : 'info'
    log[level](
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.agent ? { agent_id: request.agent.id } : {}),
        ...(request.worker ? { worker_id: request.worker.id } : {}),
        ...(trace ? { trace_id: trace.id } : {}),
      },
      'request',
    )
  })
}

/** Fails startup if a route does not declare who may call it. */
function assertDeclared({ url, config }: RouteOptions): void {
  const missing = config?.endpoint ? missingDeclarations(config.endpoint) : []
  assert.deepEqual(missing, [])
  assert(config?.endpoint ?? config?.access, `${url} does not declare who may call it`)
}

/**
 * The checks before a large body is read: its object must exist for this caller, then memory is reserved. A retried
 * request is read even if its object is gone, because its stored response is sent again.
 */
function gatesOf(parts: ServerParts, request: FastifyRequest): Gate[] {
  const { endpoint } = request.routeOptions.config
  if (endpoint === undefined) return []
  const { largeBodies } = parts
  const db = dbFor(parts, endpoint, request)
  const { agent, worker, token, now } = request
  const caller = agent ?? worker ?? { id: 'anonymous', mode: 'live' as const }
  return [
    {
      aboveBytes: ORDINARY_BODY_MAX_BYTES,
      async open() {
        if (endpoint.beforeBody === undefined) return
        const claim = await claimOf(endpoint, request, undefined)
        if (claim && (await isKnown(db.reader, claim, now))) return
        const params = readParams(endpoint, request.params)
        await endpoint
          .beforeBody({ params, agent, worker, token, now, db: db.reader })
          .catch(onlyDeclared(endpoint))
      },
    },
    {
      aboveBytes: LARGE_BODY_BYTES,
      async open() {
        request.giveBack = await largeBodies.take(caller)
        if (request.raw.destroyed) request.giveBack()
      },
    },
  ]
}

async function claimOf(endpoint: AnyEndpoint, request: FastifyRequest, body: unknown) {
  if (endpoint.method !== 'POST') return undefined
  return readClaim(request.headers['idempotency-key'], {
    method: endpoint.method,
    path: request.url,
    body,
    ...claimant(endpoint, request),
    isSecret: endpoint.isSecret ?? false,
  })
}

/** The body as sent, which the idempotency fingerprint covers, and the normalized input that the endpoint gets. */
function readRequest(endpoint: AnyEndpoint, request: FastifyRequest) {
  const sent = request.body ?? {}
  const meant = endpoint.body ? normalize(endpoint.body, sent) : { value: sent, zeros: [] }
  const input = {
    query: endpoint.query
      ? readInput(endpoint.query, normalize(endpoint.query, request.query).value, '')
      : undefined,
    body: endpoint.body ? readInput(endpoint.body, meant.value, '') : undefined,
    // Last, so that invalid input is reported before a missing object.
    params: readParams(endpoint, request.params),
  }
  const warnings =
    endpoint.method === 'GET'
      ? []
      : boundWarnings([
          ...unknownFields(meant.value, input.body ?? {}),
          ...meant.zeros.map(zeroIgnored),
        ])
  return { sent, input, warnings }
}

const OBJECT_ID = /^[a-z]+_[0-9a-z]{26}$/

/** Handles one request, and records what a person changes with it. */
function serveRecorded(
  parts: ServerParts,
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer | StreamedAnswer> {
  const run = () => serve(parts, endpoint, request, reply)
  const { agent, params, now } = request
  if (agent?.person === undefined || !isRecorded(endpoint)) return run()
  const { person } = agent
  // Not yet checked.
  const objectId = OBJECT_ID.exec((params as { id?: string }).id ?? '')?.[0]
  // The people belong to the live agent, in whichever mode one of them changes another.
  const agentId = endpoint.access?.person === 'required' ? person.agentId : agent.id
  const db = dbFor(parts, { ...endpoint, at: 'caller' }, request).shards.at(agentId)
  const operation = endpoint.name!
  return recordAction(db, { agentId, person, operation, objectId, now }, run)
}

/** Handles one request: reads the input, runs the operation once per idempotency key, renders the result. */
async function serve(
  parts: ServerParts,
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer | StreamedAnswer> {
  const { config } = parts
  const db = dbFor(parts, endpoint, request)
  const { now, agent, worker, token, id: requestId } = request
  const { sent, input, warnings } = readRequest(endpoint, request)
  const address = () => publicAddress(request.ip)
  const given = {
    ...input,
    agent,
    worker,
    token,
    now,
    config,
    requestId,
    address,
    shards: db.shards,
    switches: parts.switches,
  }
  await limitAccount(parts, endpoint, { body: input.body, workerId: worker?.id }, reply)

  const isSecret = endpoint.isSecret ?? false
  const claim = await claimOf(endpoint, request, sent)
  const recallAnswer = async () => claim && (await recall(db.reader, claim, { now, isSecret }))

  const wrong = (await endpoint.check?.(given)) ?? []
  if (wrong.length > 0)
    // A retry may fail the check although its first attempt succeeded, so look for a stored response first.
    return (await recallAnswer()) ?? refuseFields(wrong)

  const tenant = { agentId: agent?.id, workerId: worker?.id }
  const onceInTransaction = (effect: (tx: Tx) => Promise<Answer>) =>
    db.transaction(
      (tx) =>
        claim === undefined
          ? effect(tx)
          : once(tx, claim, {
              now,
              isSecret,
              effect: () => effect(tx),
              render: (error) => renderError(error, requestId, config),
            }),
      tenant,
    )

  if (endpoint.transaction === 'own') {
    const answer: Answer | StreamedAnswer = await endpoint
      .handler({
        ...given,
        db,
        claim,
        warnings,
        headers: request.headers,
        bytes: endpoint.raw === JSON_TYPE ? Readable.from([textOf(request.body)]) : request.raw,
        recall: recallAnswer,
        once: (effect: (tx: Tx, runAt: RunAt) => Promise<Answer>) =>
          onceInTransaction((tx) =>
            effect(tx, runnerAt(db, tx, tenant)).catch(onlyDeclared(endpoint)),
          ),
        disconnectSignal: () => disconnectSignal(reply, parts.stopping),
      })
      .catch(onlyDeclared(endpoint))
    if (config.CHECK_ANSWERS === 'on') checkOwnAnswer(endpoint, answer)
    return answer
  }

  const run = async (access: object): Promise<Answer> => {
    // A retried transaction runs the handler again, so each run collects its own warnings.
    const added: Warning[] = []
    const warn = (warning: Warning) => added.push(warning)
    const result = await endpoint
      .handler({ ...given, ...access, warn })
      .catch(onlyDeclared(endpoint))
    if (config.CHECK_ANSWERS === 'on') checkAnswer(endpoint, result)
    return answerWith(endpoint.success.status, result, [...warnings, ...added])
  }
  if (endpoint.method === 'GET') return run({ db: db.reader })
  return onceInTransaction((tx) => run({ tx, runAt: runnerAt(db, tx, tenant) }))
}

/** An endpoint with its own transaction has rendered its response. */
function checkOwnAnswer(endpoint: AnyEndpoint, { status, body }: Answer | StreamedAnswer): void {
  if (status !== endpoint.success.status || typeof body !== 'string' || body === '') return
  const { warnings: _, ...result } = JSON.parse(body) as Record<string, unknown>
  checkAnswer(endpoint, result)
}

const runnerAt =
  (db: Db, tx: Tx, tenant: Tenant): RunAt =>
  (target, work) =>
    target === db ? work(tx) : target.transaction(work, tenant)

/**
 * The owner of an Idempotency-Key. Without a credential it is the client address: idempotency keys can be guessed, and
 * strangers must not receive each other's API keys. If the endpoint requires no credential, one that is sent anyway is
 * ignored: it may be revoked when the request is retried, as after a recovery.
 */
function claimant({ auth }: AnyEndpoint, { agent, worker, ip }: FastifyRequest) {
  const id = auth === 'none' ? undefined : (agent?.id ?? worker?.id)
  if (id === undefined) return { principal: 'anonymous', address: addressKey(ip) }
  return { principal: id, keyId: agent && narrowKey(agent) }
}

const zeroIgnored = (path: string): Warning => ({
  code: 'zero_ignored',
  path,
  message: `${path} can't be 0, so it was ignored`,
})

/** Uses only immutable properties of a key: a cap added later must not make a retry look like a different request. */
const narrowKey = ({ keyId, scopes, types, person }: AgentCaller): string | undefined =>
  scopes.length < SCOPES.length || types !== null || person !== undefined ? keyId : undefined

function refuseFields(wrong: WrongField[]): never {
  throw wrongFields(wrong)
}

/** Requests that were not admitted or matched no route don't help a developer, and their number is unbounded. */
const UNKEPT_STATUSES = [401, 429]

function keepRefused(
  requestLog: RequestLog | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { agent, refused, id, now, method, url, headers } = request
  if (agent === undefined || refused === undefined || refused.code === 'route_not_found') return
  if (UNKEPT_STATUSES.includes(reply.statusCode)) return
  requestLog?.add({
    id,
    agent,
    at: now,
    method,
    url,
    status: reply.statusCode,
    code: refused.code,
    ms: reply.elapsedTime,
    userAgent: headers['user-agent'],
    sent: request.unread ?? request.body,
    // For an unread body, the announced length; a chunked body announces none.
    sentBytes: request.sentBytes || Number(headers['content-length'] ?? 0),
    answered: refused.body,
  })
}

const codeOf = (body: string): string => /"code":"(\w+)"/.exec(body)?.[1] ?? 'unknown'

/** Requests that are not valid HTTP are refused before routing, in the same error format. */
function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { requestId, config }: { requestId: string; config: Config },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refusal = error.code === 'HPE_HEADER_OVERFLOW' ? headersTooLarge() : malformedRequest()
  const body = renderError(refusal, requestId, config)
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** Listens on the response: a keep-alive connection outlives it and would accumulate listeners. */
function disconnectSignal(reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController()
  // The client may have disconnected during admission.
  if (reply.raw.destroyed) gone.abort()
  else reply.raw.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, stopping])
}

const COMMON_CODES = [
  'invalid_request',
  'invalid_api_key',
  'key_scope',
  'role_not_allowed',
  'invalid_token',
  'idempotency_mismatch',
  'idempotency_in_progress',
  'unavailable',
]

/** An error that the endpoint does not declare is missing from the documentation and the SDK, so it is a defect. */
function onlyDeclared(endpoint: AnyEndpoint) {
  return (error: unknown): never => {
    if (error instanceof ApiError && !COMMON_CODES.includes(error.code))
      assert(
        endpoint.errors.some(({ code }) => code === error.code),
        `${endpoint.path} does not declare ${error.code}`,
      )
    throw error
  }
}

/**
 * Logins and recoveries are also limited per account, which only the body identifies; a worker who is asked for the
 * password again is known by the token.
 */
async function limitAccount(
  parts: ServerParts,
  { limits = [] }: AnyEndpoint,
  { body, workerId }: { body: unknown; workerId: string | undefined },
  reply: FastifyReply,
): Promise<void> {
  const name = (['login', 'recover', 'log_in_link'] as const).find((one) => limits.includes(one))
  const email = name && (body as { email?: unknown }).email
  const account = workerId ?? (typeof email === 'string' ? email.toLowerCase() : undefined)
  if (name === undefined || parts.limiter === undefined || account === undefined) return
  const key = `account:${sha256(account)}`
  const verdict = await parts.limiter.take([{ policy: parts.policies[name], key }])
  if (verdict.admitted) return
  reply.headers(rateLimitHeaders(verdict))
  throw tooMany(verdict)
}

/** Asserts that a response matches its documentation: no field missing, none undocumented. */
function checkAnswer(endpoint: AnyEndpoint, result: object): void {
  const read = endpoint.success.body.parse(result)
  const extra = unknownFields(result, read)
  assert(
    extra.length === 0,
    `${endpoint.path} returns undocumented fields: ${extra.map(({ path }) => path).join()}`,
  )
}

/** Empty if no body was sent. */
const textOf = (body: unknown) => (typeof body === 'string' ? body : '')
