/**
 * A share of the database: a few concurrent slots, and a limit on their total time in the long run. Test mode runs on
 * one, so that all test agents together take no more than that from live requests.
 *
 * Time is a budget that refills steadily. A test suite spends it in bursts and never waits. Load above the budget waits
 * in a short queue, and is refused if the queue is full or the wait too long.
 */
import { unavailable } from './errors.ts'

export interface Share {
  /** Waits for a slot and returns the function that releases it. Throws `unavailable` if the wait is too long. */
  enter(): Promise<() => void>
  /** Whether a new caller would be refused. */
  isFull(): boolean
  /** The same slots and budget for background work, which waits without a timeout. */
  patient(): Share
}

export interface ShareLimits {
  places: number
  /** Long-run share of one slot's time, in percent; 0 means no limit. */
  percent: number
  /** How much time can be used at once after an idle period. */
  burstMs?: number
}

const WAITING_MAX = 64
const WAIT_MAX_MS = 4000
const RETRY_AFTER_SECONDS = 5

interface Waiting {
  resolve(): void
  reject(error: unknown): void
  timer: NodeJS.Timeout | undefined
}

export function openShare({ places, percent, burstMs = 5000 }: ShareLimits): Share {
  const waiting: Waiting[] = []
  let busy = 0
  let budgetMs = burstMs
  let refilledAt = performance.now()
  let wakeUp: NodeJS.Timeout | undefined

  function refill(): void {
    const now = performance.now()
    budgetMs = Math.min(burstMs, budgetMs + ((now - refilledAt) * percent) / 100)
    refilledAt = now
  }

  const isFree = () => busy < places && (percent === 0 || budgetMs > 0)
  const isFull = () => waiting.length >= WAITING_MAX

  function pump(): void {
    refill()
    while (waiting.length > 0 && isFree()) {
      busy += 1
      const next = waiting.shift()!
      clearTimeout(next.timer)
      next.resolve()
    }
    if (waiting.length === 0 || busy >= places || wakeUp !== undefined) return
    wakeUp = setTimeout(
      () => {
        wakeUp = undefined
        pump()
      },
      Math.ceil((1 - budgetMs) / (percent / 100)),
    )
  }

  function leave(sinceMs: number): void {
    busy -= 1
    refill()
    budgetMs -= performance.now() - sinceMs
    pump()
  }

  function queue(isPatient: boolean): Promise<void> {
    const refusal = () => unavailable({ retry_after_seconds: RETRY_AFTER_SECONDS })
    if (!isPatient && isFull()) return Promise.reject(refusal())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      waiting.splice(waiting.indexOf(entry), 1)
      reject(refusal())
    }
    const timer = isPatient ? undefined : setTimeout(giveUp, WAIT_MAX_MS)
    const entry: Waiting = { resolve, reject, timer }
    waiting.push(entry)
    pump()
    return promise
  }

  async function enter(isPatient: boolean): Promise<() => void> {
    refill()
    if (waiting.length === 0 && isFree()) busy += 1
    else await queue(isPatient)
    const since = performance.now()
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      leave(since)
    }
  }

  const patient: Share = { enter: () => enter(true), isFull, patient: () => patient }
  return { enter: () => enter(false), isFull, patient: () => patient }
}
