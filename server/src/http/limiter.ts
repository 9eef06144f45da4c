/**
 * The interface of a rate limiter, and the response headers that report its result.
 *
 * The algorithm is an exact sliding-window log: the times of admitted requests are kept, and a request is admitted if
 * fewer than `limit` of them lie in the window that ends with it. Fixed-window counters and token buckets (GCRA) need
 * less memory, but both admit about twice the limit in some windows, so "30 per minute" would not hold.
 */
import type { Check, Policy } from './limits.ts'

export interface Limiter {
  /**
   * Admits a request if every check has room, and then counts it in all of them. A refused request is counted in none,
   * so retrying too early does not extend the wait.
   */
  take(checks: Check[]): Promise<Verdict>
  close(): Promise<void>
}

export interface Verdict {
  admitted: boolean
  /** In the order of the checks, one per distinct check. */
  states: LimitState[]
  /** 0 if admitted, otherwise at least 1. A client that waits this long and has no competing requests is admitted. */
  retryAfterSeconds: number
  /** Time of the decision, in microseconds of the store's own clock. Only tests may compare it. */
  at: number
}

export interface LimitState {
  policy: Policy
  remaining: number
  /** Seconds until the next unit of quota is freed; 0 if none is in use. */
  resetSeconds: number
  exceeded: boolean
}

/** The log of one check as the store found it after its decision. */
export interface Reading {
  held: number
  /** Microseconds until a unit of quota is freed; 0 for an empty log. */
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

/** Removes duplicate checks: a request counts once per log, however often the log is named. */
export function distinct(checks: Check[]): Check[] {
  return checks.filter(({ policy, key }, i) => {
    const first = checks.findIndex(
      (check) => check.policy.name === policy.name && check.key === key,
    )
    return first === i
  })
}

/** The policy to name in a refusal: the first exceeded one, in the order of the checks. */
export function exceededPolicy(verdict: Verdict): Policy | undefined {
  return verdict.states.find((state) => state.exceeded)?.policy
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10, plus Retry-After if refused. Takes all verdicts of a request,
 * since the address is checked before the caller is known.
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
        // The draft forbids a reset later than Retry-After. A refusal therefore reports it only for exceeded policies:
        // a policy with room plays no part in the wait.
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

/**
 * One state per policy. If a policy was checked twice (login), the stricter state is the one that limits the client.
 */
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
