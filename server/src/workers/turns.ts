import { unavailable } from '../kit/errors.ts'

/**
 * Limits the concurrency of expensive work, with a bounded queue. When the queue is full, calls fail at once with a
 * retryable error: that is better than a response after the caller has given up.
 */
export function takeTurns({ atOnceMax, waitingMax }: { atOnceMax: number; waitingMax: number }) {
  const waiting: (() => void)[] = []
  let atWork = 0

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (atWork < atOnceMax) atWork += 1
    else {
      if (waiting.length >= waitingMax) throw unavailable({ retry_after_seconds: 1 })
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    }
    try {
      return await work()
    } finally {
      // Pass the slot on directly, so that a new call can't take it before the next in the queue.
      const next = waiting.shift()
      if (next) next()
      else atWork -= 1
    }
  }
}
