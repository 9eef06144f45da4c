/** API queries, shared by all screens; the last responses are stored for offline use. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { openQueryClient } from '../shared/query-client.ts'
import { SESSION_KEY } from '../shared/session.ts'
import { type Answer, api } from './api.ts'
import { ANSWERS_FORM, keepAnswer, keptAnswers } from './offline-db.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Stored on the phone, and shown from there until the server responds. */
      isKept?: boolean
    }
  }
}

const FRESH_MS = 15_000

export function openQueries(): QueryClient {
  const client = openQueryClient({ freshMs: FRESH_MS, isUsableOffline: true })
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || !query.meta?.isKept || query.state.status !== 'success') return
    if (query.state.fetchStatus === 'idle') void keepAnswer(query.queryHash, query.state.data)
  })
  return client
}

/** Runs before the first render: a returning worker immediately sees the stored data and how old it is. */
export async function restoreKept(client: QueryClient): Promise<void> {
  for (const [hash, { data, at, form }] of await keptAnswers()) {
    const key = JSON.parse(hash) as unknown[]
    // The session has kept its form, and the app needs it to open offline.
    if (form === ANSWERS_FORM || key[0] === SESSION_KEY[0])
      client.setQueryData(key, data, { updatedAt: at })
  }
}

export type SessionAnswer = Answer<'/worker/session'>

export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: ({ signal }) => api.get('/worker/session', { signal }),
  meta: { isKept: true },
})

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => api.get('/worker/profile', { signal }),
  meta: { isKept: true },
})

/** Number of unread notices. */
export const unreadQuery = queryOptions({
  queryKey: ['notices', 'unread'],
  queryFn: ({ signal }) => api.get('/worker/notices', { query: { limit: 1 }, signal }),
  refetchInterval: 60_000,
})

export type Period = 'day' | 'week' | 'month' | 'year'

/** Days end at midnight in the phone's time zone. */
export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

export const earningsQuery = (period: Period) =>
  queryOptions({
    queryKey: ['earnings', period],
    queryFn: ({ signal }) =>
      api.get('/worker/earnings', { query: { period, tz: ownTimeZone() }, signal }),
    meta: { isKept: true },
  })
