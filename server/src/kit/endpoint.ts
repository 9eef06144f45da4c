import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db, Reader, Tx } from './db.ts'
import type { ErrorDefinition } from './errors.ts'

export type Mode = 'live' | 'test'

/** What a key may do: post tasks, judge them, look, and change the agent itself. */
export const SCOPES = ['create', 'review', 'read', 'manage'] as const
export type Scope = (typeof SCOPES)[number]

export interface AgentCaller {
  id: string
  mode: Mode
  keyId: string
  scopes: readonly Scope[]
  /** Types of tasks that the key may create; null: all. */
  types: readonly string[] | null
  /** The key sees the tasks made by this key and those below it; null: all of the agent's. */
  sees: string | null
  /** The session of the console that stands for the key; undefined when the key itself was sent. */
  session?: { tokenHash: string; expiresAt: Date } | undefined
}

export interface WorkerCaller {
  id: string
  mode: Mode
  /** In test mode the agent whose tasks it does, and no other's; null for people. */
  agentId: string | null
}

/** What a worker's token says by itself: whether its session still stands has to be looked up. */
export interface TokenCaller {
  workerId: string
  version: number
  expiresAt: Date
}

/** What a handler learns of its caller, by the `auth` that its endpoint declares. */
export interface Callers {
  none: unknown
  agent: { agent: AgentCaller }
  /** A key is looked at when one is sent, and not missed when none is. */
  'agent?': { agent: AgentCaller | undefined }
  worker: { worker: WorkerCaller }
  /** A worker's token is read when one is sent, and not missed when none is. */
  'token or none': { token: TokenCaller | undefined }
}

/** The claim that a request's Idempotency-Key makes: one effect, and one answer to it. */
export interface Claim {
  principal: string
  keyHash: string
  fingerprint: string
}

/** An answer whose body is already text, so that it can be stored and repeated to the byte. */
export interface Answer {
  status: number
  body: string
  headers?: Record<string, string>
  isReplay: boolean
}

/** An answer of bytes, with their content type among the headers. */
export interface StreamedAnswer {
  status: number
  body: Readable
  headers: Record<string, string>
  isReplay: false
}

export type LimitName =
  | 'create'
  | 'register'
  | 'register_worker'
  | 'register_test_agent'
  | 'login'
  | 'login_console'
  | 'login_play'
  | 'recover'
  | 'notify'

/**
 * Who may do what, beyond `auth` and `scope`. `accessOf` in `access.ts` fills in the defaults; the matrix of
 * `server/test/matrix` holds every operation to it.
 */
export interface Access {
  /**
   * Where `auth` is `none`: what the caller must show instead of a credential. `anyone` may call with nothing.
   */
  by?:
    | 'anyone'
    | 'mailed link'
    | 'mailed link once'
    | 'signed link'
    | 'password'
    | 'key in the body'
    | 'token in the body'
    | 'signature'
  /**
   * The object that the path or the body names. `own`: it belongs to the caller; anyone else gets the 404 of an
   * unknown id. `open`: a task that every worker of its mode may see. `public`: anyone may see it.
   */
  object?: 'own' | 'open' | 'public'
  /** Callers of the other mode are refused. Default: both modes, each with its own objects. */
  mode?: 'test' | 'live'
  /** Whether a restricted agent is refused. Default: `served`, because it may read, judge and pay its debt. */
  restricted?: 'refused' | 'served'
  /** Whether the call counts against the caps of the key. Default: `free`. */
  cap?: 'charged' | 'free'
}

/** The parts of a declaration that the compiler requires, by the kind of the endpoint. */
export type Declared<A, P> = (A extends 'agent' | 'agent?' ? { scope: Scope | 'any' } : unknown) &
  (A extends 'none' ? { access: { by: NonNullable<Access['by']> } } : unknown) &
  (P extends z.ZodObject ? { access: { object: NonNullable<Access['object']> } } : unknown)

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Output<S> = S extends z.ZodType ? z.output<S> : undefined

/** What every handler is given besides its own input. */
export interface Given {
  now: Date
  config: Config
  requestId: string
  /** The caller's address as it is counted for limits; undefined for those that tell nobody apart. */
  address(): string | undefined
}

/**
 * A route, declared as data: from it come the route, the validation, the types, the documentation and the limits.
 * The module that owns it knows nothing of the web framework that serves it.
 */
export interface Endpoint<
  M extends Method = Method,
  A extends keyof Callers = keyof Callers,
  P extends z.ZodObject | undefined = z.ZodObject | undefined,
  Q extends z.ZodObject | undefined = z.ZodObject | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  S extends z.ZodType = z.ZodType,
