import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { TaskType } from '../words.ts'

const MINUTE_MS = 60_000

/** Typical price and duration of such a task; shows nothing if there is no data. */
export const quoteQuery = (asked: { type: TaskType; where?: string; people: number }) =>
  queryOptions({
    queryKey: ['quote', asked],
    queryFn: ({ signal }) => api.get('/quote', { query: asked, signal }),
    staleTime: MINUTE_MS,
    retry: false,
    placeholderData: keepPreviousData,
  })
