import { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../kit/endpoint.ts'
import { ORDINARY_BODY_MAX_BYTES } from '../kit/endpoint.ts'
import { ApiError, invalidJson, wrongContentType } from '../kit/errors.ts'
import { decodeBytes } from './clean-request.ts'
import { openJsonGuard } from './json-guard.ts'
import { type Gate, readBody } from './read-body.ts'

export const JSON_TYPE = 'application/json'
/** Types whose name marks them as JSON: `text/json`, `application/vnd.api+json`. */
const JSON_FAMILY = /^(?:text\/json|application\/[\w.-]+\+json)(?:;|$)/
const BYTE_ORDER_MARK = '\uFEFF'
/** How much of the body is still read after a refusal, so that the sender gets to read the response. */
const DISCARDED_BYTES_MAX = 262_144
const CLOSING_MS = 1000
/** Parsing more than this blocks the event loop for so long that the request yields to others afterwards. */
const QUICK_BYTES_MAX = 1_048_576

/** JSON is parsed, the bytes of an upload are left to their endpoint, and other types are refused. */
export function readBodies(
  server: FastifyInstance,
  endpoints: readonly AnyEndpoint[],
  gatesOf: (request: FastifyRequest) => Gate[],
): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  for (const type of [JSON_TYPE, JSON_FAMILY])
    server.addContentTypeParser(type, async (request: FastifyRequest) => {
      // A signature covers the exact bytes, so a signed body is not parsed here.
      const isRaw = request.routeOptions.config.endpoint?.raw === JSON_TYPE
      const bytes = isRaw ? await read(request) : await readJson(request, gatesOf(request))
      const sent = decodeBytes(bytes)
      if (sent === undefined) throw invalidJson()
      if (isRaw) return sent
      const text = sent.startsWith(BYTE_ORDER_MARK) ? sent.slice(1) : sent
      if (text.trim() === '') return {}
      request.sentBytes = bytes.length
      request.unread = text
      const body = await new Promise((resolve, reject) => {
        void parse(request, text, (error, value) =>
          error === null ? resolve(value) : reject(error),
        )
      })
      request.unread = undefined
      if (bytes.length > QUICK_BYTES_MAX) await setImmediate()
      return body
    })
  for (const type of new Set(endpoints.flatMap(({ raw }) => raw ?? [])))
    if (type !== JSON_TYPE)
      server.addContentTypeParser(type, (request, _, done) =>
        request.routeOptions.config.endpoint?.raw === type ? done(null) : done(wrongContentType()),
      )
  // `curl -X POST -d ''` declares a form. An empty body needs no type.
  server.addContentTypeParser('*', (request, _, done) =>
    hasBody(request) && !request.is404 ? done(wrongContentType()) : done(null),
  )
}

/** Reads the bytes of a JSON body, checked as they arrive but not parsed. */
export function readJson(request: FastifyRequest, gates: Gate[] = []): Promise<Buffer> {
  const guard = openJsonGuard()
  return read(request, { gates, check: guard.push })
}

function read(
  request: FastifyRequest,
  options: Partial<Parameters<typeof readBody>[1]> = {},
): Promise<Buffer> {
  return readBody(request.raw, {
    limitBytes: request.routeOptions.bodyLimit,
    announcedBytes: Number(request.headers['content-length'] ?? 0),
    gates: [],
    ...options,
  })
}

/**
 * A response sent before the end of its request closes the connection, unless the body is small: keeping the connection
 * would mean receiving megabytes only to discard them.
 */
export function endUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (raw.complete || !hasBody(request)) return
  const announced = Number(request.headers['content-length'] ?? Infinity)
  if (announced > ORDINARY_BODY_MAX_BYTES) reply.header('connection', 'close')
  if (reply.getHeader('connection') !== 'close' || !(raw.socket instanceof Socket)) return
  discard(request)
  closeSlowly(raw.socket)
}

/** Reads and discards the rest of the body, up to a limit. */
function discard({ raw }: FastifyRequest): void {
  let bytes = 0
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > DISCARDED_BYTES_MAX) raw.pause()
  })
  raw.resume()
}

/**
 * Node would destroy the socket after the last byte of the response. With unread bytes pending, that resets the
 * connection, and a client that is still sending may never read why it was refused. So we half-close first and give the
 * client a second to read.
 */
function closeSlowly(socket: Socket): void {
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), CLOSING_MS)
    socket.once('close', () => clearTimeout(timer)).end()
  }
}

/** A body without a type is treated as JSON. A compressed body gets its own error instead of one about invalid JSON. */
export function checkBodyHeaders(request: FastifyRequest): void {
  const { headers } = request
  const { endpoint } = request.routeOptions.config
  if (endpoint === undefined || !hasBody(request)) return
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw compressedBody()
  const isJson = endpoint.raw === undefined || endpoint.raw === JSON_TYPE
  if (isJson && !headers['content-type']) headers['content-type'] = JSON_TYPE
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const compressedBody = () =>
  new ApiError(
    wrongContentType.status,
    wrongContentType.code,
    'The body must not be compressed',
    {},
    'Send plain JSON without content-encoding',
  )
