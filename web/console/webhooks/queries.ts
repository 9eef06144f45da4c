import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
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

/** The event types that an agent can subscribe to. */
export const SENT_TYPES = [
  'task.proof_submitted',
  'task.completed',
  'task.disputed',
  'task.consensus_proof',
  'task.accepted',
  'task.released',
  'task.expired',
  'task.cancelled',
  'task.revision_requested',
  'task.approval_due',
  'task.appealed',
  'task.dispute_held',
  'task.dispute_resolved',
  'payout.paid',
  'deposit.succeeded',
] as const

export const EVENT_TYPES: Event['type'][] = [...SENT_TYPES, 'webhook.ping']

const ROWS = 30

/** Newest first. */
export const eventsQuery = (type: Event['type'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['events', 'list', type],
    queryFn: ({ signal, pageParam }) =>
      api.get('/events', {
        query: { before: pageParam, limit: ROWS, ...(type === undefined ? {} : { type }) },
        signal,
      }),
    initialPageParam: 'latest',
    getNextPageParam: ({ next_before }) => next_before ?? null,
    refetchInterval: OFTEN_MS,
  })

/**
 * Loads an event that isn't in a loaded list. The log has only cursors, so this reads the entry after its predecessor.
 */
export const oneEventQuery = (id: string) =>
  queryOptions({
    queryKey: ['events', 'one', id],
    async queryFn({ signal }): Promise<Event> {
      const before = await api.get('/events', { query: { before: id, limit: 1 }, signal })
      const after = before.events[0]?.id
      const { events } = await api.get('/events', {
        query: { limit: 1, ...(after === undefined ? {} : { after }) },
        signal,
      })
      return events[0]!
    },
  })

const PINGS = 100

/** Pings that were forged on purpose: rejecting one of these is no failure. */
export const forgedQuery = queryOptions({
  queryKey: ['events', 'forged'],
  queryFn: ({ signal }) =>
    api.get('/events', { query: { before: 'latest', type: 'webhook.ping', limit: PINGS }, signal }),
  select: ({ events }): ReadonlySet<string> =>
    new Set(
      events.filter(({ data }) => (data as { tampered?: true }).tampered).map(({ id }) => id),
    ),
  refetchInterval: OFTEN_MS,
})

/** Delivery attempts, newest first. */
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

/** The id of the event's task, if it has one. */
export function taskOf({ data }: Pick<Event, 'data'>): string | undefined {
  const { task } = data as { task?: { id?: string } }
  return task?.id
}
