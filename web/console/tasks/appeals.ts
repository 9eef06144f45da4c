import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { taskOf } from '../webhooks/queries.ts'

const ROWS = 20
const SELDOM_MS = 60_000

/** Task ids of the latest appeals. Load the task to know whether the appeal is still open. */
export const appealsQuery = queryOptions({
  queryKey: ['events', 'appeals'],
  async queryFn({ signal }): Promise<string[]> {
    const { events } = await api.get('/events', {
      query: { before: 'latest', type: 'task.appealed', limit: ROWS },
      signal,
    })
    return [...new Set(events.flatMap((event) => taskOf(event) ?? []))]
  },
  refetchInterval: SELDOM_MS,
})
