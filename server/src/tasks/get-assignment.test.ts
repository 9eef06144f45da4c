import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, PHOTO } from '../../test/harness.ts'

const market = await marketplace()

describe('GET /worker/tasks/:id', () => {
  test('shows the full brief and the submitted proof', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const criteria = [{ id: 'sharp', text: 'Every line can be read' }]
    const task = await market.taskIn(agent, 'in_progress', { criteria, context: { floor: 2 } })
    const worker = task.workers[0]!
    await worker.post(`/worker/tasks/${task.id}/proof`, { text: 'Open' })

    const { status, body } = await worker.get(`/worker/tasks/${task.id}`)

    assert.equal(status, 200)
    assert.deepEqual(body.task.criteria, criteria)
    assert.deepEqual(body.task.context, { floor: 2 })
    assert.equal(body.proofs[0].text, 'Open')
    assert.equal(body.assignment.pay_cents, 2050)
  })

  test('shows the agent, the auto-approval time, and the photo by a temporary link', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress', { auto_approve_after: 7200 })
    const worker = task.workers[0]!
    const before = await worker.get(`/worker/tasks/${task.id}`)
    const sent = await worker.post(`/worker/tasks/${task.id}/proof`, { text: 'x', photos: [PHOTO] })

    const { body } = await worker.get(`/worker/tasks/${task.id}`)

    assert.equal(before.body.assignment.auto_approve_at, null)
    const due = new Date(market.now().getTime() + 7_200_000).toISOString()
    assert.equal(body.assignment.auto_approve_at, due)
    assert.equal(sent.body.assignment.auto_approve_at, due)
    assert.deepEqual(body.agent, {
      id: agent.id,
      name: agent.name,
      verdicts: 0,
      disputes: 0,
      approval_rate: null,
      overturn_rate: null,
      median_review_s: null,
    })
    const [file] = body.proofs[0].files
    assert.deepEqual(Object.keys(file), ['id', 'kind', 'bytes', 'url'])
    const { pathname, search } = new URL(file.url)
    const read = () => fetch(new URL(pathname + search, market.server.addresses.api))
    const opened = await read()
    assert.equal(opened.headers.get('content-type'), 'image/jpeg')
    assert.equal((await opened.arrayBuffer()).byteLength, file.bytes)
    market.advance(24 * 3_600_000)
    assert.notEqual((await read()).status, 200)
  })

  test('shows no auto-approval time while others still work on the task, or after the verdict', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const shared = await market.taskIn(agent, 'in_progress', { consensus_count: 2 })
    const done = await market.taskIn(agent, 'completed')
    await shared.workers[0]!.post(`/worker/tasks/${shared.id}/proof`, { text: 'Done' })

    const waiting = await shared.workers[0]!.get(`/worker/tasks/${shared.id}`)
    const judged = await done.workers[0]!.get(`/worker/tasks/${done.id}`)

    assert.equal(waiting.body.assignment.auto_approve_at, null)
    assert.equal(judged.body.assignment.auto_approve_at, null)
  })

  test('shows a phone number for the call, and hides it after the proof', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const created = await agent.post('/call', { description: 'Ask', number: '+49 30 901820' })
    const worker = await market.worker()
    const { id } = created.body.task
    const accepted = await worker.post(`/worker/tasks/${id}/accept`)
    await worker.post(`/worker/tasks/${id}/proof`, { text: 'They said yes' })

    const after = await worker.get(`/worker/tasks/${id}`)

    assert.deepEqual(accepted.body.task.context, {
      number: '+4930901820',
      number_written: '+49 30 901820',
    })
    assert.deepEqual(after.body.task.context, { number: '… 20' })
  })

  test('404 for a task that the worker never accepted, even if others hold it', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress')
    const stranger = await market.worker()

    const theirs = await stranger.get(`/worker/tasks/${task.id}`)
    const nonsense = await stranger.get('/worker/tasks/x')

    assert.deepEqual([theirs.status, theirs.body.code], [404, 'assignment_not_found'])
    assert.equal(nonsense.status, 404)
  })
})
