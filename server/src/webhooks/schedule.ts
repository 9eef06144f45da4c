/**
 * The published retry schedule of deliveries, with jitter so deliveries that failed together don't all retry together.
 * A receiver may ask for a longer delay with Retry-After, up to twice the scheduled one.
 */
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** 5 seconds after the first failure, 5 minutes after the second, and so on. */
export const DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
]
export const ATTEMPTS_MAX = DELAYS_MS.length + 1
export const JITTER = 0.2

/** How long to wait after attempt `number` (counted from 1) has failed. */
export function delayAfter(
  number: number,
  { retryAfterMs = 0, random = Math.random() }: { retryAfterMs?: number; random?: number } = {},
): number {
  const delayMs = DELAYS_MS[number - 1] ?? DELAYS_MS.at(-1)!
  const jittered = delayMs * (1 + JITTER * (2 * random - 1))
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, 2 * delayMs)))
}
