/**
 * Limits concurrent requests per host across all agents' lanes, because several agents can share a host. Callers that
 * find no free turn are called back in FIFO order when one is free.
 */
interface Host {
  taken: number
  waiting: Set<unknown>
  /** When the last turn was given back, and the average time between turns. */
  backAt: number
  intervalMs: number
}

/** A host that makes progress may have this many waiting lanes per turn; any more have to come back later. */
const WAITING_PER_TURN = 8
const STUCK_AFTER_MS = 1000
const COME_BACK_MS = { min: 50, max: 5000 }
/** The weight of the latest interval in the average. */
const LATEST = 0.1

export function hostTurns<Asker>(max: number, call: (asker: Asker) => void) {
  const hosts = new Map<string, Host>()

  return {
    /** Returns whether a turn was free. If not, `asker` is called when one is. */
    take(host: string, asker: Asker): boolean {
      const found = hosts.get(host) ?? newHost()
      hosts.set(host, found)
      if (found.taken >= max) {
        found.waiting.add(asker)
        return false
      }
      found.taken += 1
      return true
    },

    giveBack(host: string): void {
      const found = hosts.get(host)!
      const now = performance.now()
      found.taken -= 1
      found.intervalMs += LATEST * (now - found.backAt - found.intervalMs)
      found.backAt = now
      for (const asker of found.waiting) {
        if (found.taken >= max) return
        found.waiting.delete(asker)
        call(asker as Asker)
      }
      if (found.taken === 0 && found.waiting.size === 0) hosts.delete(host)
    },

    /**
     * How long another lane should stay away because too many already wait for this host; 0 if it may wait, too. The
     * result estimates when the waiting lanes have had their turns, so lanes aren't claimed and released in vain.
     */
    comeBackIn(host: string): number {
      const found = hosts.get(host)
      if (found === undefined || found.waiting.size < max) return 0
      if (performance.now() - found.backAt > STUCK_AFTER_MS) return COME_BACK_MS.max
      if (found.waiting.size < WAITING_PER_TURN * max) return 0
      const ms = found.intervalMs * found.waiting.size
      return Math.min(COME_BACK_MS.max, Math.max(COME_BACK_MS.min, ms))
    },
  }
}

const newHost = (): Host => ({
  taken: 0,
  waiting: new Set(),
  backAt: performance.now(),
  intervalMs: 0,
})
