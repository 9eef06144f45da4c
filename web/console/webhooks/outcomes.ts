/** How attempts to deliver went, where some of them were meant to fail. Pure rules. */
import type { Delivery } from './queries.ts'

const DAY_MS = 86_400_000

type Attempt = Pick<Delivery, 'event_id' | 'outcome' | 'status'>

/** What is forged ought to be refused: a 4xx is right, and that it was taken is wrong. */
export function hasGoneWell(
  { event_id, outcome, status }: Attempt,
  forged: ReadonlySet<string>,
): boolean {
  if (!forged.has(event_id)) return outcome === 'delivered'
  return status !== null && status >= 400 && status < 500
}

/** The share of attempts that were taken, of those that were to be; none of them: undefined. */
export function takenShare(attempts: Attempt[], forged: ReadonlySet<string>): number | undefined {
  const meant = attempts.filter(({ event_id }) => !forged.has(event_id))
  if (meant.length === 0) return undefined
  return meant.filter(({ outcome }) => outcome === 'delivered').length / meant.length
}

/** How many events of the last day no 2xx has answered yet; tests are sent once, and never again. */
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
