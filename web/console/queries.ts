/** Queries that several screens use. They count against the agent's rate limit, so avoid needless refetches. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { Refusal } from '../shared/api/client.ts'
import { openQueryClient } from '../shared/query-client.ts'
import { SESSION_KEY } from '../shared/session.ts'
import { type Answer, api } from './api.ts'
import type { Status, TaskType } from './words.ts'

const FRESH_MS = 10_000
const OFTEN_MS = 15_000
const SELDOM_MS = 60_000

export function openQueries(): QueryClient {
  return openQueryClient({ freshMs: FRESH_MS, waitsForLimit: true })
}

/** Null if not logged in. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
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

/** Tasks that wait for the agent's verdict. A held dispute waits for an operator instead. */
export const waitingQuery = queryOptions({
  ...tasksQuery({ status: 'proof_submitted', limit: 100 }),
  select: (page) => {
    const tasks = page.tasks.filter(({ decides_by }) => decides_by === null)
    return { ...page, tasks, total: page.total - page.tasks.length + tasks.length }
  },
})

export type TaskDetail = Answer<'/tasks/{id}'>['task']

const ENDED: readonly Status[] = ['completed', 'expired', 'cancelled']
const WATCH_MS = 4000

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', id],
    queryFn: ({ signal }) =>
      api.get('/tasks/{id}', { params: { id }, query: { media: 'url' }, signal }),
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
