/**
 * Validates the raw URL and headers before routing. It refuses text with control characters such as NUL, bytes that are
 * not UTF-8 (including lone surrogates), and values longer than any honest client sends. PostgreSQL rejects such text
 * only when it is written or compared, deep inside an operation; here it becomes one 400 for all routes, pages, file
 * links and /mcp, before routing and authentication.
 */
import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, invalidRequest } from '../kit/errors.ts'

const PATH_LENGTH_MAX = 1024
/** The longest id has 33 characters, the app's longest file name about 60. */
const SEGMENT_LENGTH_MAX = 128
const QUERY_LENGTH_MAX = 8192
const PARAMETER_NAME_LENGTH_MAX = 64
const PARAMETER_LENGTH_MAX = 2048
/** All headers together may have 16 kB; above that, Node responds with 431. */
const HEADER_LENGTH_MAX = 8192

/** Headers that the server reads, compares or stores. Others are ignored, whatever they contain. */
const READ_HEADERS = [
  'accept',
  'accept-encoding',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'host',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'range',
  'stripe-signature',
  'tus-resumable',
  'upload-offset',
  'user-agent',
  'x-api-key',
  'x-forwarded-for',
] as const

/** `where` starts the error sentence; `path` is the field in `details`. */
export interface Fault {
  where: string
  path: string
  message: string
}

const PLAIN = /^[\x20-\x7e]*$/
const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i
const CONTROL = /\p{Cc}/u
const NOT_UTF8 = 'is not valid UTF-8'
const HAS_CONTROL = 'contains a control character'

/** Returns the first fault in a request's URL and headers. */
export function findFault({
  url = '/',
  headers,
}: {
  url?: string | undefined
  headers: IncomingHttpHeaders
}): Fault | undefined {
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  const query = mark === -1 ? '' : url.slice(mark + 1)
  return findPathFault(path) ?? findQueryFault(query) ?? findHeaderFault(headers)
}

export function refuseFault({ where, path, message }: Fault): ApiError {
  const { status, code, hint } = invalidRequest
  return new ApiError(status, code, `${where} ${message}`, { details: [{ path, message }] }, hint)
}

/** Decodes a body, or returns undefined if its bytes are not UTF-8: decoding those would insert U+FFFD. */
export const decodeBytes = (bytes: Buffer): string | undefined =>
  isUtf8(bytes) ? bytes.toString('utf8') : undefined

function findPathFault(path: string): Fault | undefined {
  const fault = (message: string) => ({ where: 'The path', path: 'path', message })
  if (path.length > PATH_LENGTH_MAX) return fault(`must have at most ${PATH_LENGTH_MAX} characters`)
  if (BROKEN_ESCAPE.test(path)) return fault('has a % without two hexadecimal digits')
  const text = decode(path)
  if (text === undefined) return fault(NOT_UTF8)
  if (CONTROL.test(text)) return fault(HAS_CONTROL)
  if (text.split('/').some((segment) => segment.length > SEGMENT_LENGTH_MAX))
    return fault(`must have at most ${SEGMENT_LENGTH_MAX} characters between two slashes`)
  return undefined
}

function findQueryFault(query: string): Fault | undefined {
  if (query === '') return undefined
  if (query.length > QUERY_LENGTH_MAX)
    return {
      where: 'The query',
      path: 'query',
      message: `must have at most ${QUERY_LENGTH_MAX} characters`,
    }
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=')
    const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    const known = findTextFault(decode(name), PARAMETER_NAME_LENGTH_MAX)
    if (known !== undefined) return { where: 'A name in the query', path: 'query', message: known }
    const message = findTextFault(decode(value), PARAMETER_LENGTH_MAX)
    if (message !== undefined) {
      const parameter = decode(name)!
      return { where: `The query parameter ${parameter}`, path: parameter, message }
    }
  }
  return undefined
}

function findHeaderFault(headers: IncomingHttpHeaders): Fault | undefined {
  for (const name of READ_HEADERS) {
    const value = headers[name]
    if (typeof value !== 'string') continue
    // A tab is legal whitespace in a header.
    const message = findTextFault(
      PLAIN.test(value) ? value : decodeBytes(Buffer.from(value.replaceAll('\t', ' '), 'latin1')),
      HEADER_LENGTH_MAX,
    )
    if (message !== undefined) {
      const written = name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
      return { where: `The header ${written}`, path: written, message }
    }
  }
  return undefined
}

function findTextFault(text: string | undefined, lengthMax: number): string | undefined {
  if (text === undefined) return NOT_UTF8
  if (CONTROL.test(text)) return HAS_CONTROL
  return text.length > lengthMax ? `must have at most ${lengthMax} characters` : undefined
}

/** Decodes percent-escapes; a % without two hex digits is kept literally. Node already refuses raw non-ASCII bytes. */
function decode(sent: string): string | undefined {
  if (!sent.includes('%')) return sent
  const bytes = sent.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return decodeBytes(Buffer.from(bytes, 'latin1'))
}
