/**
 * Shared session code of all apps. A session is a cookie that scripts can't read; an app only knows what the server
 * reports about it.
 */
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'

/** Key of the query that asks the server who is logged in. */
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

/** Calls `onEnd` when an API response reports that the session has ended. */
export function useSessionEnd(api: { whenEnded(tell: () => void): void }, onEnd: () => void): void {
  useEffect(() => api.whenEnded(onEnd))
}

/** Drops cached data of the previous user; keeps the session. */
export function forgetUserData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
}
