/**
 * The Model Context Protocol at /mcp, authenticated with a bearer token: an API key, or an access token that a client
 * got with OAuth (oauth.ts). Its tools call the public API
 * in-process and bypass nothing: admission, rate limits, idempotency and logs work as for any other call, with the
 * caller's own address.
 */
import { openMcpEndpoint } from '@legwork/mcp'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidApiKey } from '../agents/errors.ts'
import { invalidJson, wrongOrigin } from '../kit/errors.ts'
import { publicUrl } from '../kit/public-url.ts'
import { GRANTABLE, RESOURCE_METADATA_PATH } from '../oauth/metadata.ts'
import { readJson } from './bodies.ts'
import { decodeBytes } from './clean-request.ts'
import { isOwnOrigin } from './origin.ts'
import type { ServerParts } from './server-parts.ts'

const PATH = '/mcp'
/** Room for a question of 5000 characters and a result of 16 KB. */
const BODY_MAX_BYTES = 262_144
/** A placeholder host: calls to it never leave the process. */
const HERE = 'http://legwork.invalid'

interface McpParts extends Pick<ServerParts, 'config' | 'log' | 'draining' | 'stopping'> {
  basePath: string
}

export function serveMcp(
  server: FastifyInstance,
  { config, log, draining, stopping, basePath }: McpParts,
): void {
  const mcp = openMcpEndpoint({ onError: (error) => log.debug({ error }, 'mcp refused') })

  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Passed on as text: the MCP library parses the body itself and reports errors in the protocol's own format.
    scope.addContentTypeParser('application/json', async (request: FastifyRequest) => {
      const text = decodeBytes(await readJson(request))
      if (text === undefined) throw invalidJson()
      return text
    })
    scope.addHook('onClose', () => mcp.close())
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: PATH,
      bodyLimit: BODY_MAX_BYTES,
      config: { label: PATH, access: 'agent', takesTokens: true },
      onRequest: async (request, reply) => mayCall(request, reply, config),
      handler: async (request, reply) => {
        // A stream's headers are sent before we know that draining makes this response the connection's last.
        reply.raw.once('finish', () => {
          if (draining.aborted) request.raw.socket.end()
        })
        return reply.send(
          await mcp.serve(toWebRequest(request, reply), {
            apiKey: presentedKey(request)!,
            baseUrl: HERE + basePath,
            consoleUrl: `${publicUrl(config)}/console`,
            fetch: (url, init) => callHere(server, request.ip, url, init),
            onDefect: (error) => log.error({ request_id: request.id, error }, 'defect'),
            stopping,
          }),
        )
      },
    })
  })
}

/** A malicious page could make a browser call a server on the local network, so an Origin, if sent, must be ours. */
async function mayCall(
  request: FastifyRequest,
  reply: FastifyReply,
  config: ServerParts['config'],
): Promise<void> {
  if (request.headers.origin !== undefined)
    if (!isOwnOrigin(request.headers, { publicUrl: config.PUBLIC_URL })) throw wrongOrigin()
  if (request.agent === undefined || presentedKey(request) === undefined) {
    reply.header(
      'www-authenticate',
      challenge(config, { isWrong: presentedKey(request) !== undefined }),
    )
    throw invalidApiKey()
  }
}

/** Tells a client without a key where it can get a token (RFC 9728). */
const challenge = (config: ServerParts['config'], { isWrong }: { isWrong: boolean }) =>
  [
    'Bearer realm="legwork"',
    ...(isWrong ? ['error="invalid_token"'] : []),
    `resource_metadata="${publicUrl(config)}${RESOURCE_METADATA_PATH}"`,
    `scope="${GRANTABLE.join(' ')}"`,
  ].join(', ')

/** Only the bearer token counts, as the protocol requires; a browser's cookie is ignored. */
const presentedKey = ({ headers }: FastifyRequest) =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]

/** The request's signal aborts when the connection closes, which also ends a tool call that waits for a worker. */
function toWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return new Request(HERE + request.url, {
    method: request.method,
    headers: Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    ),
    signal: gone.signal,
    ...(typeof request.body === 'string' ? { body: request.body } : {}),
  })
}

async function callHere(
  server: FastifyInstance,
  ip: string,
  input: string,
  init: RequestInit = {},
): Promise<Response> {
  const { pathname, search } = new URL(input)
  const answer = await server.inject({
    method: (init.method ?? 'GET') as 'GET',
    url: pathname + search,
    headers: Object.fromEntries(new Headers(init.headers)),
    remoteAddress: ip,
    ...(typeof init.body === 'string' ? { payload: init.body } : {}),
    ...(init.signal ? { signal: init.signal } : {}),
  })
  return new Response(answer.statusCode === 204 ? null : new Uint8Array(answer.rawPayload), {
    status: answer.statusCode,
    headers: Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  })
}
