/** Queries that several screens use. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { Refusal } from '../shared/api/client.ts'
import { openQueryClient } from '../shared/query-client.ts'
import { SESSION_KEY } from '../shared/session.ts'
import { type Answer, api } from './api.ts'

const FRESH_MS = 5000

export function openQueries(): QueryClient {
  return openQueryClient({ freshMs: FRESH_MS, waitsForLimit: true })
}

/** Null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  async queryFn({ signal }): Promise<Answer<'/session'> | null> {
    try {
      return await api.get('/session', { signal })
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return null
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})
