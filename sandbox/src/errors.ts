/** Errors in the processor's wording and shape, which the SDK turns into its error classes. */

interface ErrorBody {
  type: string
  message: string
  code?: string
  param?: string
}

/** A response other than 200. Anything else that is thrown is a bug in the sandbox. */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Record<string, string>

  constructor(status: number, body: ErrorBody, headers: Record<string, string> = {}) {
    super(body.message)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** The request was invalid before anything was tried: its response is not stored under its idempotency key. */
export class InvalidParameter extends ApiError {}

export const invalidRequest = (message: string, extra: { code?: string; param?: string } = {}) =>
  new ApiError(400, { type: 'invalid_request_error', message, ...extra })

export const invalidParameter = (message: string, code: string, param: string) =>
  new InvalidParameter(400, { type: 'invalid_request_error', message, code, param })

export const insufficientBalance = (message: string) =>
  invalidRequest(message, { code: 'balance_insufficient' })

/** Unknown id: 404 if it is in the path, 400 if it is in a parameter, like the processor. */
export const notFound = (kind: string, id: string, param?: string) =>
  new ApiError(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: param ?? 'id',
  })

export const unknownRoute = (method: string, path: string) =>
  new ApiError(404, {
    type: 'invalid_request_error',
    message:
      `Unrecognized request URL (${method}: ${path}). The sandbox supports only a part of the API; ` +
      'sandbox/README.md lists it.',
  })
