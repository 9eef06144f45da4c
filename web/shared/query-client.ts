import { QueryClient } from '@tanstack/react-query'
import { Refusal } from './api/client.ts'

const RETRIES_MAX = 2

/**
 * The query client of an app. It retries lost connections and server errors, but not refusals, which a retry can't
 * change.
 */
export function openQueryClient({
  freshMs,
  waitsForLimit = false,
  isUsableOffline = false,
}: {
  /** How long a response counts as fresh. */
  freshMs: number
  /** Retries after a rate limit once `Retry-After` has passed; the screen keeps its data until then. */
  waitsForLimit?: boolean
  /** Keeps data while the app is open, and sends requests even if the browser reports no network. */
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
