/**
 * Load shedding by event loop delay, which is how long a new request would wait before it is handled. While the delay
 * is above its limit, new requests get a 503 immediately. Requests already admitted continue, and the operators' port,
 * with its health checks, is never shed.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Log } from '../kit/log.ts'
import type { Metrics } from '../kit/metrics.ts'

const RESOLUTION_MS = 10
const WINDOW_MS = 500
const NANOSECONDS = 1_000_000

export interface Shedding {
  isOn(): boolean
  stop(): void
}

export function watchEventLoop({
  maxMs,
  metrics,
  log,
}: {
  /**
   * Load is shed when the mean delay is above this in two consecutive half-second windows. A single slow window is a
   * pause that is already over, such as process startup or a long garbage collection. 0 disables both the measurement
   * and load shedding.
   */
  maxMs: number
  metrics: Pick<Metrics, 'eventLoopDelay' | 'shedding'>
  log: Log
}): Shedding {
  if (maxMs === 0) return { isOn: () => false, stop() {} }
  let isOn = false
  let wasSlow = false
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const timer = setInterval(look, WINDOW_MS).unref()

  function look(): void {
    // Each sample is the time between two timer ticks, so an idle loop reports the resolution, not 0.
    const [mean, longest] = [delays.mean, delays.max].map((nanoseconds) =>
      Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS),
    ) as [number, number]
    const isMeasured = delays.count > 0
    delays.reset()
    if (!isMeasured) return
    metrics.eventLoopDelay.observe(longest / 1000)
    // Hysteresis: shedding ends at half the limit. Ending at the limit itself would make it flap.
    const wasOn = isOn
    const isSlow = mean > (wasOn ? maxMs / 2 : maxMs)
    isOn = isSlow && (wasOn || wasSlow)
    wasSlow = isSlow
    if (isOn === wasOn) return
    metrics.shedding.set(isOn ? 1 : 0)
    if (isOn) log.error({ delay_ms: Math.round(mean) }, 'overloaded: new requests are refused')
    else log.info('no longer overloaded: requests are served again')
  }

  return {
    isOn: () => isOn,
    stop() {
      clearInterval(timer)
      delays.disable()
    },
  }
}
