import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, startOn } from '../../test/harness.ts'
import { member, sessionOf } from '../../test/team.ts'
import { mintId } from '../kit/ids.ts'

const market = await marketplace()

const activeOwners = async (agentId: string) => {
  const [row] = await market.asOwner(
    `select count(*)::int as count from agent_people
      where agent_id = $1 and role = 'owner' and accepted_at is not null and left_at is null`,
    [agentId],
  )
  return row!.count as number
}

describe('DELETE /console/people/:id', () => {
  test('200: all sessions of the person end with the response, in a process that caches keys, too', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')
    const person = await member(market, agent, 'developer')
    const other = await sessionOf(market, { id: person.id, agentId: agent.id })
    const cached = await startOn(market.url, {
      settings: { KEY_CACHE_SECONDS: 60 },
      clockOverride: market.server.clock,
    })
    const ask = async (cookie: string) =>
      (await fetch(`${cached.addresses.api}/stats`, { headers: { cookie } })).status
    const before = [await ask(person.jar.cookie), await ask(other), await ask(other)]

    const removed = await owner.delete(`/console/people/${person.id}`)

    const after = [await ask(person.jar.cookie), await ask(other)]
    await cached.stop()
    assert.equal(removed.status, 200, removed.text)
    assert.equal(removed.body.person.status, 'left')
    assert.deepEqual([...before, ...after], [200, 200, 200, 401, 401])
    const rows = await market.asOwner('select 1 from console_sessions where person_id = $1', [
      person.id,
    ])
    assert.deepEqual(rows, [])
  })

  test('sessions of keys and of the other people stay, and so do keys that the person made', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')
    const person = await member(market, agent, 'developer')
    const { body } = await person.post('/agents/keys', { name: 'bot' })

    await owner.delete(`/console/people/${person.id}`)

    assert.equal((await owner.get('/stats')).status, 200)
    assert.equal((await market.client(body.key.api_key).get('/stats')).status, 200)
  })

  test('404 for people of another agent, who stay, and for ids that nobody has', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')
    const foreign = await member(market, await market.agent(), 'developer')

    const replies = [
      await owner.delete(`/console/people/${foreign.id}`),
      await owner.delete(`/console/people/${mintId('person', market.now(), 1)}`),
    ]

    for (const { status, body } of replies)
      assert.deepEqual([status, body.code], [404, 'person_not_found'])
    assert.equal((await foreign.get('/stats')).status, 200)
  })

  test('409 for the last owner, who stays logged in; an invited owner does not count', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')
    await owner.post('/console/people', { name: 'Bo', email: 'bo@example.com', role: 'owner' })

    const replies = [
      await owner.delete(`/console/people/${owner.id}`),
      await owner.delete('/console/people/me'),
      await owner.patch(`/console/people/${owner.id}`, { role: 'finance' }),
    ]

    for (const { status, body } of replies)
      assert.deepEqual([status, body.code], [409, 'last_owner'])
    assert.equal((await owner.get('/console/people')).status, 200)
  })

  test('403 for an owner who was demoted or removed while the call waited', async () => {
    const agent = await market.agent()
    const [one, two] = [await member(market, agent, 'owner'), await member(market, agent, 'owner')]
    const third = await member(market, agent, 'finance')

    await one.patch(`/console/people/${two.id}`, { role: 'developer' })
    const refused = await two.delete(`/console/people/${third.id}`)

    assert.deepEqual([refused.status, refused.body.code], [403, 'role_not_allowed'])
    assert.equal((await third.get('/stats')).status, 200)
  })

  test('one owner remains when all of them leave, remove and demote each other at once', async () => {
    for (let round = 0; round < 8; round += 1) {
      const agent = await market.agent()
      const owners = await Promise.all([1, 2, 3].map(() => member(market, agent, 'owner')))

      const replies = await Promise.all(
        owners.flatMap((owner, i) => {
          const next = owners[(i + 1) % 3]!
          return [
            owner.delete('/console/people/me'),
            owner.delete(`/console/people/${next.id}`),
            owner.patch(`/console/people/${next.id}`, { role: 'finance' }),
          ]
        }),
      )

      assert.equal(await activeOwners(agent.id), 1)
      for (const { status, text } of replies)
        assert([200, 401, 403, 404, 409].includes(status), text)
    }
  })

  test('the database keeps the last owner, also from statements that don’t lock the others first', async () => {
    const agent = await market.agent()
    const owners = await Promise.all([1, 2].map(() => member(market, agent, 'owner')))
    const demote = (id: string) =>
      market.asOwner(`update agent_people set role = 'finance' where id = $1`, [id])

    const outcomes = await Promise.allSettled(owners.map(({ id }) => demote(id)))

    const refused = outcomes.filter(({ status }) => status === 'rejected')
    assert.equal(refused.length, 1)
    assert.equal(await activeOwners(agent.id), 1)
    await assert.rejects(
      market.asOwner('update agent_people set left_at = $2 where agent_id = $1', [
        agent.id,
        market.now(),
      ]),
      /would have no owner|deadlock/,
    )
  })
})
