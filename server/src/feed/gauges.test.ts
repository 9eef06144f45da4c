import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { showOpenTasks } from './gauges.ts'

const market = await marketplace()
const openTasks = `${market.server.db.shards.feed.schema.name}.open_tasks`

test('the open tasks are counted by type, and one that ends is not counted any more', async () => {
  const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
  const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
  await agent.post('/vibe', { content: 'A slogan', question: 'Good?', budget_cents: 500 })
  await market.work()
  const counted = async () => {
    await showOpenTasks(market.background)
    const { values } = await market.background.metrics.openTasks.get()
    return values.reduce((sum, { value }) => sum + value, 0)
  }

  const before = await counted()
  await agent.post(`/tasks/${body.task.id}/cancel`)
  await market.work()

  assert.deepEqual([before, await counted()], [2, 1])
})

test('the open tasks of a table of 200,000 are estimated from a tenth of it', async () => {
  await market.asOwner(`
    insert into ${openTasks} (task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, cell5, cell6,
                            cell7, paid_chance)
      select 'task_' || lpad(i::text, 26, '0'), 'agent_x', 'verification', 100, 1, '{}', now(), 1, 1, 1, 1
        from generate_series(1, 200000) i`)
  await market.asOwner(`analyze ${openTasks}`)

  await showOpenTasks(market.background)

  const { values } = await market.background.metrics.openTasks.get()
  const estimated = values.find(({ labels }) => labels.type === 'verification')!.value
  assert(Math.abs(estimated - 200_000) < 40_000, String(estimated))
  await market.asOwner(`delete from ${openTasks} where agent_id = 'agent_x'`)
})
