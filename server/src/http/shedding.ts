/**
 * Load shedding by the delay of the event loop: the time by which a request that comes now would wait before anybody
 * looks at it. While the delay is above its bound, new requests are refused with 503 at once. Requests that were
 * admitted before go on, and the operators' port, with its health checks, is never shed.
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
   * Load is shed when the mean delay of two half seconds in a row is above this. One alone is a pause that has ended:
   * a process that has just started, a long garbage collection. 0: the delay is not measured, and nothing is shed.
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
    // Each sample is the time between two ticks of a timer, so an idle loop shows the resolution and not 0.
    const [mean, longest] = [delays.mean, delays.max].map((nanoseconds) =>
      Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS),
    ) as [number, number]
    const isMeasured = delays.count > 0
    delays.reset()
    if (!isMeasured) return
    metrics.eventLoopDelay.observe(longest / 1000)
    // It ends at half of the bound: at the bound itself, load would be let in and shed in turns.
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
