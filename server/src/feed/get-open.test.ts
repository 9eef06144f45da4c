import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const agent = await market.agent({ balanceCents: 1_000_000, freeTasks: false })
const BERLIN = { label: 'Berlin', lat: 52.52, lng: 13.4, radius_km: 10 }

describe('GET /worker/feed/:id', () => {
  test('returns the card of the feed, with the requirements of the task', async () => {
    const criteria = [{ id: 'sharp', text: 'Every line can be read' }]
    const task = await market.taskIn(agent, 'pending', {
      criteria,
      answer_schema: { type: 'boolean' },
      location: { address: 'Secret Lane 5', lat: 52.5312345, lng: 13.4112345 },
      context: { door: 'Secret door' },
      skills: ['drone'],
      budget_cents: 900,
    })
    await market.events()
    const worker = await market.worker({ location: BERLIN, skills: ['Drone'] })

    const { status, body, text } = await worker.get(`/worker/feed/${task.id}`)

    assert.equal(status, 200)
    const { criteria: asked, answer_schema, finish_until, ...rest } = body.task
    const { scheduled_at, window_minutes, ...card } = rest
    const feed = await worker.get('/worker/feed')
    assert.deepEqual(card, feed.body.tasks[0])
    assert.deepEqual(asked, criteria)
    assert.deepEqual(answer_schema, { type: 'boolean' })
    assert.deepEqual([scheduled_at, window_minutes, body.assignment], [null, null, null])
    assert.equal(Date.parse(finish_until) - market.now().getTime(), 4 * 3_600_000)
    assert.deepEqual(card.near, { lat: 52.53, lng: 13.41 })
    for (const secret of ['Secret', '52.5312', '13.4112']) assert(!text.includes(secret), secret)
  })

  test('ignores distance and preferences; the distance is from the given position', async () => {
    const preferences = { types: ['gut_check'], min_pay_cents: 9000, muted_agents: [agent.id] }
    const worker = await market.worker({ location: BERLIN, preferences })
    const task = await market.taskIn(agent, 'pending', { location: { lat: 48.14, lng: 11.58 } })

    const far = await worker.get(`/worker/feed/${task.id}`)
    const near = await worker.get(`/worker/feed/${task.id}?lat=48.14&lng=11.59`)
    const half = await worker.get(`/worker/feed/${task.id}?lat=48.14`)

    assert.equal(far.status, 200)
    assert(far.body.task.distance_km > 400)
    assert(near.body.task.distance_km < 1)
    assert.equal(half.status, 400)
  })

  test('a task one level above is locked; 404 for one two levels above', async () => {
    const worker = await market.worker()
    const above = await market.taskIn(agent, 'pending', { min_worker_level: 2 })
    const far = await market.taskIn(agent, 'pending', { min_worker_level: 3 })

    const locked = await worker.get(`/worker/feed/${above.id}`)
    const refused = await worker.get(`/worker/feed/${far.id}`)

    assert.deepEqual(locked.body.task.locked, { required_level: 2 })
    assert.deepEqual([refused.status, refused.body.code], [404, 'task_not_found'])
  })

  test('names the requirements that the profile lacks, until they are added', async () => {
    const worker = await market.worker({ skills: ['walking'], languages: ['pt-br'] })
    const skills = ['drone', 'walking']
    const task = await market.taskIn(agent, 'pending', { skills, languages: ['pt', 'de'] })

    const before = await worker.get(`/worker/feed/${task.id}`)
    await worker.put('/worker/profile', { skills, languages: ['pt-br', 'de'] })
    const after = await worker.get(`/worker/feed/${task.id}`)

    assert.equal(before.status, 200)
    assert.deepEqual(before.body.task.missing, { skills: ['drone'], languages: ['de'] })
    assert.equal(after.body.task.missing, undefined)
    assert.equal(before.body.task.match.reasons[0], 'Matches your skill: walking')
  })

  test('404 for a taken, ended, other-mode or unknown task', async () => {
    const taken = await market.taskIn(agent, 'in_progress')
    const ended = await market.taskIn(agent, 'cancelled')
    const tried = await market.taskIn(agent.test, 'pending')
    const short = await market.taskIn(agent, 'pending', { deadline: '5m' })
    const worker = await market.worker()
    const tester = await market.worker({ mode: 'test', agentId: tried.agent_id })
    market.advance(5 * 60_000)

    for (const id of [taken.id, ended.id, tried.id, short.id, 'x']) {
      const { status, body } = await worker.get(`/worker/feed/${id}`)
      assert.deepEqual([status, body.code], [404, 'task_not_found'], id)
    }
    const open = await market.taskIn(agent, 'pending')
    assert.equal((await tester.get(`/worker/feed/${open.id}`)).status, 404)
    assert.equal((await tester.get(`/worker/feed/${tried.id}`)).status, 200)
    await market.sweep()
  })

  test('a held task is shown with the worker’s assignment; a released one only while it is open', async () => {
    const task = await market.taskIn(agent, 'in_progress', { location: 'Secret Lane 7, Berlin' })
    const worker = task.workers[0]!

    const held = await worker.get(`/worker/feed/${task.id}`)
    await worker.post(`/worker/tasks/${task.id}/release`, {})
    const back = await worker.get(`/worker/feed/${task.id}`)
    await agent.post(`/tasks/${task.id}/cancel`)
    const gone = await worker.get(`/worker/feed/${task.id}`)

    assert.equal(held.body.assignment.status, 'accepted')
    assert.deepEqual(held.body.task.slots, { needed: 1, free: 0 })
    assert(!held.text.includes('Secret'))
    assert.equal(back.body.assignment.status, 'released')
    assert.equal(gone.status, 404)
  })
})
