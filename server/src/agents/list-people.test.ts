import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { newEmail } from '../../test/people.ts'
import { member } from '../../test/team.ts'

const DAY = 86_400_000
const market = await marketplace()

describe('GET /console/people', () => {
  test('200: members and the invited, until seven days later; not those who left, and nobody else', async () => {
    const agent = await market.agent()
    await member(market, await market.agent(), 'owner')
    const owner = await member(market, agent, 'owner')
    const gone = await member(market, agent, 'finance')
    await owner.delete(`/console/people/${gone.id}`)
    const invitee = { name: 'Bo', email: newEmail(), role: 'finance' }
    await owner.post('/console/people', invitee)

    const { status, body } = await owner.get('/console/people')
    market.advance(7 * DAY)
    const late = await member(market, agent, 'reviewer')
    const { body: later } = await late.get('/console/people')

    assert.equal(status, 200)
    const shown = (people: Record<string, string>[]) =>
      people.map(({ email, role, status: state }) => [email, role, state])
    assert.deepEqual(shown(body.people), [
      [owner.email, 'owner', 'active'],
      [invitee.email, 'finance', 'invited'],
    ])
    assert.equal(later.people[1].status, 'invitation_expired')
  })
})
