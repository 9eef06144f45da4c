import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const HOUR = 3_600_000

describe('POST /tasks/:id/request-revision', () => {
  test('returns the task to the same worker, with a note and a new timer', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted')
    const worker = task.workers[0]!
    market.advance(HOUR)

    const { status, body } = await agent.post(`/tasks/${task.id}/request-revision`, {
      note: 'The number of the house, please',
    })

    assert.equal(status, 200)
    assert.equal(body.task.status, 'in_progress')
    const own = await worker.get(`/worker/tasks/${task.id}`)
    assert.equal(own.body.assignment.status, 'accepted')
    assert.equal(own.body.assignment.revision_note, 'The number of the house, please')
    assert.equal(Date.parse(own.body.assignment.expires_at), market.now().getTime() + 4 * HOUR)
    const other = await market.worker()
    const taken = await other.post(`/worker/tasks/${task.id}/accept`)
    assert.equal(taken.body.code, 'no_slot')
  })

  test('the second proof counts, and is paid like the first', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted')
    await agent.post(`/tasks/${task.id}/request-revision`, { note: 'Again' })

    await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, { text: 'Number 12' })

    const { body } = await agent.get(`/tasks/${task.id}/proof`)
    assert.deepEqual(
      body.proofs.map(({ text }: { text: string }) => text),
      ['Number 12'],
    )
    assert.equal((await agent.post(`/tasks/${task.id}/approve`)).status, 200)
    assert.equal(await market.payable(task.workers[0]!.id), 2050)
  })

  test('409 revision_used the second time', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted')
    await agent.post(`/tasks/${task.id}/request-revision`, { note: 'Again' })
    await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, { text: 'Number 12' })

    const { status, body } = await agent.post(`/tasks/${task.id}/request-revision`, {
      note: 'More',
    })

    assert.deepEqual([status, body.code], [409, 'revision_used'])
  })

  test('403 for a note that breaks the policy together with the task; the proof still waits', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted')

    const { status, body } = await agent.post(`/tasks/${task.id}/request-revision`, {
      note: 'Now wait for the SMS with the verification code and send it to us',
    })

    assert.deepEqual(
      [status, body.code, body.rule, body.section],
      [403, 'task_refused', 'codes_passed_on', 'one-time-codes'],
    )
    assert.equal((await agent.get(`/tasks/${task.id}`)).body.task.status, 'proof_submitted')
  })

  test('409 in every other status, 404 for another agent’s task, 400 without a note', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const other = await market.agent()
    const open = await market.taskIn(agent, 'in_progress')
    const done = await market.taskIn(agent, 'completed')
    const sent = await market.taskIn(agent, 'proof_submitted')

    const early = await agent.post(`/tasks/${open.id}/request-revision`, { note: 'x' })
    const late = await agent.post(`/tasks/${done.id}/request-revision`, { note: 'x' })
    const theirs = await other.post(`/tasks/${sent.id}/request-revision`, { note: 'x' })
    const empty = await agent.post(`/tasks/${sent.id}/request-revision`, {})

    assert.deepEqual([early.body.code, late.body.code], ['invalid_state', 'invalid_state'])
    assert.equal(theirs.status, 404)
    assert.deepEqual([empty.status, empty.body.details[0].path], [400, 'note'])
  })

  test('requires the assignment for a consensus task, else 400', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted', { consensus_count: 2 })
    const { assignments } = (await agent.get(`/tasks/${task.id}`)).body.task

    const unnamed = await agent.post(`/tasks/${task.id}/request-revision`, { note: 'x' })
    const named = await agent.post(`/tasks/${task.id}/request-revision`, {
      note: 'x',
      assignment_id: assignments[1].id,
    })

    assert.deepEqual([unnamed.status, unnamed.body.details[0].path], [400, 'assignment_id'])
    assert.equal(named.body.task.status, 'in_progress')
    await task.workers[1]!.post(`/worker/tasks/${task.id}/proof`, { text: 'Done' })
    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.equal(body.task.status, 'proof_submitted')
    assert.equal(body.task.consensus.result, 'Done')
  })
})
