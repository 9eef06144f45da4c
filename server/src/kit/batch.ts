/**
 * Collects work that many requests want done by one round trip, without ever waiting for more to come: what
 * arrived while the last batches were at the database forms the next one. Idle, an item goes at once and alone;
 * under load batches grow by themselves.
 */
import { ApiError } from './errors.ts'

export interface Batcher<Item, Outcome> {
  add(item: Item): Promise<Outcome>
}

interface Waiting<Item, Outcome> {
  item: Item
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

export function batcher<Item, Outcome>({
  run,
  inFlightMax = 2,
  sizeMax = 64,
  exclusive = () => undefined,
}: {
  /** Does the work of a batch and answers one outcome per item, in their order. */
  run(items: Item[]): Promise<Outcome[]>
  inFlightMax?: number
  sizeMax?: number
  /** Two items with the same name never share a batch: the later one must see what the first has done. */
  exclusive?(item: Item): string | undefined
}): Batcher<Item, Outcome> {
  let queue: Waiting<Item, Outcome>[] = []
  let inFlight = 0
  let scheduled = false

  function pump() {
    scheduled = false
    while (queue.length > 0 && inFlight < inFlightMax) {
      inFlight += 1
      void runBatch(takeBatch())
    }
  }

  async function runBatch(batch: Waiting<Item, Outcome>[]): Promise<void> {
    const tell = await settle(batch)
    inFlight -= 1
    // The next batch is on its way before those of this one are answered, which takes a while when they are many.
    if (queue.length > 0) {
      pump()
      setImmediate(tell)
    } else tell()
  }

  /** Runs a batch, and gives what tells its items how they fared. */
  async function settle(batch: Waiting<Item, Outcome>[]): Promise<() => void> {
    try {
      const outcomes = await run(batch.map(({ item }) => item))
      return () => {
        for (const [i, { resolve }] of batch.entries()) resolve(outcomes[i]!)
      }
    } catch (error) {
      // No item is to blame when the database is away, and each alone would wait as long again.
      const isAway = error instanceof ApiError && error.code === 'unavailable'
      if (batch.length === 1 || isAway)
        return () => {
          for (const { reject } of batch) reject(error)
        }
      // One bad item must not fail its neighbours: each is tried alone, and keeps its own error.
      const tells: (() => void)[] = []
      for (const waiting of batch) tells.push(await settle([waiting]))
      return () => {
        for (const tell of tells) tell()
      }
    }
  }

  function takeBatch(): Waiting<Item, Outcome>[] {
    const names = new Set<string>()
    const batch: Waiting<Item, Outcome>[] = []
    const later: Waiting<Item, Outcome>[] = []
    for (const waiting of queue) {
      const name = exclusive(waiting.item)
      if (batch.length < sizeMax && (name === undefined || !names.has(name))) {
        if (name !== undefined) names.add(name)
        batch.push(waiting)
      } else later.push(waiting)
    }
    queue = later
    return batch
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        // After this turn of the event loop, so that requests read from the sockets together go together.
        if (!scheduled) {
          scheduled = true
          setImmediate(pump)
        }
      }),
  }
}
