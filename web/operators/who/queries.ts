/** Queries about operators, their passkeys and sessions, and the audit log. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => api.get('/passkeys', { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.get('/sessions', { signal }),
})

export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: ({ signal }) => api.get('/operators', { signal }),
})

export const sessionsOfQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator sessions', id],
    queryFn: ({ signal }) => api.get('/operators/{id}/sessions', { params: { id }, signal }),
  })

export interface AuditFilter {
  subject?: string
  operator?: string
  action?: string
}

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit log', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get('/audit-log', {
        query: { ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
