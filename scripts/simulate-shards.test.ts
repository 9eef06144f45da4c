/** The simulation of sixteen clusters keeps the laws of queues, and its costs agree with other benches. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COSTS, costOfTask, inBatch } from './simulate-shards/costs.ts'
import { FluidQueue } from './simulate-shards/fluid-queue.ts'
import { limitsOfOneAgent, simulate } from './simulate-shards/model.ts'
import { DEFAULTS } from './simulate-shards/setup.ts'

const SECONDS = 3
/** Cores with which the busiest cluster is a little overloaded. */
const FEW_CORES = 26

function isClose(actual: number, expected: number, tolerance: number): void {
  const isNear = Math.abs(actual - expected) <= tolerance * expected
  assert(isNear, `${actual} is not within ${100 * tolerance} % of ${expected}`)
}

describe('a queue', () => {
  test('serves in order of arrival, as far as the scarcest budget reaches', () => {
    const queue = new FluidQueue(1)
    const served: [amount: number, waitedMs: number][] = []
    const need = [{ cpu: 1, wal: 10, connection: 1 }]
    queue.add(0, [4])
    queue.add(1, [2])
    for (const step of [1, 2]) {
      const budget = { cpu: 100, wal: 30, connection: 100 }
      queue.serve(step, budget, need, (_, amount, ms) => served.push([amount, ms]))
      assert(Math.abs(budget.wal) < 1e-9)
    }
    assert.deepEqual(
      served.map(([amount, ms]) => [Math.round(amount), ms]),
      [
        [3, 1],
        [1, 2],
        [2, 1],
      ],
    )
    assert(Math.abs(queue.length) < 1e-9)
  })
})

describe('sixteen clusters', () => {
  test('give the same result for the same seed, and another for another', () => {
    const [one, same, other] = [7, 7, 8].map((seed) => simulate({ seed, seconds: 1 }))
    assert.deepEqual(one!.use, same!.use)
    assert.notDeepEqual(one!.use, other!.use)
  })

  test('have no queue with half the load, and one that grows with twice the load of their limit', () => {
    const half = simulate({
      seconds: SECONDS,
      creations: DEFAULTS.creations / 2,
      pages: DEFAULTS.pages / 2,
    })
    assert(half.left.requests < 50 && half.left.events < 50 && half.left.pages < 50)
    assert.equal(half.waits.quantile(0.99), 0)

    const [early, late] = [1, 2].map((seconds) => simulate({ seconds, creations: 30_000 }))
    isClose(late!.left.requests, 2 * early!.left.requests, 0.2)
  })

  test('obey Little’s law: mean length = arrivals × mean wait', () => {
    const { waits, crossing, arrivals, meanLength } = simulate({
      seconds: SECONDS,
      cores: FEW_CORES,
    })
    const meanWaitSeconds = (waits.sum + crossing.sum) / (waits.count + crossing.count) / 1000
    assert(meanWaitSeconds > 0.0005, 'something must wait')
    isClose(arrivals * meanWaitSeconds, meanLength, 0.05)
  })

  test('lose a cluster without a delay of requests to the others', () => {
    const { ofOthers, ofCluster, unseen } = simulate({
      seconds: SECONDS,
      lost: { cluster: 3, from: 0.5, until: 1.5 },
    })
    assert(ofOthers.quantile(0.99) <= 2)
    assert(ofCluster.quantile(0.99) > 500)
    assert(unseen > 0)
  })

  test('drain the backlog of a lost cluster only if they have spare capacity', () => {
    const lost = { cluster: 3, from: 0.5, until: 1.5 }
    const enough = simulate({ seconds: SECONDS, lost })
    assert(enough.drained !== undefined && enough.drained < 1.4)
    const none = simulate({ seconds: SECONDS, lost, cores: 20 })
    assert.equal(none.drained, undefined)
  })

  test('are used more evenly when schemas have been moved', () => {
    const [before, after] = [false, true].map((isBalanced) =>
      simulate({ seconds: 1, exponent: 1, isBalanced }),
    )
    assert(after!.use.wal.max < before!.use.wal.max)
    isClose(after!.use.wal.mean, before!.use.wal.mean, 0.1)
  })

  test('reach the limits of the largest agent sooner, the less equal agents are', () => {
    const rates = [0.8, 1, 1.2].map((exponent) =>
      limitsOfOneAgent(exponent).map(([, rate]) => rate),
    )
    for (const i of [0, 1]) assert(rates[0]![i]! > rates[1]![i]! && rates[1]![i]! > rates[2]![i]!)
  })
})

describe('the measured costs', () => {
  test('add up to three quarters or more of the WAL that bench:cost measures for a whole task', () => {
    // That bench also has photos and full-page images.
    isClose(costOfTask(0).wal, 50_000, 0.25)
  })

  test('predict what bench:approve measures on two cores, if 30 approvals share a batch', () => {
    const NODE_MS = 0.285
    const perSecond = 2000 / (inBatch(COSTS.approve, 30).cpu + NODE_MS)
    isClose(perSecond, 2030, 0.15)
  })
})
