import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('POST /tasks/:id/cancel', () => {
  test('[3-gap-cancel] ends a pending task and refunds its budget to the wallet', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'pending')
    market.advance(1000)

    const { status, body } = await agent.post(`/tasks/${task.id}/cancel`)

    assert.equal(status, 200)
    assert.deepEqual(body, {
      task: {
        ...task,
        status: 'cancelled',
        status_reason: 'cancelled_by_agent',
        escrow_cents: 0,
        updated_at: market.now().toISOString(),
      },
      refunded_cents: 2500,
    })
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('a free task is returned and can be used again', async () => {
    const agent = await market.agent({ balanceCents: 100 })
    const task = { description: 'Look', budget_cents: 500 }
    const [first] = [
      await agent.post('/tasks', task),
      await agent.post('/tasks', task),
      await agent.post('/tasks', task),
    ]

    const cancelled = await agent.post(`/tasks/${first.body.task.id}/cancel`)
    const again = await agent.post('/tasks', task)
    const oneMore = await agent.post('/tasks', task)

    assert.equal(cancelled.body.refunded_cents, 0)
    assert.equal(again.body.task.funding, 'free')
    assert.equal(oneMore.status, 402)
    assert.equal(await market.balance(agent.id), 100)
  })

  test('sends one event, and none when it was refused', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const cancelled = await market.taskIn(agent, 'pending')
    const completed = await market.taskIn(agent, 'completed')

    const { body } = await agent.post(`/tasks/${cancelled.id}/cancel`)
    await agent.post(`/tasks/${cancelled.id}/cancel`)
    await agent.post(`/tasks/${completed.id}/cancel`)

    const told = await market.db.reader
      .selectFrom('outbox')
      .select(['type', 'task_id', 'data', 'created_at'])
      .where('agent_id', '=', agent.id)
      .where('type', '=', 'task.cancelled')
      .execute()
    assert.deepEqual(told, [
      {
        type: 'task.cancelled',
        task_id: cancelled.id,
        data: {
          task: body.task,
          settlement: { gross_cents: 0, commission_cents: 0, refunded_cents: 2500, workers: [] },
        },
        created_at: market.now(),
      },
    ])
  })

  test('a repetition returns the same response and moves no money', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending')

    const first = await agent.post(`/tasks/${id}/cancel`)
    market.advance(60_000)
    const second = await agent.post(`/tasks/${id}/cancel`)

    assert.equal(second.status, 200)
    assert.equal(second.text, first.text)
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('[3-gap-invalid] 409 invalid_state with the status if it is too late; no money moves', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const tooLate = ['proof_submitted', 'completed', 'disputed', 'expired'] as const
    const tasks = await Promise.all(tooLate.map((status) => market.taskIn(agent, status)))
    const balance = await market.balance(agent.id)

    const replies = await Promise.all(tasks.map(({ id }) => agent.post(`/tasks/${id}/cancel`)))

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code, body.status]),
      tooLate.map((status) => [409, 'invalid_state', status]),
    )
    assert.equal(await market.balance(agent.id), balance)
    const shown = await Promise.all(tasks.map(({ id }) => agent.get(`/tasks/${id}`)))
    assert.deepEqual(
      shown.map(({ body }) => body.task.status),
      tooLate,
    )
  })

  test('404 for a task of another agent, which stays unchanged', async () => {
    const [agent, other] = [await market.agent(), await market.agent({ balanceCents: 5000 })]
    const { id } = await market.taskIn(other, 'pending')

    const { status, body } = await agent.post(`/tasks/${id}/cancel`)

    assert.equal(status, 404)
    assert.equal(body.code, 'task_not_found')
    assert.equal((await other.get(`/tasks/${id}`)).body.task.status, 'pending')
    assert.equal(await market.balance(other.id), 2500)
  })

  test('eight concurrent requests make one refund, one event and eight equal responses', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending')

    const replies = await Promise.all(
      Array.from({ length: 8 }, () => agent.post(`/tasks/${id}/cancel`)),
    )

    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map(() => 200),
    )
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal(await market.balance(agent.id), 5000)
    const told = await market.db.reader
      .selectFrom('outbox')
      .select('type')
      .where('task_id', '=', id)
      .where('type', '=', 'task.cancelled')
      .execute()
    assert.equal(told.length, 1)
  })

  test('eight concurrent cancellations, with creations between them, lose no cent', async () => {
    const agent = await market.agent({ balanceCents: 20_000 })
    const tasks = await Promise.all(
      Array.from({ length: 8 }, () => market.taskIn(agent, 'pending')),
    )

    const replies = await Promise.all(
      tasks.flatMap(({ id }) => [
        agent.post(`/tasks/${id}/cancel`),
        agent.post('/tasks', { description: 'Look', budget_cents: 2500 }),
      ]),
    )

    const cancelled = replies.filter(({ status }) => status === 200).length
    const created = replies.filter(({ status }) => status === 201).length
    assert.equal(cancelled, 8)
    assert.equal(await market.balance(agent.id), 20_000 - created * 2500)
  })

  test('a request repeated with its Idempotency-Key gets the first response', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending')
    const key = { 'idempotency-key': 'cancel-1' }

    const first = await agent.post(`/tasks/${id}/cancel`, undefined, key)
    const second = await agent.post(`/tasks/${id}/cancel`, undefined, key)

    assert.equal(second.text, first.text)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
  })

  test('refunds test money in test mode', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent.test, 'pending')

    const { body } = await agent.test.post(`/tasks/${task.id}/cancel`)

    assert.equal(body.task.mode, 'test')
    assert.equal(body.refunded_cents, 2500)
    assert.equal(await market.balance(task.agent_id), 100_000)
    assert.equal(await market.balance(agent.id), 5000)
  })

  describe('while workers hold it', () => {
    test('each gets 30% of the share, and the rest is refunded', async () => {
      const agent = await market.agent({ balanceCents: 2000, freeTasks: false })
      const task = await market.taskIn(agent, 'in_progress', {
        budget_cents: 2000,
        consensus_count: 2,
      })

      const { status, body } = await agent.post(`/tasks/${task.id}/cancel`)

      assert.equal(status, 200)
      assert.equal(body.refunded_cents, 1400)
      assert.equal(await market.balance(agent.id), 1400)
      for (const worker of task.workers) {
        assert.equal(await market.payable(worker.id), 300)
        const own = await worker.get(`/worker/tasks/${task.id}`)
        assert.deepEqual(
          [own.body.assignment.status, own.body.assignment.net_cents],
          ['cancelled', 300],
        )
      }
    })

    test('each gets at least $1, and at most the share', async () => {
      const agent = await market.agent({ balanceCents: 300, freeTasks: false })
      const small = await market.taskIn(agent, 'in_progress', { budget_cents: 200 })
      const tiny = await market.taskIn(agent, 'in_progress', { budget_cents: 60 })

      await agent.post(`/tasks/${small.id}/cancel`)
      await agent.post(`/tasks/${tiny.id}/cancel`)

      assert.equal(await market.payable(small.workers[0]!.id), 100)
      assert.equal(await market.payable(tiny.workers[0]!.id), 60)
      assert.equal(await market.balance(agent.id), 140)
    })

    test('a worker with proof gets full pay, and the commission is due', async () => {
      const agent = await market.agent({ balanceCents: 2000, freeTasks: false })
      const task = await market.taskIn(agent, 'in_progress', {
        budget_cents: 2000,
        consensus_count: 2,
      })
      await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, { text: 'Done' })

      await agent.post(`/tasks/${task.id}/cancel`)

      assert.equal(await market.payable(task.workers[0]!.id), 820)
      assert.equal(await market.payable(task.workers[1]!.id), 300)
      assert.equal(await market.balance(agent.id), 700)
    })

    test('an accepted free task stays used', async () => {
      const agent = await market.agent()
      const task = await market.taskIn(agent, 'in_progress', { budget_cents: 1000 })

      const { body } = await agent.post(`/tasks/${task.id}/cancel`)

      assert.equal(task.funding, 'free')
      assert.equal(body.refunded_cents, 0)
      assert.equal((await agent.get('/wallet')).body.free_tasks_remaining, 2)
      assert.equal(await market.payable(task.workers[0]!.id), 300)
    })

    test('no trust changes', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const task = await market.taskIn(agent, 'in_progress')

      await agent.post(`/tasks/${task.id}/cancel`)

      const { body } = await task.workers[0]!.get('/worker/trust')
      assert.deepEqual(body.changes, [])
    })
  })
})
