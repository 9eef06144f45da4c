import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const HOUR = 3_600_000

async function appealed(consensus_count = 1) {
  const agent = await market.agent({ balanceCents: 3000, freeTasks: false })
  const task = await market.taskIn(agent, 'disputed', { budget_cents: 3000, consensus_count })
  for (const worker of task.workers)
    assert.equal(
      (await worker.post(`/worker/tasks/${task.id}/appeal`, { statement: 'Look' })).status,
      201,
    )
  const answer = (statement: string, appeal_id?: string) =>
    agent.post(`/tasks/${task.id}/dispute/answer`, { statement, appeal_id })
  return { agent, task, worker: task.workers[0]!, answer }
}

describe('POST /tasks/:id/dispute/answer', () => {
  test('200: the worker reads the reply, and the appeal is no longer conceded by silence', async () => {
    const { agent, task, worker, answer } = await appealed()

    const { status, body } = await answer(' It shows another street ')

    assert.equal(status, 200)
    assert.equal(body.dispute.status, 'open')
    assert.equal(body.dispute.appeals[0].agent_answer, 'It shows another street')
    const { dispute } = (await worker.get(`/worker/tasks/${task.id}`)).body
    assert.equal(dispute.appeal.agent_answer, 'It shows another street')
    market.advance(49 * HOUR)
    await market.sweep()
    assert.equal((await agent.get(`/tasks/${task.id}`)).body.task.status, 'disputed')
    assert.equal(await market.payable(worker.id), 0)
  })

  test('the same words again return the same response; 409 appeal_answered for others', async () => {
    const { answer } = await appealed()
    const first = await answer('No')

    const same = await answer('No')
    const other = await answer('Never')

    assert.deepEqual([same.status, same.body], [200, first.body])
    assert.deepEqual([other.status, other.body.code], [409, 'appeal_answered'])
  })

  test('409 no_appeal if nobody has appealed; 404 for another agent’s task', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const other = await market.agent()
    const task = await market.taskIn(agent, 'disputed')
    const path = `/tasks/${task.id}/dispute/answer`

    const refused = await agent.post(path, { statement: 'No' })
    const theirs = await other.post(path, { statement: 'No' })

    assert.deepEqual([refused.status, refused.body.code], [409, 'no_appeal'])
    assert.deepEqual([theirs.status, theirs.body.code], [404, 'task_not_found'])
  })

  test('400 without a statement', async () => {
    const { agent, task } = await appealed()

    const { status, body } = await agent.post(`/tasks/${task.id}/dispute/answer`, {})

    assert.deepEqual([status, body.details[0].path], [400, 'statement'])
  })

  test('409 answer_too_late after 48 hours, also before the sweep has conceded', async () => {
    const { answer } = await appealed()
    market.advance(48 * HOUR)

    const { status, body } = await answer('No')

    assert.deepEqual([status, body.code], [409, 'answer_too_late'])
    assert.equal(body.agent_until, market.now().toISOString())
    await market.sweep()
    assert.equal((await answer('No')).body.code, 'no_appeal', 'the appeal is decided afterwards')
  })

  test('replies to several workers together, or one by one', async () => {
    const { agent, task, answer } = await appealed(3)
    const { appeals } = (await agent.get(`/tasks/${task.id}`)).body.task.dispute

    await answer('Yours is blurred', appeals[1].id)
    const { body } = await answer('Wrong street')

    assert.deepEqual(
      body.dispute.appeals.map(({ agent_answer }: { agent_answer: string }) => agent_answer),
      ['Wrong street', 'Yours is blurred', 'Wrong street'],
    )
  })
})
