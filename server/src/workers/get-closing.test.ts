import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('GET /worker/close', () => {
  test('shows what is open: tasks, work under review, disputes and money', async () => {
    const agent = await market.agent({ balanceCents: 4000, freeTasks: false })
    const worker = await market.worker({ approvals: 100 })
    const task = async () => {
      const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
      await worker.post(`/worker/tasks/${body.task.id}/accept`)
      return body.task.id as string
    }
    const prove = (id: string) => worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' })
    const [approved, disputed, submitted] = [await task(), await task(), await task()]
    for (const id of [approved, disputed, submitted]) await prove(id)
    await agent.post(`/tasks/${approved}/approve`)
    await agent.post(`/tasks/${disputed}/dispute`, { reason: 'No' })
    await task()

    const { body } = await worker.get('/worker/close')

    assert.deepEqual(body.closing, {
      requested_at: null,
      closes_at: null,
      closes_anyway_at: null,
      grace_days: 14,
      tasks_in_progress: 1,
      under_review: 1,
      disputes: 1,
      owed_cents: 820,
      payout_status: 'not_connected',
    })
  })
})
