import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'

const market = await marketplace()
const agent = await market.agent({ balanceCents: 1_000_000, freeTasks: false })

const preview = async (query = '') => {
  const { status, body, text } = await market.call('GET', `/worker/preview${query}`)
  assert.equal(status, 200, text)
  return { tasks: body.tasks as Json[], text }
}

async function post(fields: Record<string, unknown>): Promise<string> {
  const { id } = await market.taskIn(agent, 'pending', { description: 'Look', ...fields })
  await market.events()
  market.advance(1)
  return id
}

describe('GET /worker/preview', () => {
  test('shows anyone the nearest tasks of a place, with outlines only', async () => {
    const far = await post({ location: { lat: 6.55, lng: 3.4 } })
    const near = await post({
      description: 'Is the bakery open? The owner is called Bola, ask for her.',
      location: { address: 'Secret Lane 1', lat: 6.4512345, lng: 3.4012345 },
      context: { note: 'Secret note' },
      proof_required: 'photo',
      type: 'verification',
    })
    await post({ location: { lat: 7.5, lng: 3.4 } })
    const anywhere = await post({ title: 'Read this aloud' })

    const { tasks, text } = await preview('?lat=6.45&lng=3.4')

    assert.deepEqual(
      tasks.map(({ id }) => id),
      [near, far, anywhere],
    )
    const { deadline, ...rest } = tasks[0]!
    assert.deepEqual(rest, {
      id: near,
      type: 'verification',
      title: 'Is the bakery open?',
      you_earn_cents: 2050,
      est_minutes: 15,
      proof_required: 'photo',
      distance_km: rest.distance_km,
      area: 'Lagos',
      agent: { name: agent.name },
    })
    assert(Date.parse(deadline) > market.now().getTime())
    assert(rest.distance_km <= 0.4)
    for (const secret of ['Secret', 'Bola', '6.451', '3.401', 'near', agent.id])
      assert(!text.includes(secret), secret)
  })

  test('without a place shows the newest six tasks that need none', async () => {
    const ids: string[] = []
    for (let i = 0; i < 8; i += 1) ids.push(await post({ title: `Number ${i}` }))

    const { tasks } = await preview()

    assert.deepEqual(
      tasks.map(({ id }) => id),
      ids.toReversed().slice(0, 6),
    )
    assert(tasks.every(({ distance_km, area }) => distance_km === null && area === null))
  })

  test('hides tasks of a higher level, with a skill, of another mode, and taken ones', async () => {
    const at = { location: { lat: -12.05, lng: -77.04 } }
    await post({ ...at, min_worker_level: 2 })
    await post({ ...at, budget_cents: 5001 })
    await post({ ...at, skills: ['drone'] })
    await market.taskIn(agent.test, 'pending', at)
    await market.taskIn(agent, 'in_progress', at)
    await market.taskIn(agent, 'cancelled', at)
    await market.events()
    const fine = await post(at)

    const { tasks } = await preview('?lat=-12.05&lng=-77.04')

    assert.deepEqual(
      tasks.filter(({ area }) => area !== null).map(({ id }) => id),
      [fine],
    )
  })

  test('a title is cut at 120 characters, whatever the description contains', async () => {
    await post({ description: 'word '.repeat(200) })

    const { tasks } = await preview()

    assert(tasks[0]!.title.length <= 120)
  })

  test('400 for an incomplete or invalid place', async () => {
    for (const query of ['?lat=1', '?lng=1', '?lat=91&lng=0', '?lat=x&lng=0']) {
      const { status } = await market.call('GET', `/worker/preview${query}`)
      assert.equal(status, 400, query)
    }
  })
})
