import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace, PHOTO } from '../../test/harness.ts'

const DAY_MS = 86_400_000
const market = await marketplace({
  settings: {
    TEST_TASKS_PER_DAY: 3,
    TEST_TASKS_PER_ADDRESS_DAY: 5,
    TEST_BYTES_PER_DAY: 20_000,
    TRUST_PROXY: '127.0.0.0/8',
  },
})
const TASK = { description: 'Look', budget_cents: 100, context: { sim: 'me' } }
let addresses = 0
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${(addresses += 1)}` })

describe('the limits of test mode', () => {
  test('429: tasks per day of one test agent; other agents, live mode and the next day are not affected', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const from = newAddress()
    for (let i = 0; i < 3; i += 1)
      assert.equal((await agent.test.post('/tasks', TASK, from)).status, 201)

    const { status, body, headers } = await agent.test.post('/tasks', TASK, from)

    assert.deepEqual(
      [status, body.code, body.limit, body.limit_value],
      [429, 'test_quota_exceeded', 'test_tasks_per_day', 3],
    )
    assert.match(body.hint, /POST \/test\/agents/)
    assert.equal(headers.get('retry-after'), String(body.retry_after_seconds))
    assert.equal((await agent.test.post('/gut-check', { question: 'Nice?' }, from)).status, 429)
    for (let i = 0; i < 4; i += 1)
      assert.equal((await agent.post('/tasks', TASK, from)).status, 201)
    const other = await market.agent()
    assert.equal((await other.test.post('/tasks', TASK, newAddress())).status, 201)
    market.advance(DAY_MS)
    assert.equal((await agent.test.post('/tasks', TASK, from)).status, 201)
  })

  test('429: tasks per day of all test agents from one IP address', async () => {
    const from = newAddress()
    const statuses: number[] = []
    let limit: unknown
    for (let i = 0; i < 6; i += 1) {
      const { test: agent } = await market.agent()
      const reply = await agent.post('/tasks', TASK, from)
      statuses.push(reply.status)
      limit = reply.body.limit
    }

    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429])
    assert.equal(limit, 'test_tasks_per_address_day')
  })

  test('429: bytes per day, of tasks and of files', async () => {
    const { test: agent } = await market.agent()
    const from = newAddress()
    const mine = await agent.post('/tasks', { ...TASK, proof_required: 'photo' }, from)
    const { token } = (await agent.post('/test/workers', {}, from)).body
    const worker = market.client(token as string)
    const path = `/worker/tasks/${mine.body.task.id}`
    await worker.post(`${path}/accept`, {}, from)

    const large = await agent.post(
      '/tasks',
      { ...TASK, context: { sim: 'me', pad: 'x'.repeat(15_000) } },
      from,
    )
    const file = await worker.post(
      `${path}/proof`,
      { photos: [`data:image/png;base64,${'A'.repeat(12_000)}`] },
      from,
    )
    const upload = await worker.post(
      '/worker/uploads',
      {
        task_id: mine.body.task.id,
        kind: 'photo',
        content_type: 'image/png',
        bytes: 10_000,
        sha256: '0'.repeat(64),
      },
      from,
    )

    assert.equal(large.status, 201)
    for (const refused of [file, upload])
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.limit],
        [429, 'test_quota_exceeded', 'test_bytes_per_day'],
      )
    assert.equal((await market.asOwner('select from files')).length, 0)
    assert(PHOTO.length < 1000)
  })

  test('a repeated request counts once, and is answered even if the limit is reached', async () => {
    const { test: agent } = await market.agent()
    const headers = { ...newAddress(), 'idempotency-key': randomUUID() }
    const first = await agent.post('/tasks', TASK, headers)
    for (let i = 0; i < 2; i += 1) await agent.post('/tasks', TASK, newAddress())
    assert.equal((await agent.post('/tasks', TASK, newAddress())).status, 429)

    const again = await agent.post('/tasks', TASK, headers)

    assert.deepEqual([again.status, again.text], [201, first.text])
  })

  test('409: a test agent has at most 500 unfinished tasks', async () => {
    const { test: agent } = await market.agent()
    const { body } = await agent.post('/tasks', TASK, newAddress())
    const { id } = body.task
    await market.asOwner(
      `insert into tasks select (jsonb_populate_record(t, jsonb_build_object('id', t.id || n))).*
         from tasks t, generate_series(1, 499) n where t.id = $1`,
      [id],
    )

    const refused = await agent.post('/tasks', TASK, newAddress())

    // Delete the copies: no money was locked for them.
    await market.deleteTasks('id like $1', [`${id}_%`])
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.limit],
      [409, 'too_many_test_tasks', 500],
    )
  })
})
