/**
 * Batches the work of concurrent requests into one round trip, without ever waiting for more items: items that arrive
 * while batches are at the database form the next batch. An item that arrives at an idle batcher is sent immediately
 * and alone; under load, batches grow automatically. Batchers that share a database can share permits.
 */
import { ApiError } from './errors.ts'
import type { Permits } from './permits.ts'
import { currentTrace, inBatchSpan, inSpan } from './traces.ts'

export interface Batcher<Item, Outcome> {
  add(item: Item): Promise<Outcome>
}

interface Waiting<Item, Outcome> {
  item: Item
  trace: ReturnType<typeof currentTrace>
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

export function batcher<Item, Outcome>({
  name,
  run,
  inFlightMax = 2,
  sizeMax = 64,
  exclusive = () => undefined,
  permits,
}: {
  /** For traces. */
  name: string
  /** Processes a batch and returns one outcome per item, in order. */
  run(items: Item[]): Promise<Outcome[]>
  inFlightMax?: number
  sizeMax?: number
  /** Two items with the same name never share a batch: the later one must see the effect of the first. */
  exclusive?(item: Item): string | undefined
  /** A batch waits for a permit, and takes what has arrived until then. */
  permits?(): Permits | undefined
}): Batcher<Item, Outcome> {
  const [waitSpan, batchSpan] = [`wait for ${name}`, `batch ${name}`]
  let queue: Waiting<Item, Outcome>[] = []
  let inFlight = 0
  let scheduled = false
  let isWaitingForPermit = false

  function pump() {
    scheduled = false
    while (queue.length > 0 && inFlight < inFlightMax && !isWaitingForPermit) {
      inFlight += 1
      const shared = permits?.()
      if (shared) void runWithPermit(shared)
      else void runBatch(takeBatch())
    }
  }

  async function runWithPermit({ acquire }: Permits): Promise<void> {
    isWaitingForPermit = true
    const release = await acquire()
    isWaitingForPermit = false
    const batch = takeBatch()
    pump()
    await runBatch(batch, release)
  }

  async function runBatch(batch: Waiting<Item, Outcome>[], release?: () => void): Promise<void> {
    const tell = await settle(batch)
    release?.()
    inFlight -= 1
    // Start the next batch before notifying this one's items, which takes a while if there are many.
    if (queue.length > 0) {
      pump()
      setImmediate(tell)
    } else tell()
  }

  /** Runs a batch and returns the function that delivers the outcomes to its items. */
  async function settle(batch: Waiting<Item, Outcome>[]): Promise<() => void> {
    try {
      const outcomes = await inBatchSpan(batchSpan, batch, () => run(batch.map(({ item }) => item)))
      return () => {
        for (const [i, { resolve }] of batch.entries()) resolve(outcomes[i]!)
      }
    } catch (error) {
      // If the database is unreachable, no item is at fault, and trying each alone would wait as long again.
      const isAway = error instanceof ApiError && error.code === 'unavailable'
      if (batch.length === 1 || isAway)
        return () => {
          for (const { reject } of batch) reject(error)
        }
      // One bad item must not fail the others: each is retried alone and gets its own error.
      const tells: (() => void)[] = []
      for (const waiting of batch) tells.push(await settle([waiting]))
      return () => {
        for (const tell of tells) tell()
      }
    }
  }

  function takeBatch(): Waiting<Item, Outcome>[] {
    const { batch, later } = firstBatch(queue, sizeMax, exclusive)
    queue = later
    return batch
  }

  const enqueue = (item: Item) =>
    new Promise<Outcome>((resolve, reject) => {
      queue.push({ item, trace: currentTrace(), resolve, reject })
      // Wait for the end of this event loop turn, so that requests read from the sockets together share a batch.
      if (!scheduled) {
        scheduled = true
        setImmediate(pump)
      }
    })

  return {
    add: (item) => inSpan(waitSpan, {}, () => enqueue(item)),
  }
}

function firstBatch<Item, Outcome>(
  queue: Waiting<Item, Outcome>[],
  sizeMax: number,
  exclusive: (item: Item) => string | undefined,
) {
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
  return { batch, later }
}
