import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

const ROWS = 25
const OFTEN_MS = 30_000

export const walletQuery = infiniteQueryOptions({
  queryKey: ['wallet'],
  queryFn: ({ signal, pageParam }) =>
    api.get('/wallet', {
      query: { limit: ROWS, ...(pageParam === 0 ? {} : { cursor: pageParam }) },
      signal,
    }),
  initialPageParam: 0,
  getNextPageParam: ({ next_cursor }) => (next_cursor === null ? null : Number(next_cursor)),
  refetchInterval: OFTEN_MS,
})
