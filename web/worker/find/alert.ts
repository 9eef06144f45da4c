/** The alert, which notifies a worker of new matching tasks. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { alertOf } from './wishes.ts'

export const alertQuery = queryOptions({
  queryKey: ['alert'],
  queryFn: ({ signal }) => api.get('/worker/alert', { signal }),
})

export async function keepAlert(
  client: QueryClient,
  wish: ReturnType<typeof alertOf>,
): Promise<void> {
  client.setQueryData(alertQuery.queryKey, await api.put('/worker/alert', { body: wish }))
}

export async function dropAlert(client: QueryClient): Promise<void> {
  await api.delete('/worker/alert')
  client.setQueryData(alertQuery.queryKey, { alert: null })
}
