import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { weekShareOf } from './week-share.ts'

const WEEK = { from: '2026-11-16', to: '2026-11-22', net_cents: 4205 }

describe('the share of the week', () => {
  test('is what a payment adds to the sum that includes it', () => {
    const share = weekShareOf(WEEK, 410, '2026-11-17T12:00:00')

    assert.deepEqual(share, { weekCents: 4205, share: 410 / 4205, isFirst: false })
  })

  test('is everything for the first payment of a week', () => {
    const share = weekShareOf({ ...WEEK, net_cents: 410 }, 410, '2026-11-22T23:30:00')

    assert.deepEqual(share, { weekCents: 410, share: 1, isFirst: true })
  })

  for (const [why, week, at] of [
    ['the payment is of last week', WEEK, '2026-11-15T23:59:00'],
    ['the sum is older than the payment', { ...WEEK, net_cents: 300 }, '2026-11-17T12:00:00'],
  ] as const)
    test(`is unknown if ${why}`, () => {
      assert.equal(weekShareOf(week, 410, at), null)
    })
})
