import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { depositStatus, isRefundable, shownStatus, standOf } from './deposit-status.ts'

const STATUSES = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'won',
  'lost',
  'prevented',
]

test('the state of a chargeback follows the processor’s status', () => {
  assert.deepEqual(STATUSES.map(standOf), [
    'question',
    'question',
    'question',
    'open',
    'open',
    'open',
    'open',
    'won',
    'lost',
    'question',
  ])
  assert.equal(standOf('a word of next year'), 'open')
})

describe('the status of a paid deposit', () => {
  const of = (refundedCents: number, ...chargebacks: string[]) =>
    depositStatus({ amountCents: 1000, refundedCents, chargebacks })

  test('follows its refunds and chargebacks', () => {
    assert.equal(of(0), 'succeeded')
    assert.equal(of(1), 'partially_refunded')
    assert.equal(of(1000), 'refunded')
    assert.equal(of(0, 'warning_needs_response'), 'succeeded')
    assert.equal(of(0, 'needs_response'), 'disputed')
    assert.equal(of(0, 'won'), 'dispute_won')
    assert.equal(of(0, 'lost'), 'dispute_lost')
    assert.equal(of(300, 'won'), 'partially_refunded')
    assert.equal(of(300, 'under_review'), 'disputed')
    assert.equal(of(300, 'lost'), 'dispute_lost')
    assert.equal(of(0, 'won', 'needs_response'), 'disputed')
    assert.equal(of(0, 'won', 'lost'), 'dispute_lost')
  })

  test('does not depend on the order of its chargebacks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.array(fc.constantFrom(...STATUSES), { maxLength: 4 }),
        (refunded, complaints) => {
          assert.equal(of(refunded, ...complaints), of(refunded, ...complaints.toReversed()))
        },
      ),
    )
  })

  test('allows a refund only without an open or lost chargeback', () => {
    const statuses = [of(0), of(1), of(1000), of(0, 'won'), of(0, 'lost'), of(0, 'under_review')]

    assert.deepEqual(statuses.map(isRefundable), [true, true, false, true, false, false])
  })
})

test('an agent sees whether a deposit is available', () => {
  const shown = (
    ['creating', 'open', 'processing', 'mismatched', 'failed', 'expired'] as const
  ).map((status) => shownStatus(status))

  assert.deepEqual(shown, ['pending', 'pending', 'pending', 'pending', 'failed', 'expired'])
  for (const status of ['succeeded', 'disputed', 'refunded', 'dispute_lost'] as const)
    assert.equal(shownStatus(status), 'posted')
  assert.equal(shownStatus('mismatched', { isDecided: true }), 'failed')
})
