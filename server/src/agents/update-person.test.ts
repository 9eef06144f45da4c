import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { member } from '../../test/team.ts'

const market = await marketplace()

describe('PATCH /console/people/:id', () => {
  test('200: a new role applies to the next request of an open session, in both directions', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')
    const person = await member(market, agent, 'finance')
    const before = await person.get('/events')

    const changed = await owner.patch(`/console/people/${person.id}`, { role: 'reviewer' })
    const as = [await person.get('/events'), await person.get('/wallet')]

    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.person.role, 'reviewer')
    assert.deepEqual(
      [before, ...as].map(({ status }) => status),
      [403, 200, 403],
    )
  })

  test('200: a name, and an empty change', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')

    const named = await owner.patch(`/console/people/${owner.id}`, { name: 'Ada' })
    const empty = await owner.patch(`/console/people/${owner.id}`, {})

    assert.equal(named.body.person.name, 'Ada')
    assert.deepEqual(empty.body.person, named.body.person)
  })

  test('404 for people of another agent, who keep their role', async () => {
    const owner = await member(market, await market.agent(), 'owner')
    const foreign = await member(market, await market.agent(), 'finance')

    const { status, body } = await owner.patch(`/console/people/${foreign.id}`, { role: 'owner' })

    assert.deepEqual([status, body.code], [404, 'person_not_found'])
    assert.equal((await foreign.get('/console/session')).body.person.role, 'finance')
  })

  test('409 for the last owner', async () => {
    const owner = await member(market, await market.agent(), 'owner')

    const { status, body } = await owner.patch(`/console/people/${owner.id}`, { role: 'finance' })

    assert.deepEqual([status, body.code], [409, 'last_owner'])
    assert.equal((await owner.get('/console/session')).body.person.role, 'owner')
  })
})
