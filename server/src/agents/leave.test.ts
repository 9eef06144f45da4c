import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { member, sessionOf } from '../../test/team.ts'

const market = await marketplace()

describe('DELETE /console/people/me', () => {
  test('200: every session of the person ends with the response, that of the call too', async () => {
    const agent = await market.agent()
    await member(market, agent, 'owner')
    const person = await member(market, agent, 'reviewer')
    const phone = await sessionOf(market, { id: person.id, agentId: agent.id })

    const left = await person.delete('/console/people/me')

    assert.equal(left.status, 200, left.text)
    assert.deepEqual([left.body.person.id, left.body.person.status], [person.id, 'left'])
    assert.equal((await person.get('/stats')).status, 401)
    const again = await market.call('GET', '/stats', { headers: { cookie: phone } })
    assert.equal(again.status, 401)
  })

  test('two calls at once: one leaves, and the other is refused', async () => {
    const agent = await market.agent()
    await member(market, agent, 'owner')
    const person = await member(market, agent, 'reviewer')

    const replies = await Promise.all([1, 2].map(() => person.delete('/console/people/me')))

    const statuses = replies.map(({ status }) => status).sort((a, b) => a - b)
    assert.equal(statuses[0], 200)
    assert([401, 404].includes(statuses[1]!), String(statuses))
  })

  test('409 for the last owner', async () => {
    const owner = await member(market, await market.agent(), 'owner')

    const { status, body } = await owner.delete('/console/people/me')

    assert.deepEqual([status, body.code], [409, 'last_owner'])
    assert.equal((await owner.get('/stats')).status, 200)
  })
})
