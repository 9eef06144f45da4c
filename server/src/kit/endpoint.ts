import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db, Reader, Shards, Tx } from './db.ts'
import type { ErrorDefinition } from './errors.ts'
import type { PersonRight, PersonRole } from './person-roles.ts'
import type { Switches } from './switches.ts'

export type Mode = 'live' | 'test'

/** Permissions of an API key: create tasks, review them, read, and manage the agent itself. */
export const SCOPES = ['create', 'review', 'read', 'manage'] as const
export type Scope = (typeof SCOPES)[number]

export interface AgentCaller {
  id: string
  mode: Mode
  /** The key, or the person of a session that was begun by email. */
  keyId: string
  scopes: readonly Scope[]
  /** Task types that the key may create; null means all. */
  types: readonly string[] | null
  /** The key sees only tasks created by this key and keys below it; null means all of the agent's. */
  visibleKeyId: string | null
  /** The credential is an access token of an OAuth client, which is accepted at /mcp alone. */
  isToken: boolean
  /** The console session used in place of the key; undefined if the key itself was sent. */
  session?: { tokenHash: string; expiresAt: Date } | undefined
  /** The person who is logged in; absent if the session belongs to a key. */
  person?: PersonCaller | undefined
}

export interface PersonCaller {
  id: string
  /** The live agent, whose people they are in both modes. */
  agentId: string
  email: string
  name: string
  role: PersonRole
}

export interface WorkerCaller {
  id: string
  mode: Mode
  /** In test mode, the only agent whose tasks this worker can do; null for real workers. */
  agentId: string | null
  /** The session of this token; undefined in test mode, and for tokens of an earlier release. */
  sessionId?: string | undefined
}

/** The content of a worker's token. Whether its session is still valid needs a lookup. */
export interface TokenCaller {
  workerId: string
  version: number
  sessionId?: string | undefined
  expiresAt: Date
}

/** What a handler knows about its caller, by the `auth` of its endpoint. */
export interface Callers {
  none: unknown
  agent: { agent: AgentCaller }
  /** A key is optional, and is checked if sent. */
  'agent?': { agent: AgentCaller | undefined }
  worker: { worker: WorkerCaller }
  /** A worker's token is optional, and is read if sent. */
  'token or none': { token: TokenCaller | undefined }
}

/** The claim of a request's Idempotency-Key: one effect, and one response. */
export interface Claim {
  principal: string
  keyHash: string
  fingerprint: string
}

/** A response whose body is already text, so that it can be stored and replayed byte for byte. */
export interface Answer {
  status: number
  body: string
  headers?: Record<string, string>
  isReplay: boolean
}

/** A binary response, with its content type among the headers. */
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
  | 'register_client'
  | 'login'
  | 'login_console'
  | 'login_play'
  | 'recover'
  | 'log_in_link'
  | 'no_contact'
  | 'export'
  | 'notify'

/**
 * Access rules beyond `auth` and `scope`. `accessOf` in `access.ts` fills in the defaults; the matrix in
 * `server/test/matrix` checks every operation against them.
 */
export interface Access {
  /** If `auth` is `none`: what the caller must present instead of a credential. `anyone` needs nothing. */
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
   * The object named by the path or the body. `own`: it belongs to the caller; anyone else gets the 404 of an unknown
   * id. `open`: a task that every worker of its mode may see. `public`: anyone may see it.
   */
  object?: 'own' | 'open' | 'public'
  /** Callers of the other mode are refused. Default: both modes, each with its own objects. */
  mode?: 'test' | 'live'
  /** Whether a restricted agent is refused. Default: `served`, because it may read, review and pay its debt. */
  restricted?: 'refused' | 'served'
  /** Whether the call counts toward the key's caps. Default: `free`. */
  cap?: 'charged' | 'free'
  /** Whether only people may call it, who logged in by email. Default: `optional`, keys may as well. */
  person?: 'required' | 'optional'
}

/** The fields that the compiler requires, by kind of endpoint. */
export type Declared<A, P> = (A extends 'agent' | 'agent?' ? { scope: Scope | 'any' } : unknown) &
  (A extends 'none' ? { access: { by: NonNullable<Access['by']> } } : unknown) &
  (P extends z.ZodObject ? { access: { object: NonNullable<Access['object']> } } : unknown)

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Output<S> = S extends z.ZodType ? z.output<S> : undefined

