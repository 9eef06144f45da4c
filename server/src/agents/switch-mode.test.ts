import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openBrowser } from '../../test/people.ts'
import { member } from '../../test/team.ts'

const market = await marketplace()

describe('PATCH /console/session', () => {
  test('200: a person works in test mode, and returns to live mode, in the same session', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const person = await member(market, agent, 'owner')
    const task = { description: 'Look', budget_cents: 500 }

    const switched = await person.patch('/console/session', { mode: 'test' })
    const played = await person.post('/tasks', task)
    const clock = await person.post('/test/clock/advance', { by: '1s' })
    const back = await person.patch('/console/session', { mode: 'live' })
    const made = await person.post('/tasks', task)

    assert.deepEqual([switched.status, switched.body.agent.mode], [200, 'test'])
    assert.equal(switched.body.person.id, person.id)
    assert.deepEqual([played.status, played.body.task.mode], [201, 'test'])
    assert.equal(clock.status, 200, clock.text)
    assert.equal(back.body.agent.id, agent.id)
    assert.deepEqual([made.status, made.body.task.mode], [201, 'live'])
    assert.deepEqual((await person.get('/console/session')).body, back.body)
  })

  test('other sessions of the person keep their mode', async () => {
    const agent = await market.agent()
    const person = await member(market, agent, 'owner')
    const other = await member(market, agent, 'owner')

    await person.patch('/console/session', { mode: 'test' })

    assert.equal((await other.get('/console/session')).body.agent.mode, 'live')
  })

  test('403 for the session of a key, which keeps the mode of its key', async () => {
    const { api_key } = await market.agent()
    const browser = openBrowser(market)
    await browser.post('/console/session', { api_key })

    const { status, body } = await browser.patch('/console/session', { mode: 'test' })

    assert.deepEqual([status, body.code], [403, 'person_required'])
    assert.equal((await browser.get('/console/session')).body.agent.mode, 'live')
  })
})
