/**
 * Keeps a process's clock at the database's time, and reports when it can't be trusted: one log line at the start and
 * one at the end of each doubt, and two gauges.
 */
import type { DatabaseClock } from './clock.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

const LOOK_MS = 1_000
const FOLLOW_MS = 5_000

export function watchClock({
  clock,
  askDatabase,
  log,
  metrics,
}: {
  clock: DatabaseClock
  askDatabase: () => Promise<Date>
  log: Log
  metrics: Metrics
}): { stop(): void } {
  let isAsking = false
  let askedAt = performance.now()
  let reported: string | undefined

  async function ask(): Promise<void> {
    if (isAsking) return
    isAsking = true
    askedAt = performance.now()
    // The readiness check reports an unreachable database; here the clock just continues without it.
    await clock.follow(askDatabase).catch((error: unknown) => {
      log.debug({ error }, "could not read the database's time")
    })
    isAsking = false
  }

  function report(): void {
    const doubt = clock.doubt()
    metrics.clockOff.set(clock.offMs() / 1000)
    metrics.clockDoubted.set(doubt === undefined ? 0 : 1)
    if (doubt?.reason === reported) return
    reported = doubt?.reason
    if (doubt === undefined)
      log.info('the clock is trusted again; timers and schedules run again in this process')
    else
      log.error(
        { reason: doubt.reason, difference_ms: doubt.differenceMs },
        `the clock is not trusted: ${doubt.message}; timers and schedules are paused in this ` +
          'process, see runbooks/clock.md',
      )
  }

  const timer = setInterval(() => {
    const isDoubted = clock.doubt() !== undefined
    if (!isDoubted && performance.now() - askedAt < FOLLOW_MS) return report()
    void ask().then(report)
  }, LOOK_MS)
  return { stop: () => clearInterval(timer) }
}
