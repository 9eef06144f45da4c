import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const MINUTE = 60_000
const market = await marketplace()
const agent = await market.agent()

async function quote(query: string, asking: Pick<typeof agent, 'get'> = agent) {
  const { status, body, text } = await asking.get(`/quote?${query}`)
  assert.equal(status, 200, text)
  return body
}

/** Moves past the lifetime of the caches. */
const later = () => market.advance(11 * MINUTE)

const at = (lat: number, lng: number) => ({
  location: { label: 'Here', lat, lng, radius_km: 10 },
})

/** Approved tasks whose proof took this long, created by the agents in turn. */
async function completed(
  agents: (typeof agent)[],
  budgets: number[],
  { type = 'verification', minutes = 30, people = 1, mode = 'live' } = {},
) {
  for (const [i, budget_cents] of budgets.entries()) {
    const one = agents[i % agents.length]!
    const task = await market.taskIn(mode === 'live' ? one : one.test, 'completed', {
      type,
      budget_cents,
      consensus_count: people,
    })
    await market.asOwner(
      `update tasks set proof_at = created_at + make_interval(mins => $2) where id = $1`,
      [task.id, minutes],
    )
  }
}

describe('GET /quote', () => {
  test('without data says so, and offers the default of the shorthand', async () => {
    assert.deepEqual(await quote('type=field_mission&people=2'), {
      type: 'field_mission',
      budget_cents: { low: 3000, usual: 3000, high: 3000 },
      people_near: null,
      expected_minutes: null,
      confidence: 'none',
      says: 'There are too few tasks of this type for an estimate; $30.00 is a common budget.',
    })
    assert.equal((await quote('type=custom')).budget_cents.usual, 1000)
  })

  test('from completed live tasks: quartiles per person, and the median duration', async () => {
    const agents = []
    for (let i = 0; i < 3; i += 1)
      agents.push(await market.agent({ balanceCents: 50_000, freeTasks: false }))
    await completed(agents, [400, 500, 500, 600, 700, 700])
    await completed(agents, [5000, 5000, 5000, 5000, 5000, 5000], { mode: 'test' })
    later()

    const one = await quote('type=verification')
    const three = await quote('type=verification&people=3')

    assert.deepEqual(one, {
      type: 'verification',
      budget_cents: { low: 500, usual: 550, high: 675 },
      people_near: null,
      expected_minutes: 30,
      confidence: 'low',
      says: 'Most tasks like this pay $5.00 to $6.75 and are done within 30 minutes, half of them sooner.',
    })
    assert.deepEqual(three.budget_cents, { low: 1500, usual: 1650, high: 2025 })
    assert.deepEqual(await quote('type=verification', agent.test), one)
  })

  test('ignores newer test tasks, however many', async () => {
    const before = await quote('type=verification')
    const { id } = await market.taskIn(agent.test, 'pending', { type: 'verification' })
    await market.asOwner(
      `insert into tasks select (jsonb_populate_record(t, jsonb_build_object('id', t.id || n))).*
         from tasks t, generate_series(1, 20000) n where t.id = $1`,
      [id],
    )
    later()

    const after = await quote('type=verification')

    // Delete the copies: no money was locked for them.
    await market.deleteTasks('id like $1', [`${id}_%`])
    assert.equal(before.confidence, 'low')
    assert.deepEqual(after, before)
  })

  test('does not reveal prices of fewer than three agents', async () => {
    const agents = [1, 2].map(() => market.agent({ balanceCents: 50_000, freeTasks: false }))
    await completed(await Promise.all(agents), [900, 900, 900, 900, 900, 900], {
      type: 'vibe_reader',
    })
    later()

    const { confidence, budget_cents } = await quote('type=vibe_reader')

    assert.deepEqual([confidence, budget_cents.usual], ['none', 800])
  })

  test('counts nearby people in fives, and fewer than five not at all', async () => {
    for (let i = 0; i < 4; i += 1) await market.worker(at(52.52, 13.4 + i / 100))
    later()
    const four = await quote('type=gut_check&where=Berlin')
    for (let i = 0; i < 8; i += 1) await market.worker(at(52.5 + i / 100, 13.4))
    await market.worker({ ...at(52.52, 13.4), mode: 'test' })
    later()

    const named = await quote('type=gut_check&where=Main Street 5, Berlin')
    const pointed = await quote('type=gut_check&where=52.52,13.4')
    const elsewhere = await quote('type=gut_check&where=Hamburg')

    assert.equal(four.people_near, null)
    assert.match(four.says, /Fewer than five people are within 30 km/)
    assert.equal(named.people_near, 10)
    assert.match(named.says, /At least 10 people are within 30 km/)
    assert.equal(pointed.people_near, 10)
    assert.equal(elsewhere.people_near, null)
  })

  test('reports an unknown place as unknown', async () => {
    const { people_near, says } = await quote('type=gut_check&where=Nowhereville')

    assert.equal(people_near, null)
    assert.match(says, /This place is unknown/)
  })

  test('is cached for a minute', async () => {
    later()
    const before = await quote('type=verification')
    const agents = [await market.agent({ balanceCents: 50_000, freeTasks: false })]
    await completed(agents, [2000, 2000, 2000, 2000, 2000, 2000])

    const within = await quote('type=verification')
    market.advance(MINUTE)
    const after = await quote('type=verification')

    assert.deepEqual(within, before)
    assert.notDeepEqual(after.budget_cents, before.budget_cents)
  })

  test('400 without a type, and for an impossible number of people', async () => {
    for (const query of ['', 'type=none', 'type=gut_check&people=0', 'type=gut_check&people=26'])
      assert.equal((await agent.get(`/quote?${query}`)).status, 400)
  })
})
