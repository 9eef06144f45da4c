/** Evaluates delivery attempts, some of which are test pings that should fail. Pure rules. */
import type { Delivery } from './queries.ts'

const DAY_MS = 86_400_000

type Attempt = Pick<Delivery, 'event_id' | 'outcome' | 'status'>

/** A ping with a forged signature should be rejected: a 4xx is right, a 2xx is wrong. */
export function hasGoneWell(
  { event_id, outcome, status }: Attempt,
  forged: ReadonlySet<string>,
): boolean {
  if (!forged.has(event_id)) return outcome === 'delivered'
  return status !== null && status >= 400 && status < 500
}

/** The share of genuine events that were delivered; undefined if there were none. */
export function deliveredShare(
  attempts: Attempt[],
  forged: ReadonlySet<string>,
): number | undefined {
  const meant = attempts.filter(({ event_id }) => !forged.has(event_id))
  if (meant.length === 0) return undefined
  return meant.filter(({ outcome }) => outcome === 'delivered').length / meant.length
}

/** The number of events of the last day without a 2xx yet. Excludes test pings, which are never retried. */
export function missedIn(deliveries: Delivery[], now: number): number {
  const arrived = new Set(
    deliveries.filter(({ outcome }) => outcome === 'delivered').map(({ event_id }) => event_id),
  )
  const recent = deliveries.filter(
    ({ type, event_id, created_at }) =>
      type !== 'webhook.ping' && !arrived.has(event_id) && now - Date.parse(created_at) < DAY_MS,
  )
  return new Set(recent.map(({ event_id }) => event_id)).size
}
