/**
 * What the sessions of all apps have in common. A session is a cookie that no script can read; an app knows of it only
 * what the server says.
 */
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'

/** The key of the query that asks the server who is logged in. */
export const SESSION_KEY = ['session'] as const

/** The context of an app's session, and the hook that reads it. */
export function createSessionContext<Session>() {
  const SessionContext = createContext<Session | undefined>(undefined)
  return {
    SessionContext,
    useSession(): Session {
      const session = useContext(SessionContext)
      if (session === undefined) throw new Error('useSession needs a SessionContext around it')
      return session
    },
  }
}

/** Calls `onEnd` when a response of the API says that the session has ended. */
export function useSessionEnd(api: { whenEnded(tell: () => void): void }, onEnd: () => void): void {
  useEffect(() => api.whenEnded(onEnd))
}

/** Drops the data of whoever was logged in before; the session itself is kept. */
export function forgetUserData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
}
