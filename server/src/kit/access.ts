/**
 * Who may call an endpoint, derived from its declaration alone. The server enforces it, and the matrix in
 * `server/test/matrix` computes from it what every kind of caller must get.
 */
import { type Access, type AnyEndpoint, type Callers, type Scope, takesKey } from './endpoint.ts'
import type { PersonRight } from './person-roles.ts'

export interface FullAccess extends Required<Omit<Access, 'by' | 'object' | 'mode'>> {
  auth: keyof Callers
  /** Undefined if the endpoint accepts no key. */
  scope: Scope | 'any' | undefined
  /** Undefined if the endpoint accepts no person. */
  right: PersonRight | 'any' | undefined
  isOfKeys: boolean
  by: Access['by']
  object: Access['object']
  mode: Access['mode']
}

type Declaration = Pick<AnyEndpoint, 'auth' | 'scope' | 'right' | 'isOfKeys' | 'access'>

/** The declaration with defaults. A missing scope becomes `manage`, which limited keys rarely have. */
export function accessOf({
  auth,
  scope = 'manage',
  right = scope === 'manage' ? 'people' : scope,
  isOfKeys = false,
  access = {},
}: Declaration): FullAccess {
  const { by, object, mode, restricted = 'served', cap = 'free', person = 'optional' } = access
  return {
    auth: auth as keyof Callers,
    scope: takesKey({ auth }) ? scope : undefined,
    right: takesKey({ auth }) ? right : undefined,
    isOfKeys,
    by,
    object,
    mode,
    restricted,
    cap,
    person,
  }
}

/** Errors that follow from a declaration: an endpoint must list one if and only if it declares its cause. */
const REFUSALS: Record<string, (access: FullAccess) => boolean> = {
  agent_restricted: ({ restricted }) => restricted === 'refused',
  key_cap: ({ cap }) => cap === 'charged',
  person_required: ({ person }) => person === 'required',
  test_mode_only: ({ mode }) => mode === 'test',
  test_worker: ({ auth, mode }) => mode === 'live' && auth === 'worker',
  live_mode_only: ({ auth, mode }) => mode === 'live' && auth === 'agent',
  invalid_mail_link: ({ by }) => by?.startsWith('mailed link') === true,
  invalid_link: ({ by }) => by === 'signed link',
  invalid_password: ({ by }) => by === 'password',
  unknown_api_key: ({ by }) => by === 'key in the body',
  notification_refused: ({ by }) => by === 'signature',
}

/** Lists missing fields of an endpoint's declaration, and contradictions to its errors. Any of them fails startup. */
export function missingDeclarations(endpoint: AnyEndpoint): string[] {
  const { method, path, auth, scope, errors } = endpoint
  const access = accessOf(endpoint)
  const name = `${method} ${path}`
  const missing: string[] = []
  if (takesKey(endpoint) && scope === undefined) missing.push(`${name} declares no scope`)
  if (auth === 'none' && access.by === undefined) missing.push(`${name} declares no access.by`)
  if (auth !== 'none' && access.by !== undefined)
    missing.push(`${name} has both auth and access.by`)
  if (String(path).includes(':') && access.object === undefined)
    missing.push(`${name} names an object but does not declare access.object`)
  if (access.object === 'own' && errors.every(({ status }) => status !== 404))
    missing.push(
      `${name} returns an object that belongs to its caller but does not list 404 for other ` +
        'callers',
    )
  for (const [code, isRefused] of Object.entries(REFUSALS)) {
    const isListed = errors.some((error) => error.code === code)
    if (isRefused(access) && !isListed) missing.push(`${name} does not list ${code}`)
    if (!isRefused(access) && isListed)
      missing.push(`${name} lists ${code} but does not declare the access rule for it`)
  }
  return missing
}
