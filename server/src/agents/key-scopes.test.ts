/** What a key may do and which tasks it sees, checked for every endpoint. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { endpoints } from '../endpoints.ts'
import { SCOPES, takesKey } from '../kit/endpoint.ts'
import { mintId } from '../kit/ids.ts'

const market = await marketplace()

const forAgents = endpoints.filter(takesKey)
const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
const TASK = { description: 'Look', budget_cents: 1000 }

/** Allowed for every key, whatever its scopes: showing and ending its own session. */
const FOR_ANY = ['GET /console/session', 'DELETE /console/session']
/** For people only, so no scope allows them; server/test/roles.test.ts has what their roles allow. */
const FOR_PEOPLE = forAgents.filter(({ access }) => access?.person === 'required')

describe('scopes', () => {
  test('are declared by every endpoint for agents, and by no other', () => {
    const silent = forAgents.filter(({ scope }) => scope === undefined)
    const forAny = forAgents.filter(({ scope }) => scope === 'any')
    const others = endpoints.filter((endpoint) => !takesKey(endpoint) && endpoint.scope)

    assert.deepEqual(silent, [])
    assert.deepEqual(others, [])
    assert.deepEqual(
      forAny
        .filter((endpoint) => !FOR_PEOPLE.includes(endpoint))
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
      FOR_ANY.toSorted(),
    )
  })

  for (const { method, path } of FOR_PEOPLE)
    test(`403 at ${method} ${path} for every key, with all scopes too`, async () => {
      const { status, body } = await market.call(method, path.replace(':id', 'x'), {
        headers: { authorization: `Bearer ${agent.api_key}` },
        ...(method === 'GET' ? {} : { body: {} }),
      })

      assert.deepEqual([status, body.code], [403, 'person_required'])
    })

  for (const { method, path, scope } of forAgents.filter(({ scope }) => scope !== 'any'))
    test(`403 at ${method} ${path} without the scope \`${scope}\`, which alone is enough`, async () => {
      const [without, only] = [
        await market.key(agent, { scopes: SCOPES.filter((name) => name !== scope) }),
        await market.key(agent, { scopes: [scope] }),
      ]
      const target = path.replace(':id', mintId('task', market.now(), 1))
      const send = (key: typeof without) =>
        market.call(method, target, {
          headers: { authorization: `Bearer ${key.api_key}` },
          ...(method === 'GET' ? {} : { body: {} }),
        })

      const [refused, admitted] = [await send(without), await send(only)]

      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.required_scope],
        [403, 'key_scope', scope],
      )
      assert.notEqual(admitted.body.code, 'key_scope')
      await Promise.all([without, only].map(({ id }) => agent.delete(`/agents/keys/${id}`)))
    })

  test('apply to a browser that logged in with the key', async () => {
    const key = await market.key(agent, { scopes: ['create'] })
    const { origin } = new URL(market.server.addresses.api!)
    const signedIn = await market.call('POST', '/console/session', {
      body: { api_key: key.api_key },
      headers: { origin },
    })
    const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!

    const own = await market.call('GET', '/console/session', { headers: { cookie } })
    const tasks = await market.call('GET', '/tasks', { headers: { cookie } })

    assert.equal(own.status, 200, own.text)
    assert.equal(tasks.body.code, 'key_scope')
    assert.deepEqual([tasks.status, tasks.body.required_scope], [403, 'read'])
  })
})

