/**
 * Decides whether a request is admitted, in the order of the API contract: the rate limit of the client address,
 * authentication, then the caller's own rate limit. Browsers attach session cookies automatically (a worker's or the
 * console's), so state-changing requests with a cookie are accepted only from our own pages (CSRF protection).
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Authenticator } from '../agents/authenticate.ts'
import { readConsoleCookie } from '../agents/console-cookie.ts'
import type { ConsoleSessions } from '../agents/console-sessions.ts'
import {
  invalidApiKey,
  keyScope,
  liveModeOnly,
  personRequired,
  roleNotAllowed,
  testModeOnly,
} from '../agents/errors.ts'
import type { Config } from '../config.ts'
import { accessOf } from '../kit/access.ts'
import {
  type AgentCaller,
  type AnyEndpoint,
  type LimitName,
  needsOrigin,
  SCOPES,
  takesKey,
  takesToken,
  type TokenCaller,
  type WorkerCaller,
} from '../kit/endpoint.ts'
import { type ApiError, rateLimited, wrongOrigin } from '../kit/errors.ts'
import { personRights } from '../kit/person-roles.ts'
import type { Sessions } from '../workers/authenticate.ts'
import { invalidToken } from '../workers/errors.ts'
import { readSessionCookie } from '../workers/session-cookie.ts'
import { type Fault, refuseFault } from './clean-request.ts'
import { exceededPolicy, type Limiter, rateLimitHeaders, type Verdict } from './limiter.ts'
import { addressKey, type Check, type Policies } from './limits.ts'
import { isOwnOrigin } from './origin.ts'

export interface Gate {
  limiter: Limiter | undefined
  policies: Policies
  authenticator: Authenticator
  consoleSessions: ConsoleSessions
  sessions: Sessions
  config: Pick<Config, 'PUBLIC_URL'>
}

export interface Knock {
  ip: string
  headers: IncomingHttpHeaders
  now: Date
  /** Undefined if no route matches. */
  endpoint:
    | Pick<
        AnyEndpoint,
        'access' | 'auth' | 'isOfKeys' | 'limits' | 'method' | 'right' | 'scope' | 'setsCookie'
      >
    | undefined
  /** Limits of a route that is not an endpoint. */
  limits?: readonly LimitName[] | undefined
  /** Whether access tokens of OAuth clients are accepted, which are only for /mcp. */
  takesTokens?: boolean
  /** The fault found by the check before routing. If set, nothing else of the request is read. */
  fault?: Fault | undefined
}

export interface Admission {
  agent: AgentCaller | undefined
  worker?: WorkerCaller | undefined
  token?: TokenCaller | undefined
  headers: Record<string, string>
  refusal: ApiError | undefined
}

export async function admit(gate: Gate, knock: Knock): Promise<Admission> {
  if (knock.fault) return refuseUnread(gate, knock, refuseFault(knock.fault))
  if (knock.endpoint?.limits?.includes('notify')) return admitNotification(gate, knock)
  const { PUBLIC_URL: publicUrl } = gate.config
  if (mustBeOurs(knock) && !isOwnOrigin(knock.headers, { publicUrl }))
    return refuseUnread(gate, knock, wrongOrigin())
  return knock.endpoint && takesToken(knock.endpoint)
    ? admitWorker(gate, knock)
    : admitAgent(gate, knock)
}

/** A header is set deliberately, but a browser attaches a cookie to any request that another site triggers. */
function mustBeOurs({ endpoint, headers }: Knock): boolean {
  if (endpoint === undefined || !needsOrigin(endpoint)) return false
  if (endpoint.setsCookie === true) return true
  return takesKey(endpoint)
    ? presentedSession(headers) !== undefined
    : headers.authorization === undefined && readSessionCookie(headers.cookie) !== undefined
}

async function admitAgent(
  gate: Gate,
  { ip, headers, now, endpoint, limits = endpoint?.limits, takesTokens = false }: Knock,
): Promise<Admission> {
  const { limiter, policies } = gate
  const address = addressKey(ip)
  const ceiling: Check = { policy: policies.address, key: address }
  const verdicts: Verdict[] = []

  const session = endpoint && takesKey(endpoint) ? presentedSession(headers) : undefined
  const presented = session ?? presentedKey(headers)
  const knows = session === undefined ? gate.authenticator : gate.consoleSessions
  let agent = presented === undefined ? undefined : knows.recall(presented, now)
  if (presented !== undefined && agent === undefined) {
    // A credential that is not in this process's cache costs a lookup, so check the address limit first.
    if (limiter) verdicts.push(await limiter.take([ceiling]))
    if (verdicts.every(({ admitted }) => admitted)) agent = await knows.find(presented, now)
  }

  if (agent?.isToken && !takesTokens) agent = undefined
  const isStranger = endpoint?.auth === 'agent' && agent === undefined
  if (limiter && verdicts.every(({ admitted }) => admitted)) {
    const identity = identityOf(agent) ?? address
    const own: Check[] = [{ policy: policies.global, key: identity }]
    // An unauthenticated caller does not reach the endpoint, so the endpoint's own limits are not charged.
    for (const name of isStranger ? [] : (limits ?? []))
      own.push({ policy: policies[name], key: name === 'create' ? agent!.keyId : address })
    verdicts.push(await limiter.take(verdicts.length === 0 ? [ceiling, ...own] : own))
  }

  const refused = verdicts.find(({ admitted }) => !admitted)
  return {
    agent,
    headers: rateLimitHeaders(...verdicts),
    refusal: refused
      ? tooMany(refused)
      : isStranger
        ? invalidApiKey()
        : agent && endpoint && missingAccess(agent, endpoint),
  }
}

