/** Whose console it is. The session is a cookie that no script can read, and stands for the key it was begun with. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { createSessionContext, useSessionEnd } from '../shared/session.ts'
import { type Answer, api } from './api.ts'
import { QueryPlaceholder } from '../shared/desk/query-states.tsx'
import { sessionQuery } from './queries.ts'
import { SignIn } from './sign-in.tsx'

interface Console {
  agent: Answer<'/console/session'>['agent']
  isTest: boolean
  signOut(): Promise<void>
}

const { SessionContext, useSession: useConsole } = createSessionContext<Console>()
export { useConsole }

/** What is inside is for who has a key; everyone else gets to sign in, and is then where they wanted to go. */
export function SignedIn({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const session = useQuery(sessionQuery)
  useSessionEnd(api, () => client.setQueryData(sessionQuery.queryKey, null))
  const context = useMemo<Console | undefined>(() => {
    if (!session.data) return undefined
    const { agent } = session.data
    return {
      agent,
      isTest: agent.mode === 'test',
      async signOut() {
        await api.delete('/console/session')
        // Not by way of the router: whatever a screen still holds of this agent goes, too.
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
  if (context === undefined) return <SignIn />
  return <SessionContext value={context}>{children}</SessionContext>
}
