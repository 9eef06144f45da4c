import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openBrowser, registeredAgent } from '../../test/people.ts'

const market = await marketplace({ mail: true })

const confirm = (token: string, headers: Record<string, string> = {}) =>
  market.call('POST', '/agents/recover/confirm', { body: { token }, headers })

describe('POST /agents/recover/confirm', () => {
  test('[4.4-recover-key] 200: a new live key and a new test key with all permissions', async () => {
    const agent = await registeredAgent(market)
    const token = await agent.loseKey()

    const { status, body } = await confirm(token)

    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.agent), ['id', 'name', 'api_key', 'test_api_key'])
    assert.equal(body.agent.id, agent.id)
    assert.equal(body.keys_ended, 2)
    const live = (await market.client(body.agent.api_key).get('/agents/me')).body
    const test = (await market.client(body.agent.test_api_key).get('/agents/me')).body
    assert.deepEqual(live.key.scopes, ['create', 'review', 'read', 'manage'])
    assert.deepEqual([live.agent.id, live.key.mode, live.key.spent], [agent.id, 'live', null])
    assert.equal(test.key.mode, 'test')
    assert.equal(
      live.agent.email_verified_at,
      market.now().toISOString(),
      'the link confirms the address, too',
    )
  })

  test('[4.4-recover-ends] every older key of both modes ends, and so do console sessions', async () => {
    const agent = await registeredAgent(market)
    const second = await market.key(agent)
    const limited = await market.key(agent, { scopes: ['create', 'manage'], day_max_cents: 500 })
    const child = await market.key(limited, { scopes: ['create'] })
    const rotated = (await second.post(`/agents/keys/${second.id}/rotate`)).body.key
    const testKey = await market.key(agent.test)
    const browser = openBrowser(market)
    await browser.post('/console/session', { api_key: agent.api_key })
    const token = await agent.loseKey()

    const { body } = await confirm(token)

    assert.equal(body.keys_ended, 6)
    const clients = [agent, agent.test, second, limited, child, testKey]
    for (const client of [...clients, market.client(rotated.api_key)])
      assert.equal((await client.get('/agents/me')).status, 401)
    assert.equal((await browser.get('/agents/me')).status, 401)
    assert.equal((await browser.get('/console/session')).status, 401)
  })

  test('the wallet, the tasks, the webhook secret and the webhook URL stay', async () => {
    const agent = await registeredAgent(market, {
      balanceCents: 5000,
      webhook_url: 'http://127.0.0.1:9/',
    })
    const task = await market.taskIn(agent, 'pending')
    const kept = () =>
      market.asOwner('select webhook_secret, webhook_url, status from agents where id = $1', [
        agent.id,
      ])
    const before = await kept()
    const token = await agent.loseKey()

    const { body } = await confirm(token)

    const client = market.client(body.agent.api_key)
    assert.equal((await client.get(`/tasks/${task.id}`)).status, 200)
    assert.equal((await client.get('/wallet')).body.balance_cents, 2500)
    assert.deepEqual(await kept(), before)
  })

  test('[4.4-recover-told] the owner gets an email with the time and what to do if it was someone else', async () => {
    const agent = await registeredAgent(market)
    const token = await agent.loseKey()
    market.advance(60_000)
    await confirm(token)

    await market.work()

    const mail = await market.inbox.mailTo(agent.email)
    assert.equal(mail.subject, 'The API keys of your Legwork agent were replaced')
    assert(mail.text.includes('Secure your mailbox first'))
    assert.match(mail.links[0]!.href, /\/console\/recover$/)
  })

  test('an agent with an unconfirmed email address can recover its keys', async () => {
    const agent = await registeredAgent(market)
    assert.equal((await agent.get('/agents/me')).body.agent.email_verified_at, null)

    const { status } = await confirm(await agent.loseKey())

    assert.equal(status, 200)
  })

  test('a restricted agent gets new keys, and stays restricted', async () => {
    const agent = await registeredAgent(market)
    await market.asOwner(`update agents set status = 'restricted' where id = $1`, [agent.id])

    const { status, body } = await confirm(await agent.loseKey())

    assert.equal(status, 200)
    const { agent: shown } = (await market.client(body.agent.api_key).get('/agents/me')).body
    assert.equal(shown.status, 'restricted')
  })

  test('the response is replayed only with its Idempotency-Key', async () => {
    const agent = await registeredAgent(market)
    const token = await agent.loseKey()
    const own = { 'idempotency-key': 'a-long-enough-random-key-1' }
    const first = await confirm(token, own)

    const again = await confirm(token, own)
    const other = await confirm(token, { 'idempotency-key': 'a-long-enough-random-key-2' })

    assert.equal(first.status, 200)
    assert.equal(again.text, first.text)
    assert.equal(other.status, 400)
  })

  test('400 for a link that is used, an hour old, unknown, or of a closed agent', async () => {
    const used = await registeredAgent(market)
    const usedToken = await used.loseKey()
    await confirm(usedToken)
    const late = await registeredAgent(market)
    const lateToken = await late.loseKey()
    market.advance(3_600_000)
    const closed = await registeredAgent(market)
    const closedToken = await closed.loseKey()
    await market.asOwner(`update agents set status = 'closed' where id = $1`, [closed.id])

    for (const token of [usedToken, lateToken, 'x'.repeat(43), closedToken]) {
      const { status, body } = await confirm(token)
      assert.equal(status, 400)
      assert.equal(body.code, 'invalid_mail_link')
    }
    assert.equal((await late.get('/agents/me')).status, 200, 'its keys still work')
  })
})
