import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { taskOf } from '../webhooks/queries.ts'

const ROWS = 20
const SELDOM_MS = 60_000

/** The tasks of the last appeals; whether one still waits is for the task itself to say. */
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
