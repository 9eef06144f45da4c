import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Answer, api } from '../api.ts'
import { ownTimeZone } from '../queries.ts'

export type Earnings = Answer<'/worker/earnings'>
export type EarnedItem = Answer<'/worker/earnings/items'>['items'][number]
export type Payout = Answer<'/worker/payouts'>['payouts'][number]
export type PayoutAccount = Answer<'/worker/stripe/status'>

const ITEMS_SHOWN = 20

/** Payments between two days. */
export const itemsQuery = (days: { from: string; to: string }) =>
  infiniteQueryOptions({
    queryKey: ['earnings', 'items', days.from, days.to],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      api.get('/worker/earnings/items', {
        query: {
          ...days,
          tz: ownTimeZone(),
          limit: ITEMS_SHOWN,
          ...(pageParam === undefined ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    meta: { isKept: true },
  })

const PAGE_MAX = 100

/** All pages, for a statement. */
export async function allItems(days: { from: string; to: string }): Promise<EarnedItem[]> {
  const items: EarnedItem[] = []
  let cursor: string | null = null
  do {
    const page: Answer<'/worker/earnings/items'> = await api.get('/worker/earnings/items', {
      query: {
        ...days,
        tz: ownTimeZone(),
        limit: PAGE_MAX,
        ...(cursor === null ? {} : { cursor }),
      },
    })
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}

export const itemsOfTaskQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['earnings', 'task', taskId],
    queryFn: ({ signal }) =>
      api.get('/worker/earnings/items', {
        query: { task_id: taskId, tz: ownTimeZone(), limit: PAGE_MAX },
        signal,
      }),
    meta: { isKept: true },
  })

export const payoutsOfTaskQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['payouts', 'task', taskId],
    queryFn: ({ signal }) => api.get('/worker/payouts', { query: { task_id: taskId }, signal }),
  })

const PAYOUTS_SHOWN = 10

export const payoutsQuery = infiniteQueryOptions({
  queryKey: ['payouts'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ signal, pageParam }) =>
    api.get('/worker/payouts', {
      query: { limit: PAYOUTS_SHOWN, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
      signal,
    }),
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  meta: { isKept: true },
})

export const payoutAccountQuery = queryOptions({
  queryKey: ['payout-account'],
  queryFn: ({ signal }) => api.get('/worker/stripe/status', { signal }),
  meta: { isKept: true },
})

/** Tasks that wait for a verdict. */
export const inReviewQuery = queryOptions({
  queryKey: ['work', 'submitted'],
  queryFn: ({ signal }) => api.get('/worker/tasks', { query: { status: 'submitted' }, signal }),
})
