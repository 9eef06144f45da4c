import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { projectOpen } from '../feed/project-open.ts'

const HOUR = 3_600_000
const market = await marketplace()
const DOUBTFUL = {
  description: 'Deliver the letter; the address is sent after acceptance',
  budget_cents: 2500,
}

/** A new doubtful task of an agent who has paid for it. */
async function parked(fields: Record<string, unknown> = {}) {
  const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
  const { status, body } = await agent.post('/tasks', { ...DOUBTFUL, ...fields })
  assert.equal(status, 201)
  return { agent, id: body.task.id as string, body }
}

async function isInFeed(id: string): Promise<boolean> {
  await market.events()
  const worker = await market.worker()
  const { body } = await worker.get('/worker/feed?sort=new&limit=100')
  return (body.tasks as { id: string }[]).some((task) => task.id === id)
}

describe('a doubtful task', () => {
  test('is created as pending, with its budget in escrow, and the answer says until when it waits', async () => {
    const { agent, body, id } = await parked()

    assert.equal(body.task.status, 'pending')
    assert.equal(body.task.status_reason, 'screening')
    assert.equal(body.task.escrow_cents, 2500)
    assert.equal(await market.balance(agent.id), 0)
    const [warning] = body.warnings
    assert.equal(warning.code, 'screening')
    assert(warning.message.includes(new Date(market.now().getTime() + 4 * HOUR).toISOString()))
    const { body: shown } = await agent.get(`/tasks/${id}`)
    assert.equal(shown.task.status_reason, 'screening')
  })

  test('409 for a worker who accepts it; no feed shows it, and the hourly job keeps it hidden', async () => {
    const { id } = await parked()
    const worker = await market.worker()

    const { status, body } = await worker.post(`/worker/tasks/${id}/accept`)
    await market.runJob(projectOpen)

    assert.deepEqual([status, body.code], [409, 'no_slot'])
    assert.equal(await isInFeed(id), false)
  })

  test('is in the feed once an operator clears it, and can be accepted', async () => {
    const { agent, id } = await parked()
    const waiting = await ops(market, 'waiting')

    const said = await ops(market, 'screening', id, 'clear', 'The man is our own model')

    assert.match(waiting.out, /doubtful task/)
    assert.equal(said.isBad, false)
    assert.equal(await isInFeed(id), true)
    const worker = await market.worker()
    assert.equal((await worker.post(`/worker/tasks/${id}/accept`)).status, 200)
    const { body } = await agent.get(`/tasks/${id}`)
    assert.deepEqual([body.task.status, body.task.status_reason], ['in_progress', null])
  })

  test('is refunded when an operator refuses it, and the agent gets the reason', async () => {
    const { agent, id } = await parked()

    await ops(market, 'screening', id, 'refuse', 'It spies on a man')

    const { body } = await agent.get(`/tasks/${id}`)
    assert.deepEqual(
      [body.task.status, body.task.status_reason],
      ['cancelled', 'screening_refused'],
    )
    assert.equal(await market.balance(agent.id), 2500)
    const event = (await market.events()).find(
      (one) => one.type === 'task.cancelled' && one.task_id === id,
    )
    assert.equal((event!.data as { note?: string }).note, 'It spies on a man')
  })

  test('is refunded when nobody decides in time, and never later than its deadline', async () => {
    const late = await parked()
    const soon = await parked({ deadline: '1h' })

    market.advance(HOUR + 1)
    await market.sweep()
    const afterAnHour = await Promise.all(
      [late, soon].map(async ({ agent, id }) => (await agent.get(`/tasks/${id}`)).body.task.status),
    )
    market.advance(3 * HOUR)
    await market.sweep()

    assert.equal(afterAnHour[0], 'pending')
    assert.notEqual(afterAnHour[1], 'pending')
    const { body } = await late.agent.get(`/tasks/${late.id}`)
    assert.deepEqual([body.task.status, body.task.status_reason], ['cancelled', 'screening_lapsed'])
    for (const { agent } of [late, soon]) assert.equal(await market.balance(agent.id), 2500)
  })

  test('that is free returns the free task', async () => {
    const agent = await market.agent()
    const { body } = await agent.post('/tasks', { ...DOUBTFUL, budget_cents: 300 })

    await ops(market, 'screening', body.task.id, 'refuse', 'It spies')

    assert.equal(body.task.funding, 'free')
    assert.equal((await agent.get('/agents/me')).body.agent.free_tasks_remaining, 3)
  })

  test('can be cancelled by its agent, and then nobody decides about it', async () => {
    const { agent, id } = await parked()

    const { status } = await agent.post(`/tasks/${id}/cancel`)
    const said = await ops(market, 'screening', id, 'clear', 'Fine')
    market.advance(5 * HOUR)
    await market.sweep()

    assert.equal(status, 200)
    assert.match(said.out, /does not wait/)
    assert.equal(await market.balance(agent.id), 2500)
    const [row] = await market.asOwner('select decision from screenings where task_id = $1', [id])
    assert.equal(row!.decision, 'ended')
  })

  test('several operators and the clock at once decide and refund once', async () => {
    const { agent, id } = await parked()
    market.advance(4 * HOUR + 1)

    const [, ...said] = await Promise.all([
      market.sweep(),
      ops(market, 'screening', id, 'refuse', 'No'),
      ops(market, 'screening', id, 'clear', 'Yes'),
      ops(market, 'screening', id, 'refuse', 'No'),
    ])
    await market.sweep()

    assert(said.filter(({ isBad }) => !isBad).length <= 1)
    const { body } = await agent.get(`/tasks/${id}`)
    const isOpen = body.task.status === 'pending'
    assert.equal(body.task.status_reason === 'screening', false)
    assert.equal(await market.balance(agent.id), isOpen ? 0 : 2500)
  })

  test('stays hidden when reports about it are cleared', async () => {
    const { id } = await parked()
    const worker = await market.trustedWorker()
    await worker.post(`/worker/tasks/${id}/report`, { kind: 'dangerous' })

    await ops(market, 'report', id, 'clear', 'Fine')

    assert.equal(await isInFeed(id), false)
  })

  test('a task of test mode does not wait', async () => {
    const agent = await market.agent()

    const { body } = await agent.test.post('/tasks', DOUBTFUL)

    assert.equal(body.task.status_reason, null)
  })
})
