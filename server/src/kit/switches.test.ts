import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { TASK_TYPES } from '../agents/fields.ts'
import { marketplace, proofFor } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { openSwitches, SWITCHES } from './switches.ts'

const market = await marketplace({ processor: true, settings: { SWITCH_CACHE_MS: 0 } })
/** Uses a copy of the switches, like a server in production. */
const caching = await marketplace()

const turn = (name: string, state: 'on' | 'off') => ops(market, 'switch', name, state, 'a', 'test')
const task = { description: 'Look', budget_cents: 500 }
const person = () => ({
  name: 'Kim',
  email: `kim-${Math.random()}@example.com`,
  password: 'correct horse battery',
})

describe('while registrations are off', () => {
  const registrations = [
    ['/agents/register', () => ({ name: 'Bot', email: `bot-${Math.random()}@example.com` })],
    ['/test/agents', () => ({})],
    ['/worker/register', person],
  ] as const
  after(() => turn('registrations', 'on'))

  for (const [path, body] of registrations)
    test(`503: ${path} creates no account, and says why`, async () => {
      const sent = { body: body(), headers: { 'idempotency-key': `key-of-${Math.random()}-long` } }
      await turn('registrations', 'off')

      const refused = await market.call('POST', path, sent)
      await turn('registrations', 'on')
      const later = await market.call('POST', path, sent)
      await turn('registrations', 'off')
      const replayed = await market.call('POST', path, sent)
      await turn('registrations', 'on')

      assert.deepEqual([refused.status, refused.body.code], [503, 'registrations_off'])
      assert.equal(refused.headers.get('retry-after'), null)
      assert.equal(later.status, 201, 'the refusal was not stored under the Idempotency-Key')
      assert.equal(replayed.text, later.text, 'a retry gets the stored response')
    })

  test('an agent still replaces its key, and a registered worker logs in', async () => {
    const agent = await market.agent()
    const worker = await market.worker()
    await turn('registrations', 'off')

    const renewed = await agent.post('/agents/register', { name: 'Bot', email: agent.email })
    const { status } = await worker.get('/worker/profile')
    await turn('registrations', 'on')

    assert.equal(renewed.status, 201)
    assert.equal(status, 200)
  })
})

describe('while a type of task is off', () => {
  after(() => turn('tasks_gut_check', 'on'))

  test('503: no task of the type is created, by either way, and no money moves', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    await turn('tasks_gut_check', 'off')

    const plain = await agent.post('/tasks', { ...task, type: 'gut_check' })
    const short = await agent.post('/gut-check', { question: 'Which one?' })
    const other = await agent.post('/tasks', task)
    const inTest = await agent.test.post('/gut-check', { question: 'Which one?' })
    await turn('tasks_gut_check', 'on')
    const on = await agent.post('/gut-check', { question: 'Which one?' })

    assert.deepEqual(
      [plain, short].map(({ status, body }) => [status, body.code, body.type]),
      [plain, short].map(() => [503, 'task_type_off', 'gut_check']),
    )
    assert.deepEqual([other.status, inTest.status, on.status], [201, 201, 201])
    assert.equal(await market.balance(agent.id), 5000 - 500 - 300)
  })

  test('a retry of a creation gets its stored response', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const send = () =>
      agent.post('/gut-check', { question: 'Which one?' }, { 'idempotency-key': 'the-same-task' })
    const created = await send()
    await turn('tasks_gut_check', 'off')

    const retried = await send()
    await turn('tasks_gut_check', 'on')

    assert.deepEqual([retried.status, retried.text], [201, created.text])
  })

  test('a task that exists is accepted, done and paid as always', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const worker = await market.worker()
    const { body } = await agent.post('/gut-check', { question: 'Which one?' })
    await turn('tasks_gut_check', 'off')

    const accepted = await worker.post(`/worker/tasks/${body.task.id}/accept`)
    const proven = await worker.post(`/worker/tasks/${body.task.id}/proof`, proofFor(body.task))
    const approved = await agent.post(`/tasks/${body.task.id}/approve`)
    await turn('tasks_gut_check', 'on')

    assert.deepEqual([accepted.status, proven.status, approved.status], [200, 201, 200])
  })

  test('every type has its switch', () => {
    assert.deepEqual(
      SWITCHES.filter((name) => name.startsWith('tasks_')),
      TASK_TYPES.map((type) => `tasks_${type}`),
    )
  })
})

