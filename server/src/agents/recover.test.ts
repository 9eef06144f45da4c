import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { newEmail, registeredAgent } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const limited = await marketplace({
  mail: true,
  settings: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' },
})

const ask = (email: unknown) => market.call('POST', '/agents/recover', { body: { email } })

describe('POST /agents/recover', () => {
  test('[4.4-recover-mail] 202: a link to a new key goes to the registered address in any spelling', async () => {
    const agent = await registeredAgent(market)

    const { status, body } = await ask(agent.email.toUpperCase())
    await market.work()

    assert.equal(status, 202)
    assert.deepEqual(Object.keys(body), ['message'])
    const mail = await market.inbox.mailTo(agent.email)
    assert.equal(mail.subject, 'Get a new API key for your Legwork agent')
    assert.match(mail.links[0]!.href, /\/console\/recover#token=[\w-]{43}$/)
    assert(mail.text.includes(agent.id))
  })

  test('changes nothing: all keys still work', async () => {
    const agent = await registeredAgent(market)

    await agent.loseKey()

    assert.equal((await agent.get('/agents/me')).status, 200)
    assert.equal((await agent.test.get('/agents/me')).status, 200)
  })

  test('[4.4-recover-uniform] 202 with the same body for an unknown address, which gets no mail', async () => {
    const agent = await registeredAgent(market)
    const stranger = newEmail()

    const replies = [await ask(agent.email), await ask(stranger), await ask('a@b.example')]
    await market.work()

    assert.deepEqual(
      replies.map(({ status, text }) => [status, text]),
      Array(3).fill([202, replies[0]!.text]),
    )
    assert.deepEqual(market.inbox.unreadTo(stranger), [])
    await market.inbox.mailTo(agent.email)
  })

  test('a restricted agent gets its link; a closed one gets none', async () => {
    const restricted = await registeredAgent(market)
    const closed = await registeredAgent(market)
    await market.asOwner(`update agents set status = 'restricted' where id = $1`, [restricted.id])
    await market.asOwner(`update agents set status = 'closed' where id = $1`, [closed.id])

    await ask(restricted.email)
    await ask(closed.email)
    await market.work()

    await market.inbox.mailTo(restricted.email)
    assert.deepEqual(market.inbox.unreadTo(closed.email), [])
  })

  test('at most 5 mails an hour go to one agent; the newest link still works', async () => {
    const agent = await registeredAgent(market)
    for (let i = 0; i < 4; i += 1) await agent.loseKey()
    const newest = await agent.loseKey()
    await ask(agent.email)
    await market.work()

    const { status } = await market.call('POST', '/agents/recover/confirm', {
      body: { token: newest },
    })

    assert.deepEqual(
      market.inbox.unreadTo(agent.email).filter(({ subject }) => subject.startsWith('Get a new')),
      [],
    )
    assert.equal(status, 200)
  })

  test('429 above 10 an hour per IP address, and per email, known or not', async () => {
    const known = await limited.agent()
    for (const email of [known.email, newEmail()]) {
      const statuses: number[] = []
      for (let i = 0; i < 11; i += 1) {
        const { status, body } = await limited.call('POST', '/agents/recover', {
          body: { email: i % 2 ? email : email.toUpperCase() },
          headers: { 'x-forwarded-for': `10.1.${email === known.email ? 1 : 2}.${i}` },
        })
        statuses.push(status)
        if (status === 429) assert.equal(body.limit, 'recover')
      }
      assert.deepEqual(statuses, [...Array<number>(10).fill(202), 429])
    }
    const statuses: number[] = []
    for (let i = 0; i < 11; i += 1) {
      const { status } = await limited.call('POST', '/agents/recover', {
        body: { email: newEmail() },
        headers: { 'x-forwarded-for': '10.1.3.1' },
      })
      statuses.push(status)
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(202), 429])
  })

  test('400 for an invalid email', async () => {
    for (const email of [undefined, '', 'ann', 7]) {
      const { status, body } = await ask(email)

      assert.equal(status, 400)
      assert.equal(body.details[0].path, 'email')
    }
  })
})
