import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('GET /test/clock', () => {
  test('lists what comes next, and when', async () => {
    const { test: agent } = await market.agent()
    const created = await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
    const { id } = created.body.task
    await agent.post('/test/clock/advance', { by: '1s' })

    assert.deepEqual((await agent.get('/test/clock')).body, {
      moved_s: 1,
      next: [
        { in_s: 1, what: 'rehearsal.accept', task_id: id },
        { in_s: 7 * 86_400 - 1, what: 'tasks.expire', task_id: id },
      ],
    })
  })

  test('is empty for an agent that has never advanced it and has no task', async () => {
    const { test: agent } = await market.agent()

    assert.deepEqual((await agent.get('/test/clock')).body, { moved_s: 0, next: [] })
  })

  test('403 with a live key', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.get('/test/clock')

    assert.deepEqual([status, body.code], [403, 'test_mode_only'])
  })
})
