/** Checks whether a response is one that the API documents. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { z } from 'zod'
import { endpoints } from '../../src/endpoints.ts'
import { invalidApiKey, keyScope } from '../../src/agents/errors.ts'
import * as common from '../../src/kit/errors.ts'
import type { ErrorDefinition } from '../../src/kit/errors.ts'
import { invalidToken } from '../../src/workers/errors.ts'
import type { Received } from './client.ts'
import type { Made, Operation } from './requests.ts'

const COMMON: ErrorDefinition[] = [
  ...Object.values(common).filter(
    (value): value is typeof value & ErrorDefinition =>
      typeof value === 'function' && 'code' in value && 'body' in value,
  ),
  invalidApiKey,
  keyScope,
  invalidToken,
]

/** A mutated method or path may reach another operation, and its errors. */
const ANY = endpoints.flatMap(({ errors }) => [...errors])

/** Statuses of the HTTP layer, without a body of ours: an Expect header that Node does not know. */
const OF_HTTP = [417]
/** Not modified, and partial content. */
const ALSO_SUCCESS = [206, 304]

/** Returns the problem with a response; undefined if there is none. */
export function judge(operation: Operation, made: Made, received: Received): string | undefined {
  const { status, headers, body } = received
  // A client that hangs up in the middle of a request gets no response.
  if (status === 0) return made.isCut ? undefined : 'no answer'
  if (status >= 500) return `status ${status}`
  if (OF_HTTP.includes(status)) return undefined
  if (made.method === 'HEAD' || ALSO_SUCCESS.includes(status)) return undefined
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  if (status >= 400) {
    if (!isJson) return 'an error that is not JSON'
    const { errors } = operation.endpoint
    return judgeError(made.isOwn ? errors : ANY, status, body.toString())
  }
  if (!made.isOwn) return undefined
  const { success } = operation.endpoint
  if (status !== success.status) return `status ${status} instead of ${success.status}`
  if (!isJson || body.length === 0) return undefined
  const encoding = headers.get('content-encoding')
  const plain =
    encoding === 'gzip' ? gunzipSync(body) : encoding === 'br' ? brotliDecompressSync(body) : body
  return judgeSuccess(success.body as z.ZodType, plain.toString())
}

function judgeSuccess(schema: z.ZodType, text: string): string | undefined {
  const { json, problem } = parse(text)
  if (problem !== undefined) return problem
  const { warnings: _, ...result } = json
  const { error } = schema.safeParse(result)
  return (
    error &&
    `an answer outside of its schema: ${error.issues[0]?.path.join('.')} ${error.issues[0]?.message}`
  )
}

function judgeError(
  errors: readonly ErrorDefinition[],
  status: number,
  text: string,
): string | undefined {
  const { json, problem } = parse(text)
  if (problem !== undefined) return problem
  const code = String(json.code)
  const declared = [...errors, ...COMMON].filter(
    (one) => one.code === code && one.status === status,
  )
  if (declared.length === 0) return `an error that is not declared: ${status} ${code}`
  const { error } = declared[0]!.body.safeParse(json)
  return error && `an error outside of its schema: ${code} ${error.issues[0]?.path.join('.')}`
}

function parse(text: string): { json: Record<string, unknown>; problem?: string } {
  try {
    return { json: JSON.parse(text) as Record<string, unknown> }
  } catch {
    return { json: {}, problem: `an answer that is no JSON: ${text.slice(0, 80)}` }
  }
}
