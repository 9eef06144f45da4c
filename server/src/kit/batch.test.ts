import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { batcher } from './batch.ts'
import { unavailable } from './errors.ts'
import { openPermits } from './permits.ts'

describe('a batcher', () => {
  test('sends an item alone and at once when idle: no timer, one turn of the event loop', async () => {
    const { run, batches } = recorder()
    const { add } = batcher({ name: 'test', run })

    const outcome = add(1)
    await turn()

    assert.deepEqual(batches, [[1]])
    assert.equal(await outcome, 10)
  })

  test('sends items of the same turn together, and returns each its own result', async () => {
    const { run, batches } = recorder()
    const { add } = batcher({ name: 'test', run })

    const outcomes = await Promise.all([add(1), add(2), add(3)])

    assert.deepEqual(batches, [[1, 2, 3]])
    assert.deepEqual(outcomes, [10, 20, 30])
  })

  test('groups items that arrive while earlier batches are running', async () => {
    const { run, batches, release } = recorder({ held: true })
    const { add } = batcher({ name: 'test', run, inFlightMax: 1 })
    const first = add(1)
    await turn()
    const others = [add(2), add(3)]
    await turn()
    others.push(add(4))
    await turn()
    const underWay = structuredClone(batches)

    release()
    await Promise.all([first, ...others])

    assert.deepEqual(underWay, [[1]])
    assert.deepEqual(batches, [[1], [2, 3, 4]])
  })

  test('runs at most `inFlightMax` batches', async () => {
    const { run, batches, release } = recorder({ held: true })
    const { add } = batcher({ name: 'test', run, inFlightMax: 2 })
    const outcomes: Promise<number>[] = []
    for (const item of [1, 2, 3, 4]) {
      outcomes.push(add(item))
      await turn()
    }
    const underWay = structuredClone(batches)

    release()

    assert.deepEqual(await Promise.all(outcomes), [10, 20, 30, 40])
    assert.deepEqual(underWay, [[1], [2]])
    assert.deepEqual(batches, [[1], [2], [3, 4]])
  })

  test('fills a batch up to `sizeMax` and no further', async () => {
    const { run, batches } = recorder()
    const { add } = batcher({ name: 'test', run, sizeMax: 2, inFlightMax: 1 })

    await Promise.all([1, 2, 3, 4, 5].map((item) => add(item)))

    assert.deepEqual(batches, [[1, 2], [3, 4], [5]])
  })

  test('never puts two items of one exclusive name into a batch, and keeps their order', async () => {
    const { run, batches } = recorder()
    const exclusive = (item: number) => (item < 5 ? 'small' : undefined)
    const { add } = batcher({ name: 'test', run, exclusive, inFlightMax: 1 })

    await Promise.all([1, 6, 2, 7, 3].map((item) => add(item)))

    assert.deepEqual(batches, [[1, 6, 7], [2], [3]])
  })

  test('lets one bad item fail alone, with its own error', async () => {
    const { run, batches } = recorder({ bad: 2 })
    const { add } = batcher({ name: 'test', run })

    const outcomes = await Promise.allSettled([add(1), add(2), add(3)])

    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
      [10, 'failed', 30],
    )
    assert.match(String((outcomes[1] as PromiseRejectedResult).reason), /2 is bad/)
    assert.deepEqual(batches, [[1, 2, 3], [1], [2], [3]])
  })

  test('does not retry items one by one when the database is down: each would wait as long again', async () => {
    let runs = 0
    const { add } = batcher<number, number>({
      name: 'test',
      async run() {
        runs += 1
        throw unavailable({ retry_after_seconds: 1 })
      },
    })

    const outcomes = await Promise.allSettled([add(1), add(2), add(3)])

    assert(outcomes.every(({ status }) => status === 'rejected'))
    assert.equal(runs, 1)
  })

  test('waits for a permit that another has, and takes what arrives meanwhile', async () => {
    const permits = openPermits(1)
    const [first, second] = [recorder({ held: true }), recorder()]
    const one = batcher({ name: 'test', run: first.run, permits: () => permits })
    const other = batcher({ name: 'test', run: second.run, permits: () => permits })
    const outcomes = [one.add(1)]
    await turn()
    for (const item of [2, 3, 4]) {
      outcomes.push(other.add(item))
      await turn()
    }
    const meanwhile = structuredClone(second.batches)

    first.release()

    assert.deepEqual(await Promise.all(outcomes), [10, 20, 30, 40])
    assert.deepEqual(meanwhile, [])
    assert.deepEqual(second.batches, [[2, 3, 4]])
  })

  test('does not wait for a batch that gets no response', async () => {
    const permits = openPermits(1)
    const [stuck, free] = [recorder({ held: true }), recorder()]
    const late = batcher({ name: 'test', run: stuck.run, permits: () => permits }).add(1)
    await turn()

    assert.equal(await batcher({ name: 'test', run: free.run, permits: () => permits }).add(2), 20)

    stuck.release()
    assert.equal(await late, 10)
  })

  test('releases its permit after a failure', async () => {
    const permits = openPermits(1)
    const { run } = recorder({ bad: 2 })
    const { add } = batcher({ name: 'test', run, permits: () => permits })

    await assert.rejects(add(2), /2 is bad/)

    let isAcquired = false
    void permits.acquire().then(() => (isAcquired = true))
    await turn()
    assert(isAcquired)
  })

  test('continues after a failure', async () => {
    const { run } = recorder({ bad: 2 })
    const { add } = batcher({ name: 'test', run, inFlightMax: 1 })

    await assert.rejects(add(2), /2 is bad/)

    assert.equal(await add(3), 30)
  })
})

/** A batch function that records its items, and waits for `release` if held. */
function recorder({ held = false, bad }: { held?: boolean; bad?: number } = {}) {
  const batches: number[][] = []
  const released = Promise.withResolvers<void>()
  if (!held) released.resolve()
  return {
    batches,
    release: released.resolve,
    async run(items: number[]): Promise<number[]> {
      batches.push(items)
      await released.promise
      if (bad !== undefined && items.includes(bad)) throw new Error(`${bad} is bad`)
      return items.map((item) => item * 10)
    },
  }
}
