/**
 * The rights of an agent's people in its console. A right is finer than the scope of a key: `manage` is split, so
 * that those who deposit money don't change webhooks, and proofs are apart from the rest of `read`. Every endpoint that
 * accepts a key needs one right; `accessOf` derives it from the scope if the endpoint does not name it.
 */
export const PERSON_ROLES = ['owner', 'developer', 'reviewer', 'finance'] as const
export type PersonRole = (typeof PERSON_ROLES)[number]

export const PERSON_RIGHTS = [
  'create',
  'review',
  'read',
  'proofs',
  'wallet',
  'deposit',
  'integration',
  'support',
  'people',
] as const
export type PersonRight = (typeof PERSON_RIGHTS)[number]

const RIGHTS_OF_ROLES: Record<PersonRole, readonly PersonRight[]> = {
  owner: PERSON_RIGHTS,
  developer: ['create', 'read', 'proofs', 'wallet', 'integration', 'support'],
  reviewer: ['review', 'read', 'proofs', 'support'],
  finance: ['read', 'wallet', 'deposit', 'support'],
}

/** In test mode a developer does everything but change the people: no money and no worker is real. */
const DEVELOPER_IN_TEST_MODE = PERSON_RIGHTS.filter((right) => right !== 'people')

export const personRights = (role: PersonRole, mode: 'live' | 'test'): readonly PersonRight[] =>
  role === 'developer' && mode === 'test' ? DEVELOPER_IN_TEST_MODE : RIGHTS_OF_ROLES[role]

type KeyScope = 'create' | 'review' | 'read' | 'manage'

/** The scopes that keys made by such a person can have: those that allow no more than the role. */
export function personScopes(role: PersonRole, mode: 'live' | 'test'): KeyScope[] {
  const rights = personRights(role, mode)
  const may = (...needed: PersonRight[]) => needed.every((right) => rights.includes(right))
  const scopes: KeyScope[] = []
  if (may('create')) scopes.push('create')
  if (may('review')) scopes.push('review')
  if (may('read')) scopes.push('read')
  if (may('integration', 'deposit', 'support')) scopes.push('manage')
  return scopes
}
