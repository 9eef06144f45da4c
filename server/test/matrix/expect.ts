/** The outcome that an endpoint’s declaration promises a caller, computed from the declaration alone. */
import { accessOf } from '../../src/kit/access.ts'
import {
  type AnyEndpoint,
  type Mode,
  needsOrigin,
  type Scope,
  SCOPES,
  takesKey,
  takesToken,
} from '../../src/kit/endpoint.ts'

/** Facts about a caller that a declaration can refer to. */
export interface Caller {
  name: string
  /** What its credential is valid for where such a credential counts. `nobody`: missing, forged or expired. */
  is: 'nobody' | 'agent' | 'worker'
  /** The cookie it sends, and the page that sends it. */
  cookie?: { of: 'console' | 'session'; origin: 'own' | 'foreign' | 'none' }
  mode: Mode
  /** The object belongs to this agent or worker, in the same mode. */
  owns: boolean
  /** An open task has the caller's mode and, in test mode, belongs to its agent. */
  isOfSameSide?: boolean
  scopes?: readonly Scope[]
  /** Has no key, but logged in by email, with the role owner. server/test/roles.test.ts has the other roles. */
  isPerson?: boolean
  /** A limited key can only access itself and the keys it has made. */
  isLimited?: boolean
  isRestricted?: boolean
  isOverCap?: boolean
  /** The only type of task that the key may create. */
  type?: string
}

export interface Outcome {
  status: number
  /** Undefined where the call succeeds. */
  code: string | undefined
}

/** Gives an app the scope `read`, and a key can’t give what it lacks. */
const GIVES_READ = 'grantAccess'

const refused = (status: number, code: string): Outcome => ({ status, code })

export function expectedOf(endpoint: AnyEndpoint, caller: Caller): Outcome {
  const access = accessOf(endpoint)
  const served: Outcome = { status: endpoint.success.status, code: undefined }

  if (needsOrigin(endpoint) && caller.cookie?.origin !== 'own') {
    const counts =
      (caller.cookie?.of === 'console' && takesKey(endpoint)) ||
      (caller.cookie?.of === 'session' && takesToken(endpoint))
    if (counts || endpoint.setsCookie) return refused(403, 'wrong_origin')
  }
  const isKnown =
    caller.is === (takesKey(endpoint) ? 'agent' : takesToken(endpoint) ? 'worker' : '')
  if (!isKnown) {
    if (access.auth === 'agent') return refused(401, 'invalid_api_key')
    if (access.auth === 'worker') return refused(401, 'invalid_token')
    return served
  }

  if (access.person === 'required' && !caller.isPerson) return refused(403, 'person_required')

  const { scopes = SCOPES } = caller
  const seesAll = !scopes.includes('create') || scopes.length === SCOPES.length
  if (access.scope !== undefined && access.scope !== 'any') {
    if (!scopes.includes(access.scope)) return refused(403, 'key_scope')
    if (access.scope === 'manage' && !seesAll && !access.isOfKeys) return refused(403, 'key_scope')
  }
  if (access.mode !== undefined && access.mode !== caller.mode)
    return access.mode === 'test'
      ? refused(403, 'test_mode_only')
      : takesToken(endpoint)
        ? refused(409, 'test_worker')
        : refused(403, 'live_mode_only')

  const isReached =
    access.object === undefined ||
    access.object === 'public' ||
    (access.object === 'open' && caller.isOfSameSide) ||
    (access.object === 'own' &&
      caller.owns &&
      (access.isOfKeys ? !caller.isLimited : takesToken(endpoint) || seesAll))
  if (!isReached) return refused(404, endpoint.errors.find(({ status }) => status === 404)!.code)

  if (endpoint.name === GIVES_READ && !scopes.includes('read'))
    return refused(400, 'invalid_request')
  if (access.restricted === 'refused' && caller.isRestricted)
    return refused(403, 'agent_restricted')
  const isTyped = endpoint.errors.some(({ code }) => code === 'key_type')
  if (isTyped && caller.type !== undefined) return refused(403, 'key_type')
  if (access.cap === 'charged' && caller.isOverCap) return refused(402, 'key_cap')
  return served
}
