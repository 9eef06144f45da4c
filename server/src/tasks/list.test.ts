import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { TYPES } from './fields.ts'
import { STATUSES } from './status.ts'

const market = await marketplace()

describe('GET /tasks', () => {
  test('[4.1-list-200] 200 with the tasks as they were created, newest first', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const created = []
    for (const description of ['first', 'second', 'third']) {
      created.push(await agent.post('/tasks', { description, budget_cents: 2500 }))
      market.advance(1)
    }

    const { status, body } = await agent.get('/tasks')

    assert.equal(status, 200)
    assert.deepEqual(body, {
      tasks: created.reverse().map((reply) => reply.body.task),
      total: 3,
      limit: 50,
      offset: 0,
      next_cursor: null,
    })
  })

  test('an agent without tasks has an empty list', async () => {
    const agent = await market.agent()

    const { body } = await agent.get('/tasks')

    assert.deepEqual(body, { tasks: [], total: 0, limit: 50, offset: 0, next_cursor: null })
  })

  test('[3-statuses] [4.1-list-status] is filtered by each of the seven statuses', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const tasks = new Map<string, string[]>()
    for (const [i, status] of STATUSES.entries()) {
      const ids = []
      for (let n = 0; n <= i % 2; n += 1) ids.push((await market.taskIn(agent, status)).id)
      tasks.set(status, ids.sort().reverse())
    }

    const replies = await Promise.all(
      STATUSES.map((status) => agent.get(`/tasks?status=${status}`)),
    )

    assert.deepEqual(
      replies.map(({ body }) => [body.tasks.map(({ id }: { id: string }) => id), body.total]),
      STATUSES.map((status) => [tasks.get(status), tasks.get(status)!.length]),
    )
  })

  test('[4.1-list-type] is filtered by each type, and by type and status together', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    for (const type of TYPES) await market.taskIn(agent, 'pending', { type })
    const cancelled = await market.taskIn(agent, 'cancelled', { type: 'gut_check' })

    const replies = await Promise.all(TYPES.map((type) => agent.get(`/tasks?type=${type}`)))
    const both = await agent.get('/tasks?type=gut_check&status=cancelled')

    assert.deepEqual(
      replies.map(({ body }) => [body.tasks[0].type, body.total]),
      TYPES.map((type) => [type, type === 'gut_check' ? 2 : 1]),
    )
    assert.deepEqual(
      both.body.tasks.map(({ id }: { id: string }) => id),
      [cancelled.id],
    )
    assert.equal(both.body.total, 1)
  })

  test('[8-page] [4.1-list-limit] [4.1-list-offset] [8-gap-limit-max] pages of 50 from 0, at most 100', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    await Promise.all(
      Array.from({ length: 105 }, () =>
        agent.post('/tasks', { description: 'Look', budget_cents: 2500 }),
      ),
    )
    const asked: [query: string, shown: number, limit: number, offset: number][] = [
      ['', 50, 50, 0],
      ['?limit=1', 1, 1, 0],
      ['?limit=100', 100, 100, 0],
      ['?limit=101', 100, 100, 0],
      ['?limit=99999999', 100, 100, 0],
      ['?offset=100', 5, 50, 100],
      ['?offset=10000', 0, 50, 10_000],
      ['?limit=10&offset=98', 7, 10, 98],
    ]

    const all = (await agent.get('/tasks?limit=100')).body.tasks
    const replies = await Promise.all(asked.map(([query]) => agent.get(`/tasks${query}`)))

    assert.deepEqual(
      replies.map(({ body }) => [body.tasks.length, body.limit, body.offset, body.total]),
      asked.map(([, shown, limit, offset]) => [shown, limit, offset, 105]),
    )
    assert.deepEqual(replies[7]!.body.tasks.slice(0, 2), all.slice(98))
    assert.deepEqual(
      replies.map(({ body }) => body.next_cursor !== null),
      [true, true, true, true, true, false, false, false],
    )
  })

  test('400 for an invalid page or filter', async () => {
    const agent = await market.agent()
    const wrong: [path: string, query: string][] = [
      ['limit', 'limit=0'],
      ['limit', 'limit=-1'],
      ['limit', 'limit=abc'],
      ['limit', 'limit=1.5'],
      ['limit', 'limit=%20'],
      ['limit', 'limit=5&limit=6'],
      ['offset', 'offset=-1'],
      ['offset', 'offset=10001'],
      ['offset', 'offset=abc'],
      ['status', 'status=done'],
      ['status', 'status=%20'],
      ['type', 'type=errand'],
      ['cursor', 'cursor=abc'],
      ['cursor', 'cursor=%00'],
    ]

    const replies = await Promise.all(wrong.map(([, query]) => agent.get(`/tasks?${query}`)))

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code, body.details?.[0].path]),
      wrong.map(([path]) => [400, 'invalid_request', path]),
    )
  })

  test('next_cursor leads through all pages without gap or repeat while new tasks arrive', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const task = { description: 'Look', budget_cents: 2500 }
    const old: string[] = []
    for (let i = 0; i < 23; i += 1) {
      old.push((await agent.post('/tasks', task)).body.task.id)
      if (i % 3 === 0) market.advance(1)
    }

    const seen: string[] = []
    let cursor = ''
    let pages = 0
    do {
      market.advance(1)
      await agent.post('/tasks', task)
      const { body } = await agent.get(`/tasks?limit=5${cursor}`)
      seen.push(...body.tasks.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
      pages += 1
    } while (cursor !== '')

    assert.equal(pages, 5)
    assert.deepEqual(seen.slice(1), old.toSorted().reverse())
  })

  test('next_cursor keeps the filter, and ignores offset', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const cancelled = []
    for (let i = 0; i < 3; i += 1) {
      cancelled.push((await market.taskIn(agent, 'cancelled')).id)
      await market.taskIn(agent, 'pending')
      market.advance(1)
    }

    const first = await agent.get('/tasks?status=cancelled&limit=2')
    const second = await agent.get(
      `/tasks?status=cancelled&limit=2&offset=1&cursor=${first.body.next_cursor}`,
    )

    assert.deepEqual(
      [...first.body.tasks, ...second.body.tasks].map(({ id }) => id),
      cancelled.reverse(),
    )
    assert.equal(second.body.offset, 0)
    assert.equal(second.body.next_cursor, null)
    assert.equal(second.body.total, 3)
  })

  test('[4.1-list-own] excludes tasks of other agents and of test mode', async () => {
    const [one, other] = [await market.agent(), await market.agent()]
    const task = { description: 'Look', budget_cents: 500 }
    const mine = await one.post('/tasks', task)
    const test = await one.test.post('/tasks', task)
    const theirs = await other.post('/tasks', task)

    const replies = await Promise.all([
      one.get('/tasks'),
      one.test.get('/tasks'),
      other.get('/tasks'),
      one.get(`/tasks?cursor=${theirs.body.task.id}`),
    ])

    assert.deepEqual(
      replies.slice(0, 3).map(({ body }) => [body.tasks, body.total]),
      [mine, test, theirs].map(({ body }) => [[body.task], 1]),
    )
    assert.ok(
      replies[3]!.body.tasks.every(({ agent_id }: { agent_id: string }) => agent_id === one.id),
    )
  })
})
