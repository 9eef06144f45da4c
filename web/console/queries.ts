/** Questions of more than one screen. They share the agent's limit of calls: none is asked more often than need be. */
import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query'
import { Refusal } from '../api.ts'
import { type Answer, api } from './api.ts'
import type { Status, TaskType } from './words.ts'

const FRESH_MS = 10_000
const OFTEN_MS = 15_000
const SELDOM_MS = 60_000

export function openQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) =>
          failures < 2 && (!(error instanceof Refusal) || isLimited(error) || error.status >= 500),
        // Too often: the server says when it has room again, and the screen keeps what it shows until then.
        retryDelay: (failures, error) =>
          isLimited(error) ? error.retryAfterSeconds * 1000 : 1000 * 2 ** failures,
      },
    },
  })
}

const isLimited = (error: Error): error is Refusal & { retryAfterSeconds: number } =>
  error instanceof Refusal && error.status === 429 && error.retryAfterSeconds !== undefined

/** Null: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  async queryFn({ signal }): Promise<Answer<'/console/session'> | null> {
    try {
      return await api.get('/console/session', { signal })
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return null
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.get('/agents/me', { signal }),
  refetchInterval: SELDOM_MS,
})

export const statsQuery = queryOptions({
  queryKey: ['stats'],
  queryFn: ({ signal }) => api.get('/stats', { signal }),
  refetchInterval: SELDOM_MS,
})

export const spendQuery = (days: number) =>
  queryOptions({
    queryKey: ['spend', days],
    queryFn: ({ signal }) => api.get('/stats/spend', { query: { days }, signal }),
    refetchInterval: SELDOM_MS,
    placeholderData: keepPreviousData,
  })

export interface TaskFilter {
  status?: Status
  type?: TaskType
  limit?: number
  offset?: number
}

export const tasksQuery = (filter: TaskFilter) =>
  queryOptions({
    queryKey: ['tasks', filter],
    queryFn: ({ signal }) => api.get('/tasks', { query: filter, signal }),
    refetchInterval: OFTEN_MS,
    placeholderData: keepPreviousData,
  })

/** What waits for a verdict; the oldest would be paid by itself first. */
export const waitingQuery = tasksQuery({ status: 'proof_submitted', limit: 100 })

export type TaskDetail = Answer<'/tasks/{id}'>['task']

const ENDED: readonly Status[] = ['completed', 'expired', 'cancelled']
const WATCH_MS = 4000

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', id],
    queryFn: ({ signal }) => api.get('/tasks/{id}', { params: { id }, signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && ENDED.includes(state.data.task.status) ? false : WATCH_MS,
  })

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => api.get('/agents/keys', { signal }),
  refetchInterval: SELDOM_MS,
})

export const clockQuery = queryOptions({
  queryKey: ['clock'],
  queryFn: ({ signal }) => api.get('/test/clock', { signal }),
  refetchInterval: OFTEN_MS,
})
