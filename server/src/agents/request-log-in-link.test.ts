import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { newEmail, registeredAgent } from '../../test/people.ts'
import { confirmEmail, member } from '../../test/team.ts'

const market = await marketplace({ mail: true })
const limited = await marketplace({
  settings: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' },
})

const ask = (email: unknown) =>
  market.call('POST', '/console/people/log-in-links', { body: { email } })

describe('POST /console/people/log-in-links', () => {
  test('202 with the same body for a member, an owner-to-be and an unknown email, which gets no mail', async () => {
    const agent = await registeredAgent(market)
    await confirmEmail(market, agent)
    const { email } = await member(market, await market.agent(), 'finance')
    const stranger = newEmail()

    const replies = [await ask(agent.email), await ask(email.toUpperCase()), await ask(stranger)]
    await market.work()

    assert.deepEqual(
      replies.map(({ status, text }) => [status, text]),
      Array(3).fill([202, replies[0]!.text]),
    )
    for (const known of [agent.email, email]) {
      const mail = await market.inbox.mailTo(known)
      assert.equal(mail.subject, 'Log in to the Legwork console')
      assert.match(mail.links[0]!.href, /\/console\/enter#token=[\w-]{43}$/)
    }
    assert.deepEqual(market.inbox.unreadTo(stranger), [])
  })

  test('nothing of an unknown email is left after the job', async () => {
    const stranger = newEmail()
    await ask(stranger)
    const [before] = await market.asOwner(
      'select count(*)::int as count from agent_person_links where email = $1',
      [stranger],
    )

    await market.work()

    const rows = await market.asOwner('select 1 from agent_person_links where email = $1', [
      stranger,
    ])
    assert.equal(before!.count, 1)
    assert.deepEqual(rows, [])
  })

  test('no link for people who were only invited, or have left', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')
    const gone = await member(market, agent, 'finance')
    await owner.delete(`/console/people/${gone.id}`)
    const invited = newEmail()
    await owner.post('/console/people', { name: 'Bo', email: invited, role: 'finance' })
    await market.work()
    await market.inbox.mailTo(invited)

    await ask(gone.email)
    await ask(invited)
    await market.work()

    assert.deepEqual(market.inbox.unreadTo(gone.email), [])
    assert.deepEqual(market.inbox.unreadTo(invited), [])
  })

  test('an email gets five mails an hour, and the response stays the same', async () => {
    const { email } = await member(market, await market.agent(), 'finance')

    const replies = []
    for (let i = 0; i < 7; i += 1) {
      replies.push(await ask(email))
      await market.work()
    }

    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [202])
    assert.equal(market.inbox.unreadTo(email).length, 5)
  })

  test('429: ten an hour per email in any spelling, and per IP address, whether or not anyone has it', async () => {
    const askFrom = async (address: string, email: string) =>
      (
        await limited.call('POST', '/console/people/log-in-links', {
          body: { email },
          headers: { 'x-forwarded-for': address },
        })
      ).status
    const email = newEmail()

    const ofEmail = []
    for (let i = 0; i < 11; i += 1)
      ofEmail.push(await askFrom(`203.0.113.${i}`, i % 2 ? email : email.toUpperCase()))
    const ofAddress = []
    for (let i = 0; i < 11; i += 1) ofAddress.push(await askFrom('198.51.100.1', newEmail()))

    assert.deepEqual(ofEmail, [...Array(10).fill(202), 429])
    assert.deepEqual(ofAddress, [...Array(10).fill(202), 429])
  })

  test('400 for what is not an email', async () => {
    assert.equal((await ask('nobody')).status, 400)
  })
})
