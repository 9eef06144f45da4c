/** The state of closing the account, and keeping it. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Answer, api } from '../api.ts'
import { profileQuery } from '../queries.ts'

export type Closing = Answer<'/worker/close'>['closing']

export const closingQuery = queryOptions({
  queryKey: ['closing'],
  queryFn: ({ signal }) => api.get('/worker/close', { signal }),
})

export function useKeepAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.delete('/worker/close'),
    onSuccess: (kept) => applyClosing(client, kept),
  })
}

/** Shows the new state on every screen: the banner, and the tasks. */
export async function applyClosing(
  client: QueryClient,
  answer: { closing: Closing },
): Promise<void> {
  client.setQueryData(closingQuery.queryKey, answer)
  const { closes_at } = answer.closing
  client.setQueryData(
    profileQuery.queryKey,
    (known) => known && { ...known, worker: { ...known.worker, closes_at } },
  )
  await client.invalidateQueries({ queryKey: ['feed'] })
}