/** What every handler gets besides its own input. */
export interface Given {
  now: Date
  shards: Shards
  config: Config
  switches: Switches
  requestId: string
  /** The caller's address as rate limits count it; undefined for private addresses, which identify nobody. */
  address(): string | undefined
}

/**
 * A route, declared as data. The route, validation, types, documentation and limits are derived from it. The module
 * that declares it does not depend on the web framework.
 */
export interface Endpoint<
  M extends Method = Method,
  A extends keyof Callers = keyof Callers,
  P extends z.ZodObject | undefined = z.ZodObject | undefined,
  Q extends z.ZodObject | undefined = z.ZodObject | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  S extends z.ZodType = z.ZodType,
  T extends 'own' | undefined = 'own' | undefined,
> {
  method: M
  /** The full path after /api/v1, as one literal. */
  path: string
  /**
   * The operation's name in generated clients, such as `cancelTask`. Its body is `CancelTaskInput` and its response
   * `CancelTaskResponse`, unless they are `named` themselves. Endpoints outside the OpenAPI document need no name.
   */
  name?: string
  auth: A
  /** The scope that a key needs; `any` accepts every key. */
  scope?: Scope | 'any'
  /**
   * The right that a person needs, see `person-roles.ts`. By default that of the scope's name; for `manage` it is
   * `people`, which only owners have.
   */
  right?: PersonRight | 'any'
  /** For `manage`: affects only the calling key and keys below it, nothing else of the agent's. */
  isOfKeys?: boolean
  /** The compiler and the server reject an endpoint without its required fields. */
  access?: Access
  summary: string
  /** Limits beyond the global one; `notify` replaces all others. */
  limits?: readonly LimitName[]
  params?: P
  query?: Q
  body?: B
  /** Accepts bytes of this content type instead of JSON. Only a handler with its `own` transaction can read them. */
  raw?: string
  /** Maximum body size in bytes, if the default for its `auth` does not fit; see `bodyLimitOf`. */
  bodyMaxBytes?: number
  /**
   * Checks that don't need the body, such as whether the object exists for this caller. Runs before more than 64 kB of
   * a body are read; the operation repeats these checks.
   */
  beforeBody?(request: { params: Output<P>; now: Date; db: Reader } & Callers[A]): Promise<void>
  success: { status: 200 | 201 | 202 | 204; body: S }
  errors: readonly ErrorDefinition[]
  /**
   * The schema of `db` and `tx`: that of the caller's shard by default, of the shard of the object `:id`, or the global
   * one. Without a caller it is by default the shard of the emailed link whose `token` the request has, otherwise the
   * global one.
   * A handler reaches the others through `shards`.
   */
  at?: 'caller' | 'object' | 'global'
  /** Always works on test data, so it uses test mode's database connections. */
  isTestMode?: boolean
  /**
   * Whether the call is refused in read-only mode. By default everything but GET and HEAD is, because it may change
   * something.
   */
  readOnlyMode?: 'served' | 'refused'
  /** Not called by agents or workers, so it is not in the API documentation. */
  isInternal?: boolean
  /** The response contains a secret, so it is stored for replay only in encrypted form. */
  isSecret?: boolean
  /** Sets or clears a session cookie, so the Origin must be one of our pages. */
  setsCookie?: boolean
  /** Additional text for this endpoint's page in the API documentation. */
  description?: string
  /**
   * Checks that need the outside world, such as whether a URL may be called. Runs before the transaction, which must
   * never wait for it. Problems result in a 400, like fields that don't match the schema.
   */
  check?(request: Input<P, Q, B> & Given): Promise<WrongField[]>
  /**
   * Usually absent: a GET then reads, and every other method runs in one transaction with its idempotency claim. With
   * `own`, the handler manages its own transactions and claims, and renders its own response.
   */
  transaction?: T
  handler(
    request: Input<P, Q, B> &
      Given &
      Callers[A] &
      (T extends 'own'
        ? OwnTransaction
        : M extends 'GET'
          ? { db: Reader }
          : { tx: Tx; runAt: RunAt; warn: Warn }),
  ): Promise<T extends 'own' ? Answer | StreamedAnswer : z.input<S>>
}

/**
 * Runs `work` in another schema: in the handler's transaction if it is there, otherwise in one of its own, which
 * commits before the handler's. So whatever makes the effect visible belongs into the handler's transaction.
 */
export type RunAt = <T>(target: Db, work: (tx: Tx) => Promise<T>) => Promise<T>

