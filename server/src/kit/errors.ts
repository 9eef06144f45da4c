import { z } from 'zod'
import type { Config } from '../config.ts'
import { named } from './named.ts'
import { publicUrl } from './public-url.ts'

/**
 * An error that the caller is expected to handle, rendered as `{ error, code, request_id, ...extra, hint, doc_url }`.
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

/** `{ error, code, request_id, … }`: the only format for errors. */
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

/** The text of the error's documentation page besides its message. The page's URL (`doc_url`) contains the code. */
export interface ErrorGuidance {
  /** Callers that can get this error. */
  readonly who: 'anyone' | 'agent' | 'worker' | 'operator' | 'processor'
  /** Why it happens, in full sentences. */
  readonly cause: string
  /** How to resolve it, in full sentences. */
  readonly fix: string
  /** The next step, sent with the response. Provide one if the message does not say it. */
  readonly hint?: string | undefined
}

export interface ErrorDefinition extends ErrorGuidance {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly body: z.ZodObject
}

// The OpenAPI document has one schema with the fields of every error, which all error schemas extend.
named(
  'Error',
  z.object({
    error: z.string().describe('A sentence for people to read'),
    code: z.string().describe('A stable, machine-readable code'),
    request_id: z.string(),
    hint: z.string().optional().describe('What to do next'),
    doc_url: z.string().describe('Link to the documentation of this code'),
  }),
)

type Extra = Record<string, z.ZodType>
type ExtraFields<E extends Extra> = z.output<z.ZodObject<E>>

/**
 * Declares an error once. The constructor, the OpenAPI document, the SDK's classes, the error's page and its row in
 * docs/api.md are generated from this declaration.
 */
export function defineError<E extends Extra>(
  status: number,
  code: string,
  message: string,
  extra: E,
  { who, cause, fix, hint }: ErrorGuidance,
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
  return Object.assign(create, { status, code, message, who, cause, fix, hint, body })
}

/** The fields that this error adds to the common ones; optional ones end in `?`. */
export function extraFieldsOf({ body }: Pick<ErrorDefinition, 'body'>): string[] {
  return Object.entries(body.shape)
    .filter(([name]) => !COMMON_FIELDS.includes(name))
    .map(([name, field]) => (field instanceof z.ZodOptional ? `${name}?` : name))
}

const COMMON_FIELDS = ['error', 'code', 'request_id', 'hint', 'doc_url']

// Errors that any endpoint can return; all others are declared next to the operation that throws them.

