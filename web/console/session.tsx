/**
 * The console's session: a cookie that scripts can't read, with the permissions of the API key that started it, or of
 * the person's role.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { createSessionContext, useSessionEnd } from '../shared/session.ts'
import { type Answer, api } from './api.ts'
import { QueryPlaceholder } from '../shared/desk/query-states.tsx'
import { sessionQuery } from './queries.ts'
import { LogIn } from './log-in.tsx'

interface Console {
  agent: Answer<'/console/session'>['agent']
  /** The person who logged in by email; undefined if the session belongs to a key. */
  person: Answer<'/console/session'>['person']
  isTest: boolean
  logOut(): Promise<void>
}

const { SessionContext, useSession: useConsole } = createSessionContext<Console>()
export { useConsole }

/** Shows its children to logged-in agents; others see the login form, then the page that they wanted. */
export function SignedIn({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const session = useQuery(sessionQuery)
  useSessionEnd(api, () => client.setQueryData(sessionQuery.queryKey, null))
  const context = useMemo<Console | undefined>(() => {
    if (!session.data) return undefined
    const { agent, person } = session.data
    return {
      agent,
      person,
      isTest: agent.mode === 'test',
      async logOut() {
        await api.delete('/console/session')
        // A full page load, not the router, so that no screen keeps data of this agent.
        location.assign('/console')
      },
    }
  }, [session.data])
  if (session.data === undefined)
    return (
      <main id="content" className="mx-auto w-full max-w-240 p-6">
        <h1 className="sr-only">Console</h1>
        <QueryPlaceholder query={session} />
      </main>
    )
  if (context === undefined) return <LogIn />
  return <SessionContext value={context}>{children}</SessionContext>
}
