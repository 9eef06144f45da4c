/**
 * What can go wrong. Whatever this package throws is a `LegworkError`, except when your own signal aborts a call: then
 * it is that signal's reason. The classes of the single codes are in error-classes.ts.
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

/** The API refused, or could not be reached. `code` says which of its errors it is, and each code has its class. */
export class LegworkError extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  /** A word that never changes, such as `insufficient_funds`. */
  readonly code: string
  /** Name it when you ask us about the call; `requests.get` shows the call whole. */
  readonly requestId: string | undefined
  /** What to do next, where the server has something to say. */
  readonly hint: string | undefined
  /** The page about this code. */
  readonly docUrl: string | undefined
  /** After how many seconds the same call is worth another try. */
  readonly retryAfterS: number | undefined
  /** The answer to an earlier call under the same idempotency key: for another outcome take a new key. */
  readonly isReplay: boolean
  /** What the error says beyond its sentence, under the names of the API. */
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

/** No answer came: no network, no such host, a connection that broke. */
export class ConnectionError extends LegworkError {
  constructor(url: string, cause: unknown) {
    super(`Could not reach ${url}; ${whatToCheck()}`, {
      status: 0,
      code: 'connection_failed',
      cause,
    })
  }
}

/** A browser says of a refused page only that nothing came. */
const whatToCheck = () =>
  'document' in globalThis
    ? 'the API answers no page of another site: call it from your server, or set baseUrl to a route of yours'
    : 'check the network and LEGWORK_URL'

/** No answer came within the time limit of the call. */
export class TimeLimitError extends LegworkError {
  constructor(url: string, timeoutMs: number) {
    super(`${url} did not answer within ${timeoutMs} ms; raise timeoutMs, or try again`, {
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
        ? 'There is no API key: set LEGWORK_API_KEY or pass apiKey. ' +
            '`npx @legwork/cli init` makes a test key, without an account'
        : 'There is no token: pass token, or call login first',
      { status: 0, code: 'missing_key' },
    )
  }
}

/** The wait is over and the task is not. Nothing is lost: the task goes on, and so can you. */
export class WaitTimeout extends LegworkError {
  /** As it was when last looked at. */
  readonly task: TaskDetail

  constructor(task: TaskDetail, waitedMs: number) {
    super(
      `${task.id} is still ${task.status} after ${describeMs(waitedMs)}; ` +
        `call tasks.wait('${task.id}') to go on waiting, or tasks.cancel('${task.id}') to end it`,
      { status: 0, code: 'wait_timeout' },
    )
    this.task = task
  }
}

/** Whether the same call may go well another time, though nothing about it changes. */
export function isPassing(error: unknown): error is LegworkError {
  if (!(error instanceof LegworkError)) return false
  if (error instanceof ConnectionError || error instanceof TimeLimitError) return true
  if (error.retryAfterS !== undefined) return true
  // A 503 of ours that names no time is about what this server lacks, and will lack in a second, too.
  return error.status === 503
    ? error.code === 'unreadable_answer'
    : [408, 425, 429, 500, 502, 504].includes(error.status)
}

function describeMs(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`
  return `${Math.round(ms / 60_000)} min`
}
