import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('GET /worker/tasks', () => {
  test('[4.7-gap-workers] lists the worker’s own tasks, newest first, page by page, by status', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const worker = await market.worker()
    const ids: string[] = []
    for (let i = 0; i < 5; i += 1) {
      const { id } = await market.taskIn(agent, 'pending')
      await worker.post(`/worker/tasks/${id}/accept`)
      ids.push(id)
      market.advance(1)
    }
    await worker.post(`/worker/tasks/${ids[0]}/proof`, { text: 'Done' })
    await market.taskIn(agent, 'in_progress')

    const first = await worker.get('/worker/tasks?limit=3')
    const second = await worker.get(`/worker/tasks?limit=3&cursor=${first.body.next_cursor}`)
    const sent = await worker.get('/worker/tasks?status=submitted')

    const shown = (body: { tasks: { task: { id: string } }[] }) =>
      body.tasks.map(({ task }) => task.id)
    assert.deepEqual(
      [...shown(first.body as never), ...shown(second.body as never)],
      ids.toReversed(),
    )
    assert.equal(second.body.next_cursor, null)
    assert.deepEqual(shown(sent.body as never), [ids[0]])
    const { agent: by, assignment } = sent.body.tasks[0]
    assert.deepEqual([by.id, by.name], [agent.id, agent.name])
    assert.match(assignment.auto_approve_at, /^20/)
    assert.equal(first.body.tasks[0].assignment.auto_approve_at, null)
  })

  test('tells until when a dispute can be appealed, once', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'disputed')
    const worker = task.workers[0]!
    const shown = async () => (await worker.get('/worker/tasks')).body.tasks[0].appeal_until

    const before = await shown()
    await worker.post(`/worker/tasks/${task.id}/appeal`, { statement: 'It is as asked for' })
    const after = await shown()

    const { dispute } = (await worker.get(`/worker/tasks/${task.id}`)).body
    assert.deepEqual([before, after], [dispute.appeal_until, null])
  })

  test('400 for an invalid status or cursor', async () => {
    const worker = await market.worker()

    const status = await worker.get('/worker/tasks?status=lost')
    const cursor = await worker.get('/worker/tasks?cursor=x')

    assert.deepEqual([status.status, cursor.status], [400, 400])
  })
})