describe('in read-only mode', () => {
  after(() => turn('read_only', 'off'))

  test('503: nothing is changed, and no money moves; the same request succeeds afterwards', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const worker = await market.worker()
    const { id } = await market.taskIn(agent, 'proof_submitted', { budget_cents: 1000 })
    const send = () => agent.post(`/tasks/${id}/approve`, {}, { 'idempotency-key': 'approve-it' })
    await turn('read_only', 'on')

    const refused = [
      await send(),
      await agent.post('/tasks', task),
      await agent.test.post('/tasks', task),
      await agent.patch('/agents/me', { name: 'Renamed' }),
      await worker.put('/worker/profile', { name: 'Renamed' }),
      await market.call('POST', '/worker/register', { body: person() }),
      await market.call('GET', '/worker/verify?token=none'),
    ]
    const read = await agent.get(`/tasks/${id}`)
    await turn('read_only', 'off')
    const balance = await market.balance(agent.id)
    const approved = await send()

    for (const { status, body, headers } of refused) {
      assert.deepEqual([status, body.code], [503, 'read_only'])
      assert.equal(headers.get('retry-after'), '60')
    }
    assert.equal(balance, 4000)
    assert.deepEqual([read.status, approved.status], [200, 200])
  })

  test('workers and agents log in and out, and the processor is heard', async () => {
    const worker = await market.worker()
    const agent = await market.agent()
    await turn('read_only', 'on')

    const replies = [
      await market.call('POST', '/worker/login', {
        body: { email: worker.email, password: 'correct horse battery staple' },
      }),
      await market.call('POST', '/console/session', {
        body: { api_key: agent.api_key },
        headers: { origin: new URL(market.server.addresses.api!).origin },
      }),
      await worker.delete('/worker/sessions'),
      await market.call('POST', '/processor/account', { body: {} }),
    ]
    await turn('read_only', 'off')

    for (const { body } of replies) assert.notEqual(body?.code, 'read_only')
  })

  test('a worker whose time runs out then loses the task, but no trust', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const tasks = [
      await market.taskIn(agent, 'in_progress'),
      await market.taskIn(agent, 'in_progress'),
    ]
    await turn('read_only', 'on')
    await turn('read_only', 'off')
    market.advance(1000)
    const usual = await market.taskIn(agent, 'in_progress')

    market.advance(25 * 3_600_000)
    await market.sweep()
    const causes: string[][] = []
    for (const { workers } of [...tasks, usual]) {
      const { body } = await workers[0]!.get('/worker/trust')
      causes.push(body.changes.map(({ cause }: { cause: string }) => cause))
    }

    const { body } = await agent.get(`/tasks/${tasks[0]!.id}`)
    assert.equal(body.task.status, 'pending')
    assert.deepEqual(causes, [[], [], ['abandoned']])
  })

  test('timers go on: a silent agent’s task is approved, and the worker is paid', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const { id } = await market.taskIn(agent, 'proof_submitted', { budget_cents: 1000 })
    await turn('read_only', 'on')

    market.advance(73 * 3_600_000)
    await market.sweep()
    const { body } = await agent.get(`/tasks/${id}`)
    await turn('read_only', 'off')

    assert.equal(body.task.status, 'completed')
  })
})

describe('the copy of the switches', () => {
  test('is used for its time, then read again in the background', async () => {
    const { shards } = caching.server.db
    const switches = openSwitches(shards, { trustMs: 60 })
    const write = (isOn: boolean) =>
      caching.asOwner(`update platform_switches set is_on = ${isOn} where name = 'registrations'`)
    const first = await switches.isStopped('registrations')
    await write(false)

    const soon = await switches.isStopped('registrations')
    await new Promise((resolve) => setTimeout(resolve, 130))
    const late = await switches.isStopped('registrations')
    await write(true)

    assert.deepEqual([first, soon, late], [false, false, true])
  })

  test('keeps its state while the database can’t be read', async () => {
    let isAway = false
    const global = {
      get reader() {
        if (isAway) throw new Error('away')
        return caching.server.db.shards.global.reader
      },
    }
    const switches = openSwitches({ global }, { trustMs: 0 })
    await switches.isStopped('read_only')
    isAway = true

    assert.equal(await switches.isStopped('read_only'), false)
    await assert.rejects(openSwitches({ global }, { trustMs: 0 }).isStopped('read_only'), /away/)
  })
})
