import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('GET /worker/tasks/:id', () => {
  test('the full brief and what was sent', async () => {
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

  test('a telephone number is shown for the call, and no longer once the proof is in', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const created = await agent.post('/call', { description: 'Ask', number: '+49 30 901820' })
    const worker = await market.worker()
    const { id } = created.body.task
    const accepted = await worker.post(`/worker/tasks/${id}/accept`)
    await worker.post(`/worker/tasks/${id}/proof`, { text: 'They said yes' })

    const after = await worker.get(`/worker/tasks/${id}`)

    assert.equal(accepted.body.task.context.number, '+49 30 901820')
    assert.equal(after.body.task.context.number, '… 20')
  })

  test('404 for a task that one never took, also where others hold it', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress')
    const stranger = await market.worker()

    const theirs = await stranger.get(`/worker/tasks/${task.id}`)
    const nonsense = await stranger.get('/worker/tasks/x')

    assert.deepEqual([theirs.status, theirs.body.code], [404, 'assignment_not_found'])
    assert.equal(nonsense.status, 404)
  })
})
