import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { marketplace } from '../../test/harness.ts'
import { eventually } from '../../test/jobs-child.ts'
import { openTestModeGate } from './test-mode.ts'

const market = await marketplace({ settings: { TEST_DATABASE_CONNECTIONS: 1 } })

test('503: a full test mode refuses its requests, and live ones are served', async (t) => {
  const agent = await market.agent({ balanceCents: 1000 })
  const { body } = await agent.test.post('/tasks', { description: 'Look', budget_cents: 100 })

  const holder = new pg.Client({ connectionString: market.url })
  await holder.connect()
  t.after(() => holder.end())
  // One request waits for this row's lock and holds test mode's only connection.
  await holder.query('begin')
  const tasks = `${market.at(body.task.id as string).schema.name}.tasks`
  await holder.query(`select from ${tasks} where id = $1 for update`, [body.task.id])
  const cancel = agent.test.post(`/tasks/${body.task.id}/cancel`)
  await eventually('a request holds the connection of test mode', 20_000, async () =>
    (
      await market.asOwner(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    ).length > 0
      ? true
      : undefined,
  )
  // More than may wait: those beyond are held back and then refused.
  const queue = Array.from({ length: 100 }, () => agent.test.get('/wallet'))
  const refused = await Promise.any(
    queue.map(async (sent) => {
      const reply = await sent
      assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '5'])
      return reply
    }),
  )
  const wallet = await agent.get('/wallet')
  const created = await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
  const otherAgent = await market.call('POST', '/agents/register', {
    body: { name: 'New', email: 'new@example.com' },
  })
  await holder.query('rollback')
  const waiting = [cancel, ...queue]

  assert.equal(refused.body.code, 'unavailable')
  assert.deepEqual([wallet.status, created.status, otherAgent.status], [200, 201, 201])
  const statuses = new Set((await Promise.all(waiting)).map(({ status }) => status))
  for (const status of statuses) assert([200, 503].includes(status), String(status))
  assert.equal((await agent.test.get('/wallet')).status, 200)
})

test('a request to a full test mode waits, and is served if there is room in time', async () => {
  let isFull = true
  const refuseWhenFull = openTestModeGate({ isFull: () => isFull })
  const headers = { authorization: 'Bearer lw_test_0123456789' }
  const startedAt = performance.now()

  const held = refuseWhenFull({ headers })
  const live = refuseWhenFull({ headers: { authorization: 'Bearer lw_live_0123456789' } })
  await live
  const liveMs = performance.now() - startedAt
  isFull = false
  await held
  const heldMs = performance.now() - startedAt
  isFull = true
  await assert.rejects(refuseWhenFull({ headers }), { status: 503 })

  assert(heldMs >= 1990, `${heldMs} ms`)
  assert(liveMs < heldMs - 500, `${liveMs} ms`)
})

test('requests above the queue limit are refused at once', async () => {
  const refuseWhenFull = openTestModeGate({ isFull: () => true })
  const headers = { authorization: 'Bearer lw_test_0123456789' }
  let refused = 0
  const crowd = Array.from({ length: 1500 }, () =>
    refuseWhenFull({ headers }).catch(() => {
      refused += 1
    }),
  )

  await new Promise(setImmediate)
  const refusedAtOnce = refused
  await Promise.all(crowd)

  assert.deepEqual([refusedAtOnce, refused], [500, 1500])
})

test('a request that writes to two schemas is served with one connection', async () => {
  const { status } = await market.call('POST', '/test/agents', { body: {} })

  assert.equal(status, 201)
})
