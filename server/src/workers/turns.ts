import { unavailable } from '../kit/errors.ts'

/**
 * Lets so many do dear work at once, and so many more wait for their turn. Whoever comes then is told to come back:
 * an answer now is better than one after the caller has given up.
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
      // A turn is handed on, so that nobody who comes in between takes it.
      const next = waiting.shift()
      if (next) next()
      else atWork -= 1
    }
  }
}
