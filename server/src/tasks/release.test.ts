import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const MINUTE = 60_000

const market = await marketplace()

const trustOf = async (worker: { get: (path: string) => Promise<{ body: any }> }) =>
  (await worker.get('/worker/trust')).body.trust_score as number

describe('POST /worker/tasks/:id/release', () => {
  test('frees the slot for others: the task is pending again', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress')

    const { status, body } = await task.workers[0]!.post(`/worker/tasks/${task.id}/release`, {
      reason: 'Too far after all',
    })

    assert.equal(status, 200)
    assert.equal(body.assignment.status, 'released')
    assert.equal((await agent.get(`/tasks/${task.id}`)).body.task.status, 'pending')
    const other = await market.worker()
    assert.equal((await other.post(`/worker/tasks/${task.id}/accept`)).status, 200)
  })

  test('keeps a task in progress if others hold it', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress', { consensus_count: 2 })

    await task.workers[0]!.post(`/worker/tasks/${task.id}/release`, {})

    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.equal(body.task.status, 'in_progress')
  })

  test('costs no trust within five minutes or for safety reasons; otherwise it does', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const [early, unsafe, late] = [
      await market.taskIn(agent, 'in_progress'),
      await market.taskIn(agent, 'in_progress'),
      await market.taskIn(agent, 'in_progress'),
    ]
    const before = await trustOf(late.workers[0]!)

    market.advance(5 * MINUTE)
    await early.workers[0]!.post(`/worker/tasks/${early.id}/release`, {})
    market.advance(1)
    await unsafe.workers[0]!.post(`/worker/tasks/${unsafe.id}/release`, { reason: 'unsafe' })
    await late.workers[0]!.post(`/worker/tasks/${late.id}/release`, {})

    assert.equal(await trustOf(early.workers[0]!), before)
    assert.equal(await trustOf(unsafe.workers[0]!), before)
    const { body } = await late.workers[0]!.get('/worker/trust')
    assert.deepEqual(
      body.changes.map((change: { cause: string }) => change.cause),
      ['abandoned'],
    )
  })

  test('a repetition returns the same response; 409 after the proof', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const task = await market.taskIn(agent, 'in_progress')
    const done = await market.taskIn(agent, 'proof_submitted')

    const first = await task.workers[0]!.post(`/worker/tasks/${task.id}/release`, {})
    const second = await task.workers[0]!.post(`/worker/tasks/${task.id}/release`, {})
    const late = await done.workers[0]!.post(`/worker/tasks/${done.id}/release`, {})

    assert.deepEqual(second.body, first.body)
    assert.deepEqual([late.status, late.body.code], [409, 'assignment_ended'])
  })

  test('404 for a task that the worker never accepted', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress')
    const stranger = await market.worker()

    const { status, body } = await stranger.post(`/worker/tasks/${task.id}/release`, {})

    assert.deepEqual([status, body.code], [404, 'assignment_not_found'])
  })

  test('hides the place from the worker afterwards', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const location = { address: 'Main Street 5, Berlin', lat: 52.52, lng: 13.405 }
    const task = await market.taskIn(agent, 'in_progress', { location })
    const worker = task.workers[0]!
    const held = await worker.get(`/worker/tasks/${task.id}`)

    await worker.post(`/worker/tasks/${task.id}/release`, {})
    const { body, text } = await worker.get(`/worker/tasks/${task.id}`)

    assert.deepEqual(held.body.task.location, location)
    assert.equal(body.task.location, null)
    assert.equal(text.includes('Main Street'), false)
    assert.equal(body.task.area, 'Berlin')
  })
})
