import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { marketplace, startOn } from '../../test/harness.ts'

const DAY = 86_400_000
const market = await marketplace({ settings: { REQUEST_LOG_PER_MINUTE: 5 } })

type Asking = Pick<ReturnType<typeof market.client>, 'get'>

/** Polls until the expected number is there, because the log is written a moment after the response. */
async function requestsOf(asking: Asking, count: number, query = '') {
  for (let i = 0; ; i += 1) {
    const { body } = await asking.get(`/requests${query}`)
    if (body.total >= count || i >= 50) return body
    await sleep(50)
  }
}

describe('GET /requests', () => {
  test('lists refused requests, newest first, by the request id of the error', async () => {
    const agent = await market.agent()
    const invalid = await agent.post('/tasks', { description: '', budget_cents: 500 })
    market.advance(1000)
    const missing = await agent.get('/tasks/task_nope?wait=1')
    const poor = await agent.post('/tasks', { description: 'Look', budget_cents: 5000 })

    const { requests, ...page } = await requestsOf(agent, 3)

    assert.deepEqual(page, { total: 3, limit: 50, offset: 0 })
    assert.deepEqual(
      requests.map((one: { id: string }) => one.id).sort(),
      [invalid, missing, poor].map(({ body }) => body.request_id as string).sort(),
    )
    const { key } = (await agent.get('/agents/me')).body
    assert.deepEqual(requests.at(-1), {
      id: invalid.body.request_id,
      at: new Date(market.now().getTime() - 1000).toISOString(),
      method: 'POST',
      path: '/api/v1/tasks',
      status: 400,
      code: 'invalid_request',
      ms: requests.at(-1).ms,
      key_id: key.id,
    })
    assert.deepEqual(
      requests.map(({ code }: { code: string }) => code).sort(),
      ['insufficient_funds', 'invalid_request', String(missing.body.code)].sort(),
    )
  })

  test('filters by status and has pages', async () => {
    const agent = await market.agent()
    for (let i = 0; i < 3; i += 1) await agent.post('/tasks', {})
    await agent.post('/tasks', { description: 'Look', budget_cents: 5000 })
    const all = await requestsOf(agent, 4)

    const paid = (await agent.get('/requests?status=402')).body
    const page = (await agent.get('/requests?limit=2&offset=1')).body

    assert.deepEqual([paid.total, paid.requests[0].status], [1, 402])
    assert.deepEqual(page.requests, all.requests.slice(1, 3))
    assert.equal((await agent.get('/requests?status=200')).status, 400)
  })

  test('does not list successful, unauthenticated or unrouted requests', async () => {
    const agent = await market.agent()
    await agent.get('/wallet')
    await agent.get('/nowhere')
    await market.call('GET', '/wallet')
    await agent.get('/wallet?limit=x')

    const { requests } = await requestsOf(agent, 1)

    assert.deepEqual(
      requests.map(({ path }: { path: string }) => path),
      ['/api/v1/wallet?limit=x'],
    )
  })

  test('shows each mode and each agent its own requests', async () => {
    const [agent, other] = [await market.agent(), await market.agent()]
    await agent.get('/wallet?limit=live')
    await agent.test.get('/wallet?limit=test')

    const live = await requestsOf(agent, 1)
    const test = await requestsOf(agent.test, 1)

    assert.deepEqual(
      [live, test].map(({ requests }) => requests.map((one: { path: string }) => one.path)),
      [['/api/v1/wallet?limit=live'], ['/api/v1/wallet?limit=test']],
    )
    assert.equal((await other.get('/requests')).body.total, 0)
  })

  test('shows a key that sees only its own tasks only its own requests', async () => {
    const agent = await market.agent()
    const made = await agent.post('/agents/keys', { name: 'child', scopes: ['create', 'read'] })
    const child = market.client(made.body.key.api_key)
    await agent.get('/wallet?limit=own')
    await child.get('/tasks?limit=childs')

    const all = await requestsOf(agent, 2)
    const own = await requestsOf(child, 1)

    assert.equal(all.total, 2)
    assert.deepEqual(
      own.requests.map(({ path }: { path: string }) => path),
      ['/api/v1/tasks?limit=childs'],
    )
    const others = all.requests.find(({ path }: { path: string }) => path.endsWith('own'))
    assert.equal((await child.get(`/requests/${others.id}`)).status, 404)
  })

  test('keeps the first requests of a busy minute, and counts the rest', async () => {
    const agent = await market.agent()
    const unlogged = async () => {
      const { values } = await market.server.metrics.requestsUnlogged.get()
      return values.find(({ labels }) => labels.reason === 'too many')?.value ?? 0
    }
    const before = await unlogged()

    for (let i = 0; i < 8; i += 1) await agent.get('/wallet?limit=x')

    assert.equal((await requestsOf(agent, 5)).total, 5)
    assert.equal((await unlogged()) - before, 3)
  })

  test('keeps as many requests of all test agents as of two busy ones, besides the live ones', async () => {
    market.advance(60_000)
    const agents = [await market.agent(), await market.agent(), await market.agent()]
    for (const { test } of agents) for (let i = 0; i < 4; i += 1) await test.get('/wallet?limit=x')
    await agents[2]!.get('/wallet?limit=live')

    assert.equal((await requestsOf(agents[2]!, 1)).total, 1)
    const totals = await Promise.all(agents.map(({ test }) => requestsOf(test, 2)))
    assert.deepEqual(
      totals.map(({ total }) => total),
      [4, 4, 2],
    )
  })

  test('deletes requests after seven days', async () => {
    const agent = await market.agent()
    await agent.get('/wallet?limit=x')
    await requestsOf(agent, 1)

    market.advance(7 * DAY)

    assert.equal((await agent.get('/requests')).body.total, 0)
  })

  test('a stopping process writes pending entries; one with the log disabled writes none', async () => {
    const agent = await market.agent()
    const start = (perMinute: number) =>
      startOn(market.url, {
        settings: { REQUEST_LOG_PER_MINUTE: perMinute },
        clockOverride: market.server.clock,
      })
    const refuse = async (perMinute: number) => {
      const server = await start(perMinute)
      const headers = { 'x-api-key': agent.api_key }
      await fetch(`${server.addresses.api}/wallet?limit=${perMinute}x`, { headers })
      await server.stop()
    }

    await refuse(5)
    await refuse(0)

    const { requests } = (await agent.get('/requests')).body
    assert.deepEqual(
      requests.map(({ path }: { path: string }) => path),
      ['/api/v1/wallet?limit=5x'],
    )
  })
})
