/**
 * A separate process that sends requests to the limiter as fast as it can: the limits must hold across all processes
 * together. Started by limiter-redis.test.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Limiter } from '../src/http/limiter.ts'
import { redisLimiter } from '../src/http/limiter-redis.ts'
import type { Check } from '../src/http/limits.ts'

export interface Knocking {
  url: string
  /** The requests to make in turn, each as its list of checks. */
  requests: Check[][]
  forMs: number
  atOnce: number
}

export interface Knocked {
  asked: number
  /** Times of admission by "policy:key", in microseconds of Redis' clock. */
  admissions: Record<string, number[]>
}

/** The maximum number of times within any half-open window of this length. */
export function mostInAnyWindow(times: number[], window: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  let most = 0
  let start = 0
  sorted.forEach((time, end) => {
    while (time - (sorted[start] ?? time) >= window) start++
    most = Math.max(most, end - start + 1)
  })
  return most
}

async function knock({ url, requests, forMs, atOnce }: Knocking): Promise<Knocked> {
  const limiter = redisLimiter({
    url,
    // Generous, because four busy processes share few cores here; a fallback would void the test.
    timeoutMs: 5_000,
    fallback: noFallback,
    onDown: (error) => {
      throw error
    },
    onUp: () => {},
  })
  const admissions: Record<string, number[]> = {}
  const until = performance.now() + forMs
  let asked = 0

  async function client(): Promise<void> {
    while (performance.now() < until) {
      const checks = requests[asked++ % requests.length] ?? []
      const verdict = await limiter.take(checks)
      if (verdict.admitted) {
        for (const { policy, key } of checks) {
          const times = (admissions[`${policy.name}:${key}`] ??= [])
          times.push(verdict.at)
        }
      }
      await sleep(1)
    }
  }

  await Promise.all(Array.from({ length: atOnce }, client))
  await limiter.close()
  return { asked, admissions }
}

const noFallback: Limiter = {
  take: () => Promise.reject(new Error('the fallback was asked')),
  close: () => Promise.resolve(),
}

if (import.meta.main) {
  process.once('message', (knocking: Knocking) => {
    void knock(knocking).then((knocked) => {
      process.send?.(knocked, () => process.disconnect())
    })
  })
  process.send?.('ready')
}
