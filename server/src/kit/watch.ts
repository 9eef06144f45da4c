/**
 * Waits for changes in the database. One query, four times a second, serves all waiters of this process; without
 * waiters there is no polling.
 */
import type { Db } from './db.ts'

const INTERVAL_MS = 250
/** A shorter database outage does not end the wait; a longer one does. */
const AWAY_MS = 4_000

interface Waiter<Seen> {
  seen: Seen
  resolve(): void
  reject(error: unknown): void
}

interface Watch<Seen> {
  waiters: Set<Waiter<Seen>>
  isPolling: boolean
}

/** Waits until the value changes from `seen`, the time is up, or the caller disconnects. */
export type Wait<Seen> = (
  db: Db,
  until: { seen: Seen; waitMs: number; signal: AbortSignal },
) => Promise<void>

/** `haveChanged` returns one result per seen value, in the same order. */
export function watcher<Seen>(
  haveChanged: (db: Db, all: Seen[]) => Promise<boolean[]>,
): Wait<Seen> {
  const watches = new WeakMap<Db, Watch<Seen>>()

  async function poll(db: Db, watch: Watch<Seen>): Promise<void> {
    watch.isPolling = true
    let answeredAt = performance.now()
    while (watch.waiters.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS))
      const asked = [...watch.waiters]
      if (asked.length === 0) break
      try {
        const changed = await haveChanged(
          db,
          asked.map(({ seen }) => seen),
        )
        answeredAt = performance.now()
        for (const [i, { resolve }] of asked.entries()) if (changed[i]) resolve()
      } catch (error) {
        if (performance.now() - answeredAt > AWAY_MS)
          for (const { reject } of watch.waiters) reject(error)
      }
    }
    watch.isPolling = false
  }

  return async (db, { seen, waitMs, signal }) => {
    if (signal.aborted) return
    const watch = watches.get(db) ?? { waiters: new Set<Waiter<Seen>>(), isPolling: false }
    watches.set(db, watch)

    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { seen, resolve, reject }
    const timer = setTimeout(resolve, waitMs)
    const leave = () => resolve()
    signal.addEventListener('abort', leave)
    watch.waiters.add(waiter)
    // A running poll picks up the new waiter, so there is never a second one.
    if (!watch.isPolling) void poll(db, watch)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      watch.waiters.delete(waiter)
    }
  }
}
