import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasGoneWell, missedIn, deliveredShare } from './outcomes.ts'
import type { Delivery } from './queries.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')
const attempt = (more: Partial<Delivery>) =>
  ({
    event_id: 'evt_1',
    type: 'task.completed',
    outcome: 'delivered',
    status: 200,
    created_at: '2026-11-15T11:00:00Z',
    ...more,
  }) as Delivery
const forged = new Set(['evt_forged'])
const forgery = (outcome: Delivery['outcome'], status: number | null) =>
  attempt({ event_id: 'evt_forged', type: 'webhook.ping', outcome, status })

describe('delivery attempts', () => {
  test('a forged delivery succeeds when the receiver rejects it', () => {
    const judged = [
      attempt({}),
      attempt({ outcome: 'failed', status: 401 }),
      forgery('given_up', 401),
      forgery('delivered', 200),
      forgery('given_up', 500),
      forgery('given_up', null),
    ].map((one) => hasGoneWell(one, forged))

    assert.deepEqual(judged, [true, false, true, false, false, false])
  })

  test('a forged delivery does not count in the success rate', () => {
    const taken = attempt({})
    const failed = attempt({ outcome: 'failed', status: 503 })

    assert.equal(deliveredShare([taken, failed, forgery('given_up', 401)], forged), 0.5)
    assert.equal(deliveredShare([forgery('delivered', 200)], forged), undefined)
  })

  test('an event without a 2xx response in the last day counts as missed once', () => {
    const failed = { outcome: 'failed', status: 503 } as const

    assert.equal(
      missedIn(
        [
          attempt({}),
          attempt({ ...failed }),
          attempt({ ...failed, event_id: 'evt_2' }),
          attempt({ ...failed, event_id: 'evt_2' }),
          attempt({ ...failed, event_id: 'evt_3', created_at: '2026-11-13T11:00:00Z' }),
          forgery('given_up', 401),
        ],
        NOW,
      ),
      1,
    )
  })
})
