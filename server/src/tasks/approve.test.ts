import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

/** A consensus task in which every worker has submitted an answer. */
async function answered(
  agent: Awaited<ReturnType<typeof market.agent>>,
  answers: unknown[],
  fields: Record<string, unknown> = {},
) {
  const task = await market.taskIn(agent, 'in_progress', {
    budget_cents: 1000,
    consensus_count: answers.length,
    answer_schema: { type: 'boolean' },
    ...fields,
  })
  for (const [i, answer] of answers.entries()) {
    const proof = { text: 'I looked', answer }
    const { status, text } = await task.workers[i]!.post(`/worker/tasks/${task.id}/proof`, proof)
    assert.equal(status, 201, text)
  }
  return task
}

describe('POST /tasks/:id/approve', () => {
  test('[1-approve] [3-approve-release] [4.1-approve] [8-commission] pays the budget less 18%', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted', { budget_cents: 1000 })
    const worker = task.workers[0]!

    const { status, body } = await agent.post(`/tasks/${task.id}/approve`)

    assert.equal(status, 200)
    assert.equal(body.task.status, 'completed')
    assert.equal(body.task.escrow_cents, 0)
    assert.deepEqual(body.settlement, {
      gross_cents: 1000,
      commission_cents: 180,
      refunded_cents: 0,
      workers: [{ worker_id: worker.id, net_cents: 820 }],
    })
    assert.equal(await market.payable(worker.id), 820)
    assert.equal(await market.balance(agent.id), 0)
    const own = await worker.get(`/worker/tasks/${task.id}`)
    assert.deepEqual([own.body.assignment.status, own.body.assignment.net_cents], ['approved', 820])
  })

  test('[3-approve-event] sends the event task.completed', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'completed')

    const events = (await market.events()).filter(({ task_id }) => task_id === task.id)

    const completed = events.filter(({ type }) => type === 'task.completed')
    assert.equal(completed.length, 1)
    const data = completed[0]!.data as { task: { status: string }; approved_by: string }
    assert.deepEqual([data.task.status, data.approved_by], ['completed', 'agent'])
  })

  test('raises the worker’s trust once, with the task as its cause', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted', { budget_cents: 600 })
    await agent.post(`/tasks/${task.id}/approve`)
    await agent.post(`/tasks/${task.id}/approve`)

    const { body } = await task.workers[0]!.get('/worker/trust')

    assert.deepEqual(
      body.changes.map(({ cause, task_id }: { cause: string; task_id: string }) => [
        cause,
        task_id,
      ]),
      [['approved', task.id]],
    )
  })

  test('[4.7-gap-verdicts] a repetition returns the same body and pays nobody; so does a repeated key', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted', { budget_cents: 1000 })
    const headers = { 'idempotency-key': randomUUID() }

    const first = await agent.post(`/tasks/${task.id}/approve`, {}, headers)
    const replayed = await agent.post(`/tasks/${task.id}/approve`, {}, headers)
    const again = await agent.post(`/tasks/${task.id}/approve`, {})

    assert.equal(first.status, 200)
    assert.equal(replayed.text, first.text)
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    assert.equal(await market.payable(task.workers[0]!.id), 820)
  })

  test('16 concurrent requests get the same response, and the worker is paid once', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted', { budget_cents: 1000 })
    const headers = { 'idempotency-key': randomUUID() }

    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        agent.post(`/tasks/${task.id}/approve`, {}, i % 2 === 0 ? headers : {}),
      ),
    )

    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(replies.map(({ body }) => JSON.stringify(body))).size, 1)
    assert.equal(await market.payable(task.workers[0]!.id), 820)
  })

  test('422 if a key was used for another task', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const one = await market.taskIn(agent, 'proof_submitted', { budget_cents: 500 })
    const two = await market.taskIn(agent, 'proof_submitted', { budget_cents: 500 })
    const headers = { 'idempotency-key': randomUUID() }

    await agent.post(`/tasks/${one.id}/approve`, {}, headers)
    const { status, body } = await agent.post(`/tasks/${two.id}/approve`, {}, headers)

    assert.deepEqual([status, body.code], [422, 'idempotency_mismatch'])
    assert.equal((await agent.get(`/tasks/${two.id}`)).body.task.status, 'proof_submitted')
  })

  test('409 invalid_state in every other status; no money moves', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const statuses = ['pending', 'in_progress', 'disputed', 'expired', 'cancelled'] as const
    const tasks = []
    for (const status of statuses) tasks.push(await market.taskIn(agent, status))
    const balance = await market.balance(agent.id)

    const replies = await Promise.all(tasks.map(({ id }) => agent.post(`/tasks/${id}/approve`)))

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code, body.status]),
      statuses.map((status) => [409, 'invalid_state', status]),
    )
    assert.equal(await market.balance(agent.id), balance)
  })

  test('a refusal is replayed under its key, even if approval is possible by then', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress')
    const headers = { 'idempotency-key': randomUUID() }
    const refused = await agent.post(`/tasks/${task.id}/approve`, {}, headers)
    await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, { text: 'Done' })

    const again = await agent.post(`/tasks/${task.id}/approve`, {}, headers)

    assert.equal(refused.status, 409)
    assert.equal(again.text, refused.text)
    assert.equal((await agent.post(`/tasks/${task.id}/approve`)).status, 200)
  })

  test('404 for the task of another agent, with the same message as for an unknown one', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const other = await market.agent()
    const task = await market.taskIn(agent, 'proof_submitted')

    const theirs = await other.post(`/tasks/${task.id}/approve`)
    const nobodys = await other.post('/tasks/task_00000000000000000000000000/approve')

    assert.deepEqual([theirs.status, nobodys.status], [404, 404])
    assert.deepEqual({ ...theirs.body, request_id: '' }, { ...nobodys.body, request_id: '' })
    assert.equal(await market.payable(task.workers[0]!.id), 0)
  })

  describe('a tip', () => {
    test('goes from the wallet to the workers in full', async () => {
      const agent = await market.agent({ balanceCents: 1500, freeTasks: false })
      const task = await market.taskIn(agent, 'proof_submitted', { budget_cents: 1000 })

      const { status } = await agent.post(`/tasks/${task.id}/approve`, { tip_cents: 200 })

      assert.equal(status, 200)
      assert.equal(await market.payable(task.workers[0]!.id), 1020)
      assert.equal(await market.balance(agent.id), 300)
      const { body } = await agent.get('/wallet')
      assert.deepEqual(
        [body.transactions[0].type, body.transactions[0].amount_cents],
        ['tip', -200],
      )
    })

    test('402 if the wallet cannot pay it; then nothing is approved', async () => {
      const agent = await market.agent({ balanceCents: 1100, freeTasks: false })
      const task = await market.taskIn(agent, 'proof_submitted', { budget_cents: 1000 })

      const { status, body } = await agent.post(`/tasks/${task.id}/approve`, { tip_cents: 101 })

      assert.equal(status, 402)
      assert.deepEqual(
        [body.error, body.balance_cents, body.required_cents],
        ['Insufficient funds', 100, 101],
      )
      assert.equal((await agent.get(`/tasks/${task.id}`)).body.task.status, 'proof_submitted')
      assert.equal(await market.payable(task.workers[0]!.id), 0)
      assert.equal((await agent.post(`/tasks/${task.id}/approve`)).status, 200)
    })
  })

  describe('a consensus task', () => {
    test('splits the rest by largest remainder: 1000 for 3 is 274, 273, 273', async () => {
      const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
      const task = await answered(agent, [true, true, false])

      const { body } = await agent.post(`/tasks/${task.id}/approve`)

      assert.equal(body.settlement.commission_cents, 180)
      assert.deepEqual(
        body.settlement.workers,
        task.workers.map(({ id }, i) => ({ worker_id: id, net_cents: i === 0 ? 274 : 273 })),
      )
    })

    test('409 consensus_conflict, with the votes, while they disagree; no money moves', async () => {
      const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
      const task = await answered(agent, [true, false])

      const { status, body } = await agent.post(`/tasks/${task.id}/approve`)

      assert.deepEqual([status, body.code], [409, 'consensus_conflict'])
      assert.deepEqual(
        body.votes.map(({ answer }: { answer: boolean }) => answer),
        [true, false],
      )
      assert.equal(await market.payable(task.workers[0]!.id), 0)
    })

    test('[1-override] [4.1-approve-override] [4.7-gap-override] override_result settles the conflict', async () => {
      const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
      const task = await answered(agent, [true, false])

      const { status } = await agent.post(`/tasks/${task.id}/approve`, { override_result: true })

      assert.equal(status, 200)
      const { body } = await agent.get(`/tasks/${task.id}`)
      assert.equal(body.task.consensus.result, true)
      assert.equal(body.task.consensus.resolved_by, 'agent')
      for (const worker of task.workers) assert.equal(await market.payable(worker.id), 410)
    })

    test('400 for an override_result that is not an answer to the question', async () => {
      const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
      const task = await answered(agent, [true, false])

      const { status, body } = await agent.post(`/tasks/${task.id}/approve`, {
        override_result: 'maybe',
      })

      assert.equal(status, 400)
      assert.equal(body.details[0].path, 'override_result')
      assert.match(body.error, /true or false/)
    })

    for (const [path, fields, sent, stored, isMisfit] of [
      ['/verify', { question: 'Is it open?', proof: 'text' }, 'yes', true, false],
      ['/verify', { question: 'Is it open?', proof: 'text' }, ' No ', false, false],
      ['/verify', { question: 'Is it open?', proof: 'text' }, 'true', true, false],
      ['/verify', { question: 'Is it open?', proof: 'text' }, 1, true, false],
      ['/verify', { question: 'Is it open?', proof: 'text' }, 'maybe', 'maybe', true],
      ['/verify', { question: 'Is it open?', proof: 'text' }, { a: [1] }, { a: [1] }, true],
      ['/gut-check', { content: 'A slogan', scale: '1-10' }, '7', 7, false],
      ['/gut-check', { content: 'A slogan', scale: '0.0-1.0' }, '0.5', 0.5, false],
      ['/gut-check', { content: 'A slogan', scale: '1-10' }, 70, 70, true],
      ['/gut-check', { content: 'A slogan' }, ['any', 'JSON'], ['any', 'JSON'], false],
    ] as const)
      test(`${JSON.stringify(sent)} overrides the answer to ${path} as ${JSON.stringify(stored)}`, async () => {
        const agent = await market.agent({ balanceCents: 5000 })
        const worker = await market.worker()
        const { id } = (await agent.post(path, fields)).body.task
        await worker.post(`/worker/tasks/${id}/accept`)
        const proof = await worker.post(`/worker/tasks/${id}/proof`, {
          text: path === '/verify' ? 'yes' : '1',
        })

        const { status, body } = await agent.post(`/tasks/${id}/approve`, { override_result: sent })

        assert.equal(proof.status, 201, proof.text)
        assert.equal(status, 200)
        const { consensus } = (await agent.get(`/tasks/${id}`)).body.task
        assert.deepEqual([consensus.result, consensus.resolved_by], [stored, 'agent'])
        assert.deepEqual(
          body.warnings?.map(({ code, path: at }: { code: string; path: string }) => [code, at]),
          isMisfit ? [['result_misfit', 'override_result']] : undefined,
        )
      })

    test('400 for a mismatch with the agent’s own answer_schema, also in a shorthand', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const worker = await market.worker()
      const { id } = (
        await agent.post('/verify', {
          question: 'Is it open?',
          proof: 'text',
          answer_schema: { type: 'boolean' },
        })
      ).body.task
      await worker.post(`/worker/tasks/${id}/accept`)
      await worker.post(`/worker/tasks/${id}/proof`, { text: 'yes' })

      const refused = await agent.post(`/tasks/${id}/approve`, { override_result: 'maybe' })
      const large = await agent.post(`/tasks/${id}/approve`, {
        override_result: 'x'.repeat(17_000),
      })

      assert.deepEqual([refused.status, refused.body.details[0].path], [400, 'override_result'])
      assert.equal(large.status, 400)
      assert.equal(await market.payable(worker.id), 0)
    })

    test('an override_result without a conflict is recorded', async () => {
      const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
      const agreed = await answered(agent, [true, true])
      const single = await market.taskIn(agent, 'proof_submitted')

      await agent.post(`/tasks/${agreed.id}/approve`, { override_result: false })
      await agent.post(`/tasks/${single.id}/approve`, { override_result: { open: 'maybe' } })

      const one = (await agent.get(`/tasks/${agreed.id}`)).body.task.consensus
      const two = (await agent.get(`/tasks/${single.id}`)).body.task.consensus
      assert.deepEqual([one.result, one.resolved_by], [false, 'agent'])
      assert.deepEqual([two.result, two.resolved_by], [{ open: 'maybe' }, 'agent'])
    })
  })

  test('a proof of “not possible” is paid half, and the other half is refunded', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await market.taskIn(agent, 'in_progress', { budget_cents: 1000 })
    const worker = task.workers[0]!
    await worker.post(`/worker/tasks/${task.id}/proof`, {
      outcome: 'not_possible',
      text: 'The shop is gone; there is a fence around the lot.',
    })

    const { body } = await agent.post(`/tasks/${task.id}/approve`)

    assert.deepEqual(body.settlement, {
      gross_cents: 500,
      commission_cents: 90,
      refunded_cents: 500,
      workers: [{ worker_id: worker.id, net_cents: 410 }],
    })
    assert.equal(await market.payable(worker.id), 410)
    assert.equal(await market.balance(agent.id), 500)
  })

  test('a free task pays the worker real money, from the promotional fund', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent, 'completed', { budget_cents: 1000 })

    assert.equal(task.funding, 'free')
    assert.equal(await market.payable(task.workers[0]!.id), 820)
    assert.equal(await market.balance(agent.id), 0)
  })
})
