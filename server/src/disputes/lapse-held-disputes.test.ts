import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { HELD_AFTER_ONE, heldDispute, eventsOfTask } from '../../test/held-disputes.ts'

const market = await marketplace({ settings: HELD_AFTER_ONE })
const HOUR = 3_600_000

describe('a held dispute without a decision for 72 hours', () => {
  test('[4.1-gap-dispute-held-lapses] has no effect: the worker is paid, and both sides are notified', async () => {
    const { agent, task, held, shown, own, paid } = await heldDispute(market)
    const at = Date.parse(held.task.decides_by)
    assert.equal(at, market.now().getTime() + 72 * HOUR)
    market.advance(72 * HOUR - 1)
    await market.sweep()
    assert.deepEqual(await paid(), [0], 'not before the deadline')
    market.advance(1)

    await market.sweep()

    assert.deepEqual(await paid(), [2460])
    assert.equal(await market.balance(agent.id), 100)
    const after = await shown()
    assert.deepEqual(
      [after.status, after.status_reason, after.approved_by, after.dispute.status],
      ['completed', 'dispute_lapsed', 'auto', 'lapsed'],
    )
    assert.equal((await own()).held_dispute.status, 'lapsed')
    const told = (await eventsOfTask(market, task.id)).slice(-2)
    assert.deepEqual(
      told.map(({ type, data }) => [type, data.approved_by ?? data.ruling]),
      [
        ['task.completed', 'auto'],
        ['task.dispute_resolved', 'lapsed'],
      ],
    )
    // A lapsed dispute doesn't count as overturned, because nobody ruled against it.
    assert.equal((await agent.get('/stats')).body.quality.counts.overturned, 0)
  })

  test('pays once, also in concurrent sweeps', async () => {
    const { agent, paid } = await heldDispute(market)
    market.advance(73 * HOUR)

    await Promise.all([market.sweep(), market.sweep(), market.sweep()])
    await market.sweep()

    assert.deepEqual(await paid(), [2460])
    assert.equal(await market.balance(agent.id), 100)
  })

  test('for single proofs: within the review time the task returns to review', async () => {
    const { agent, path, shown, paid } = await heldDispute(market, {
      budget_cents: 30_000,
      consensus_count: 3,
      parts: 1,
    })
    market.advance(72 * HOUR)

    await market.sweep()

    const after = await shown()
    assert.deepEqual(
      [after.status, after.status_reason, after.dispute.status],
      ['proof_submitted', null, 'lapsed'],
    )
    assert.deepEqual(await paid(), [0, 0, 0])
    assert.equal((await agent.post(`${path}/approve`)).body.settlement.gross_cents, 30_000)
  })

  test('for single proofs: after the review time all are paid at once', async () => {
    const { shown, paid } = await heldDispute(market, { consensus_count: 3, parts: 2 })
    market.advance(72 * HOUR)

    await market.sweep()

    assert.deepEqual(await paid(), [820, 820, 820])
    assert.equal((await shown()).status, 'completed')
  })

  test('has a configurable time limit', async () => {
    const other = await marketplace({ settings: { ...HELD_AFTER_ONE, HELD_DISPUTE_HOURS: 2 } })
    const { paid } = await heldDispute(other)
    other.advance(2 * HOUR)

    await other.sweep()

    assert.deepEqual(await paid(), [2460])
  })

  test('follows the agent’s own clock in test mode', async () => {
    const { test: agent } = await market.agent()
    const tasks: string[] = []
    for (let i = 0; i < 2; i += 1) {
      const fields = { description: 'Look', budget_cents: 1000, context: { sim: 'happy' } }
      tasks.push((await agent.post('/tasks', fields)).body.task.id)
    }
    await agent.post('/test/clock/advance', { by: '10s' })
    await agent.post(`/tasks/${tasks[0]}/dispute`, { reason: 'No' })
    const held = await agent.post(`/tasks/${tasks[1]}/dispute`, { reason: 'No' })
    assert.equal(held.body.task?.status_reason, 'dispute_held', held.text)

    const { body } = await agent.post('/test/clock/advance', { by: '3d' })

    const fired = (body.fired as Json[]).filter(({ task_id }) => task_id === tasks[1])
    assert.deepEqual(fired, [
      { at_s: 72 * 3600, what: 'tasks.lapse_held_dispute', task_id: tasks[1] },
    ])
    const { task } = (await agent.get(`/tasks/${tasks[1]}`)).body
    assert.deepEqual([task.status, task.dispute.status], ['completed', 'lapsed'])
  })
})
