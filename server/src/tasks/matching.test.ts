import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { levelNeeded } from './matching.ts'

describe('levelNeeded', () => {
  test('is the level that the agent requests, or the one for one worker’s share of the budget', () => {
    const level = (locked_cents: number, consensus_count = 1, rest = {}) =>
      levelNeeded({
        locked_cents,
        consensus_count,
        consensus_max: null,
        min_worker_level: 1,
        share_level: null,
        ...rest,
      })

    assert.deepEqual(
      [5000, 5001, 20_000, 20_001, 50_000, 50_001].map((cents) => level(cents)),
      [1, 2, 2, 3, 3, 4],
    )
    assert.equal(level(50_001, 2), 3)
    assert.equal(level(10_000, 2), 1)
    assert.equal(level(50_001, 2, { consensus_max: 10 }), 2)
    assert.equal(level(100, 1, { min_worker_level: 5 }), 5)
    assert.equal(level(50_001, 1, { min_worker_level: 2 }), 4)
    assert.equal(level(50_001, 1, { share_level: 2 }), 2)
    assert.equal(level(50_001, 1, { share_level: 1, min_worker_level: 3 }), 3)
  })
})