export const invalidRequest = defineError(
  400,
  'invalid_request',
  'The request is not valid',
  { details: z.array(z.object({ path: z.string(), message: z.string() })) },
  {
    who: 'anyone',
    cause: 'A field in the body, the path or the query is missing or does not match its schema.',
    fix:
      'Read `details`: each entry has the `path` of a field and says what is required. Fields ' +
      'that have no effect are not errors; they are listed in `warnings`.',
    hint: 'details lists every invalid field and what is required',
  },
)
/** A 400 about one field; `message` follows the field's name. */
export function invalidField(path: string, message: string): ApiError {
  const { status, code, hint } = invalidRequest
  return new ApiError(status, code, `${path} ${message}`, { details: [{ path, message }] }, hint)
}
export const invalidJson = defineError(
  400,
  'invalid_json',
  'The body is not valid JSON',
  {},
  {
    who: 'anyone',
    cause:
      'The body does not parse as JSON, or it contains something that can’t be stored: a NUL ' +
      'character, half a surrogate pair, a `__proto__` member, or more than 64 levels of ' +
      'nesting.',
    fix: 'Build the JSON with a library instead of concatenating strings, and send it as UTF-8.',
    hint: 'Look for a missing quote, an extra comma, or a character that is not UTF-8',
  },
)
export const malformedRequest = defineError(
  400,
  'malformed_request',
  'This is not a well-formed HTTP request',
  {},
  {
    who: 'anyone',
    cause:
      'The server received something that is not HTTP: a broken request line, a header with ' +
      'forbidden characters, or TLS on a plain port.',
    fix: 'Check the URL and its scheme, and whether a proxy between you and us changes requests.',
  },
)
export const headersTooLarge = defineError(
  431,
  'headers_too_large',
  'The request headers are too large',
  {},
  {
    who: 'anyone',
    cause: 'The request headers are larger than 16 kB in total.',
    fix: 'Send fewer or shorter headers. Accumulated cookies are the usual cause.',
  },
)
export const wrongOrigin = defineError(
  403,
  'wrong_origin',
  'Pages of other sites can’t call this endpoint: send this server’s Origin with a cookie or ' +
    'to log in, and no Origin with a key',
  {},
  {
    who: 'anyone',
    cause:
      'A browser sent one of our cookies from a page of another site, or without an `Origin` ' +
      'header; or a page of another site tried to log someone in or called `/mcp`.',
    fix:
      'From a program, send the key or the token in a header; no Origin is needed then. From ' +
      'your own web page, call your own server, which holds the key.',
  },
)
export const routeNotFound = defineError(
  404,
  'route_not_found',
  'This endpoint does not exist',
  {},
  {
    who: 'anyone',
    cause: 'No endpoint has this path.',
    fix:
      'Compare the path with the reference: paths begin with `/api/v1`, and ids are part of the ' +
      'path.',
    hint: 'GET /api/v1/openapi.json lists all endpoints; every path begins with /api/v1',
  },
)
export const methodNotAllowed = defineError(
  405,
  'method_not_allowed',
  'This path does not support this method; see the Allow header',
  {},
  {
    who: 'anyone',
    cause: 'The path exists, but it does not support this method.',
    fix: 'Use one of the methods in the `Allow` header.',
  },
)
export const bodyTooLarge = defineError(
  413,
  'body_too_large',
  'The body is too large',
  { limit_bytes: z.int() },
  {
    who: 'anyone',
    cause:
      'The body is larger than `limit_bytes`, the limit of this endpoint: 16 kB without a key ' +
      'or token, 64 kB with one, 512 kB for a new task, 12 MB for a proof.',
    fix:
      'Send a smaller body. Upload files with `POST /worker/uploads`, and put links to any ' +
      'other material in the `context` of the task.',
    hint: 'limit_bytes is the largest body allowed; upload files with POST /worker/uploads',
  },
)
export const bodyTimeout = defineError(
  408,
  'body_timeout',
  'The body did not arrive in time',
  {},
  {
    who: 'anyone',
    cause: 'The body took more than 30 seconds to arrive, or no data arrived for 10 seconds.',
    fix: 'Send it again. On a slow connection, upload files in parts with `POST /worker/uploads`.',
    hint:
      'A body must arrive within 30 seconds, without a pause of 10 seconds; upload large files ' +
      'with POST /worker/uploads',
  },
)
export const wrongContentType = defineError(
  415,
  'wrong_content_type',
  'Send JSON with the header content-type: application/json',
  {},
  {
    who: 'anyone',
    cause: 'The body is declared as something other than JSON, or it is compressed.',
    fix:
      'Send plain JSON with the header `content-type: application/json`, or without a content ' +
      'type. With curl, `-d` alone sends the content type of a form.',
    hint:
      'curl -d and the HTTP libraries of Python and PHP send a form content type unless you ' +
      "set the header: -H 'content-type: application/json'",
  },
)
export const idempotencyMismatch = defineError(
  422,
  'idempotency_mismatch',
  'This Idempotency-Key was used for another request; use a new key',
  {},
  {
    who: 'anyone',
    cause:
      'This Idempotency-Key was sent with another method, path or body within the last seven ' +
      'days.',
    fix: 'Use a new key for each operation, and reuse a key only to repeat exactly the same request.',
  },
)
export const idempotencyInProgress = defineError(
  409,
  'idempotency_in_progress',
  'A request with this Idempotency-Key is still running; try again in a moment',
  { retry_after_seconds: z.int() },
  {
    who: 'anyone',
    cause: 'A request with this Idempotency-Key is still running, perhaps your first attempt.',
    fix:
      'Wait for `retry_after_seconds` and send the same request again: it gets the response to ' +
      'the first one.',
  },
)
export const rateLimited = defineError(
  429,
  'rate_limited',
  'Too many requests',
  { limit: z.string(), retry_after_seconds: z.int() },
  {
    who: 'anyone',
    cause:
      'This key, agent, worker or IP address sent more requests than the limit allows. `limit` ' +
      'names the limit.',
    fix:
      'Wait for `retry_after_seconds`. Instead of polling, use `?wait=` on a task, `GET ' +
      '/events?wait=`, or webhooks.',
    hint: 'Wait for retry_after_seconds; the RateLimit header shows the remaining requests',
  },
)
export const serverError = defineError(
  500,
  'server_error',
  'Server error',
  {},
  {
    who: 'anyone',
    cause: 'An unexpected error occurred on our side. It is logged under `request_id`.',
    fix:
      'Send the request again with the same Idempotency-Key: nothing is done twice. If the ' +
      'error persists, send us the `request_id`.',
    hint:
      'This is our fault and has been logged; try again, and send us request_id if the error ' +
      'persists',
  },
)
export const unavailable = defineError(
  503,
  'unavailable',
  'The service is busy or restarting; try again in a moment',
  { retry_after_seconds: z.int() },
  {
    who: 'anyone',
    cause:
      'The service is restarting, too busy to respond in a reasonable time, or temporarily ' +
      'unable to store files.',
    fix: 'Send the request again after `retry_after_seconds`, with the same Idempotency-Key.',
  },
)
export const readOnly = defineError(
  503,
  'read_only',
  'The service is read-only at the moment: nothing can be changed; try again in a few minutes',
  { retry_after_seconds: z.int() },
  {
    who: 'anyone',
    cause:
      'An operator has made the service read-only, for example for maintenance. Reading, logging in ' +
      'and logging out still work. Nothing was changed by the request.',
    fix:
      'Send the request again after `retry_after_seconds`, with the same Idempotency-Key. Deadlines ' +
      'and payouts go on in the meantime.',
  },
)
export const registrationsOff = defineError(
  503,
  'registrations_off',
  'New accounts can’t be created at the moment; try again later',
  {},
  {
    who: 'anyone',
    cause:
      'An operator has stopped the registration of agents, test agents and workers for a while.',
    fix: 'Try again later, at most once an hour. Existing accounts work as usual.',
    hint: 'Existing accounts work as usual; log in if you have one',
  },
)
