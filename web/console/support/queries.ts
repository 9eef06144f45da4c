import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Answer, api, type Body } from '../api.ts'

export type ListedQuestion = Answer<'/agents/questions'>['questions'][number]
export type Question = Answer<'/agents/questions/{id}'>['question']
export type NewQuestion = Body<'/agents/questions'>
export type ServiceTime = Answer<'/agents/questions'>['service_time']

const SELDOM_MS = 60_000

export const questionsQuery = infiniteQueryOptions({
  queryKey: ['questions', 'list'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ signal, pageParam }) =>
    api.get('/agents/questions', {
      query: pageParam === undefined ? {} : { cursor: pageParam },
      signal,
    }),
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  refetchInterval: SELDOM_MS,
})

/** Refetched before the links to its photos expire. */
export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: ['questions', id],
    queryFn: ({ signal }) => api.get('/agents/questions/{id}', { params: { id }, signal }),
    refetchInterval: SELDOM_MS,
  })
