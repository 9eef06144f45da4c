import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addStuck } from './stuck.ts'

describe('addStuck', () => {
  test('adds two shards and names the oldest of both', () => {
    const parts = [
      { count: 2, cents: 300, oldest: 'po_02' },
      { count: 0, cents: 0, oldest: null },
      { count: 1, cents: 50, oldest: 'po_01' },
    ]

    assert.deepEqual(addStuck(parts), { count: 3, cents: 350, oldest: 'po_01' })
  })

  test('has no oldest if nothing is stuck', () => {
    assert.deepEqual(addStuck([{ count: 0, cents: 0, oldest: null }]), {
      count: 0,
      cents: 0,
      oldest: null,
    })
  })
})
