/** Queries that several screens use. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { Refusal } from '../shared/api/client.ts'
import { openQueryClient } from '../shared/query-client.ts'
import { SESSION_KEY } from '../shared/session.ts'
import { type Answer, api } from './api.ts'

const FRESH_MS = 5000
const OFTEN_MS = 15_000
const MINUTE_MS = 60_000

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
  // An administrator may give the operator another role.
  refetchInterval: ({ state }) => (state.data ? MINUTE_MS : false),
})

export const queuesQuery = queryOptions({
  queryKey: ['queues'],
  queryFn: ({ signal }) => api.get('/queues', { signal }),
  refetchInterval: OFTEN_MS,
})

/** The rows of a queue, in the order in which they should be decided. */
export const queueQuery = (name: string, { isMine = false } = {}) =>
  infiniteQueryOptions({
    queryKey: ['queue', name, { isMine }],
    queryFn: ({ pageParam, signal }) =>
      api.get('/queues/{name}', {
        params: { name },
        query: {
          ...(isMine ? { mine: 'true' as const } : {}),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: OFTEN_MS,
  })

export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: ['case', id],
    queryFn: ({ signal }) => api.get('/objects/{id}', { params: { id }, signal }),
    select: ({ object }) => object,
    refetchInterval: OFTEN_MS,
  })

export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) => api.get('/search', { query: { q: text }, signal }),
    enabled: text !== '',
  })

export const decisionsQuery = (state: 'waiting' | 'all') =>
  infiniteQueryOptions({
    queryKey: ['decisions', state],
    queryFn: ({ pageParam, signal }) =>
      api.get('/decisions', {
        query: { state, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: OFTEN_MS,
  })

export const decisionQuery = (id: string) =>
  queryOptions({
    queryKey: ['decision', id],
    queryFn: ({ signal }) => api.get('/decisions/{id}', { params: { id }, signal }),
  })

export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: ['question', id],
    queryFn: ({ signal }) => api.get('/questions/{id}', { params: { id }, signal }),
  })

export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => api.get('/limits', { signal }),
})

export const colleaguesQuery = queryOptions({
  queryKey: ['colleagues'],
  queryFn: ({ signal }) => api.get('/colleagues', { signal }),
})
