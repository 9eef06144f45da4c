import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

const TASK = { description: 'Look', budget_cents: 100 }

describe('PATCH /agents/keys/:id', () => {
  test('200: changes the name and the caps, and keeps the rest and the spent amount', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const key = await market.key(agent, { scopes: ['create'], day_max_cents: 100 })
    const path = `/agents/keys/${key.id}`
    await key.post('/tasks', TASK)

    const refused = await key.post('/tasks', TASK)
    const { status, body } = await agent.patch(path, { name: ' bot ', day_max_cents: 250 })
    const raised = [await key.post('/tasks', TASK), await key.post('/tasks', TASK)]
    await agent.patch(path, { day_max_cents: null, task_max_cents: 100 })
    const free = await key.post('/tasks', TASK)

    assert.equal(refused.status, 402)
    assert.equal(status, 200)
    assert.equal(body.key.name, 'bot')
    assert.deepEqual(body.key.caps, { ...key.caps, day_max_cents: 250 })
    assert.deepEqual(body.key.scopes, ['create'])
    assert.deepEqual(body.key.spent, { day_cents: 100, month_cents: 100, total_cents: 100 })
    assert.deepEqual(
      raised.map((reply) => reply.status),
      [201, 402],
    )
    assert.equal(free.status, 201)
  })

  test('200: a key without limits gets a cap if another is left, and earlier spending does not count', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const key = await market.key(agent)
    const before = await market.taskIn(key, 'pending', TASK)
    market.advance(1000)

    const { body } = await agent.patch(`/agents/keys/${key.id}`, { budget_cents: 100 })
    await key.post(`/tasks/${before.id}/cancel`)
    const replies = [await key.post('/tasks', TASK), await key.post('/tasks', TASK)]
    const child = await market.key(key)

    assert.deepEqual(body.key.spent, { day_cents: 0, month_cents: 0, total_cents: 0 })
    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 402],
    )
    assert.equal(child.parent_id, key.id)
  })

  test('409 for the last key without limits, which stays unchanged', async () => {
    const agent = await market.agent()
    const { body: listed } = await agent.get('/agents/keys')
    await market.key(agent, { scopes: ['read'] })

    const { status, body } = await agent.patch(`/agents/keys/${listed.keys[0].id}`, {
      name: 'other',
      day_max_cents: 100,
    })

    assert.equal(status, 409)
    assert.equal(body.code, 'last_key')
    const { body: after } = await agent.get('/agents/keys')
    assert.deepEqual(after.keys[0], listed.keys[0])
  })

  test('403 for a limited key’s own caps; it may change its name', async () => {
    const agent = await market.agent()
    const key = await market.key(agent, { budget_cents: 100 })

    const { status, body } = await key.patch(`/agents/keys/${key.id}`, { budget_cents: 1000 })
    const renamed = await key.patch(`/agents/keys/${key.id}`, { name: 'mine' })

    assert.equal(status, 403)
    assert.equal(body.code, 'own_caps')
    assert.equal(renamed.body.key.name, 'mine')
    assert.equal(renamed.body.key.caps.budget_cents, 100)
  })

  test('400 for a cap above that of the parent key', async () => {
    const agent = await market.agent()
    const parent = await market.key(agent, { budget_cents: 100 })
    const child = await market.key(parent, { budget_cents: 50 })

    for (const by of [agent, parent])
      for (const budget_cents of [101, null]) {
        const reply = await by.patch(`/agents/keys/${child.id}`, { budget_cents })

        assert.equal(reply.status, 400)
        assert.equal(reply.body.details[0].path, 'budget_cents')
      }
    assert.equal(
      (await parent.patch(`/agents/keys/${child.id}`, { budget_cents: 100 })).status,
      200,
    )
  })

  test('404 for a parent, sibling or foreign key', async () => {
    const agent = await market.agent()
    const parent = await market.key(agent, { budget_cents: 100 })
    const [key, sibling] = [await market.key(parent), await market.key(parent)]
    const other = await market.key(await market.agent())

    for (const { id } of [parent, sibling, other]) {
      const reply = await key.patch(`/agents/keys/${id}`, { name: 'mine' })

      assert.equal(reply.status, 404)
      assert.equal(reply.body.code, 'key_not_found')
    }
  })
})
