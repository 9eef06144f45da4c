import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace, type TestWorker } from '../../test/harness.ts'
import { decideHeld, HELD_AFTER_ONE, heldDispute } from '../../test/held-disputes.ts'
import { noticesOf } from '../../test/notices.ts'
import { notifyTask } from './notify-task.ts'

const HOUR = 3_600_000
const market = await marketplace()
const strict = await marketplace({ settings: HELD_AFTER_ONE })

/** The fields of a notice, without its timestamp. */
const about = ({ kind, task_id, amount_cents, reason, until }: Json) => ({
  kind,
  task_id,
  amount_cents,
  reason,
  until,
})

const later = (ms: number) => new Date(market.now().getTime() + ms).toISOString()

describe('a worker is notified', () => {
  test('that the work was approved, with the pay: each of several their own share', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'completed', {
      title: 'Look at the shop',
      budget_cents: 1001,
      consensus_count: 2,
    })

    await market.work()

    const told = await Promise.all(task.workers.map(noticesOf))
    assert.deepEqual(
      told.map((notices) => notices.map(({ kind, amount_cents }) => [kind, amount_cents])),
      [[['paid', 411]], [['paid', 410]]],
    )
    const { id, ...notice } = told[0]![0]!
    assert.match(id as string, /^ntc_/)
    assert.deepEqual(notice, {
      kind: 'paid',
      task_id: task.id,
      title: 'Look at the shop',
      agent_name: agent.name,
      amount_cents: 411,
      tip_cents: null,
      distance_km: null,
      reason: null,
      question_id: null,
      until: null,
      at: market.now().toISOString(),
      read_at: null,
    })
  })

  test('of the tip that came with the pay: each of several their own part', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'proof_submitted', {
      budget_cents: 1000,
      consensus_count: 2,
    })
    await agent.post(`/tasks/${task.id}/approve`, { tip_cents: 101 })

    await market.work()

    const told = (await Promise.all(task.workers.map(noticesOf))).flat()
    assert.deepEqual(
      told.map(({ kind, amount_cents, tip_cents }) => [kind, amount_cents, tip_cents]),
      [
        ['paid', 410, 51],
        ['paid', 410, 50],
      ],
    )
  })

  test('that the work is disputed: why, which part, and the appeal deadline', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'disputed', { budget_cents: 1000 })

    await market.work()

    const [notice] = await noticesOf(task.workers[0]!)
    assert.deepEqual(about(notice!), {
      kind: 'disputed',
      task_id: task.id,
      amount_cents: 820,
      reason: 'No',
      until: later(72 * HOUR),
    })
  })

  test('of a dispute about single proofs only if it is about their own', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'proof_submitted', { consensus_count: 2 })
    const [first, second] = task.workers as [TestWorker, TestWorker]
    const { body } = await first.get(`/worker/tasks/${task.id}`)

    await agent.post(`/tasks/${task.id}/dispute`, {
      reason: 'Blurred',
      assignment_ids: [body.assignment.id],
    })
    await market.work()

    assert.deepEqual(
      (await noticesOf(first)).map(({ kind }) => kind as string),
      ['disputed'],
    )
    assert.deepEqual(await noticesOf(second), [])
  })

  test('that a dispute is held: why, which part, and when it is decided', async () => {
    const { task, held, worker } = await heldDispute(strict)

    await strict.work()

    assert.deepEqual((await noticesOf(worker)).map(about), [
      {
        kind: 'dispute_held',
        task_id: task.id,
        amount_cents: 2460,
        reason: 'Not readable',
        until: held.task.decides_by,
      },
    ])
  })

  test('of a held dispute about single proofs only if it is about their own', async () => {
    const { task } = await heldDispute(strict, { consensus_count: 2, parts: 1 })

    await strict.work()

    const [first, second] = await Promise.all(task.workers.map(noticesOf))
    assert.deepEqual(
      first!.map(({ kind }) => kind as string),
      ['dispute_held'],
    )
    assert.deepEqual(second, [])
  })

  test('how a held dispute ended, once, with the money: never as an ordinary payment', async () => {
    const ends = {
      rejected: ({ task }) => decideHeld(strict, task.id, 'reject'),
      withdrawn: ({ agent, path }) => agent.post(`${path}/dispute/withdraw`),
      lapsed: () => {
        strict.advance(72 * HOUR)
        return strict.sweep()
      },
    } satisfies Record<string, (of: Awaited<ReturnType<typeof heldDispute>>) => Promise<unknown>>
    for (const [ruling, end] of Object.entries(ends)) {
      const held = await heldDispute(strict)
      await end(held)

      await strict.work()

      const [notice, ...before] = await noticesOf(held.worker)
      assert.deepEqual(about(notice!), {
        kind: 'decided',
        task_id: held.task.id,
        amount_cents: 2460,
        reason: ruling,
        until: null,
      })
      assert.deepEqual(
        before.map(({ kind }) => kind as string),
        ['dispute_held'],
      )
    }
  })

  test('that a held dispute is upheld, with a new appeal deadline', async () => {
    const { task, worker } = await heldDispute(strict)
    await strict.work()
    strict.advance(48 * HOUR)
    await decideHeld(strict, task.id, 'uphold')

    await strict.work()

    const [notice] = await noticesOf(worker)
    assert.deepEqual(
      [notice!.kind, notice!.until],
      ['disputed', new Date(strict.now().getTime() + 72 * HOUR).toISOString()],
    )
  })

  test('of the outcome of a dispute, and what it pays', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'disputed', { budget_cents: 1000 })

    const { status, text } = await agent.post(`/tasks/${task.id}/dispute/withdraw`)
    assert.equal(status, 200, text)
    await market.work()

    const [notice] = await noticesOf(task.workers[0]!)
    assert.deepEqual(about(notice!), {
      kind: 'decided',
      task_id: task.id,
      amount_cents: 820,
      reason: 'withdrawn',
      until: null,
    })
  })

  test('that a revision is requested: what is missing, and the deadline', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'proof_submitted', { budget_cents: 1000 })
    const [worker] = task.workers as [TestWorker]

    await agent.post(`/tasks/${task.id}/request-revision`, { note: 'The sign is cut off' })
    await market.work()

    const { body } = await worker.get(`/worker/tasks/${task.id}`)
    assert.deepEqual(about((await noticesOf(worker))[0]!), {
      kind: 'revision_requested',
      task_id: task.id,
      amount_cents: 820,
      reason: 'The sign is cut off',
      until: body.assignment.expires_at,
    })
  })

  test('that the task was canceled, and the compensation', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'in_progress', { budget_cents: 1000 })

    await agent.post(`/tasks/${task.id}/cancel`)
    await market.work()

    const [notice] = await noticesOf(task.workers[0]!)
    assert.deepEqual([notice!.kind, notice!.amount_cents, notice!.reason], ['cancelled', 300, null])
  })

  test('that a task ended without a verdict only if it pays', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'in_progress', { deadline: '1h' })

    market.advance(2 * HOUR)
    await market.sweep()
    await market.work()

    assert.equal((await agent.get(`/tasks/${task.id}`)).body.task.status, 'expired')
    const kinds = (await noticesOf(task.workers[0]!)).map(({ kind }) => kind as string)
    assert.equal(kinds.includes('cancelled'), false)
  })

  test('once, even if the job runs twice or concurrently', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'completed')
    const events = await market.events()
    const payload = notifyTask.payload.parse(events.find(({ type }) => type === 'task.completed'))
    const run = () => notifyTask.run({ ...market.background, db: market.at(task.id), payload })

    await Promise.all([run(), run(), run()])
    await run()

    assert.equal((await noticesOf(task.workers[0]!)).length, 1)
  })

  test('unless the account is closed', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'completed')
    const [worker] = task.workers as [TestWorker]
    await market.asOwner(`update workers set status = 'closed' where id = $1`, [worker.id])

    await market.work()

    assert.deepEqual(
      await market.asOwner('select from notices where worker_id = $1', [worker.id]),
      [],
    )
  })
})
