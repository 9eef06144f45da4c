import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Answer, api } from '../api.ts'

export type Question = Answer<'/worker/questions/{id}'>['question']
export type ListedQuestion = Answer<'/worker/questions'>['questions'][number]

/** In the order of the form. */
export const SUBJECTS = [
  'safety',
  'payment',
  'task',
  'dispute',
  'account',
  'other',
] as const satisfies Question['subject'][]

export const TEXT = { min: 10, max: 2000 }

export const questionsQuery = infiniteQueryOptions({
  queryKey: ['questions', 'list'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ signal, pageParam }) =>
    api.get('/worker/questions', {
      query: pageParam === undefined ? {} : { cursor: pageParam },
      signal,
    }),
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  refetchOnMount: 'always',
  meta: { isKept: true },
})

export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: ['questions', id],
    queryFn: ({ signal }) => api.get('/worker/questions/{id}', { params: { id }, signal }),
    refetchOnMount: 'always',
    refetchInterval: 60_000,
    meta: { isKept: true },
  })
