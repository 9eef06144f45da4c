import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { type Json, marketplace } from '../../test/harness.ts'
import { SHARED_CARD } from '../../test/sandbox.ts'
import { isDisposable } from './signs.ts'

const market = await marketplace({
  processor: true,
  roles: ['api', 'desk'],
  settings: { TRUST_PROXY: '127.0.0.1' },
})
const viewer = await signIn(market, 'viewer')

async function register(email: string, address: string): Promise<string> {
  const { status, body } = await market.call('POST', '/agents/register', {
    body: { name: 'Scout', email },
    headers: { 'x-forwarded-for': address },
  })
  assert.equal(status, 201, 'a sign refuses nothing')
  return body.agent.id as string
}

async function factsOf(agentId: string): Promise<Record<string, string | null>> {
  const { status, body, text } = await viewer.get(`/objects/${agentId}`)
  assert.equal(status, 200, text)
  return Object.fromEntries(
    body.object.facts.map(({ name, value }: Json) => [name, value]),
  ) as Record<string, string | null>
}

describe('the signs of an agent', () => {
  test('a disposable domain is one, also as a subdomain; a name that contains one is not', () => {
    assert.deepEqual(
      ['a@mailinator.com', 'a@x.Mailinator.com', 'a@notmailinator.com', 'a@example.com', null].map(
        isDisposable,
      ),
      [true, true, false, false, false],
    )
  })

  test('are on the desk, beside the tier', async () => {
    const facts = await factsOf(await register('ada@yopmail.com', '203.0.113.1'))

    assert.equal(facts.Signs, 'disposable email address')
    assert.equal(facts.Tier, 'unverified')
  })

  test('five registrations from one network within a day are one; four are not', async () => {
    const ids = []
    for (let i = 0; i < 4; i += 1) ids.push(await register(`a${i}@example.com`, '203.0.113.2'))
    market.advance(-2 * 86_400_000)
    await register('early@example.com', '203.0.113.2')
    market.advance(2 * 86_400_000)
    assert.equal((await factsOf(ids[0]!)).Signs, null)

    await register('fifth@example.com', '203.0.113.2')

    assert.equal(
      (await factsOf(ids[0]!)).Signs,
      '5 agents from its network within a day of its registration',
    )
  })

  test('a card that other agents have paid with is one, and the desk lists them', async () => {
    const [one, two, three, alone] = [
      await market.agent(),
      await market.agent(),
      await market.agent(),
      await market.agent(),
    ]
    await market.deposit(one, 500, SHARED_CARD)
    await market.deposit(one, 500, SHARED_CARD)
    await market.deposit(two, 500, SHARED_CARD)
    await market.deposit(alone, 500)
    assert.equal((await factsOf(one.id)).Signs, 'paid with a card of another agent')

    await market.deposit(three, 500, SHARED_CARD)

    assert.equal((await factsOf(one.id)).Signs, 'paid with a card of 2 other agents')
    assert.equal((await factsOf(three.id)).Signs, 'paid with a card of 2 other agents')
    assert.equal((await factsOf(alone.id)).Signs, null)
    const { body } = await viewer.get(`/objects/${one.id}`)
    const linked = (body.object.linked as Json[]).filter(({ how }) => how === 'card')
    assert.deepEqual(new Set(linked.map(({ id }) => id)), new Set([two.id, three.id]))
  })
})
