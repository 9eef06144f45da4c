import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Answer } from './api.ts'
import { meQuery } from './queries.ts'

type Scope = Answer<'/agents/me'>['key']['scopes'][number]

/** Whether the key of this session may do this. Before that is known it may: the server has the last word. */
export function useMay(scope: Scope): boolean {
  return useQuery(meQuery).data?.key.scopes.includes(scope) ?? true
}

/** What only a key with this scope is offered. `isQuiet`: without a word in its place, where others stand around it. */
export function Needs({
  scope,
  isQuiet = false,
  children,
}: {
  scope: Scope
  isQuiet?: boolean
  children: ReactNode
}) {
  if (useMay(scope)) return children
  if (isQuiet) return null
  return (
    <p className="text-sm text-muted">
      This needs a key with the scope <code className="font-mono">{scope}</code>.
    </p>
  )
}
