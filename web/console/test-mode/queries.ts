import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

const OFTEN_MS = 15_000

export const checklistQuery = queryOptions({
  queryKey: ['checklist'],
  queryFn: ({ signal }) => api.get('/agents/me/checklist', { signal }),
  refetchInterval: OFTEN_MS,
})
