import type { Db } from './db.ts'

/** A semaphore: a batch that has a permit may be sent. */
export interface Permits {
  /** Waits for a permit and returns the function that releases it. */
  acquire(): Promise<() => void>
}

/** A schema that doesn't respond, for example while it is moved, must not hold up the others for longer. */
const HELD_MAX_MS = 100

const markets = new WeakMap<object, Map<string, Permits>>()

/**
 * Permits for batches of one kind in all schemas of a database; undefined if there is only one schema. Each schema has
 * its own batches. If all of them were sent as soon as possible, most would have one or two items, and a batch has a
 * fixed cost. A batch that waits for a permit grows meanwhile.
 */
export function permitsOf(
  { shards, schema: { database } }: Db,
  { of, atOnceMax }: { of: string; atOnceMax: number },
): Permits | undefined {
  if (shards.all.length === 1) return undefined
  const ofMarket = markets.get(shards) ?? new Map<string, Permits>()
  markets.set(shards, ofMarket)
  const permits = ofMarket.get(`${of} ${database}`) ?? openPermits(atOnceMax)
  ofMarket.set(`${of} ${database}`, permits)
  return permits
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
