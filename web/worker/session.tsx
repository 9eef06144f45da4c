/** Who is here. The session itself is a cookie that no script can read; this is only what the server says of it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { createSessionContext, forgetUserData, useSessionEnd } from '../shared/session.ts'
import { type Answer, api } from './api.ts'
import { forgetAll } from './offline-db.ts'
import { endPush } from './phone/push.ts'
import { type SessionAnswer, sessionQuery } from './queries.ts'

export type Account = NonNullable<SessionAnswer['worker']>

interface Session {
  /** Whoever may use the app; null is nobody, undefined not yet known. */
  worker: Account | null | undefined
  /** Joined, and the e-mail not yet confirmed. */
  waiting: Account | null
  expiresAt: string | null
  /** It ended behind our back; what was begun is kept. */
  hasEnded: boolean
  /** Why it is not known, and asking again. */
  error: unknown
  askAgain(): void
  logIn(credentials: {
    email: string
    password: string
  }): Promise<Answer<'/worker/session', 'post'>>
  /** As a worker of one's own test agent, by its token. */
  play(token: string): Promise<void>
  logOut(options: { isEverywhere: boolean }): Promise<void>
}

const { SessionContext, useSession } = createSessionContext<Session>()
export { useSession }

/** Whose answers this phone keeps: a session may have run out long before another person logs in. */
const LAST_WORKER = 'legwork.worker'

export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(sessionQuery)
  const [hasEnded, setHasEnded] = useState(false)
  useSessionEnd(api, () => {
    // Who was never in has not been logged out.
    const known = client.getQueryData(sessionQuery.queryKey)
    if (known?.worker && !known.is_waiting) setHasEnded(true)
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })

  const session = useMemo<Session>(() => {
    const account = data?.worker ?? null
    const isWaiting = data?.is_waiting ?? false
    const enter = async (answer: { worker: Account; expires_at: string }) => {
      if (localStorage.getItem(LAST_WORKER) !== answer.worker.id) {
        // What the phone has read for another person is none of theirs. Proofs on their way say whose they are.
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
        // The device is no longer that of whoever was here: nothing of theirs is pushed to it.
        if (account !== null) await endPush()
        await enter(await api.post('/worker/session/play', { body: { token } }))
      },
      async logOut({ isEverywhere }) {
        await endPush()
        if (isEverywhere) await api.delete('/worker/sessions')
        await api.delete('/worker/session')
        await forgetAll()
        localStorage.removeItem(LAST_WORKER)
        // Not by way of the router: whatever a screen still holds of this person goes, too.
        location.assign('/hello')
      },
    }
  }, [client, data, error, refetch, hasEnded])
  return <SessionContext value={session}>{children}</SessionContext>
}
