import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Answer, api } from '../api.ts'

const SELDOM_MS = 60_000

export type Person = Answer<'/console/people'>['people'][number]
export type Role = Person['role']
export type Action = Answer<'/console/actions'>['actions'][number]

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: ({ signal }) => api.get('/console/people', { signal }),
  refetchInterval: SELDOM_MS,
})

export const actionsQuery = infiniteQueryOptions({
  queryKey: ['actions'],
  queryFn: ({ signal, pageParam }) =>
    api.get('/console/actions', {
      query: pageParam === null ? {} : { before: pageParam },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_before }) => next_before,
})
