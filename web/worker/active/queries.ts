import { queryOptions } from '@tanstack/react-query'
import { api, type Answer } from '../api.ts'

export type Work = Answer<'/worker/tasks/{id}'>
export type WorkInList = Answer<'/worker/tasks'>['tasks'][number]

const LOOK_AGAIN_MS = 15_000

export const worksQuery = queryOptions({
  queryKey: ['work', 'list'],
  queryFn: ({ signal }) => api.get('/worker/tasks', { signal, query: { limit: 50 } }),
  meta: { isKept: true },
  staleTime: 0,
})

/** Polls while a proof waits for a verdict. */
export const workQuery = (id: string) =>
  queryOptions({
    queryKey: ['work', 'one', id],
    queryFn: ({ signal }) => api.get('/worker/tasks/{id}', { signal, params: { id } }),
    meta: { isKept: true },
    // Always refetch on opening, to show the current state.
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.assignment.status === 'submitted' ? LOOK_AGAIN_MS : false,
  })
