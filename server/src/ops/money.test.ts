import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addWaiting, type Waiting } from './money.ts'

describe('addWaiting', () => {
  const waits = (things: string, state: string, count: number, ms: number): Waiting => ({
    things,
    state,
    count,
    amount_cents: count * 100,
    oldest_at: new Date(ms),
  })

  test('adds what waits for the same in two shards, since the older of the two', () => {
    const parts = [
      [waits('payouts', 'awaiting_funds', 2, 2000)],
      [waits('payouts', 'awaiting_funds', 1, 1000)],
    ]

    assert.deepEqual(addWaiting(parts), [
      { ...waits('payouts', 'awaiting funds', 3, 1000), amount_cents: 300 },
    ])
  })

  test('lists things in the order of the report, whichever part has them', () => {
    const parts = [
      [waits('refunds', 'pending', 1, 1)],
      [],
      [waits('payouts', 'held', 1, 1), waits('deposits', 'open', 1, 1)],
      [waits('notifications', 'dead', 1, 1)],
    ]

    assert.deepEqual(
      addWaiting(parts).map(({ things }) => things),
      ['deposits', 'payouts', 'refunds', 'notifications'],
    )
  })
})