/** The console, each of its people and the agent's API clients have separate quotas: none can exhaust another's. */
const identityOf = (agent: AgentCaller | undefined): string | undefined =>
  agent?.session ? `console ${agent.person?.id ?? agent.id}` : agent?.id

/**
 * Returns an error if the endpoint's declaration excludes this key or this person. Webhooks and settings belong to the
 * whole agent, so a key that sees only its own tasks can't change them: it lacks a scope, and its `manage` covers keys
 * only.
 */
function missingAccess(
  { scopes, visibleKeyId, mode, person }: AgentCaller,
  endpoint: NonNullable<Knock['endpoint']>,
): ApiError | undefined {
  const access = accessOf(endpoint)
  const { scope, right } = access
  if (scope === undefined) return undefined
  if (access.person === 'required' && person === undefined) return personRequired()
  if (person !== undefined) {
    if (right !== undefined && right !== 'any' && !personRights(person.role, mode).includes(right))
      return roleNotAllowed({ role: person.role, required_right: right })
  } else if (scope !== 'any') {
    if (!scopes.includes(scope)) return keyScope({ required_scope: scope })
    if (scope === 'manage' && visibleKeyId !== null && !access.isOfKeys)
      return keyScope({ required_scope: SCOPES.find((name) => !scopes.includes(name)) ?? scope })
  }
  if (access.mode === undefined || access.mode === mode) return undefined
  return access.mode === 'test' ? testModeOnly() : liveModeOnly()
}

/**
 * A token identifies its worker without a lookup, so all limits are checked in one call before the session is looked
 * up.
 */
async function admitWorker(gate: Gate, { ip, headers, now, endpoint }: Knock): Promise<Admission> {
  const { limiter, policies, sessions } = gate
  const address = addressKey(ip)
  const presented = presentedToken(headers)
  const token = presented === undefined ? undefined : await sessions.read(presented, now)

  const checks: Check[] = [
    { policy: policies.address, key: address },
    { policy: policies.global, key: token?.workerId ?? address },
  ]
  for (const name of token === undefined ? [] : (endpoint?.limits ?? []))
    checks.push({ policy: policies[name], key: name === 'export' ? token!.workerId : address })
  const verdict = await limiter?.take(checks)
  const limits = verdict ? rateLimitHeaders(verdict) : {}
  if (verdict && !verdict.admitted)
    return { agent: undefined, headers: limits, refusal: tooMany(verdict) }

  if (endpoint?.auth === 'token or none')
    return { agent: undefined, token, headers: limits, refusal: undefined }
  const found = token === undefined ? undefined : await sessions.find(token, now)
  if (found !== undefined && 'id' in found)
    return { agent: undefined, worker: found, headers: limits, refusal: undefined }
  return { agent: undefined, headers: limits, refusal: invalidToken(found ?? {}) }
}

/** Counts the request for its address only: its credential was not read, or another site made the browser send it. */
async function refuseUnread(
  { limiter, policies }: Gate,
  { ip }: Knock,
  refusal: ApiError,
): Promise<Admission> {
  const key = addressKey(ip)
  const verdict = await limiter?.take([
    { policy: policies.address, key },
    { policy: policies.global, key },
  ])
  return {
    agent: undefined,
    headers: verdict ? rateLimitHeaders(verdict) : {},
    refusal: verdict && !verdict.admitted ? tooMany(verdict) : refusal,
  }
}

/** The payment processor has no API key: the endpoint verifies the signature. */
async function admitNotification({ limiter, policies }: Gate, { ip }: Knock): Promise<Admission> {
  const verdict = await limiter?.take([{ policy: policies.notify, key: addressKey(ip) }])
  return {
    agent: undefined,
    headers: verdict ? rateLimitHeaders(verdict) : {},
    refusal: verdict && !verdict.admitted ? tooMany(verdict) : undefined,
  }
}

export function tooMany(verdict: Verdict): ApiError {
  return rateLimited({
    limit: exceededPolicy(verdict)?.name ?? 'global',
    retry_after_seconds: verdict.retryAfterSeconds,
  })
}

/** The Authorization header if present, even if it is invalid; otherwise the cookie. */
function presentedToken(headers: IncomingHttpHeaders): string | undefined {
  return headers.authorization === undefined
    ? readSessionCookie(headers.cookie)
    : presentedBearer(headers)
}

function presentedBearer({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

/** The console's cookie, unless a credential header is present, even an invalid one. */
function presentedSession(headers: IncomingHttpHeaders): string | undefined {
  return headers.authorization === undefined && headers['x-api-key'] === undefined
    ? readConsoleCookie(headers.cookie)
    : undefined
}

/** Accepts both headers; Authorization is the recommended one. */
function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = presentedBearer(headers)
  const apiKey = headers['x-api-key']
  return bearer ?? (typeof apiKey === 'string' && apiKey !== '' ? apiKey : undefined)
}
