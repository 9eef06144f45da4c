import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'

const market = await marketplace()
const DAY = 86_400_000

type Tester = Awaited<ReturnType<typeof market.agent>>['test']

/** A disputed test task whose scripted worker has appealed and whose agent has replied. */
async function answeredAppeal(agent: Tester, sim: Json = {}): Promise<string> {
  const { body } = await agent.post('/tasks', {
    description: 'Is the bakery open?',
    budget_cents: 1000,
    context: { sim: { persona: 'appeal', ...sim } },
  })
  const id = body.task.id as string
  await advance(agent, '10s')
  assert.equal((await agent.post(`/tasks/${id}/dispute`, { reason: 'No' })).status, 200)
  await advance(agent, '5s')
  const answered = await agent.post(`/tasks/${id}/dispute/answer`, { statement: 'It is blurred' })
  assert.equal(answered.status, 200, answered.text)
  return id
}

async function advance(agent: Tester, by: string): Promise<string[]> {
  const { status, body, text } = await agent.post('/test/clock/advance', { by })
  assert.equal(status, 200, text)
  return body.fired.map(({ what }: Json) => what as string)
}

const show = async (agent: Tester, id: string) =>
  (await agent.get(`/tasks/${id}`)).body.task as Json

describe('an answered appeal in test mode', () => {
  test('is upheld one day after the reply, and the agent is notified', async () => {
    const { test: agent } = await market.agent({ events: ['task.dispute_resolved'] })
    const id = await answeredAppeal(agent)

    assert.deepEqual(await advance(agent, '23h'), [])
    assert.deepEqual(await advance(agent, '1h'), ['tasks.rule_appeals'])

    const { status, dispute } = await show(agent, id)
    assert.deepEqual([status, dispute.status], ['disputed', 'upheld'])
    assert.equal(dispute.appeals[0].ruling, 'upheld')
    await market.work()
    const { body } = await agent.get('/events')
    assert(body.events.some(({ type }: Json) => type === 'task.dispute_resolved'))
  })

  test('is decided as context.sim.ruling says', async () => {
    const { test: agent } = await market.agent()
    const won = await answeredAppeal(agent, { ruling: 'overturned' })
    const split = await answeredAppeal(agent, { ruling: 'split' })

    await advance(agent, '25h')

    assert.deepEqual(
      [(await show(agent, won)).dispute.status, (await show(agent, split)).dispute.status],
      ['overturned', 'split'],
    )
    assert.equal((await show(agent, won)).status, 'completed')
  })

  test('is also decided by the real clock, once for two timers', async () => {
    const { test: agent } = await market.agent()
    const id = await answeredAppeal(agent)

    market.advance(DAY)
    await Promise.all([market.sweep(), market.sweep()])

    assert.equal((await show(agent, id)).dispute.status, 'upheld')
  })

  test('400 for an unknown ruling', async () => {
    const { test: agent } = await market.agent()
    const { status, body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 1000,
      context: { sim: { persona: 'appeal', ruling: 'maybe' } },
    })
    assert.equal(status, 400)
    assert.equal(body.details[0].path, 'context.sim.ruling')
  })

  test('is left to operators in live mode', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')
    const statement = { statement: 'I did what was asked.' }
    assert.equal(
      (await task.workers[0]!.post(`/worker/tasks/${task.id}/appeal`, statement)).status,
      201,
    )
    await agent.post(`/tasks/${task.id}/dispute/answer`, { statement: 'It is blurred' })

    market.advance(30 * DAY)
    await market.sweep()

    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.equal(body.task.dispute.appeals[0].ruling, null)
  })
})
