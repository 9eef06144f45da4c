/**
 * Bounds how much goes to one host at once, whoever's lanes lead there: agents share hosts, and a host does not care
 * whose events it can't take. Who finds no room is called when there is some, in the order of asking.
 */
interface Host {
  taken: number
  waiting: Set<unknown>
  /** When the last turn was given back, and how long it takes from one to the next. */
  backAt: number
  intervalMs: number
}

/** So many wait for each turn of a host that gets on, before one more had better come back later. */
const WAITING_PER_TURN = 8
const STUCK_AFTER_MS = 1000
const COME_BACK_MS = { min: 50, max: 5000 }
/** The weight of the latest interval in the average. */
const LATEST = 0.1

export function hostTurns<Asker>(max: number, call: (asker: Asker) => void) {
  const hosts = new Map<string, Host>()

  return {
    /** Whether there was room. If not, `asker` is called when there is. */
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
     * After how long one more had better come back, because so many wait already; 0 when it may wait with them. It
     * is about the time until they have had their turns, so that a crowd is not taken and put back in vain.
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
