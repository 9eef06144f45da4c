import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Answer } from './api.ts'
import { meQuery } from './queries.ts'

type Scope = Answer<'/agents/me'>['key']['scopes'][number]

/** Whether the session’s key has this scope; true until it is known, since the server checks it anyway. */
export function useHasScope(scope: Scope): boolean {
  return useQuery(meQuery).data?.key.scopes.includes(scope) ?? true
}

/** Shows its children to a key with this scope, else a hint; `isQuiet` leaves the hint out. */
export function RequiresScope({
  scope,
  isQuiet = false,
  children,
}: {
  scope: Scope
  isQuiet?: boolean
  children: ReactNode
}) {
  if (useHasScope(scope)) return children
  if (isQuiet) return null
  return (
    <p className="text-sm text-muted">
      Log in with a key that has the scope <code className="font-mono">{scope}</code>.
    </p>
  )
}
