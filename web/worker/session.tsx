/** The session. Scripts can't read its cookie; this is only what the server reports about it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { createSessionContext, forgetUserData, useSessionEnd } from '../shared/session.ts'
import { type Answer, api } from './api.ts'
import { forgetAll } from './offline-db.ts'
import { endPush } from './phone/push.ts'
import { type SessionAnswer, sessionQuery } from './queries.ts'

export type Account = NonNullable<SessionAnswer['worker']>

interface Session {
  /** Null if not logged in or not verified, undefined if not known yet. */
  worker: Account | null | undefined
  /** Registered, but the email isn't verified yet. */
  waiting: Account | null
  expiresAt: string | null
  /** The session ended without a logout; drafts are kept. */
  hasEnded: boolean
  /** Why the session isn't known, and a retry. */
  error: unknown
  askAgain(): void
  logIn(credentials: {
    email: string
    password: string
  }): Promise<Answer<'/worker/session', 'post'>>
  /** Logs in as a worker of the developer's own test agent, with its token. */
  play(token: string): Promise<void>
  logOut(options: { isEverywhere: boolean }): Promise<void>
}

const { SessionContext, useSession } = createSessionContext<Session>()
export { useSession }

/** The worker whose responses are stored: their session may have expired long before another person logs in. */
const LAST_WORKER = 'legwork.worker'

export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(sessionQuery)
  const [hasEnded, setHasEnded] = useState(false)
  useSessionEnd(api, () => {
    // Only a worker who was logged in can have been logged out.
    const known = client.getQueryData(sessionQuery.queryKey)
    if (known?.worker && !known.is_waiting) setHasEnded(true)
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })

  const session = useMemo<Session>(() => {
    const account = data?.worker ?? null
    const isWaiting = data?.is_waiting ?? false
    const enter = async (answer: { worker: Account; expires_at: string }) => {
      if (localStorage.getItem(LAST_WORKER) !== answer.worker.id) {
        // Delete another person's stored responses. Outgoing proofs stay, since they store whose they are.
        await forgetAll()
        forgetUserData(client)
        localStorage.setItem(LAST_WORKER, answer.worker.id)
      }
      setHasEnded(false)
      client.setQueryData(sessionQuery.queryKey, {
        ...answer,
        is_waiting: answer.worker.status === 'unverified',
      })
      void client.invalidateQueries()
    }
    return {
      worker: data === undefined ? undefined : isWaiting ? null : account,
      waiting: isWaiting ? account : null,
      expiresAt: data?.expires_at ?? null,
      hasEnded,
      error: data === undefined ? error : null,
      askAgain: () => void refetch(),
      async logIn(credentials) {
        const answer = await api.post('/worker/session', { body: credentials })
        await enter(answer)
        return answer
      },
      async play(token) {
        // Stop push notifications for the previous worker on this device.
        if (account !== null) await endPush()
        await enter(await api.post('/worker/session/play', { body: { token } }))
      },
      async logOut({ isEverywhere }) {
        await endPush()
        if (isEverywhere) await api.delete('/worker/sessions')
        await api.delete('/worker/session')
        await forgetAll()
        localStorage.removeItem(LAST_WORKER)
        // A full page load, not the router, so that no screen keeps data of this worker.
        location.assign('/hello')
      },
    }
  }, [client, data, error, refetch, hasEnded])
  return <SessionContext value={session}>{children}</SessionContext>
}
