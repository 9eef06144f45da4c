import type { Db } from './db.ts'

/** Who has a turn may send a batch. */
export interface Turns {
  /** Waits for a turn and returns the function that ends it. */
  enter(): Promise<() => void>
}

/** A schema that doesn't respond, for example while it is moved, must not hold up the others for longer. */
const TURN_MAX_MS = 100

/**
 * Turns for all schemas of a database, undefined if it has only one. Each schema has its own batches. If all of them
 * were sent as soon as possible, most would have one or two items, and a batch has a fixed cost. A batch that waits for
 * its turn grows meanwhile.
 */
export function turnsByDatabase(): (db: Db, atOnceMax: number) => Turns | undefined {
  const markets = new WeakMap<object, Map<string, Turns>>()
  return ({ shards, schema: { database } }, atOnceMax) => {
    if (shards.all.length === 1) return undefined
    const databases = markets.get(shards) ?? new Map<string, Turns>()
    markets.set(shards, databases)
    const turns = databases.get(database) ?? takeTurns(atOnceMax)
    databases.set(database, turns)
    return turns
  }
}

export function takeTurns(atOnceMax: number): Turns {
  const waiting: (() => void)[] = []
  let busy = 0

  async function enter(): Promise<() => void> {
    if (busy < atOnceMax) busy += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      clearTimeout(timer)
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
    const timer = setTimeout(leave, TURN_MAX_MS)
    return leave
  }

  return { enter }
}
