import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { newEmail } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const call = async (number: string) => {
  const agent = await market.agent({ balanceCents: 5000 })
  const reply = await agent.post('/call', { description: 'Ask for the hours', number })
  return { ...reply, balance: await market.balance(agent.id) }
}

async function request(value: string, kind = 'phone') {
  const email = newEmail()
  const { status } = await market.call('POST', '/do-not-contact/requests', {
    body: { kind, value, email },
  })
  assert.equal(status, 202)
  const [row] = await market.asOwner('select id from do_not_contact where email = $1', [email])
  return { id: row!.id as string, email }
}
const decide = (id: string, verdict: string) =>
  ops(market, 'do-not-contact', id, verdict, 'We', 'called', 'you')
const rowOf = async (id: string) =>
  (await market.asOwner('select * from do_not_contact where id = $1', [id]))[0]!

describe('a request not to be contacted', () => {
  test('403: confirmed, tasks of all agents are refused; the value is forgotten, the person is told', async () => {
    const { id, email } = await request('+49 30 1234 0001')

    await decide(id, 'confirm')
    await market.work()

    const { status, body, balance } = await call('+493012340001')
    assert.equal(status, 403)
    assert.equal(body.code, 'target_protected')
    assert.deepEqual([body.target, body.reason, body.cap], ['phone', 'do_not_contact', undefined])
    assert.equal(balance, 5000)
    const row = await rowOf(id)
    assert.deepEqual([row.state, row.value, row.reason], ['confirmed', null, null])
    const mail = await market.inbox.mailTo(email)
    assert.match(mail.text, /We called you/)
  })

  test('protects a number as the contact of a person, too, and no other number', async () => {
    const { id } = await request('+493012340002')
    await decide(id, 'confirm')
    const agent = await market.agent({ balanceCents: 5000 })
    const person = { name: 'Kim', contact: '+49 30 1234 0002' }

    const refused = await agent.post('/escalate', { situation: 'They wait', person })

    assert.equal(refused.status, 403)
    assert.equal((await call('+493012340003')).status, 201)
  })

  test('declined, it protects nothing', async () => {
    const { id, email } = await request('+493012340004')

    await decide(id, 'decline')
    await market.work()

    assert.equal((await call('+493012340004')).status, 201)
    assert.match((await market.inbox.mailTo(email)).subject, /can’t protect/)
  })

  test('a protection can be ended, and is decided only once', async () => {
    const { id } = await request('+493012340005')
    await decide(id, 'confirm')
    await decide(id, 'decline')

    const again = await ops(market, 'do-not-contact', id, 'confirm', 'No')

    assert.match(again.out, /no open request/)

    assert.equal((await call('+493012340005')).status, 201)
  })
})
