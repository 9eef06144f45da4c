import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { runSweep } from '../../test/run-sweep.ts'
import { timeOut } from './time-out.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const market = await marketplace()

/** Runs only this timer. */
async function takeBack() {
  let moved = 0
  for (const background of market.backgrounds()) moved += await runSweep(background, timeOut)
  return moved
}

describe('tasks.time-out', () => {
  test('takes the task back at the timeout, and lowers the worker’s trust', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress', { urgency: 'urgent' })
    const worker = task.workers[0]!

    market.advance(HOUR - 1)
    const early = await takeBack()
    market.advance(1)
    const due = await takeBack()

    assert.deepEqual([early, due], [0, 1])
    assert.equal((await agent.get(`/tasks/${task.id}`)).body.task.status, 'pending')
    const own = await worker.get(`/worker/tasks/${task.id}`)
    assert.equal(own.body.assignment.status, 'expired')
    const { body } = await worker.get('/worker/trust')
    assert.equal(body.changes[0].cause, 'abandoned')
  })

  test('gives a worker with a started upload ten more minutes', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress', { urgency: 'urgent' })
    await market.asOwner(`update assignments set upload_begun_at = now() where task_id = $1`, [
      task.id,
    ])

    market.advance(HOUR)
    const first = await takeBack()
    market.advance(10 * MINUTE)
    const second = await takeBack()

    assert.deepEqual([first, second], [0, 1])
  })

  test('409 retake_too_soon for the same task on the same day; others may accept it at once', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress', { urgency: 'urgent', deadline: '3d' })
    const worker = task.workers[0]!
    market.advance(HOUR)
    await market.sweep()

    const tooSoon = await worker.post(`/worker/tasks/${task.id}/accept`)
    market.advance(24 * HOUR)
    const later = await worker.post(`/worker/tasks/${task.id}/accept`)

    assert.deepEqual([tooSoon.status, tooSoon.body.code], [409, 'retake_too_soon'])
    assert.equal(Date.parse(tooSoon.body.retry_at), market.now().getTime())
    assert.equal(later.status, 200)
  })

  test('accepts a late proof and forgives the delay while the slot is free, and not afterwards', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const [free, taken] = [
      await market.taskIn(agent, 'in_progress', { urgency: 'urgent' }),
      await market.taskIn(agent, 'in_progress', { urgency: 'urgent' }),
    ]
    const before = (await free.workers[0]!.get('/worker/trust')).body.trust_score
    market.advance(HOUR)
    await market.sweep()
    const other = await market.worker()
    await other.post(`/worker/tasks/${taken.id}/accept`)

    const late = await free.workers[0]!.post(`/worker/tasks/${free.id}/proof`, { text: 'Done' })
    const tooLate = await taken.workers[0]!.post(`/worker/tasks/${taken.id}/proof`, {
      text: 'Done',
    })

    assert.equal(late.status, 201)
    assert.equal((await agent.get(`/tasks/${free.id}`)).body.task.status, 'proof_submitted')
    assert.equal((await free.workers[0]!.get('/worker/trust')).body.trust_score, before)
    assert.deepEqual([tooLate.status, tooLate.body.code], [409, 'no_slot'])
  })

  test('keeps the first proof if a revision is late, and it can be approved', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted')
    await agent.post(`/tasks/${task.id}/request-revision`, { note: 'Sharper, please' })
    await market.events()

    market.advance(4 * HOUR)
    await market.sweep()

    const { body } = await agent.get(`/tasks/${task.id}`)
    const told = (await market.events()).filter(({ task_id }) => task_id === task.id)
    assert.equal(body.task.status, 'proof_submitted')
    assert.deepEqual(
      told.map(({ type, data }) => [type, (data as { task: { status: string } }).task.status]),
      [['task.approval_due', 'proof_submitted']],
    )
    assert.equal((await agent.post(`/tasks/${task.id}/approve`)).status, 200)
    assert.equal(await market.payable(task.workers[0]!.id), 2050)
  })
})
