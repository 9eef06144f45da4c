import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Answer, api } from '../api.ts'

export type Event = Answer<'/events'>['events'][number]
export type Delivery = Answer<'/webhooks/deliveries'>['deliveries'][number]

const OFTEN_MS = 15_000

export const latestEventsQuery = (limit: number) =>
  queryOptions({
    queryKey: ['events', 'latest', limit],
    queryFn: ({ signal }) => api.get('/events', { query: { before: 'latest', limit }, signal }),
    refetchInterval: OFTEN_MS,
  })

/** Attempts, newest first. */
export const deliveriesQuery = (filter: {
  event_id?: string
  outcome?: Delivery['outcome']
  before?: string
  limit?: number
}) =>
  queryOptions({
    queryKey: ['deliveries', filter],
    queryFn: ({ signal }) => api.get('/webhooks/deliveries', { query: filter, signal }),
    refetchInterval: OFTEN_MS,
    placeholderData: keepPreviousData,
  })

/** Which task it is about, where it is about one. */
export function taskOf({ data }: Pick<Event, 'data'>): string | undefined {
  const { task } = data as { task?: { id?: string } }
  return task?.id
}
