import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace, startOn } from '../../test/harness.ts'
import { newEmail, openBrowser, registeredAgent } from '../../test/people.ts'
import { confirmEmail, enter, mailedToken, member } from '../../test/team.ts'

const MINUTE = 60_000
const market = await marketplace({ mail: true })

async function verifiedAgent() {
  const agent = await registeredAgent(market)
  await confirmEmail(market, agent)
  return agent
}

describe('POST /console/people/session', () => {
  test('201: the first person with the agent’s confirmed email becomes its owner, with every right', async () => {
    const agent = await verifiedAgent()
    const token = await mailedToken(market, agent.email.toUpperCase())

    const { reply, get, post } = await enter(market, { token })

    assert.equal(reply.status, 201, reply.text)
    assert.deepEqual(reply.body.agent, { id: agent.id, name: agent.name, mode: 'live' })
    assert.equal(reply.body.person.role, 'owner')
    assert.equal(reply.body.person.email, agent.email)
    assert.deepEqual((await get('/console/session')).body, reply.body)
    const made = await post('/tasks', { description: 'Look', budget_cents: 500 })
    assert.equal(made.status, 201, made.text)
    assert.equal((await agent.get(`/tasks/${made.body.task.id}`)).status, 200)
  })

  test('the cookie lasts as long as that of a key; we store hashes of it and of the link', async () => {
    const agent = await verifiedAgent()
    const token = await mailedToken(market, agent.email)

    const { reply, jar } = await enter(market, { token })

    assert.match(
      reply.headers.getSetCookie()[0]!,
      /^__Host-legwork-console=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    )
    const rows = [
      ...(await market.asOwner('select * from console_sessions where agent_id = $1', [agent.id])),
      ...(await market.asOwner('select * from agent_person_links where email = $1', [agent.email])),
    ]
    assert.equal(rows.length, 2)
    for (const secret of [token, jar.cookie.split('=')[1]!])
      assert(!JSON.stringify(rows).includes(secret))
  })

  test('400 for an agent whose email is not confirmed: no mail is sent, and nobody becomes an owner', async () => {
    const { email } = await registeredAgent(market)

    await market.call('POST', '/console/people/log-in-links', { body: { email } })
    await market.work()

    assert.deepEqual(
      market.inbox.unreadTo(email).filter(({ text }) => text.includes('enter')),
      [],
    )
  })

  test('400 once an owner exists, for whoever has the agent’s email but is no member', async () => {
    const agent = await verifiedAgent()
    const token = await mailedToken(market, agent.email)
    await member(market, agent, 'owner')

    const { reply, jar } = await enter(market, { token })

    assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_mail_link'])
    assert.equal(jar.cookie, '')
  })

  test('400: a link works once, for 15 minutes, and its use ends the other links of the email', async () => {
    const agent = await verifiedAgent()
    const [first, second] = [
      await mailedToken(market, agent.email),
      await mailedToken(market, agent.email),
    ]
    const used = await enter(market, { token: first })
    const late = await mailedToken(market, agent.email)
    market.advance(15 * MINUTE)

    const again = await enter(market, { token: first })
    const other = await enter(market, { token: second })
    const expired = await enter(market, { token: late })
    const invented = await enter(market, { token: 'invented' })

    assert.equal(used.reply.status, 201)
    for (const { reply, jar } of [again, other, expired, invented]) {
      assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_mail_link'])
      assert.equal(jar.cookie, '')
    }
  })

  test('of concurrent uses of one link one gets a session, and two links of one email make one owner', async () => {
    const agent = await verifiedAgent()
    const token = await mailedToken(market, agent.email)
    const other = await mailedToken(market, agent.email)

    const replies = await Promise.all(
      [token, token, token, other].map(async (one) => (await enter(market, { token: one })).reply),
    )

    const begun = replies.filter(({ status }) => status === 201)
    assert(
      begun.length === 1 || begun.length === 2,
      JSON.stringify(replies.map(({ status }) => status)),
    )
    const rows = await market.asOwner('select role from agent_people where agent_id = $1', [
      agent.id,
    ])
    assert.deepEqual(rows, [{ role: 'owner' }])
  })

  test('the same Idempotency-Key returns the same cookie after a lost response', async () => {
    const agent = await verifiedAgent()
    const token = await mailedToken(market, agent.email)
    const browser = openBrowser(market)
    const headers = { 'idempotency-key': randomUUID() }

    const first = await browser.post('/console/people/session', { token }, headers)
    const cookie = browser.jar.cookie
    const again = await browser.post('/console/people/session', { token }, headers)

    assert.deepEqual([first.status, again.status], [201, 201])
    assert.equal(browser.jar.cookie, cookie)
  })

  test('409 if the email belongs to several agents, until one is chosen; another one is 400', async () => {
    const [one, two, foreign] = [await market.agent(), await market.agent(), await market.agent()]
    const email = newEmail()
    await member(market, one, 'finance', { email })
    await member(market, two, 'reviewer', { email })
    const token = await mailedToken(market, email)

    const unclear = await enter(market, { token })
    const wrong = await enter(market, { token, agent_id: foreign.id })
    const chosen = await enter(market, { token, agent_id: two.id })

    assert.deepEqual([unclear.reply.status, unclear.reply.body.code], [409, 'choose_agent'])
    assert.deepEqual(
      new Set(
        unclear.reply.body.agents.map(({ id, role }: Record<string, string>) => [id, role].join()),
      ),
      new Set([`${one.id},finance`, `${two.id},reviewer`]),
    )
    assert.equal(wrong.reply.body.code, 'invalid_mail_link')
    assert.equal(chosen.reply.status, 201, chosen.reply.text)
    assert.equal(chosen.reply.body.agent.id, two.id)
  })

  test('403 from a foreign page: it cannot log somebody in', async () => {
    const agent = await verifiedAgent()
    const token = await mailedToken(market, agent.email)
    const send = (headers: Record<string, string>) =>
      market.call('POST', '/console/people/session', { body: { token }, headers })

    const replies = [await send({}), await send({ origin: 'https://other.example' })]

    for (const { status, body } of replies)
      assert.deepEqual([status, body.code], [403, 'wrong_origin'])
  })

  test('401 after 12 hours, also in a process that caches keys for a minute', async () => {
    const cached = await startOn(market.url, {
      settings: { KEY_CACHE_SECONDS: 60 },
      clockOverride: market.server.clock,
    })
    const agent = await verifiedAgent()
    const { jar } = await enter(market, { token: await mailedToken(market, agent.email) })
    const ask = async () =>
      (await fetch(`${cached.addresses.api}/stats`, { headers: { cookie: jar.cookie } })).status

    const before = [await ask(), await ask()]
    market.advance(12 * 60 * MINUTE)
    const after = await ask()
    await cached.stop()

    assert.deepEqual([...before, after], [200, 200, 401])
  })

  test('recovery of a lost key works as before, and ends the sessions of people too', async () => {
    const agent = await verifiedAgent()
    const { get } = await enter(market, { token: await mailedToken(market, agent.email) })
    assert.equal((await get('/stats')).status, 200)

    const token = await agent.loseKey()
    const recovered = await market.call('POST', '/agents/recover/confirm', { body: { token } })

    assert.equal(recovered.status, 200, recovered.text)
    assert.equal((await get('/stats')).status, 401)
    assert.equal((await market.client(recovered.body.agent.api_key).get('/stats')).status, 200)
  })
})
