import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const DAY = 86_400_000

describe('POST /tasks/:id/dispute', () => {
  test('[1-dispute] [3-dispute-refund] [4.1-dispute] refunds the money to the balance at once', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted')

    const { status, body } = await agent.post(`/tasks/${task.id}/dispute`, {
      reason: 'The sign is not readable',
    })

    assert.equal(status, 200)
    assert.equal(body.task.status, 'disputed')
    assert.equal(body.refunded_cents, 2500)
    assert.equal(await market.balance(agent.id), 2500)
    assert.equal(await market.payable(task.workers[0]!.id), 0)
  })

  test('[3-dispute-trust] lowers the worker’s trust by three', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted')
    const worker = task.workers[0]!
    const before = (await worker.get('/worker/trust')).body.trust_score

    await agent.post(`/tasks/${task.id}/dispute`, { reason: 'No' })

    const { body } = await worker.get('/worker/trust')
    assert.equal(before, 97)
    // 100 approvals and one dispute: (7 + 100) / (10 + 100 + 3)
    assert.equal(body.trust_score, 95)
    assert.equal(body.changes[0].cause, 'disputed')
  })

  test('[4.1-dispute-reason] shows the reason to the worker', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted')

    await agent.post(`/tasks/${task.id}/dispute`, { reason: 'Two lines are not readable' })

    const { body } = await task.workers[0]!.get(`/worker/tasks/${task.id}`)
    assert.equal(body.assignment.status, 'disputed')
    assert.equal(body.assignment.reason, 'Two lines are not readable')
  })

  test('[3-dispute-event] sends the event task.disputed, with the reason', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'disputed')

    const events = (await market.events()).filter(({ task_id }) => task_id === task.id)

    const told = events.filter(({ type }) => type === 'task.disputed')
    assert.equal(told.length, 1)
    const data = told[0]!.data as { task: { status: string }; dispute: { reason: string } }
    assert.deepEqual([data.task.status, data.dispute.reason], ['disputed', 'No'])
  })

  test('400 for a missing, empty or too long reason, or an invalid criterion', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted', {
      criteria: [{ id: 'sharp', text: 'Every line can be read' }],
    })
    const bodies = [{}, { reason: ' ' }, { reason: 'x'.repeat(2001) }]

    const replies = await Promise.all(
      bodies.map((body) => agent.post(`/tasks/${task.id}/dispute`, body)),
    )
    const wrong = await agent.post(`/tasks/${task.id}/dispute`, { reason: 'No', criteria: ['x'] })

    for (const { status, body } of replies)
      assert.deepEqual([status, body.details[0].path], [400, 'reason'])
    assert.deepEqual([wrong.status, wrong.body.details[0].path], [400, 'criteria.0'])
    const right = { reason: 'No', criteria: ['sharp'], category: 'unreadable' }
    assert.equal((await agent.post(`/tasks/${task.id}/dispute`, right)).status, 200)
  })

  test('the same reason again returns the same response and refunds once; 409 for another one', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted')

    const first = await agent.post(`/tasks/${task.id}/dispute`, { reason: 'No' })
    const same = await agent.post(`/tasks/${task.id}/dispute`, { reason: 'No' })
    const other = await agent.post(`/tasks/${task.id}/dispute`, { reason: 'Never' })

    assert.deepEqual(same.body, first.body)
    assert.deepEqual([other.status, other.body.code], [409, 'invalid_state'])
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('409 in every other status, 404 for another agent’s; no money moves', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const other = await market.agent()
    const statuses = ['pending', 'in_progress', 'completed', 'expired', 'cancelled'] as const
    const tasks = []
    for (const status of statuses) tasks.push(await market.taskIn(agent, status))
    const balance = await market.balance(agent.id)

    const replies = await Promise.all(
      tasks.map(({ id }) => agent.post(`/tasks/${id}/dispute`, { reason: 'No' })),
    )
    const theirs = await other.post(`/tasks/${tasks[2]!.id}/dispute`, { reason: 'No' })

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code]),
      statuses.map(() => [409, 'invalid_state']),
    )
    assert.deepEqual([theirs.status, theirs.body.code], [404, 'task_not_found'])
    assert.equal(await market.balance(agent.id), balance)
  })

  test('two concurrent requests refund once', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted')

    const replies = await Promise.all(
      Array.from({ length: 8 }, () => agent.post(`/tasks/${task.id}/dispute`, { reason: 'No' })),
    )

    for (const { status } of replies) assert.equal(status, 200)
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('a free task’s money returns to the promotional fund, and the free task stays used', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent, 'proof_submitted', { budget_cents: 1000 })

    const { body } = await agent.post(`/tasks/${task.id}/dispute`, { reason: 'No' })

    assert.equal(task.funding, 'free')
    assert.equal(body.refunded_cents, 0)
    const wallet = await agent.get('/wallet')
    assert.deepEqual([wallet.body.balance_cents, wallet.body.free_tasks_remaining], [0, 2])
  })

  test('for single proofs: the others are paid, and the share is refunded with the approval', async () => {
    const agent = await market.agent({ balanceCents: 3000, freeTasks: false })
    const task = await market.taskIn(agent, 'in_progress', {
      budget_cents: 3000,
      consensus_count: 3,
      answer_schema: { type: 'boolean' },
    })
    for (const [i, worker] of task.workers.entries())
      await worker.post(`/worker/tasks/${task.id}/proof`, { answer: i === 0 })
    const { assignments } = (await agent.get(`/tasks/${task.id}`)).body.task
    const spam = assignments[0]

    const disputed = await agent.post(`/tasks/${task.id}/dispute`, {
      reason: 'Spam',
      assignment_ids: [spam.id],
    })
    const approved = await agent.post(`/tasks/${task.id}/approve`)

    assert.equal(disputed.status, 200)
    assert.equal(disputed.body.task.status, 'proof_submitted')
    assert.equal(disputed.body.refunded_cents, 0)
    assert.deepEqual(approved.body.settlement, {
      gross_cents: 2000,
      commission_cents: 360,
      refunded_cents: 1000,
      workers: task.workers.slice(1).map(({ id }) => ({ worker_id: id, net_cents: 820 })),
    })
    assert.equal(await market.payable(task.workers[0]!.id), 0)
    assert.equal(await market.balance(agent.id), 1000)
  })

  test('400 for an assignment of another task', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted')

    const { status, body } = await agent.post(`/tasks/${task.id}/dispute`, {
      reason: 'No',
      assignment_ids: ['asg_00000000000000000000000000'],
    })

    assert.deepEqual([status, body.details[0].path], [400, 'assignment_ids.0'])
  })

  describe('the limits per day', () => {
    test('only the first three disputes of a day affect trust; the sixth is held for an operator', async () => {
      const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })
      const tasks = []
      for (let i = 0; i < 7; i += 1) tasks.push(await market.taskIn(agent, 'proof_submitted'))
      const replies = []
      for (const { id } of tasks.slice(0, 6))
        replies.push(await agent.post(`/tasks/${id}/dispute`, { reason: 'No' }))

      const causes = []
      for (const { workers } of tasks.slice(0, 6))
        causes.push((await workers[0]!.get('/worker/trust')).body.changes.length)

      assert.deepEqual(causes, [1, 1, 1, 0, 0, 0])
      assert.deepEqual(
        replies.map(({ body }) => [body.task.status, body.refunded_cents]),
        [...Array.from({ length: 5 }, () => ['disputed', 2500]), ['proof_submitted', 0]],
      )
      const held = replies[5]!.body.task
      assert.equal(held.status_reason, 'dispute_held')
      const told = (await market.events()).filter(({ task_id }) => task_id === held.id)
      assert(
        !told.some(({ type }) => type === 'task.disputed'),
        'the event is sent when it takes effect',
      )
      market.advance(3 * DAY - 1)
      await market.sweep()
      const shown = (await agent.get(`/tasks/${held.id}`)).body.task
      assert.equal(shown.status, 'proof_submitted', 'there is no automatic approval')
      assert.equal(shown.dispute.status, 'held')

      market.advance(1)
      await market.sweep()
      const settled = (await agent.get(`/tasks/${held.id}`)).body.task
      assert.deepEqual([settled.status, settled.dispute.status], ['completed', 'lapsed'])
      const after = await agent.post(`/tasks/${tasks[6]!.id}/dispute`, { reason: 'No' })
      assert.equal(after.body.code, 'invalid_state', 'the seventh was approved automatically')
    })

    test('an agent that approves most of its work has no limit', async () => {
      const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })
      for (let i = 0; i < 26; i += 1) await market.taskIn(agent, 'completed', { budget_cents: 100 })
      let last
      for (let i = 0; i < 6; i += 1) {
        const task = await market.taskIn(agent, 'proof_submitted', { budget_cents: 100 })
        last = await agent.post(`/tasks/${task.id}/dispute`, { reason: 'No' })
      }

      assert.equal(last!.body.task.status, 'disputed')
    })

    test('eight concurrent disputes are counted one after the other', async () => {
      const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })
      const tasks = []
      for (let i = 0; i < 8; i += 1) tasks.push(await market.taskIn(agent, 'proof_submitted'))

      const replies = await Promise.all(
        tasks.map(({ id }) => agent.post(`/tasks/${id}/dispute`, { reason: 'No' })),
      )

      const disputed = replies.filter(({ body }) => body.task.status === 'disputed')
      assert.equal(disputed.length, 5)
    })
  })
})

