import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { openReceiver } from '../../test/receiver.ts'

// The tests read expired agents for longer than the default retention.
const market = await marketplace({ settings: { TEST_KEEP_HOURS: 10_000 } })
const DAY_MS = 86_400_000
const TASK = { description: 'Look', budget_cents: 1000, deadline: '30d' }

async function made() {
  const { status, body, text } = await market.call('POST', '/test/agents', { body: {} })
  assert.equal(status, 201, text)
  return { ...(body.agent as Json), ...market.client(body.agent.test_api_key) } as Json &
    ReturnType<typeof market.client>
}

const tasksOf = (agent: Json) =>
  market.asOwner('select status, status_reason from tasks where agent_id = $1 order by id', [
    agent.id,
  ])

const statusOf = async (agent: Json) =>
  (await market.asOwner('select status from agents where id = $1', [agent.id]))[0]!.status

describe('an unclaimed test agent', () => {
  test('ends after seven days, with its tasks, its workers and its queued deliveries', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(503)
    const agent = await made()
    const post = async (sim: string) =>
      (await agent.post('/tasks', { ...TASK, context: { sim }, callback_url: receiver.url })).body
        .task.id as string
    await post('nobody')
    const mine = await post('me')
    market.advance(7 * DAY_MS - 3_600_000)
    const playing = (await agent.post('/test/workers', {})).body
    const worker = market.client(playing.token)
    assert.equal((await worker.post(`/worker/tasks/${mine}/accept`)).status, 200)
    const proved = await post('me')
    await worker.post(`/worker/tasks/${proved}/accept`)
    assert.equal((await worker.post(`/worker/tasks/${proved}/proof`, { text: 'Yes' })).status, 201)
    await market.deliver()
    const tried = receiver.received.length
    assert.notEqual(tried, 0)

    market.advance(3_600_000)
    await market.sweep()
    await market.deliver()

    assert.equal(await statusOf(agent), 'closed')
    assert.equal((await worker.get('/worker/feed')).status, 401)
    assert.deepEqual(await tasksOf(agent), [
      { status: 'cancelled', status_reason: 'agent_closed' },
      { status: 'cancelled', status_reason: 'agent_closed' },
      // Auto-approved later, as usual.
      { status: 'proof_submitted', status_reason: null },
    ])
    assert.equal(receiver.received.length, tried)
    const left = 'select from deliveries where agent_id = $1'
    assert.deepEqual(await market.asOwner(left, [agent.id]), [])
  })

  test('leaves no dispute held: without a decision it ends after 72 hours', async () => {
    const agent = await made()
    market.advance(7 * DAY_MS - 3_600_000)
    const worker = market.client((await agent.post('/test/workers', {})).body.token)
    const disputed: Json[] = []
    for (let at = 0; at < 6; at += 1) {
      const { id } = (await agent.post('/tasks', { ...TASK, context: { sim: 'me' } })).body.task
      await worker.post(`/worker/tasks/${id}/accept`)
      await worker.post(`/worker/tasks/${id}/proof`, { text: 'Yes' })
      disputed.push((await agent.post(`/tasks/${id}/dispute`, { reason: 'No' })).body.task)
    }
    const { id, status_reason } = disputed.at(-1)!
    assert.equal(status_reason, 'dispute_held')
    const held = () =>
      market.asOwner(`select from disputes where agent_id = $1 and status = 'held'`, [agent.id])

    market.advance(3_600_000)
    await market.sweep()
    await market.work()
    assert.equal(await statusOf(agent), 'closed')
    assert.equal((await held()).length, 1)
    market.advance(3 * DAY_MS)
    await market.sweep()

    assert.deepEqual(await held(), [])
    const [task] = await market.asOwner(
      'select status, status_reason, escrow_cents from tasks where id = $1',
      [id],
    )
    assert.deepEqual(task, {
      status: 'completed',
      status_reason: 'dispute_lapsed',
      escrow_cents: 0,
    })
  })

  test('is kept after it was claimed, and so is its worker', async () => {
    const agent = await made()
    const worker = market.client((await agent.post('/test/workers', {})).body.token)
    const email = `${agent.id}@example.com`
    const claimed = await agent.post('/agents/register', { name: 'Scout', email })
    assert.equal(claimed.status, 201, claimed.text)
    await agent.post('/tasks', { ...TASK, context: { sim: 'nobody' } })

    market.advance(7 * DAY_MS - 60_000)
    assert.equal((await worker.get('/worker/feed')).status, 200)
    market.advance(60_000)
    await market.sweep()
    await market.work()

    assert.equal(await statusOf(agent), 'active')
    assert.equal((await tasksOf(agent))[0]!.status, 'pending')
  })
})
