import type { Db } from './db.ts'

/** A semaphore: a batch that has a permit may be sent. */
export interface Permits {
  /** Waits for a permit and returns the function that releases it. */
  acquire(): Promise<() => void>
}

/** A schema that doesn't respond, for example while it is moved, must not hold up the others for longer. */
const HELD_MAX_MS = 100

/**
 * Permits for all schemas of a database; undefined if it has only one. Each schema has its own batches. If all of them
 * were sent as soon as possible, most would have one or two items, and a batch has a fixed cost. A batch that waits for
 * a permit grows meanwhile.
 */
export function permitsByDatabase(): (db: Db, atOnceMax: number) => Permits | undefined {
  const markets = new WeakMap<object, Map<string, Permits>>()
  return ({ shards, schema: { database } }, atOnceMax) => {
    if (shards.all.length === 1) return undefined
    const databases = markets.get(shards) ?? new Map<string, Permits>()
    markets.set(shards, databases)
    const permits = databases.get(database) ?? openPermits(atOnceMax)
    databases.set(database, permits)
    return permits
  }
}

export function openPermits(atOnceMax: number): Permits {
  const waiting: (() => void)[] = []
  let held = 0

  async function acquire(): Promise<() => void> {
    if (held < atOnceMax) held += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      clearTimeout(timer)
      const next = waiting.shift()
      if (next) next()
      else held -= 1
    }
    const timer = setTimeout(release, HELD_MAX_MS)
    return release
  }

  return { acquire }
}