describe('after a partial dispute', () => {
  const answers = async (votes: boolean[]) => {
    const agent = await market.agent({ balanceCents: 3000, freeTasks: false })
    const task = await market.taskIn(agent, 'in_progress', {
      budget_cents: 3000,
      consensus_count: votes.length,
      answer_schema: { type: 'boolean' },
      deadline: '1d',
    })
    for (const [i, worker] of task.workers.entries())
      await worker.post(`/worker/tasks/${task.id}/proof`, { answer: votes[i] })
    const { assignments } = (await agent.get(`/tasks/${task.id}`)).body.task
    const ids = assignments.map(({ id }: { id: string }) => id) as string[]
    const dispute = (reason: string, assignment_ids?: string[]) =>
      agent.post(`/tasks/${task.id}/dispute`, { reason, assignment_ids })
    const shown = async () => (await agent.get(`/tasks/${task.id}`)).body.task
    return { agent, task, ids, dispute, shown }
  }

  test('the whole task can still be disputed for the same reason', async () => {
    const { agent, ids, dispute } = await answers([true, true, false])
    await dispute('Spam', [ids[0]!])

    const whole = await dispute('Spam')

    assert.equal(whole.body.task.status, 'disputed')
    assert.equal(await market.balance(agent.id), 3000)
  })

  test('each partial dispute can be repeated', async () => {
    const { ids, dispute } = await answers([true, true, false])
    const first = await dispute('One', [ids[0]!])
    await dispute('Two', [ids[1]!])

    const again = await dispute('One', [ids[0]!])

    assert.equal(first.status, 200)
    assert.equal(again.status, 200)
    assert.equal(again.body.refunded_cents, 0)
  })

  test('the status reason follows the remaining votes', async () => {
    const { ids, dispute, shown } = await answers([true, false])
    const before = await shown()

    await dispute('Spam', [ids[0]!])

    const after = await shown()
    assert.equal(before.status_reason, 'consensus_conflict')
    assert.deepEqual([after.status_reason, after.consensus.conflict], [null, false])
  })

  test('409 consensus_conflict also after a revision that was resubmitted or missed', async () => {
    for (const comes of [true, false]) {
      const { agent, task, ids, dispute, shown } = await answers([true, false, true])
      await dispute('Spam', [ids[0]!])
      await agent.post(`/tasks/${task.id}/request-revision`, { note: '?', assignment_id: ids[1] })
      const path = `/worker/tasks/${task.id}`
      if (comes) await task.workers[1]!.post(`${path}/proof`, { answer: false })
      else await task.workers[1]!.post(`${path}/release`, {})

      const refused = await agent.post(`/tasks/${task.id}/approve`)

      assert.equal(refused.body.code, 'consensus_conflict')
      assert.equal((await shown()).consensus.incomplete, true)
      const settled = await agent.post(`/tasks/${task.id}/approve`, { override_result: true })
      assert.equal(settled.body.settlement.refunded_cents, 1000)
    }
  })

  test('a deadline during a revision leaves the first proof to be judged', async () => {
    const { agent, task, ids, dispute, shown } = await answers([true, true])
    await dispute('Spam', [ids[0]!])
    await agent.post(`/tasks/${task.id}/request-revision`, { note: '?', assignment_id: ids[1] })

    market.advance(DAY)
    await market.sweep()

    assert.equal((await shown()).status, 'proof_submitted')
    const { body } = await agent.post(`/tasks/${task.id}/approve`)
    assert.equal(body.settlement.gross_cents, 1500)
  })
})
