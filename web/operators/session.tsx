/** The operator's session: a cookie that scripts can't read, with the rights of the operator's role. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { QueryPlaceholder } from '../shared/desk/query-states.tsx'
import { DeskBoundary } from '../shared/desk/screens.tsx'
import { lazyScreen } from '../shared/lazy-screen.ts'
import { createSessionContext, forgetUserData, useSessionEnd } from '../shared/session.ts'
import { type Answer, api, type Right } from './api.ts'
import { sessionQuery } from './queries.ts'
import { useWanted } from './who/wanted.ts'

interface Desk {
  operator: Answer<'/session'>['operator']
  idleMinutes: number
  can(right: Right): boolean
  signOut(): Promise<void>
  /** Signs out because nothing was done for too long; the address and drafts are kept. */
  endIdle(): Promise<void>
}

const { SessionContext, useSession: useDesk } = createSessionContext<Desk>()
export { useDesk }

const SignIn = lazyScreen(() => import('./who/sign-in.tsx'), 'SignIn')
const SignInAgain = lazyScreen(() => import('./who/sign-in.tsx'), 'SignInAgain')

/** Tells the desk's other tabs that somebody signed out in this one. */
const otherTabs = new BroadcastChannel('legwork.desk')

/**
 * Shows its children to an operator. Anyone else signs in first, at the same address, so that the wanted screen appears
 * afterwards, with the drafts that were typed there.
 */
export function SignedIn({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const session = useQuery(sessionQuery)
  const hadSession = useRef(false)
  if (session.data) hadSession.current = true
  useSessionEnd(api, () => endHere(client))
  useOwnDataOnly(session.data?.operator.id)
  useNothingFromBefore()
  useWanted(session.data !== null && session.data !== undefined)
  const context = useMemo<Desk | undefined>(() => {
    if (!session.data) return undefined
    const { operator, rights, idle_minutes } = session.data
    return {
      operator,
      idleMinutes: idle_minutes,
      can: (right) => rights.includes(right),
      async signOut() {
        await api.delete('/session')
        otherTabs.postMessage('signed out')
        // A full page load, not the router, so that no screen keeps data of this operator.
        location.assign('/desk')
      },
      async endIdle() {
        await api.delete('/session').catch(() => undefined)
        endHere(client)
      },
    }
  }, [session.data, client])
  if (session.data === undefined)
    return (
      <main id="content" className="mx-auto w-full max-w-240 p-6">
        <h1 className="sr-only">Desk</h1>
        <QueryPlaceholder query={session} />
      </main>
    )
  if (context === undefined)
    return <DeskBoundary>{hadSession.current ? <SignInAgain /> : <SignIn />}</DeskBoundary>
  return <SessionContext value={context}>{children}</SessionContext>
}

/** The session has ended: whoever is at the screen next finds nothing of what was loaded. */
function endHere(client: QueryClient): void {
  client.setQueryData(sessionQuery.queryKey, null)
  forgetUserData(client)
  client.getMutationCache().clear()
}

/** Reloads a page that the browser kept for its Back button, and one whose operator signed out in another tab. */
function useNothingFromBefore(): void {
  useEffect(() => {
    const reload = () => location.reload()
    const reloadKept = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reload()
    }
    addEventListener('pageshow', reloadKept)
    otherTabs.addEventListener('message', reload)
    return () => {
      removeEventListener('pageshow', reloadKept)
      otherTabs.removeEventListener('message', reload)
    }
  }, [])
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
