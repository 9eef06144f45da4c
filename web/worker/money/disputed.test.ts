import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Text } from '../text/use-text.tsx'
import { type DisputedPay, inReviewCents, nextStep, yoursFirst } from './disputed.ts'

const text = Object.assign((id: string, { when }: { when: string }) => `${id} ${when}`.trim(), {
  date: (at: string) => at.slice(0, 10),
}) as unknown as Text

const dispute = (next: DisputedPay['next'], until: string | null): DisputedPay => ({
  task_id: 'task_1',
  title: 'Look at it',
  pay_cents: 410,
  next,
  until,
})
const DAY = '2026-11-20T09:00:00.000Z'

test('each dispute says who acts next, and by when', () => {
  assert.deepEqual(
    [
      dispute('you_appeal', DAY),
      dispute('agent_replies', DAY),
      dispute('operator_decides', null),
      dispute('operator_decides', DAY),
    ].map((one) => nextStep(one, text)),
    [
      'earnings.next_you_appeal 2026-11-20',
      'earnings.next_agent_replies 2026-11-20',
      'earnings.next_operator_decides',
      'earnings.next_held 2026-11-20',
    ],
  )
})

test('the worker’s own turn comes first', () => {
  const disputes = [
    dispute('agent_replies', DAY),
    dispute('you_appeal', '2026-11-21T09:00:00.000Z'),
  ]

  assert.deepEqual(
    yoursFirst(disputes).map(({ next }) => next),
    ['you_appeal', 'agent_replies'],
  )
})

test('pay in a held dispute is not in review, too', () => {
  const disputes = [dispute('operator_decides', DAY), dispute('you_appeal', DAY)]

  assert.equal(inReviewCents({ pending_cents: 1000, disputes }), 590)
})
