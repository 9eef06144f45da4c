/** An operation of the operators' desk, declared as data like an endpoint. `http/desk-server.ts` serves it. */
import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { ErrorDefinition } from './errors.ts'
import type { Background } from './job.ts'
import type { Right, Role } from './rights.ts'

/** The operator of a session. */
export interface OperatorCaller {
  id: string
  name: string
  email: string
  role: Role
  /** The hash of the session's token. */
  sessionHash: string
}

/**
 * Who may call an operation. `session`: every operator, about the own account only. `anyone`: nobody is signed in yet;
 * the operation itself checks a passkey, a link or the answer of an OpenID provider.
 */
export type DeskRight = Right | 'session' | 'anyone'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Output<S> = S extends z.ZodType ? z.output<S> : undefined

export interface DeskGiven {
  background: Background
  now: Date
  requestId: string
  headers: IncomingHttpHeaders
  /** The browser, in words. */
  device: string
  setCookie(cookie: string): void
  /** Makes the browser go elsewhere instead of showing the response. */
  redirect(url: string): void
  /** Sends a file of lines instead of the response, as they are read. */
  sendLines(fileName: string, lines: AsyncIterable<string>): void
}

export interface DeskOperation<
  M extends Method = Method,
  R extends DeskRight = DeskRight,
  P extends z.ZodObject | undefined = z.ZodObject | undefined,
  Q extends z.ZodObject | undefined = z.ZodObject | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  S extends z.ZodType = z.ZodType,
> {
  method: M
  /** The path after /desk/api, as one literal. */
  path: string
  /** Its name in the desk's client, such as `listQueues`. */
  name: string
  right: R
  summary: string
  params?: P
  query?: Q
  body?: B
  success: { status: 200 | 201 | 204; body: S }
  errors: readonly ErrorDefinition[]
  handler(
    request: DeskGiven & {
      params: Output<P>
      query: Output<Q>
      body: Output<B>
      operator: R extends 'anyone' ? undefined : OperatorCaller
    },
  ): Promise<z.input<S>>
}

/** Infers the handler's argument and result from the schemas. */
export function deskOperation<
  M extends Method,
  R extends DeskRight,
  S extends z.ZodType,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(declaration: DeskOperation<M, R, P, Q, B, S>): DeskOperation<M, R, P, Q, B, S> {
  return declaration
}

// An operation of any kind: its own types were checked where it was declared.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyDeskOperation = DeskOperation<any, any, any, any, any, any>
