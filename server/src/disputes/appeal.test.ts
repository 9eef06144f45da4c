import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const HOUR = 3_600_000

/** A disputed task with one worker. */
async function disputed(fields: Record<string, unknown> = {}) {
  const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
  const task = await market.taskIn(agent, 'disputed', fields)
  const worker = task.workers[0]!
  const shown = async () => (await worker.get(`/worker/tasks/${task.id}`)).body.dispute
  return { agent, task, worker, shown, path: `/worker/tasks/${task.id}/appeal` }
}

describe('POST /worker/tasks/:id/appeal', () => {
  test('201: stores the statement and returns the agent’s reply deadline; no money moves', async () => {
    const { agent, task, worker, shown, path } = await disputed()
    const before = await shown()
    market.advance(HOUR)

    const { status, body } = await worker.post(path, { statement: ' Every line is readable ' })

    const at = market.now()
    assert.equal(status, 201)
    const { dispute } = (await agent.get(`/tasks/${task.id}`)).body.task
    assert.deepEqual(body.dispute, {
      id: dispute.id,
      status: 'open',
      reason: 'No',
      category: null,
      criteria: [],
      created_at: dispute.created_at,
      appeal_until: new Date(Date.parse(dispute.created_at) + 72 * HOUR).toISOString(),
      decision_note: null,
      // (7 + 100) / (10 + 100 + 3) instead of (7 + 100) / (10 + 100)
      trust_points: -2.6,
      appeal: {
        statement: 'Every line is readable',
        created_at: at.toISOString(),
        agent_answer: null,
        agent_until: new Date(at.getTime() + 48 * HOUR).toISOString(),
        ruled_at: null,
        ruling: null,
        ruling_note: null,
      },
    })
    assert.deepEqual({ ...body.dispute, appeal: null }, before, 'the same view as before')
    assert.deepEqual(await shown(), body.dispute)
    assert.equal(await market.balance(agent.id), 2500)
    assert.equal(await market.payable(worker.id), 0)
  })

  test('the agent is notified, and reads the statement as untrusted text', async () => {
    const { agent, task, worker, path } = await disputed()

    await worker.post(path, { statement: 'Look again' })

    const { dispute, timeline, status } = (await agent.get(`/tasks/${task.id}`)).body.task
    assert.equal(status, 'disputed')
    const [appeal] = dispute.appeals
    assert.deepEqual(
      [dispute.appeals.length, appeal.statement, appeal.agent_answer, appeal.untrusted],
      [1, 'Look again', null, true],
    )
    assert.equal(timeline.at(-1).event, 'task.appealed')
    const told = (await market.events()).filter(
      ({ task_id, type }) => task_id === task.id && type === 'task.appealed',
    )
    assert.equal(told.length, 1)
    const { data } = told[0] as unknown as {
      data: { assignment: { id: string }; dispute: unknown }
    }
    assert.equal(data.assignment.id, appeal.assignment_id)
    assert.deepEqual(data.dispute, dispute, 'the same as in the API')
  })

  test('the same statement again returns the same response; 409 appeal_used for another', async () => {
    const { worker, path } = await disputed()

    const first = await worker.post(path, { statement: 'Look again' })
    const same = await worker.post(path, { statement: 'Look again' })
    const other = await worker.post(path, { statement: 'Please' })

    assert.deepEqual([same.status, same.body], [201, first.body])
    assert.deepEqual([other.status, other.body.code], [409, 'appeal_used'])
  })

  test('eight concurrent requests create one appeal', async () => {
    const { agent, task, worker, path } = await disputed()

    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => worker.post(path, { statement: `No ${i}` })),
    )

    assert.equal(replies.filter(({ status }) => status === 201).length, 1)
    for (const { status, body } of replies)
      if (status !== 201) assert.equal(body.code, 'appeal_used')
    const { dispute } = (await agent.get(`/tasks/${task.id}`)).body.task
    assert.equal(dispute.appeals.length, 1)
  })

  test('400 for a missing, empty or too long statement', async () => {
    const { worker, path } = await disputed()

    for (const body of [{}, { statement: ' ' }, { statement: 'x'.repeat(2001) }]) {
      const reply = await worker.post(path, body)
      assert.deepEqual([reply.status, reply.body.details[0].path], [400, 'statement'])
    }
  })

  test('409 appeal_too_late after 72 hours, to the millisecond', async () => {
    const late = await disputed()
    const { worker, path } = await disputed()
    market.advance(72 * HOUR - 1)

    const inTime = await worker.post(path, { statement: 'Look' })
    market.advance(1)
    const refused = await late.worker.post(late.path, { statement: 'Look' })

    assert.equal(inTime.status, 201)
    assert.deepEqual([refused.status, refused.body.code], [409, 'appeal_too_late'])
    assert.equal(refused.body.appeal_until, (await late.shown()).appeal_until)
  })

  test('409 not_disputed if the work was not disputed; 404 for a worker without a part in it', async () => {
    const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })
    const { task } = await disputed()
    const stranger = await market.worker()
    for (const status of ['in_progress', 'proof_submitted', 'completed'] as const) {
      const other = await market.taskIn(agent, status)
      const worker = other.workers[0]!

      const reply = await worker.post(`/worker/tasks/${other.id}/appeal`, { statement: 'Look' })

      assert.deepEqual([reply.status, reply.body.code], [409, 'not_disputed'], status)
      assert.equal((await worker.get(`/worker/tasks/${other.id}`)).body.dispute, null)
    }
    for (const id of [task.id, 'nonsense']) {
      const { status, body } = await stranger.post(`/worker/tasks/${id}/appeal`, { statement: 'x' })
      assert.deepEqual([status, body.code], [404, 'assignment_not_found'])
    }
  })

  test('409 while a dispute is held for an operator: it has no effect yet', async () => {
    const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })
    for (let i = 0; i < 5; i += 1) await market.taskIn(agent, 'disputed')
    const task = await market.taskIn(agent, 'proof_submitted')
    const worker = task.workers[0]!
    const { body } = await agent.post(`/tasks/${task.id}/dispute`, { reason: 'No' })
    assert.equal(body.task.status_reason, 'dispute_held')

    const reply = await worker.post(`/worker/tasks/${task.id}/appeal`, { statement: 'Look' })

    assert.deepEqual([reply.status, reply.body.code], [409, 'not_disputed'])
    assert.equal((await worker.get(`/worker/tasks/${task.id}`)).body.dispute, null)
    await agent.post(`/tasks/${task.id}/approve`)
    assert.equal(
      (await worker.get(`/worker/tasks/${task.id}`)).body.dispute,
      null,
      'the dispute had no effect',
    )
  })

  test('the fourth dispute of a day reports no trust loss', async () => {
    const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })
    const costs = []
    for (let i = 0; i < 4; i += 1) {
      const task = await market.taskIn(agent, 'disputed')
      const { body } = await task.workers[0]!.get(`/worker/tasks/${task.id}`)
      costs.push(body.dispute.trust_points as number | null)
    }

    assert.deepEqual(costs, [-2.6, -2.6, -2.6, null])
  })

  test('reports the original trust loss, whatever happened to the trust since', async () => {
    const { agent, worker, shown } = await disputed()
    await market.fund(agent.id, 2500)
    market.advance(HOUR)
    const next = await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })
    await worker.post(`/worker/tasks/${next.body.task.id}/accept`)
    await worker.post(`/worker/tasks/${next.body.task.id}/proof`, { text: 'Done' })
    await agent.post(`/tasks/${next.body.task.id}/approve`)

    assert.equal((await shown()).trust_points, -2.6)
  })

  test('each worker of a consensus task appeals for their own proof', async () => {
    const agent = await market.agent({ balanceCents: 3000, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed', { budget_cents: 3000, consensus_count: 3 })
    const [first, second, third] = task.workers
    const path = `/worker/tasks/${task.id}`

    await first!.post(`${path}/appeal`, { statement: 'Mine was right' })
    await second!.post(`${path}/appeal`, { statement: 'Mine, too' })

    const { dispute } = (await agent.get(`/tasks/${task.id}`)).body.task
    assert.deepEqual(
      dispute.appeals.map(({ statement }: { statement: string }) => statement),
      ['Mine was right', 'Mine, too'],
    )
    assert.equal((await second!.get(path)).body.dispute.appeal.statement, 'Mine, too')
    assert.equal((await third!.get(path)).body.dispute.appeal, null)
  })
})

