import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { settle } from './settle.ts'

const market = await marketplace()
const MINUTE = 60_000
const visit = { description: 'Look', budget_cents: 500, location: '5 Side Road, Springfield' }
const usesOf = (taskId: string) =>
  market.asOwner('select check_at from target_uses where task_id = $1', [taskId])

async function settleAfter(minutes: number): Promise<void> {
  market.advance(minutes * MINUTE)
  await market.runJob(settle)
}

test('a count without a task is given back after ten minutes', async () => {
  const id = 'task_00000000000000000000000000'
  await market.asOwner(
    `insert into target_uses (target, task_id, kind, reserved_at, check_at) values ('x', $1, 'place', $2, $3)`,
    [id, market.now(), new Date(market.now().getTime() + 10 * MINUTE)],
  )

  await settleAfter(9)
  const before = await usesOf(id)
  await settleAfter(1)

  assert.equal(before.length, 1)
  assert.deepEqual(await usesOf(id), [])
})

test('a task that a worker took counts for good, also if it is cancelled later', async () => {
  const agent = await market.agent({ balanceCents: 10_000 })
  const { body } = await agent.post('/tasks', visit)
  await (await market.worker()).post(`/worker/tasks/${body.task.id}/accept`)
  await settleAfter(10)
  await agent.post(`/tasks/${body.task.id}/cancel`)

  await settleAfter(120)

  assert.deepEqual(await usesOf(body.task.id), [{ check_at: null }])
})

test('an open task counts; if it is cancelled before a worker took it, it is given back within an hour', async () => {
  const agent = await market.agent({ balanceCents: 10_000 })
  const { body } = await agent.post('/tasks', visit)
  await settleAfter(10)
  const open = await usesOf(body.task.id)
  await agent.post(`/tasks/${body.task.id}/cancel`)

  await settleAfter(60)

  assert.equal(open.length, 1)
  assert.deepEqual(await usesOf(body.task.id), [])
})