describe('the tasks that a key sees', () => {
  test('are its own and those of its children, if it may create but has not all scopes', async () => {
    const key = await market.key(agent, { scopes: ['create', 'read', 'review'] })
    const parent = await market.key(agent, { scopes: ['create', 'read', 'manage'] })
    const child = await market.key(parent, { scopes: ['create', 'read'] })
    const theirs = await market.taskIn(agent, 'pending', TASK)
    const own = await market.taskIn(key, 'pending', TASK)
    const below = await market.taskIn(child, 'pending', TASK)
    const above = await market.taskIn(parent, 'pending', TASK)

    const listed = async (by: Pick<typeof key, 'get'>) => {
      const { body } = await by.get('/tasks')
      assert.equal(body.total, body.tasks.length)
      return body.tasks.map(({ id }: { id: string }) => id)
    }

    assert.deepEqual(await listed(agent), [above.id, below.id, own.id, theirs.id])
    assert.deepEqual(await listed(key), [own.id])
    assert.deepEqual(await listed(parent), [above.id, below.id])
    assert.deepEqual(await listed(child), [below.id])
  })

  test('are those of its parent, if it may not create or has all scopes', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    await market.taskIn(agent, 'pending', TASK)
    const reviewer = await market.key(agent, { scopes: ['review', 'read'] })
    const capped = await market.key(agent, { day_max_cents: 5000 })
    const confined = await market.key(agent, { scopes: ['create', 'read', 'manage'] })
    const reader = await market.key(confined, { scopes: ['read'] })
    await market.taskIn(confined, 'pending', TASK)
    await market.taskIn(capped, 'pending', TASK)

    const totals = []
    for (const key of [reviewer, capped, confined, reader])
      totals.push((await key.get('/tasks')).body.total)

    assert.deepEqual(totals, [3, 3, 1, 1])
  })

  for (const { method, path } of forAgents.filter(({ path }) => path.startsWith('/tasks/:id')))
    test(`404 at ${method} ${path} for a task that it does not see`, async () => {
      const limits = { scopes: ['create', 'read', 'review'] }
      const [key, sibling] = [await market.key(agent, limits), await market.key(agent, limits)]
      const tasks = [
        await market.taskIn(agent, 'proof_submitted', TASK),
        await market.taskIn(sibling, 'proof_submitted', TASK),
      ]
      const body = { reason: 'No', note: 'Again', statement: 'No' }

      for (const { id } of tasks) {
        const reply = await market.call(method, path.replace(':id', id), {
          headers: { authorization: `Bearer ${key.api_key}` },
          ...(method === 'GET' ? {} : { body }),
        })

        assert.deepEqual([reply.status, reply.body.code], [404, 'task_not_found'], reply.text)
        const { body: after } = await agent.get(`/tasks/${id}`)
        assert.equal(after.task.status, 'proof_submitted')
      }
      await Promise.all([key, sibling].map(({ id }) => agent.delete(`/agents/keys/${id}`)))
    })

  test('determine the events it sees; the cursor skips the others', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const key = await market.key(agent, { scopes: ['create', 'read', 'review'] })
    await market.taskIn(agent, 'cancelled', TASK)
    const own = await market.taskIn(key, 'cancelled', TASK)
    await market.taskIn(agent, 'cancelled', TASK)
    await market.events()

    const all = await agent.get('/events')
    const seen = await key.get('/events')
    const back = await key.get('/events?before=latest')

    assert.equal(all.body.events.length, 3)
    for (const { body } of [seen, back])
      assert.deepEqual(
        body.events.map(({ data }: { data: { task: { id: string } } }) => data.task.id),
        [own.id],
      )
    assert.equal(seen.body.next_after, all.body.next_after)
  })

  test('determine the transactions it sees, but not the balance', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const key = await market.key(agent, { scopes: ['create', 'read', 'review'] })
    await market.taskIn(agent, 'completed', { ...TASK, type: 'verification' })
    const own = await market.taskIn(key, 'pending', { ...TASK, budget_cents: 700 })

    const shown = async (path: string) => (await key.get(path)).body
    const wallet = await shown('/wallet')
    const stats = await shown('/stats')
    const spend = await shown('/stats/spend')
    const me = await shown('/agents/me')

    assert.equal(wallet.balance_cents, 8300)
    const lines = wallet.transactions.map((line: { task_id: string }) => line.task_id)
    assert.deepEqual(lines, [own.id])
    assert.deepEqual(wallet.summary, [{ type: 'escrow_lock', total_cents: -700, count: 1 }])
    assert.equal(wallet.next_cursor, null)
    assert.deepEqual([stats.tasks.total, stats.spend.total_cents], [1, 700])
    assert.deepEqual([stats.partner_count, stats.top_workers], [0, []])
    assert.deepEqual(
      spend.by_type.map(({ type }: { type: string }) => type),
      ['custom'],
    )
    assert.equal(me.agent.escrow_cents, 700)
    assert.equal((await agent.get('/agents/me')).body.agent.escrow_cents, 700)
    assert.equal((await agent.get('/stats')).body.tasks.total, 2)
  })

  test('determine the pending actions of a test clock it sees', async () => {
    const { test: agent } = await market.agent()
    const key = await market.key(agent, { scopes: ['create', 'read'] })
    await agent.post('/tasks', TASK)
    const own = (await key.post('/tasks', TASK)).body.task.id

    const next = (await key.get('/test/clock')).body.next as { task_id: string }[]

    assert.deepEqual([...new Set(next.map(({ task_id }) => task_id))], [own])
  })

  test('leave it to manage its keys, but nothing that belongs to the whole agent', async () => {
    const key = await market.key(agent, { scopes: ['create', 'read', 'manage'] })
    const whole = forAgents.filter(({ scope, isOfKeys }) => scope === 'manage' && !isOfKeys)

    assert.notEqual(whole.length, 0)
    for (const { method, path } of whole) {
      const { status, body } = await market.call(method, path.replace(':id', 'x'), {
        headers: { authorization: `Bearer ${key.api_key}` },
        ...(method === 'GET' ? {} : { body: {} }),
      })
      assert.deepEqual([status, body.code, body.required_scope], [403, 'key_scope', 'review'], path)
    }
    assert.equal((await market.key(key, { scopes: ['create', 'read'] })).parent_id, key.id)
  })
})

describe('Idempotency-Keys', () => {
  test('of a limited key are its own; keys with all scopes share theirs', async () => {
    const [one, two] = [
      await market.key(agent, { scopes: ['create', 'read'] }),
      await market.key(agent, { scopes: ['create', 'read'] }),
    ]
    const [own, capped] = [
      await market.key(agent),
      await market.key(agent, { day_max_cents: 9000 }),
    ]
    const headers = { 'idempotency-key': 'order-1' }

    const made = []
    for (const key of [one, two, agent, own, capped, one])
      made.push((await key.post('/tasks', TASK, headers)).body.task.id)

    const [first, second, third, ...again] = made
    assert.equal(new Set(made).size, 3)
    assert.deepEqual(again, [third, third, first])
    assert.equal((await two.get(`/tasks/${second}`)).status, 200)
  })
})
