import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { newEmail } from '../../test/people.ts'
import { enter, member, tokenIn } from '../../test/team.ts'

const DAY = 86_400_000
const market = await marketplace({ mail: true })

type Owner = Awaited<ReturnType<typeof member>>

async function invite(owner: Owner, email = newEmail(), role = 'reviewer') {
  const reply = await owner.post('/console/people', { name: 'Bo', email, role })
  assert.equal(reply.status, 201, reply.text)
  await market.work()
  const mail = await market.inbox.mailTo(email)
  return { email, mail, token: tokenIn(mail), person: reply.body.person }
}

describe('POST /console/people', () => {
  test('201: the mailed link accepts the invitation and logs in with the role', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner', { name: 'Ada' })

    const { email, mail, token, person } = await invite(owner)
    const entered = await enter(market, { token })

    assert.deepEqual([person.status, person.invited_by], ['invited', owner.id])
    assert.equal(mail.subject, 'You are invited to a Legwork console')
    assert(mail.text.includes(`Ada invites you to the console of the agent ${agent.name}`))
    assert.equal(entered.reply.status, 201, entered.reply.text)
    assert.deepEqual(
      [entered.reply.body.person.email, entered.reply.body.person.role],
      [email, 'reviewer'],
    )
    const { body } = await owner.get('/console/people')
    assert.equal(body.people.find(({ id }: { id: string }) => id === person.id).status, 'active')
  })

  test('400: the link works once, for seven days', async () => {
    const owner = await member(market, await market.agent(), 'owner')
    const used = await invite(owner)
    const late = await invite(owner)
    await enter(market, { token: used.token })

    const again = await enter(market, { token: used.token })
    market.advance(7 * DAY)
    const expired = await enter(market, { token: late.token })

    assert.equal(again.reply.body.code, 'invalid_mail_link')
    assert.equal(expired.reply.body.code, 'invalid_mail_link')
  })

  test('201 again for someone who has not accepted: the earlier link ends, the role is the new one', async () => {
    const owner = await member(market, await market.agent(), 'owner')
    const first = await invite(owner)
    const second = await invite(owner, first.email, 'finance')

    const old = await enter(market, { token: first.token })
    const entered = await enter(market, { token: second.token })

    assert.equal(second.person.id, first.person.id)
    assert.equal(old.reply.body.code, 'invalid_mail_link')
    assert.equal(entered.reply.body.person.role, 'finance')
  })

  test('400 for the link of an invitation that was taken back; a new one brings the same person back', async () => {
    const owner = await member(market, await market.agent(), 'owner')
    const first = await invite(owner)
    await owner.delete(`/console/people/${first.person.id}`)

    const refused = await enter(market, { token: first.token })
    const second = await invite(owner, first.email)
    const entered = await enter(market, { token: second.token })

    assert.equal(refused.reply.body.code, 'invalid_mail_link')
    assert.equal(entered.reply.body.person.id, first.person.id)
  })

  test('409 for someone who is a member, in any spelling of the email', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')
    const { email } = await member(market, agent, 'finance')

    const { status, body } = await owner.post('/console/people', {
      name: 'Bo',
      email: email.toUpperCase(),
      role: 'owner',
    })

    assert.deepEqual([status, body.code], [409, 'person_exists'])
  })

  test('two invitations of one email at once leave one person', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')
    const body = { name: 'Bo', email: newEmail(), role: 'finance' }

    const replies = await Promise.all([1, 2].map(() => owner.post('/console/people', body)))

    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 201],
    )
    const { body: list } = await owner.get('/console/people')
    assert.equal(list.people.length, 2)
  })

  test('409 when a hundred people are members or invited', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')
    for (let i = 1; i < 100; i += 1) await member(market, agent, 'finance')

    const { status, body } = await owner.post('/console/people', {
      name: 'Bo',
      email: newEmail(),
      role: 'finance',
    })

    assert.deepEqual([status, body.code, body.limit], [409, 'too_many_people', 100])
  })

  test('403 for an API key, with all scopes too', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.post('/console/people', {
      name: 'Bo',
      email: newEmail(),
      role: 'owner',
    })

    assert.deepEqual([status, body.code], [403, 'person_required'])
  })
})
