import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

const OFTEN_MS = 15_000

export const requestsQuery = (page: { limit: number; offset: number }) =>
  queryOptions({
    queryKey: ['requests', page],
    queryFn: ({ signal }) => api.get('/requests', { query: page, signal }),
    refetchInterval: OFTEN_MS,
    placeholderData: keepPreviousData,
  })

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => api.get('/requests/{id}', { params: { id }, signal }),
  })
