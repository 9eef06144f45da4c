/** Whose console it is. The session is a cookie that no script can read, and stands for the key it was begun with. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { type Answer, api } from './api.ts'
import { Awaited } from './answered.tsx'
import { sessionQuery } from './queries.ts'
import { SignIn } from './sign-in.tsx'

interface Console {
  agent: Answer<'/console/session'>['agent']
  isTest: boolean
  signOut(): Promise<void>
}

const ConsoleContext = createContext<Console | undefined>(undefined)

export function useConsole(): Console {
  const context = useContext(ConsoleContext)
  if (context === undefined) throw new Error('useConsole needs a SignedIn around it')
  return context
}

/** What is inside is for who has a key; everyone else gets to sign in, and is then where they wanted to go. */
export function SignedIn({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const session = useQuery(sessionQuery)
  useEffect(() => {
    api.whenEnded(() => client.setQueryData(sessionQuery.queryKey, null))
  }, [client])
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
        <Awaited query={session} />
      </main>
    )
  if (context === undefined) return <SignIn />
  return <ConsoleContext value={context}>{children}</ConsoleContext>
}
