import type { FastifyError } from 'fastify'
import { translate } from '../kit/db.ts'
import {
  ApiError,
  bodyTooLarge,
  invalidJson,
  serverError,
  wrongContentType,
} from '../kit/errors.ts'

/** Translates the framework's errors into our API errors; an unexpected error becomes a bare 500. */
export function toApiError(thrown: unknown, { bodyMaxBytes }: { bodyMaxBytes: number }): ApiError {
  // A read outside a transaction throws the driver's own error.
  const error = translate(thrown)
  if (error instanceof ApiError) return error
  const code = (error as Partial<FastifyError>).code
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge({ limit_bytes: bodyMaxBytes })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return wrongContentType()
  if (code?.startsWith('FST_ERR_CTP_') || error instanceof SyntaxError) return invalidJson()
  // Fastify's own 400s for a malformed request (a bad Content-Length, a broken path) are the caller's fault.
  if (code?.startsWith('FST_ERR_') && (error as Partial<FastifyError>).statusCode === 400)
    return invalidJson()
  return serverError()
}
