import { QueryClient } from '@tanstack/react-query'
import { Refusal } from './api/client.ts'

const RETRIES_MAX = 2

/**
 * The query client of an app. A refusal is not retried, since asking again does not change it; a lost connection and
 * a server error are.
 */
export function openQueryClient({
  freshMs,
  waitsForLimit = false,
  isUsableOffline = false,
}: {
  /** For how long an answer is not fetched again. */
  freshMs: number
  /** Retries after a rate limit when the server has room again; the screen keeps what it shows until then. */
  waitsForLimit?: boolean
  /** Keeps data for as long as the app is open, and asks whatever the browser says of the network. */
  isUsableOffline?: boolean
}): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: (failures, error) =>
          failures < RETRIES_MAX &&
          (!(error instanceof Refusal) ||
            error.status >= 500 ||
            (waitsForLimit && isLimited(error))),
        retryDelay: (failures, error) =>
          isLimited(error) ? error.retryAfterSeconds * 1000 : 1000 * 2 ** failures,
        ...(isUsableOffline && { gcTime: Number.POSITIVE_INFINITY, networkMode: 'always' }),
      },
      ...(isUsableOffline && { mutations: { networkMode: 'always' } }),
    },
  })
}

const isLimited = (error: Error): error is Refusal & { retryAfterSeconds: number } =>
  error instanceof Refusal && error.status === 429 && error.retryAfterSeconds !== undefined
