/** The API as the app calls it: typed by openapi.json, with the session's cookie, and failures that can be told. */
import type { paths } from './api-types.ts'

export const BASE = '/api/v1'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
/** Of a table of addresses, as openapi.json gives one: the workers' here, the agents' in console/. */
type Operation<T, P extends keyof T, M extends Method> = M extends keyof T[P] ? T[P][M] : never
type PathsWith<T, M extends Method> = {
  [P in keyof T]: Operation<T, P, M> extends { responses: unknown } ? P : never
}[keyof T]

type BodyOf<O> = O extends { requestBody?: { content: { 'application/json': infer B } } }
  ? B
  : never
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? Q : never
type ParamsOf<O> = O extends { parameters: { path: infer P } } ? P : undefined
type AnswerOf<O> = O extends { responses: infer R }
  ? R[keyof R] extends { content: { 'application/json': infer A } }
    ? A
    : undefined
  : never

/** What an endpoint of a table answers. */
export type AnswerIn<T, P extends keyof T, M extends Method = 'get'> = AnswerOf<Operation<T, P, M>>

/** What an endpoint answers: `Answer<'/worker/feed', 'get'>`. */
export type Answer<P extends keyof paths, M extends Method = 'get'> = AnswerIn<paths, P, M>

/** What is said to an endpoint of a table. */
export type BodyIn<T, P extends keyof T, M extends Method> = BodyOf<Operation<T, P, M>>

interface Said<O> {
  params?: ParamsOf<O>
  query?: NonNullable<QueryOf<O>>
  body?: BodyOf<O>
  /** Of a POST: said again under the same key, it has no second effect. */
  key?: string
  signal?: AbortSignal
}

/** The server said no. `code` is stable; `message` is English, for when we have no words of our own. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string>
  readonly retryAfterSeconds: number | undefined
  readonly requestId: string | undefined
  /** Whatever else the answer has, as `required_level`. */
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

/** Nobody answered: no network, or not in time. Nothing is known of what happened there. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The server can not be reached', { cause })
    this.name = 'Unreachable'
  }
}

const TIMEOUT_MS = 30_000

/** `endedBy` is the code by which the server says that there is no session any more. */
export function openClient<T>({ endedBy }: { endedBy: string }) {
  let onEnded = () => {}

  async function call<P extends keyof T, M extends Method>(
    method: M,
    path: P,
    { params, query, body, key, signal }: Said<Operation<T, P, M>> = {},
  ): Promise<AnswerIn<T, P, M>> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    let response: Response
    let text: string
    try {
      response = await fetch(addressOf(path as string, params, query), {
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
    get: <P extends PathsWith<T, 'get'>>(path: P, said?: Said<Operation<T, P, 'get'>>) =>
      call('get', path, said),
    post: <P extends PathsWith<T, 'post'>>(path: P, said?: Said<Operation<T, P, 'post'>>) =>
      call('post', path, said),
    put: <P extends PathsWith<T, 'put'>>(path: P, said?: Said<Operation<T, P, 'put'>>) =>
      call('put', path, said),
    patch: <P extends PathsWith<T, 'patch'>>(path: P, said?: Said<Operation<T, P, 'patch'>>) =>
      call('patch', path, said),
    delete: <P extends PathsWith<T, 'delete'>>(path: P, said?: Said<Operation<T, P, 'delete'>>) =>
      call('delete', path, said),
    /** Told when the session has ended behind our back. */
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
  return `${BASE}${filled}${asked.length > 0 ? `?${new URLSearchParams(asked).toString()}` : ''}`
}

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text || '{}') as Record<string, unknown>
  } catch {
    return {}
  }
}

export const api = openClient<paths>({ endedBy: 'invalid_token' })
