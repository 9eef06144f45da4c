import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reply } from './call.ts'
import { judge } from './judge.ts'
import type { DueDelivery } from './lanes.ts'

const AT = new Date('2026-01-02T03:04:05Z')

describe('judge', () => {
  test('2xx is delivered; anything else is retried until the last attempt', () => {
    const cases: [Reply, number, string][] = [
      [{ status: 200, answer: '' }, 0, 'delivered'],
      [{ status: 204, answer: '' }, 7, 'delivered'],
      [{ status: 299, answer: '' }, 0, 'delivered'],
      [{ status: 301, answer: '' }, 0, 'failed'],
      [{ status: 404, answer: '' }, 0, 'failed'],
      [{ status: 500, answer: '' }, 6, 'failed'],
      [{ status: 500, answer: '' }, 7, 'given_up'],
      [{ error: 'the connection was closed' }, 0, 'failed'],
      [{ error: 'the connection was closed' }, 7, 'given_up'],
      [{ status: 410, answer: '' }, 0, 'disabled'],
      [{ status: 410, answer: '' }, 7, 'disabled'],
    ]

    for (const [reply, attempts, outcome] of cases) {
      const judged = of(reply, { attempts })
      assert.equal(judged.outcome, outcome)
      assert.equal(judged.number, attempts + 1)
      assert.equal(judged.next_try_at !== null, outcome === 'failed')
    }
  })

  test('keeps the response, or the reason for none, as text that the database accepts', () => {
    assert.equal(of({ status: 500, answer: 'half a sign \uD83C' }).answer, 'half a sign \uFFFD')
    assert.equal(of({ error: 'no response within 10 s' }).error, 'no response within 10 s')
    assert.equal(of({ error: 'no response within 10 s' }).status, null)
  })

  test('names the called IP address', () => {
    const callback = of({ status: 200, answer: '' }, { url: 'https://two.example/' })

    assert.equal(of({ status: 200, answer: '' }).url, 'https://one.example/')
    assert.deepEqual([callback.url, callback.is_callback], ['https://two.example/', true])
  })
})

function of(reply: Reply, row: Partial<DueDelivery> = {}) {
  const delivery = {
    attempts: 0,
    attempts_max: 8,
    url: null,
    webhook_url: 'https://one.example/',
    ...row,
  } as DueDelivery
  return judge(delivery, reply, { agentId: 'agent_1', at: AT, now: AT, ms: 3 })
}
