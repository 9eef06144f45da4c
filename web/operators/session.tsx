/** The operator's session: a cookie that scripts can't read, with the rights of the operator's role. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { QueryPlaceholder } from '../shared/desk/query-states.tsx'
import { DeskBoundary } from '../shared/desk/screens.tsx'
import { lazyScreen } from '../shared/lazy-screen.ts'
import { createSessionContext, forgetUserData, useSessionEnd } from '../shared/session.ts'
import { type Answer, api, type Right } from './api.ts'
import { sessionQuery } from './queries.ts'

interface Desk {
  operator: Answer<'/session'>['operator']
  idleMinutes: number
  can(right: Right): boolean
  signOut(): Promise<void>
}

const { SessionContext, useSession: useDesk } = createSessionContext<Desk>()
export { useDesk }

const SignIn = lazyScreen(() => import('./who/sign-in.tsx'), 'SignIn')

/**
 * Shows its children to an operator. Anyone else signs in first, at the same address, so that the wanted screen appears
 * afterwards, with the drafts that were typed there.
 */
export function SignedIn({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const session = useQuery(sessionQuery)
  useSessionEnd(api, () => client.setQueryData(sessionQuery.queryKey, null))
  useOwnDataOnly(session.data?.operator.id)
  const context = useMemo<Desk | undefined>(() => {
    if (!session.data) return undefined
    const { operator, rights, idle_minutes } = session.data
    return {
      operator,
      idleMinutes: idle_minutes,
      can: (right) => rights.includes(right),
      async signOut() {
        await api.delete('/session')
        // A full page load, not the router, so that no screen keeps data of this operator.
        location.assign('/desk')
      },
    }
  }, [session.data])
  if (session.data === undefined)
    return (
      <main id="content" className="mx-auto w-full max-w-240 p-6">
        <h1 className="sr-only">Desk</h1>
        <QueryPlaceholder query={session} />
      </main>
    )
  if (context === undefined)
    return (
      <DeskBoundary>
        <SignIn />
      </DeskBoundary>
    )
  return <SessionContext value={context}>{children}</SessionContext>
}

/** Drops what was loaded for another operator, when one takes over from another in the same tab. */
function useOwnDataOnly(operatorId: string | undefined): void {
  const client = useQueryClient()
  const last = useRef(operatorId)
  useEffect(() => {
    if (operatorId === undefined) return
    if (last.current !== undefined && last.current !== operatorId) forgetUserData(client)
    last.current = operatorId
  }, [client, operatorId])
}
