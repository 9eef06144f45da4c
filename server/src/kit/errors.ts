import { z } from 'zod'
import type { Config } from '../config.ts'
import { publicUrl } from './public-url.ts'

/**
 * An outcome the caller is expected to handle: rendered as `{ error, code, request_id, ...extra, hint, doc_url }`.
 * Anything else that is thrown is a defect: it is logged, and rendered as a bare 500.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Record<string, unknown>
  readonly hint: string | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    extra: Record<string, unknown>,
    hint?: string,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.extra = extra
    this.hint = hint
  }
}

/** `{ error, code, request_id, … }`: the only shape in which anything goes wrong. */
export function renderError(
  { message, code, extra, hint }: Pick<ApiError, 'message' | 'code' | 'extra' | 'hint'>,
  requestId: string,
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
): string {
  return JSON.stringify({
    error: message,
    code,
    request_id: requestId,
    ...extra,
    ...(hint === undefined ? {} : { hint }),
    doc_url: `${publicUrl(config)}/docs/errors/${code}`,
  })
}

export interface ErrorDefinition {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly body: z.ZodObject
}

type Extra = Record<string, z.ZodType>
type ExtraFields<E extends Extra> = z.output<z.ZodObject<E>>

/**
 * Declares an error once: the thrower, the OpenAPI document and the SDK all read this declaration. The hint says what
 * to do next where the message does not; what there is to say beyond that is in error-pages.ts.
 */
export function defineError<E extends Extra = {}>(
  status: number,
  code: string,
  message: string,
  extra?: E,
  { hint }: { hint?: string } = {},
) {
  const body = z.object({
    error: z.string().describe(message),
    code: z.literal(code),
    request_id: z.string(),
    ...extra,
    ...(hint === undefined ? {} : { hint: z.string().describe(hint) }),
    doc_url: z.string(),
  })
  const create = (...args: keyof E extends never ? [] : [ExtraFields<E>]) =>
    new ApiError(status, code, message, (args[0] ?? {}) as Record<string, unknown>, hint)
  return Object.assign(create, { status, code, message, hint, body })
}

// The refusals that any endpoint can answer with; the others are declared beside the operation that throws them.

export const invalidRequest = defineError(
  400,
  'invalid_request',
  'The request is not valid',
  { details: z.array(z.object({ path: z.string(), message: z.string() })) },
  { hint: 'details names every field that is wrong, and what it must be' },
)
/** A 400 about one field; `message` reads after the field's name. */
export function invalidField(path: string, message: string): ApiError {
  const { status, code, hint } = invalidRequest
  return new ApiError(status, code, `${path} ${message}`, { details: [{ path, message }] }, hint)
}
export const invalidJson = defineError(
  400,
  'invalid_json',
  'The body is not valid JSON',
  {},
  { hint: 'Look for a missing quote, a comma too many, or a character that is not UTF-8' },
)
export const malformedRequest = defineError(
  400,
  'malformed_request',
  'This is not a well-formed HTTP request',
)
export const headersTooLarge = defineError(
  431,
  'headers_too_large',
  'The headers of the request are too large',
)
export const wrongOrigin = defineError(
  403,
  'wrong_origin',
  'Pages of other sites may not call this; to sign in or with a cookie send this server’s Origin, with a key none',
)
export const routeNotFound = defineError(
  404,
  'route_not_found',
  'There is no such endpoint',
  {},
  { hint: 'GET /api/v1/openapi.json lists them all; every path begins with /api/v1' },
)
export const methodNotAllowed = defineError(
  405,
  'method_not_allowed',
  'This address does not take this method; see the Allow header',
)
export const bodyTooLarge = defineError(
  413,
  'body_too_large',
  'The body is too large',
  { limit_bytes: z.int() },
  { hint: 'limit_bytes is the most that is taken; files go by POST /worker/uploads' },
)
export const wrongContentType = defineError(
  415,
  'wrong_content_type',
  'Send JSON with the header content-type: application/json',
)
export const idempotencyMismatch = defineError(
  422,
  'idempotency_mismatch',
  'This Idempotency-Key was used for another request; use a new key',
)
export const idempotencyInProgress = defineError(
  409,
  'idempotency_in_progress',
  'A request with this Idempotency-Key is still running; try again in a moment',
  { retry_after_seconds: z.int() },
)
export const rateLimited = defineError(
  429,
  'rate_limited',
  'Too many requests',
  { limit: z.string(), retry_after_seconds: z.int() },
  { hint: 'Wait for retry_after_seconds; the header RateLimit says how much is left' },
)
export const serverError = defineError(
  500,
  'server_error',
  'Server error',
  {},
  { hint: 'It is our fault, and logged; try again, and send us request_id if it stays' },
)
export const unavailable = defineError(
  503,
  'unavailable',
  'The service is busy or restarting; try again in a moment',
  { retry_after_seconds: z.int() },
)
