/**
 * What a limiter promises, and how its answer is told to a client.
 *
 * The limit is an exact sliding-window log: the times of the admitted requests are kept, and a
 * request is admitted if fewer than `limit` of them lie in the window that ends with it. Counters
 * per fixed window and token buckets (GCRA) are smaller, but both let about twice the limit
 * through in some window, so "30 per minute" would not be true of them.
 */
import type { Check, Policy } from './limits.ts'

export interface Limiter {
  /**
   * Admits a request if every check has room, and counts it then in all of them. A refused one is
   * counted in none: knocking on a closed door does not keep it closed.
   */
  take(checks: Check[]): Promise<Verdict>
  close(): Promise<void>
}

export interface Verdict {
  admitted: boolean
  /** In the order of the checks; one for each distinct check. */
  states: LimitState[]
  /** 0 when admitted, else at least 1: who waits that long, and is alone, gets through. */
  retryAfterSeconds: number
  /** When it was decided, in microseconds of the store's own clock. Only tests may compare it. */
  at: number
}

export interface LimitState {
  policy: Policy
  remaining: number
  /** Until the next unit of quota comes free; 0 if nothing is in use. */
  resetSeconds: number
  exceeded: boolean
}

/** What a store found in the log of one check, after its decision. */
export interface Reading {
  held: number
  /** Microseconds until a unit of quota comes free; 0 for an empty log. */
  freesIn: number
}

const microsPerSecond = 1_000_000

export function verdictOf(
  checks: Check[],
  readings: Reading[],
  { admitted, at }: { admitted: boolean; at: number },
): Verdict {
  const states = checks.map(({ policy }, i): LimitState => {
    const { held, freesIn } = readings[i] ?? { held: 0, freesIn: 0 }
    return {
      policy,
      remaining: Math.max(0, policy.limit - held),
      resetSeconds: Math.ceil(freesIn / microsPerSecond),
      exceeded: !admitted && held >= policy.limit,
    }
  })
  const waits = states.filter((state) => state.exceeded).map((state) => state.resetSeconds)
  return { admitted, states, retryAfterSeconds: Math.max(0, ...waits), at }
}

/** The checks without repetition: a request weighs 1 in a log, however often it is named. */
export function distinct(checks: Check[]): Check[] {
  return checks.filter(({ policy, key }, i) => {
    const first = checks.findIndex(
      (check) => check.policy.name === policy.name && check.key === key,
    )
    return first === i
  })
}

/** The policy to name in a refusal: of those exceeded, the one that was checked first. */
export function exceededPolicy(verdict: Verdict): Policy | undefined {
  return verdict.states.find((state) => state.exceeded)?.policy
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10, and Retry-After when refused. Takes all
 * verdicts of a request, since the address is checked before it is known who asks.
 */
export function rateLimitHeaders(...verdicts: Verdict[]): Record<string, string> {
  const states = tightest(verdicts.flatMap((verdict) => verdict.states))
  if (states.length === 0) return {}

  const refused = verdicts.some((verdict) => !verdict.admitted)
  const headers: Record<string, string> = {
    'RateLimit-Policy': states
      .map(({ policy }) => `"${policy.name}";q=${policy.limit};w=${policy.windowMs / 1_000}`)
      .join(', '),
    RateLimit: states
      .map(({ policy, remaining, resetSeconds, exceeded }) => {
        // The draft wants no reset later than Retry-After, so a refusal gives it only for what
        // was exceeded: a policy with room has no part in the wait.
        const reset = refused && !exceeded ? '' : `;t=${resetSeconds}`
        return `"${policy.name}";r=${remaining}${reset}`
      })
      .join(', '),
  }
  if (refused) {
    const wait = Math.max(...verdicts.map((verdict) => verdict.retryAfterSeconds))
    headers['Retry-After'] = String(wait)
  }
  return headers
}

/** One state per policy: where a policy was checked twice (login), what binds the client. */
function tightest(states: LimitState[]): LimitState[] {
  const byName = new Map<string, LimitState>()
  for (const state of states) {
    const other = byName.get(state.policy.name)
    const isTighter =
      other === undefined ||
      state.remaining < other.remaining ||
      (state.remaining === other.remaining && state.resetSeconds > other.resetSeconds)
    if (isTighter) byName.set(state.policy.name, state)
  }
  return [...byName.values()]
}
