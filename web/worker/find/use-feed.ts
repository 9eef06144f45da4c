import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useNow } from '../../shared/use-now.ts'
import { usePosition } from './position.ts'
import { feedQuery, lastCards } from './queries.ts'
import { type Card, chosenOf, type Wishes } from './wishes.ts'

/** Loads more pages automatically if the filters left fewer tasks than this. */
const SHOWN_MIN = 5
const PAGES_MAX = 4
const OLD_MS = 120_000
const TICK_MS = 30_000

/** The tasks that match the filters, or older ones if no newer can be loaded. */
export function useFeed(wishes: Wishes) {
  const client = useQueryClient()
  // Lists near a position aren't stored for use offline, so one that only the map asked for isn't used here.
  const { position, isByTap } = usePosition()
  const now = useNow(TICK_MS)
  const feed = useInfiniteQuery(feedQuery(wishes, isByTap ? position : null))
  const { data, error, dataUpdatedAt, failureCount, hasNextPage, isFetching, fetchNextPage } = feed

  // The latest list of other filters, filtered by these, is shown while loading or after an error.
  const last = useMemo(
    () => (feed.isPlaceholderData || error !== null ? lastCards(client) : undefined),
    [client, feed.isPlaceholderData, error],
  )
  const cards = useMemo<Card[] | undefined>(() => {
    const known = data?.pages.flatMap(({ tasks }) => tasks) ?? last?.cards
    return known && chosenOf(unique(known), wishes)
  }, [data, last, wishes])

  const isTooFew = (cards?.length ?? SHOWN_MIN) < SHOWN_MIN
  const pages = data?.pages.length ?? 0
  useEffect(() => {
    if (isTooFew && hasNextPage && !isFetching && error === null && pages < PAGES_MAX)
      void fetchNextPage()
  }, [isTooFew, hasNextPage, isFetching, error, pages, fetchNextPage])

  const at = data === undefined || feed.isPlaceholderData ? (last?.at ?? now) : dataUpdatedAt
  return {
    cards,
    hasNextPage,
    isFetchingNextPage: feed.isFetchingNextPage,
    fetchNextPage,
    error,
    refetch: feed.refetch,
    /** When the list was loaded, if that is long ago or it can't be refreshed now. */
    staleSince: failureCount > 0 || error !== null || now - at > OLD_MS ? at : undefined,
  }
}

/** A task can reappear on a later page when the list has shifted. */
const unique = (cards: Card[]) => [...new Map(cards.map((card) => [card.id, card])).values()]
