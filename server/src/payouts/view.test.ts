import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NEVER } from './holds.ts'
import type { Payout } from './queries.ts'
import { PayoutView, viewPayout } from './view.ts'

const AT = new Date('2026-03-10T12:00:00Z')
const payout = (fields: Partial<Payout>): Payout => ({
  id: 'po_1',
  worker_id: 'worker_1',
  agent_id: 'agent_1',
  task_id: 'task_1',
  mode: 'live',
  funding: 'wallet',
  amount_cents: 820,
  status: 'requested',
  hold_reason: null,
  available_at: AT,
  account_id: null,
  transfer_id: null,
  reversed_cents: 0,
  failure_code: null,
  failure_message: 'the processor’s own words',
  previous_id: null,
  cleared_at: null,
  note: 'an operator’s own words',
  check_at: null,
  paid_at: null,
  created_at: AT,
  updated_at: AT,
  ...fields,
})

describe('a payout as an agent sees it', () => {
  test('has one of six statuses, and a reason unless it is paid or on its way', () => {
    const shown = (
      [
        'held',
        'awaiting_account',
        'requested',
        'submitting',
        'awaiting_funds',
        'paid',
        'failed',
        'partially_reversed',
        'reversed',
      ] as const
    ).map((status) => {
      const view = PayoutView.parse(viewPayout(payout({ status })))
      return [view.status, view.reason !== undefined]
    })

    assert.deepEqual(shown, [
      ['held', true],
      ['awaiting_account', true],
      ['pending', false],
      ['pending', false],
      ['awaiting_funds', true],
      ['paid', false],
      ['failed', true],
      ['paid', false],
      ['failed', true],
    ])
  })

  test('says why it is held, and until when, if that is known', () => {
    const held = (hold_reason: Payout['hold_reason'], available_at: Date) =>
      viewPayout(payout({ status: 'held', hold_reason, available_at }))

    assert.match(held('new_funds', AT).reason!, /deposited recently/)
    assert.equal(held('new_funds', AT).available_at, '2026-03-10T12:00:00.000Z')
    assert.match(held('self_dealing', NEVER).reason!, /reviewing this free task/)
    assert.equal(held('self_dealing', NEVER).available_at, null)
    assert.match(held(null, AT).reason!, /Payouts are paused/)
  })

  test('shows nobody the messages of the processor or of an operator', () => {
    for (const status of ['failed', 'held', 'reversed'] as const)
      assert(!JSON.stringify(viewPayout(payout({ status }))).includes('own words'))
  })
})