/** Additional arguments of a handler that manages its own transactions. */
interface OwnTransaction {
  db: Db
  claim: Claim | undefined
  /** Warnings about the body; the operation adds them to its response, with its own. */
  warnings: Warning[]
  headers: IncomingHttpHeaders
  /** The incoming body stream, if the endpoint is `raw`. */
  bytes: Readable
  /** The stored response to this request, if its Idempotency-Key is known. */
  recall(): Promise<Answer | undefined>
  /** Runs one transaction with the request's claim; the response or error of `effect` is stored under its key. */
  once(effect: (tx: Tx, runAt: RunAt) => Promise<Answer>): Promise<Answer>
  /** Aborted when the caller disconnects or the process stops. */
  disconnectSignal(): AbortSignal
}

/** Reads as a sentence: `webhook_url must be an https URL`. */
export interface WrongField {
  path: string
  message: string
}

/** All warning codes. A warning means that the request took effect, but not exactly as written. */
export const WARNING_CODES = [
  'unknown_field',
  'more_warnings',
  'zero_ignored',
  'number_not_normalized',
  'call_hours',
  'deadline_clamped',
  'time_zone_assumed',
  'result_misfit',
  'no_eligible_workers',
  'screening',
] as const

/** `path` names the field. Every code but `unknown_field` has a message for people. */
export interface Warning {
  code: (typeof WARNING_CODES)[number]
  path: string
  message?: string
  /** For `no_eligible_workers`: their number, rounded down to a multiple of five. */
  eligible_workers?: number
}

/** Adds a warning to the response. */
export type Warn = (warning: Warning) => void

/** Renders an operation's response as text, with its warnings. */
export function answerWith(status: number, result: object, warnings: Warning[]): Answer {
  const shown = warnings.length > 0 ? { ...result, warnings } : result
  return { status, body: JSON.stringify(shown), isReplay: false }
}

interface Input<P, Q, B> {
  params: Output<P>
  query: Output<Q>
  body: Output<B>
}

/** Infers the handler's argument and result types from the schemas. */
export function endpoint<
  M extends Method,
  A extends keyof Callers,
  S extends z.ZodType,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  T extends 'own' | undefined = undefined,
>(declaration: Endpoint<M, A, P, Q, B, S, T> & Declared<A, P>): Endpoint<M, A, P, Q, B, S, T> {
  return declaration
}

// An endpoint of any kind: its own types were checked where it was declared.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEndpoint = Endpoint<any, any, any, any, any, any, any>

/** Default maximum body size of endpoints that don't require a key or token. */
export const OPEN_BODY_MAX_BYTES = 16_384
/** Default maximum body size of endpoints that require a key or token. */
export const ORDINARY_BODY_MAX_BYTES = 65_536

/** The maximum body size of an endpoint, in bytes. A new endpoint gets the small default, never the large one. */
export const bodyLimitOf = ({
  auth,
  bodyMaxBytes,
}: Pick<AnyEndpoint, 'auth' | 'bodyMaxBytes'>): number =>
  bodyMaxBytes ??
  (auth === 'agent' || auth === 'worker' ? ORDINARY_BODY_MAX_BYTES : OPEN_BODY_MAX_BYTES)

/** Whether a worker's token is accepted, from the header or a browser's cookie. */
export const takesToken = ({ auth }: Pick<AnyEndpoint, 'auth'>): boolean =>
  auth === 'worker' || auth === 'token or none'

/** Whether an agent's key is accepted, from a header or through the console session of a browser's cookie. */
export const takesKey = ({ auth }: Pick<AnyEndpoint, 'auth'>): boolean =>
  auth === 'agent' || auth === 'agent?'

/** Whether a cookie can be set or can change state here; then the request must come from one of our pages. */
export const needsOrigin = (
  endpoint: Pick<AnyEndpoint, 'auth' | 'method' | 'setsCookie'>,
): boolean =>
  endpoint.setsCookie === true ||
  ((takesToken(endpoint) || takesKey(endpoint)) &&
    endpoint.method !== 'GET' &&
    endpoint.method !== 'HEAD')

/** Whether read-only mode refuses the call. */
export const isRefusedReadOnly = ({
  method,
  readOnlyMode,
}: Pick<AnyEndpoint, 'method' | 'readOnlyMode'>): boolean =>
  (readOnlyMode ?? (method === 'GET' || method === 'HEAD' ? 'served' : 'refused')) === 'refused'
