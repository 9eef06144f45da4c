/** HTTP client of all apps: typed by their routes, authenticated by the session cookie, with typed errors. */
import type { Answer, Body, Query, Route } from '@legwork/sdk'

export const BASE = '/api/v1'

interface RouteTypes {
  query: unknown
  body: unknown
  answer: unknown
}

/** The types of some routes, by method and path: `'GET /queues': { query, body, answer }`. */
type Table<T> = Record<keyof T, RouteTypes>

/** The table of routes of the public API. */
export type ApiRoutes<R extends Route> = {
  [K in R]: { query: Query<K>; body: Body<K>; answer: Answer<K> }
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Paths of the routes `T`, the ones an app calls, that have method `M`. */
export type PathIn<T extends Table<T>, M extends Method = Method> = PathOf<keyof T, M>
type PathOf<Key, M extends Method> = Key extends `${Uppercase<M>} ${infer P}` ? P : never
type RouteIn<T extends Table<T>, P extends string, M extends Method> = T[Extract<
  keyof T,
  `${Uppercase<M>} ${P}`
>]

/** The response body of an endpoint. */
export type AnswerIn<T extends Table<T>, P extends string, M extends Method = 'get'> = RouteIn<
  T,
  P,
  M
>['answer']

/** The request body of an endpoint. */
export type BodyIn<T extends Table<T>, P extends string, M extends Method> = RouteIn<
  T,
  P,
  M
>['body']

/** The names of a path's parameters. */
type ParamsOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never

interface CallOptions<T extends Table<T>, P extends string, M extends Method> {
  params?: [ParamsOf<P>] extends [never] ? undefined : Record<ParamsOf<P>, string>
  query?: NonNullable<RouteIn<T, P, M>['query']>
  body?: BodyIn<T, P, M>
  /** Idempotency key of a POST: repeating it with the same key has no second effect. */
  key?: string
  signal?: AbortSignal
}

/**
 * The server refused the request. `code` is stable; `message` is English, a fallback for codes without our own text.
 */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string>
  readonly retryAfterSeconds: number | undefined
  readonly requestId: string | undefined
  /** Other fields of the response, such as `required_level`. */
  readonly extra: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body.error === 'string' ? body.error : `HTTP ${status}`)
    this.name = 'Refusal'
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : 'unknown'
    this.requestId = typeof body.request_id === 'string' ? body.request_id : undefined
    this.retryAfterSeconds =
      typeof body.retry_after_seconds === 'number' ? body.retry_after_seconds : undefined
    const details = Array.isArray(body.details)
      ? (body.details as { path: string; message: string }[])
      : []
    this.fields = Object.fromEntries(details.map(({ path, message }) => [path, message]))
    this.extra = body
  }
}

/** No response: no network, or a timeout. The request may or may not have had an effect. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('Can’t reach the server', { cause })
    this.name = 'Unreachable'
  }
}

const TIMEOUT_MS = 30_000

/** `endedBy` is the error code that means the session has ended; paths are below `base`. */
export function openClient<T extends Table<T>>({
  endedBy,
  base = BASE,
}: {
  endedBy: string
  base?: string
}) {
  let onEnded = () => {}

  async function call<P extends PathIn<T, M>, M extends Method>(
    method: M,
    path: P,
    { params, query, body, key, signal }: CallOptions<T, P, M> = {},
  ): Promise<AnswerIn<T, P, M>> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    let response: Response
    let text: string
    try {
      response = await fetch(base + addressOf(path, params, query), {
        method: method.toUpperCase(),
        credentials: 'same-origin',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      text = await response.text()
    } catch (error) {
      if (signal?.aborted) throw error
      throw new Unreachable(error)
    }
    const answer = readJson(text)
    if (!response.ok) {
      const refusal = new Refusal(response.status, answer)
      if (refusal.status === 401 && refusal.code === endedBy) onEnded()
      throw refusal
    }
    return answer as AnswerIn<T, P, M>
  }

  return {
    get: <P extends PathIn<T, 'get'>>(path: P, options?: CallOptions<T, P, 'get'>) =>
      call('get', path, options),
    post: <P extends PathIn<T, 'post'>>(path: P, options?: CallOptions<T, P, 'post'>) =>
      call('post', path, options),
    put: <P extends PathIn<T, 'put'>>(path: P, options?: CallOptions<T, P, 'put'>) =>
      call('put', path, options),
    patch: <P extends PathIn<T, 'patch'>>(path: P, options?: CallOptions<T, P, 'patch'>) =>
      call('patch', path, options),
    delete: <P extends PathIn<T, 'delete'>>(path: P, options?: CallOptions<T, P, 'delete'>) =>
      call('delete', path, options),
    /** Sets the callback for when the server has ended the session. */
    whenEnded(tell: () => void): void {
      onEnded = tell
    },
  }
}

function addressOf(path: string, params: unknown, query: unknown): string {
  const filled = Object.entries((params ?? {}) as Record<string, string>).reduce(
    (route, [name, value]) => route.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const asked = Object.entries(
    (query ?? {}) as Record<string, string | number | boolean | undefined>,
  ).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return `${filled}${asked.length > 0 ? `?${new URLSearchParams(asked).toString()}` : ''}`
}

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text || '{}') as Record<string, unknown>
  } catch {
    return {}
  }
}
