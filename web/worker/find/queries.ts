import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { api, type Answer } from '../api.ts'
import { loadPage } from './first-page.ts'
import { askedOf, type Card, type Point, pointToSend, type Wishes } from './wishes.ts'

const LISTS = ['feed', 'list'] as const

export const feedQuery = (wishes: Wishes, position: Point | null) => {
  const asked = askedOf(wishes, position)
  return infiniteQueryOptions({
    queryKey: [...LISTS, asked],
    queryFn: ({ signal, pageParam }) => loadPage(asked, { cursor: pageParam, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    refetchOnReconnect: true,
    // The query key contains the position, which must not be stored.
    meta: { isKept: position === null },
  })
}

/** The latest list of any filter, as a fallback when a new one can't be loaded. */
export function lastCards(client: QueryClient): { cards: Card[]; at: number } | undefined {
  type Pages = { pages: Answer<'/worker/feed'>[] }
  const lists = client
    .getQueryCache()
    .findAll({ queryKey: LISTS })
    .filter(({ state }) => state.data !== undefined)
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const latest = lists[0]
  if (latest === undefined) return undefined
  const cards = (latest.state.data as Pages).pages.flatMap(({ tasks }) => tasks)
  return { cards, at: latest.state.dataUpdatedAt }
}

export const openTaskQuery = (id: string, position: Point | null) =>
  queryOptions({
    queryKey: ['feed', 'task', id, position !== null],
    queryFn: ({ signal }) =>
      api.get('/worker/feed/{id}', {
        params: { id },
        ...(position === null ? {} : { query: pointToSend(position) }),
        signal,
      }),
    refetchOnReconnect: true,
  })
export type OpenTask = Answer<'/worker/feed/{id}'>['task']

export const appQuery = queryOptions({
  queryKey: ['app'],
  queryFn: ({ signal }) => api.get('/worker/app', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { isKept: true },
})
