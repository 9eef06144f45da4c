import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { joinMatches } from './audit-matches.ts'

describe('joinMatches', () => {
  test('adds the lines of one transaction in two shards', () => {
    const parts = [[{ id: 'txn_a', cents: 700 }], [], [{ id: 'txn_a', cents: -20 }]]

    assert.deepEqual(joinMatches([{ id: 'txn_a', net_cents: 680 }], parts), [
      { id: 'txn_a', net_cents: 680, ledger_cents: 680 },
    ])
  })

  test('a transaction without lines has zero, and lines without a transaction of the list are left out', () => {
    const parts = [[{ id: 'txn_b', cents: 5 }]]

    assert.deepEqual(joinMatches([{ id: 'txn_a', net_cents: 3 }], parts), [
      { id: 'txn_a', net_cents: 3, ledger_cents: 0 },
    ])
  })
})
