import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { databaseOf, shardOf } from '../kit/ids.ts'
import { expire, expireTasks } from './expire.ts'

const HOUR = 3_600_000

// Some tests make a row fail on purpose, which logs an error.
const market = await marketplace({ settings: { LOG_LEVEL: 'silent' } })

describe('tasks.expire', () => {
  test('[3-gap-expire] ends a task at its deadline, and refunds its budget', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'pending', { deadline: '1h' })

    market.advance(HOUR - 1)
    const early = await market.sweep()
    const before = await agent.get(`/tasks/${task.id}`)
    market.advance(1)
    const due = await market.sweep()
    const after = await agent.get(`/tasks/${task.id}`)

    assert.equal(early, 0)
    assert.equal(before.body.task.status, 'pending')
    assert.equal(due, 1)
    const { assignments: _a, proofs: _p, transactions, timeline, ...expired } = after.body.task
    assert.deepEqual(expired, {
      ...task,
      approved_by: null,
      settlement: { gross_cents: 0, commission_cents: 0, refunded_cents: 2500, workers: [] },
      status: 'expired',
      status_reason: 'deadline_passed',
      escrow_cents: 0,
      updated_at: market.now().toISOString(),
    })
    assert.deepEqual(
      transactions.map((line: { type: string }) => line.type),
      ['escrow_lock', 'escrow_refund'],
    )
    assert.deepEqual(timeline.at(-1), { at: market.now().toISOString(), event: 'task.expired' })
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('ends a task in progress, too, but none that has a proof or has ended', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const statuses = [
      ...(['in_progress', 'proof_submitted', 'completed', 'disputed'] as const),
      'cancelled' as const,
    ]
    const tasks = []
    for (const status of statuses)
      tasks.push(await market.taskIn(agent, status, { deadline: '1h' }))
    const balance = await market.balance(agent.id)

    market.advance(HOUR)
    const moved = await market.sweep()

    assert.equal(moved, 1)
    const shown = await Promise.all(tasks.map(({ id }) => agent.get(`/tasks/${id}`)))
    assert.deepEqual(
      shown.map(({ body }) => body.task.status),
      ['expired', ...statuses.slice(1)],
    )
    assert.equal(await market.balance(agent.id), balance + 2500)
  })

  test('returns a free task, which can be used again', async () => {
    const agent = await market.agent()
    const task = { description: 'Look', budget_cents: 500, deadline: '1h' }
    for (let i = 0; i < 3; i += 1) await agent.post('/tasks', task)
    const refused = await agent.post('/tasks', task)

    market.advance(HOUR)
    await market.sweep()
    const { body: wallet } = await agent.get('/wallet')
    const again = await agent.post('/tasks', task)

    assert.equal(refused.status, 402)
    assert.equal(wallet.free_tasks_remaining, 3)
    assert.equal(wallet.balance_cents, 0)
    assert.equal(again.status, 201)
    assert.equal(again.body.task.funding, 'free')
    market.advance(HOUR)
    assert.equal(await market.sweep(), 1)
  })

  test('sends an event with the expired task', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending', { deadline: '1h' })

    market.advance(HOUR)
    await market.sweep()
    await market.sweep()

    const told = await market.db.reader
      .selectFrom('outbox')
      .select(['type', 'agent_id', 'data'])
      .where('task_id', '=', id)
      .where('type', '<>', 'task.created')
      .execute()
    const { body } = await agent.get(`/tasks/${id}`)
    const shown = told[0]!.data as { task: Record<string, unknown> }
    assert.deepEqual(
      told.map(({ type, agent_id }) => ({ type, agent_id })),
      [{ type: 'task.expired', agent_id: agent.id }],
    )
    assert.equal(shown.task.status, 'expired')
    for (const [name, value] of Object.entries(shown.task))
      assert.deepEqual(body.task[name], value, name)
  })

  test('ends 300 due tasks of 30 agents on many shards, some free, in one pass', async () => {
    const agents = await Promise.all(
      Array.from({ length: 30 }, () => market.agent({ balanceCents: 20_000 })),
    )
    const fields = { description: 'Look', deadline: '1h' }
    const replies = await Promise.all(
      agents.flatMap((agent) =>
        Array.from({ length: 10 }, (_, i) =>
          agent.post('/tasks', { ...fields, budget_cents: i < 3 ? 500 : 2500 }),
        ),
      ),
    )
    assert.ok(replies.every(({ status }) => status === 201))
    const databases = new Set(agents.map(({ id }) => databaseOf(shardOf(id), 16)))
    assert.ok(databases.size > 4, 'the agents are spread')

    market.advance(HOUR)
    const moved = await market.sweep()

    assert.equal(moved, 300)
    const wallets = await Promise.all(agents.map((agent) => agent.get('/wallet')))
    assert.deepEqual(
      wallets.map(({ body }) => [body.balance_cents, body.free_tasks_remaining]),
      agents.map(() => [20_000, 3]),
    )
  })

  test('two concurrent sweeps move each task once', async () => {
    const agents = await Promise.all(
      Array.from({ length: 4 }, () => market.agent({ balanceCents: 50_000 })),
    )
    for (const agent of agents)
      await Promise.all(
        Array.from({ length: 15 }, () => market.taskIn(agent, 'pending', { deadline: '1h' })),
      )

    market.advance(HOUR)
    const moved = await Promise.all([market.sweep(), market.sweep()])
    const rest = await market.sweep()

    assert.equal(moved[0]! + moved[1]! + rest, 60)
    assert.deepEqual(
      await Promise.all(agents.map(({ id }) => market.balance(id))),
      agents.map(() => 50_000),
    )
    const told = await market.db.reader
      .selectFrom('outbox')
      .select('id')
      .where('type', '=', 'task.expired')
      .where(
        'agent_id',
        'in',
        agents.map(({ id }) => id),
      )
      .execute()
    assert.equal(told.length, 60)
  })

  test('does not change a task that was canceled after it was found due', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending', { deadline: '1h' })

    market.advance(HOUR)
    const found = await expire.due(market.backgroundAt(id), 500)
    await agent.post(`/tasks/${id}/cancel`)
    const moved = await expire.move(market.backgroundAt(id), found)

    assert.deepEqual(found, [{ id }])
    assert.equal(moved, 0)
    assert.equal((await agent.get(`/tasks/${id}`)).body.task.status, 'cancelled')
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('does not end a task that is not due, even if called directly', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending', { deadline: '1h' })

    const moved = await market
      .at(id)
      .transaction((tx) =>
        expireTasks(tx, { config: market.server.config, taskIds: [id], now: market.now() }),
      )

    assert.equal(moved, 0)
    assert.equal((await agent.get(`/tasks/${id}`)).body.task.status, 'pending')
    market.advance(HOUR)
    assert.equal(await market.sweep(), 1)
  })

  test('refunds twenty concurrently canceled tasks once each', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const tasks = await Promise.all(
      Array.from({ length: 20 }, () => market.taskIn(agent, 'pending', { deadline: '1h' })),
    )

    market.advance(HOUR)
    const [replies] = await Promise.all([
      Promise.all(tasks.map(({ id }) => agent.post(`/tasks/${id}/cancel`))),
      market.sweep(),
    ])
    await market.sweep()

    assert.ok(replies.every(({ status }) => status === 200 || status === 409))
    const { body } = await agent.get('/stats')
    assert.equal(body.tasks.by_status.cancelled + body.tasks.by_status.expired, 20)
    assert.equal(
      body.tasks.by_status.cancelled,
      replies.filter(({ status }) => status === 200).length,
    )
    assert.equal(await market.balance(agent.id), 50_000)
  })

  test('a task that cannot be moved does not block the others', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const tasks = []
    for (let i = 0; i < 5; i += 1)
      tasks.push(await market.taskIn(agent, 'pending', { deadline: '1h' }))
    const broken = tasks[2]!
    const table = `${market.at(agent.id).schema.name}.tasks`
    await market.asOwner(
      `alter table ${table} add constraint unmovable
         check (id <> '${broken.id}' or status <> 'expired') not valid`,
    )

    market.advance(HOUR)
    const moved = await market.sweep()
    const stuck = await agent.get(`/tasks/${broken.id}`)
    const balance = await market.balance(agent.id)
    await market.asOwner(`alter table ${table} drop constraint unmovable`)
    const later = await market.sweep()

    assert.equal(moved, 4)
    assert.equal(stuck.body.task.status, 'pending')
    assert.equal(stuck.body.task.transactions.length, 1)
    assert.equal(balance, 47_500)
    assert.equal(later, 1)
    assert.equal(await market.balance(agent.id), 50_000)
  })

  describe('a consensus task', () => {
    const three = { budget_cents: 3000, consensus_count: 3, deadline: '1h' }

    test('with more than half of the proofs goes to review', async () => {
      const agent = await market.agent({ balanceCents: 3000, freeTasks: false })
      const task = await market.taskIn(agent, 'in_progress', three)
      for (const worker of task.workers.slice(0, 2))
        await worker.post(`/worker/tasks/${task.id}/proof`, { text: 'Open' })

      market.advance(HOUR)
      await market.sweep()
      const { body } = await agent.get(`/tasks/${task.id}`)
      const approved = await agent.post(`/tasks/${task.id}/approve`)

      assert.equal(body.task.status, 'proof_submitted')
      assert.equal(body.task.consensus.incomplete, true)
      const told = (await market.events()).filter(({ task_id }) => task_id === task.id)
      assert.ok(told.some(({ type }) => type === 'task.approval_due'))
      assert.equal(body.task.consensus.result, 'Open')
      assert.deepEqual(approved.body.settlement, {
        gross_cents: 2000,
        commission_cents: 360,
        refunded_cents: 1000,
        workers: task.workers.slice(0, 2).map(({ id }) => ({ worker_id: id, net_cents: 820 })),
      })
      assert.equal(await market.balance(agent.id), 1000)
      const late = await task.workers[2]!.get('/worker/trust')
      assert.equal(late.body.changes[0].cause, 'abandoned')
    })

    test('with fewer proofs expires; workers with proof are compensated', async () => {
      const agent = await market.agent({ balanceCents: 3000, freeTasks: false })
      const task = await market.taskIn(agent, 'in_progress', three)
      await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, { text: 'Open' })

      market.advance(HOUR)
      await market.sweep()

      const { body } = await agent.get(`/tasks/${task.id}`)
      assert.equal(body.task.status, 'expired')
      assert.equal(await market.payable(task.workers[0]!.id), 300)
      assert.equal(await market.payable(task.workers[1]!.id), 0)
      assert.equal(await market.balance(agent.id), 2700)
    })
  })

  test('judges the first proof if a revision is missing at the deadline', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted', { deadline: '1h' })
    await agent.post(`/tasks/${task.id}/request-revision`, { note: 'Again' })

    market.advance(HOUR)
    await market.sweep()

    assert.equal((await agent.get(`/tasks/${task.id}`)).body.task.status, 'proof_submitted')
    assert.equal((await agent.post(`/tasks/${task.id}/approve`)).status, 200)
  })
})
