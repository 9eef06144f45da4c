/**
 * Error classes. Everything this package throws is a `LegworkError`, except when your own signal aborts a call: then it
 * throws the signal's reason. The subclass of each error code is in error-classes.ts.
 */
import type { TaskDetail } from './task-types.ts'

export interface ErrorDetails {
  status: number
  code: string
  requestId?: string | undefined
  hint?: string | undefined
  docUrl?: string | undefined
  retryAfterS?: number | undefined
  isReplay?: boolean | undefined
  fields?: Record<string, unknown> | undefined
  cause?: unknown
}

/** The API rejected the call or could not be reached. Each `code` has its own subclass. */
export class LegworkError extends Error {
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number
  /** A stable code, such as `insufficient_funds`. */
  readonly code: string
  /** The id of the request, for support; `requests.get` returns the whole request. */
  readonly requestId: string | undefined
  /** What to do next, if the server has a suggestion. */
  readonly hint: string | undefined
  /** The documentation page of this code. */
  readonly docUrl: string | undefined
  /** Seconds to wait before retrying. */
  readonly retryAfterS: number | undefined
  /** Whether this is the stored response of an earlier call with this idempotency key. Use a new key to retry. */
  readonly isReplay: boolean
  /** The other fields of the error, as the API names them. */
  readonly fields: Record<string, unknown>

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = new.target.name
    this.status = details.status
    this.code = details.code
    this.requestId = details.requestId
    this.hint = details.hint
    this.docUrl = details.docUrl
    this.retryAfterS = details.retryAfterS
    this.isReplay = details.isReplay ?? false
    this.fields = details.fields ?? {}
  }
}

/** There was no response: no network, unknown host, or a broken connection. */
export class ConnectionError extends LegworkError {
  constructor(url: string, cause: unknown) {
    super(`Could not reach ${url}; ${whatToCheck()}`, {
      status: 0,
      code: 'connection_failed',
      cause,
    })
  }
}

/** A browser reports a blocked cross-origin request only as a network error. */
const whatToCheck = () =>
  'document' in globalThis
    ? 'the API does not allow cross-origin requests: call it from your server, or set baseUrl to a route on your site'
    : 'check the network and LEGWORK_URL'

/** There was no response within the time limit. */
export class TimeLimitError extends LegworkError {
  constructor(url: string, timeoutMs: number) {
    super(`${url} did not respond within ${timeoutMs} ms; increase timeoutMs, or try again`, {
      status: 0,
      code: 'time_limit',
    })
  }
}

/** The call needs an API key or a token, and the client has none. */
export class MissingKeyError extends LegworkError {
  constructor(what: 'API key' | 'token') {
    super(
      what === 'API key'
        ? 'No API key: set LEGWORK_API_KEY or pass apiKey. ' +
            '`npx @legwork/cli init` creates a test key without an account'
        : 'No token: pass token, or call login first',
      { status: 0, code: 'missing_key' },
    )
  }
}

/** `tasks.wait` timed out before the task was done. The task continues; call `tasks.wait` again. */
export class WaitTimeout extends LegworkError {
  /** The task when it was last read. */
  readonly task: TaskDetail

  constructor(task: TaskDetail, waitedMs: number) {
    super(
      `${task.id} is still ${task.status} after ${describeMs(waitedMs)}; ` +
        `call tasks.wait('${task.id}') to keep waiting, or tasks.cancel('${task.id}') to cancel it`,
      { status: 0, code: 'wait_timeout' },
    )
    this.task = task
  }
}

/** Whether a retry of the same call can succeed. */
export function isPassing(error: unknown): error is LegworkError {
  if (!(error instanceof LegworkError)) return false
  if (error instanceof ConnectionError || error instanceof TimeLimitError) return true
  if (error.retryAfterS !== undefined) return true
  // A 503 of the API without Retry-After means that the server isn't configured for this call: retrying can't help.
  return error.status === 503
    ? error.code === 'unreadable_answer'
    : [408, 425, 429, 500, 502, 504].includes(error.status)
}

function describeMs(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`
  return `${Math.round(ms / 60_000)} min`
}
