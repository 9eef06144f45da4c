import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const DAY = 86_400_000
const market = await marketplace()
const agent = await market.agent({ balanceCents: 20_000, freeTasks: false })

const today = () => market.now().toISOString().slice(0, 10)
/** Moves to noon of the next day, so that no test crosses midnight. */
const toNoon = () => market.advance(Date.parse(today()) + 1.5 * DAY - market.now().getTime())
const spend = async (query = '') => (await agent.get(`/stats/spend${query}`)).body

describe('GET /stats/spend', () => {
  test('is empty without spending: no days, no pace, no forecast', async () => {
    assert.deepEqual(await spend(), {
      days: [],
      by_type: [],
      pace_cents_per_day: 0,
      days_left: null,
    })
  })

  test('sums escrow and payments by creation day and type, without refunds', async () => {
    toNoon()
    const first = today()
    await market.taskIn(agent, 'completed', { budget_cents: 1000, type: 'verification' })
    await market.taskIn(agent, 'cancelled', { budget_cents: 700, type: 'verification' })
    market.advance(DAY)
    await market.taskIn(agent, 'pending', { budget_cents: 500, type: 'verification' })
    await market.taskIn(agent, 'pending', { budget_cents: 300 })

    const { days, by_type, ...pace } = await spend()

    assert.deepEqual(days, [
      { day: first, type: 'verification', spent_cents: 1000, tasks: 2 },
      { day: today(), type: 'verification', spent_cents: 500, tasks: 1 },
      { day: today(), type: 'custom', spent_cents: 300, tasks: 1 },
    ])
    assert.deepEqual(by_type, [
      { type: 'verification', spent_cents: 1500, tasks: 3 },
      { type: 'custom', spent_cents: 300, tasks: 1 },
    ])
    // $18.20 is left, and $9 was spent on each of two days.
    assert.deepEqual(pace, { pace_cents_per_day: 900, days_left: 20 })
  })

  test('returns the requested days; the pace is always that of the last week', async () => {
    const body = await spend('?days=1')

    assert.equal(body.days.length, 2)
    assert.equal(body.by_type.length, 2)
    assert.equal(body.pace_cents_per_day, 900)
  })

  test('has no pace after a week without a task', async () => {
    market.advance(7 * DAY)

    assert.deepEqual((await spend()).days_left, null)
    assert.equal((await spend()).days.length, 3)
  })

  test('400 for invalid days; another agent and the other mode see their own', async () => {
    for (const days of ['0', '91', 'x', '1.5'])
      assert.equal((await agent.get(`/stats/spend?days=${days}`)).status, 400)
    assert.deepEqual((await agent.test.get('/stats/spend')).body.days, [])
    assert.deepEqual((await (await market.agent()).get('/stats/spend')).body.days, [])
  })
})
