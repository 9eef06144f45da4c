/** Questions to the API: asked once for all who want to know, their last answers kept for when there is no network. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { openQueryClient } from '../shared/query-client.ts'
import { SESSION_KEY } from '../shared/session.ts'
import { type Answer, api } from './api.ts'
import { keepAnswer, keptAnswers } from './offline-db.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Kept on the phone, and shown from there until the server has answered. */
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

/** Before the first picture: whoever opens the app again sees at once what was there, and how old it is. */
export async function restoreKept(client: QueryClient): Promise<void> {
  for (const [hash, { data, at }] of await keptAnswers())
    client.setQueryData(JSON.parse(hash) as unknown[], data, { updatedAt: at })
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

/** How many notices are new. */
export const unreadQuery = queryOptions({
  queryKey: ['notices', 'unread'],
  queryFn: ({ signal }) => api.get('/worker/notices', { query: { limit: 1 }, signal }),
  refetchInterval: 60_000,
})

export type Period = 'day' | 'week' | 'month' | 'year'

/** Days end at midnight where the phone is. */
export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

export const earningsQuery = (period: Period) =>
  queryOptions({
    queryKey: ['earnings', period],
    queryFn: ({ signal }) =>
      api.get('/worker/earnings', { query: { period, tz: ownTimeZone() }, signal }),
    meta: { isKept: true },
  })