> {
  method: M
  /** The whole path after /api/v1, as one literal. */
  path: string
  /**
   * The operation's name in generated clients, such as `cancelTask`. Its body is `CancelTaskInput` and its response
   * `CancelTaskResponse`, unless they are `named` themselves. Endpoints that the document leaves out need no name.
   */
  name?: string
  auth: A
  /** What a key must be allowed, where one counts; `any`: every key may. */
  scope?: Scope | 'any'
  /** Of `manage`: it changes the key that asks and those below it, and nothing else of the agent's. */
  isOfKeys?: boolean
  /** The compiler and the server refuse an endpoint that leaves out a part it must declare. */
  access?: Access
  summary: string
  /** Limits beyond the global one; `notify` stands instead of all others. */
  limits?: readonly LimitName[]
  params?: P
  query?: Q
  body?: B
  /** Instead of JSON: takes bytes of this content type, which only an `answer` can read, as `bytes`. */
  raw?: string
  /** The largest body, in bytes, where the default for its `auth` does not fit; see `bodyLimitOf`. */
  bodyMaxBytes?: number
  /**
   * Checks what can be refused without the body, such as whether the object exists for this caller. It runs before
   * more than 64 kB of a body are read; the operation checks the same again.
   */
  beforeBody?(request: { params: Output<P>; now: Date; db: Reader } & Callers[A]): Promise<void>
  success: { status: 200 | 201 | 202 | 204; body: S }
  errors: readonly ErrorDefinition[]
  /** Works on test data whoever calls it: it uses the database connections of test mode. */
  isTestMode?: boolean
  /** Neither agents nor workers call it: it is no part of the API's documentation. */
  isInternal?: boolean
  /** The answer holds a secret: kept for replay only under seal. */
  isSecret?: boolean
  /** Sets or clears the cookie of a session: only for pages of our own, as their Origin says. */
  setsCookie?: boolean
  /** What else is on the page of this endpoint in the API's documentation. */
  description?: string
  /**
   * What must be asked of the world, as whether an address may be called: before the transaction, which never waits
   * for it. What it finds is answered with 400, like a field that does not fit its schema.
   */
  check?(request: Input<P, Q, B> & Given): Promise<WrongField[]>
  /** A GET reads; every other method runs inside one transaction with its idempotency claim, and may warn. */
  handler?(
    request: Input<P, Q, B> &
      Given &
      Callers[A] &
      (M extends 'GET' ? { db: Reader } : { tx: Tx; warn: Warn }),
  ): Promise<z.input<S>>
  /** Instead of `handler`: keeps its own transactions and claims, and renders its own answer. */
  answer?(
    request: Input<P, Q, B> &
      Given &
      Callers[A] & {
        db: Db
        claim: Claim | undefined
        /** Warnings about the body; the operation passes them to its response, with its own. */
        warnings: Warning[]
        headers: IncomingHttpHeaders
        /** The body as it comes in, where the endpoint is `raw`. */
        bytes: Readable
        /** What was answered before to this request, if its Idempotency-Key is known. */
        recall(): Promise<Answer | undefined>
        /** One transaction with the request's claim: what `effect` answers or refuses is kept under its key. */
        once(effect: (tx: Tx) => Promise<Answer>): Promise<Answer>
        /** Aborted when the caller has gone or the process stops. */
        disconnectSignal(): AbortSignal
      },
  ): Promise<Answer | StreamedAnswer>
}

/** Reads as a sentence: `webhook_url must be an https address`. */
export interface WrongField {
  path: string
  message: string
}

/** Every code that a warning can have: a request took effect, though not exactly as it was written. */
export const WARNING_CODES = [
  'unknown_field',
  'more_warnings',
  'zero_ignored',
  'number_not_normalized',
  'deadline_clamped',
  'time_zone_assumed',
  'result_misfit',
  'no_eligible_workers',
] as const

/** Names the field by its path. Every code but `unknown_field` has a message for people. */
export interface Warning {
  code: (typeof WARNING_CODES)[number]
  path: string
  message?: string
  /** For `no_eligible_workers`: how many there are, rounded down to a multiple of five. */
  eligible_workers?: number
}

/** Adds a warning to the response. */
export type Warn = (warning: Warning) => void

/** The response of an operation as text, with its warnings. */
export function answerWith(status: number, result: object, warnings: Warning[]): Answer {
  const shown = warnings.length > 0 ? { ...result, warnings } : result
  return { status, body: JSON.stringify(shown), isReplay: false }
}

interface Input<P, Q, B> {
  params: Output<P>
  query: Output<Q>
  body: Output<B>
}

/** Infers the handler's argument and result from the schemas beside it. */
export function endpoint<
  M extends Method,
  A extends keyof Callers,
  S extends z.ZodType,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(declaration: Endpoint<M, A, P, Q, B, S> & Declared<A, P>): Endpoint<M, A, P, Q, B, S> {
  return declaration
}

// An endpoint of any kind: its own types were checked where it was declared.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEndpoint = Endpoint<any, any, any, any, any, any>

/** The largest body of an endpoint that anyone can call, without a key or token. */
export const OPEN_BODY_MAX_BYTES = 16_384
/** The largest body of an endpoint that needs a key or token. */
export const ORDINARY_BODY_MAX_BYTES = 65_536

/** The largest body that an endpoint reads, in bytes. A new endpoint gets the small default, never the large one. */
export const bodyLimitOf = ({
  auth,
  bodyMaxBytes,
}: Pick<AnyEndpoint, 'auth' | 'bodyMaxBytes'>): number =>
  bodyMaxBytes ??
  (auth === 'agent' || auth === 'worker' ? ORDINARY_BODY_MAX_BYTES : OPEN_BODY_MAX_BYTES)

/** Whether a worker's token counts here, from the header or a browser's cookie. */
export const takesToken = ({ auth }: Pick<AnyEndpoint, 'auth'>): boolean =>
  auth === 'worker' || auth === 'token or none'

/** Whether an agent's key counts here, from a header or as the session that a browser's cookie stands for. */
export const takesKey = ({ auth }: Pick<AnyEndpoint, 'auth'>): boolean =>
  auth === 'agent' || auth === 'agent?'

/** Whether a browser's cookie can be set or change something here: then the page that sends it has to be ours. */
export const needsOrigin = (
  endpoint: Pick<AnyEndpoint, 'auth' | 'method' | 'setsCookie'>,
): boolean =>
  endpoint.setsCookie === true ||
  ((takesToken(endpoint) || takesKey(endpoint)) &&
    endpoint.method !== 'GET' &&
    endpoint.method !== 'HEAD')
