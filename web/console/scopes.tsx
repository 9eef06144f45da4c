import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Answer } from './api.ts'
import { meQuery } from './queries.ts'
import { useConsole } from './session.tsx'

type Scope = Answer<'/agents/me'>['key']['scopes'][number]

type Right = NonNullable<Answer<'/console/session'>['person']>['rights'][number]

/**
 * Whether the session’s key has this scope; true until it is known, since the server checks it anyway. A person needs
 * the right instead, which is named only for `manage`.
 */
export function useHasScope(
  scope: Scope,
  right: Right = scope === 'manage' ? 'integration' : scope,
): boolean {
  const { person } = useConsole()
  const scopes = useQuery(meQuery).data?.key.scopes
  return person === undefined ? (scopes?.includes(scope) ?? true) : person.rights.includes(right)
}

/** Shows its children to a key with this scope, else a hint; `isQuiet` leaves the hint out. */
export function RequiresScope({
  scope,
  right,
  isQuiet = false,
  children,
}: {
  scope: Scope
  right?: Right
  isQuiet?: boolean
  children: ReactNode
}) {
  const { person } = useConsole()
  if (useHasScope(scope, right)) return children
  if (isQuiet) return null
  if (person !== undefined)
    return <p className="text-sm text-muted">Your role doesn’t allow this. Ask an owner.</p>
  return (
    <p className="text-sm text-muted">
      Log in with a key that has the scope <code className="font-mono">{scope}</code>.
    </p>
  )
}
