import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { PASSWORD } from '../../test/people.ts'

const DAY = 86_400_000
const market = await marketplace()

describe('DELETE /worker/close', () => {
  test('keeps the account: the worker accepts tasks again, and the clock closes nothing', async () => {
    const [agent, worker] = [await market.agent({ balanceCents: 5000 }), await market.worker()]
    const { id } = await market.taskIn(agent, 'pending')
    await worker.post('/worker/close', { current_password: PASSWORD })

    const { status, body } = await worker.delete('/worker/close')

    assert.equal(status, 200)
    assert.equal(body.closing.requested_at, null)
    assert.equal((await worker.post(`/worker/tasks/${id}/accept`)).status, 200)
    market.advance(6 * DAY)
    await market.sweep()
    assert.equal((await worker.get('/worker/profile')).body.worker.closes_at, null)
  })

  test('has no effect on an account that is not being closed', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.delete('/worker/close')

    assert.equal(status, 200)
    assert.equal(body.closing.closes_at, null)
  })
})
