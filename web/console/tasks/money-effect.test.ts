import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approvalSays, cancellationSays, disputeSays } from './money-effect.ts'

type Work = Parameters<typeof approvalSays>[0]
type Slot = Work['assignments'][number]

const slot = (status: Slot['status'], outcome: Slot['outcome'] = null): Slot => ({
  id: 'asg_1',
  worker_id: 'worker_1',
  status,
  outcome,
  accepted_at: '',
  expires_at: '',
  submitted_at: null,
  net_cents: null,
})

const task = (escrow_cents: number, assignments: Slot[], more: Partial<Work> = {}): Work => ({
  escrow_cents,
  assignments,
  consensus_count: 1,
  consensus_max: null,
  funding: 'wallet',
  ...more,
})

describe('the money effect of a decision', () => {
  test('an approval pays the worker less the fee', () => {
    assert.equal(
      approvalSays(task(500, [slot('submitted', 'done')])),
      '$5.00 → worker $4.10 + fee $0.90',
    )
  })

  test('approving a task that was not possible refunds half', () => {
    assert.equal(
      approvalSays(task(1000, [slot('submitted', 'not_possible')])),
      '$5.00 → worker $4.10 + fee $0.90, $5.00 → back to your wallet',
    )
  })

  test('approving with two of three answers pays two workers and refunds the third share', () => {
    const two = [slot('submitted', 'done'), slot('submitted', 'done'), slot('released')]

    assert.equal(
      approvalSays(task(900, two, { consensus_count: 3 })),
      '$6.00 → 2 workers $4.92 + fee $1.08, $3.00 → back to your wallet',
    )
  })

  test('a dispute refunds everything', () => {
    assert.equal(
      disputeSays(task(500, [slot('submitted', 'done')])),
      '$5.00 → back to your wallet. The worker gets nothing.',
    )
    assert.match(disputeSays(task(500, [], { funding: 'free' })), /back to Legwork/)
  })

  test('canceling an unassigned task is free; an assigned worker gets 30%, at least $1', () => {
    assert.equal(cancellationSays(task(500, [])), '$5.00 → back to your wallet')
    assert.match(
      cancellationSays(task(500, [slot('accepted')])),
      /^\$1\.50 → 1 worker already working on it, \$3\.50 → back/,
    )
    assert.match(cancellationSays(task(200, [slot('accepted')])), /^\$1\.00 →/)
  })
})
