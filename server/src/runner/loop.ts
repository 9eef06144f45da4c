import type { Background } from '../kit/job.ts'

const FIRST_BACK_OFF_MS = 200
/** Small, so that work resumes within seconds after a database outage of minutes. */
const BACK_OFF_MAX_MS = 5000

/**
 * Runs `step` repeatedly until stopped: immediately while there is more to do, otherwise after a pause. An error is
 * logged and followed by a backoff; it never ends the loop.
 */
export function loop(
  { log }: Pick<Background, 'log'>,
  {
    name,
    intervalMs,
    idleMaxMs = intervalMs,
    backOffMaxMs = BACK_OFF_MAX_MS,
    step,
  }: {
    name: string
    intervalMs: number
    /** The pause doubles up to this while the step finds nothing to do. */
    idleMaxMs?: number
    /** Maximum backoff, in addition to the interval, while the step fails. */
    backOffMaxMs?: number
    /** `done`: there was something to do, and there may be more after a pause. */
    step(): Promise<'more' | 'done' | 'idle'>
  },
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let failures = 0
  let pauseMs = intervalMs

  const running = (async () => {
    while (!stopping.signal.aborted) {
      const outcome = await step().catch((error: unknown) => {
        failures += 1
        log.error({ loop: name, failures, error }, 'a background loop failed; it continues')
        return 'failed' as const
      })
      if (outcome !== 'failed') failures = 0
      if (outcome === 'more') continue
      pauseMs = outcome === 'idle' ? Math.min(pauseMs, idleMaxMs) : intervalMs
      const backOffMs = outcome === 'failed' ? FIRST_BACK_OFF_MS * 2 ** Math.min(failures, 8) : 0
      await pause(pauseMs + Math.min(backOffMs, backOffMaxMs), stopping.signal)
      pauseMs *= 2
    }
  })()

  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Removes its listener when the time is up: a loop pauses millions of times on one signal. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  const timer = setTimeout(resolve, ms)
  const wake = () => resolve()
  signal.addEventListener('abort', wake, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', wake)
  })
}