describe('the database', () => {
  test('allows one appeal per worker, one reply and one ruling', async () => {
    const { agent, task, worker, path } = await disputed()
    await worker.post(path, { statement: 'Look' })
    await agent.post(`/tasks/${task.id}/dispute/answer`, { statement: 'No' })
    const rule = (ruling: string) =>
      market.asOwner(
        `update appeals set ruling = $2, ruled_by = 'x', ruling_note = 'x', ruled_at = now() where task_id = $1`,
        [task.id, ruling],
      )

    const appeals = `${market.at(task.id).schema.name}.appeals`
    const again = () =>
      market.asOwner(
        `insert into ${appeals}
         select 'apl_' || repeat('0', 26), dispute_id, task_id, agent_id, assignment_id, worker_id, 'Again',
                created_at, agent_until from ${appeals} where task_id = $1`,
        [task.id],
      )
    const change = () =>
      market.asOwner(`update appeals set agent_answer = 'Yes' where task_id = $1`, [task.id])

    await assert.rejects(again, /appeals_one_per_worker/)
    await assert.rejects(change, /answered once/)
    await rule('upheld')
    await assert.rejects(rule('overturned'), /ruled on once/)
  })

  test('does not let an appeal be rejected before the agent replied', async () => {
    const { task, worker, path } = await disputed()
    await worker.post(path, { statement: 'Look' })

    for (const ruling of ['upheld', 'split'])
      await assert.rejects(
        market.asOwner(
          `update appeals set ruling = $2, ruled_by = 'x', ruling_note = 'x', ruled_at = now() where task_id = $1`,
          [task.id, ruling],
        ),
        /appeals_ruled/,
      )
  })
})
