/**
 * Test mode and live mode share a database and nothing else: objects of one can't be seen or changed from the other.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countWaitingReports } from '../src/moderation/waiting-reports.ts'
import { reportAppeals } from '../src/ops/appeals.ts'
import { waitingReports } from '../src/ops/reports.ts'
import { type Json, marketplace } from './harness.ts'
import { noticesOf, run } from './notices.ts'

const market = await marketplace()
const agent = await market.agent({ balanceCents: 10_000 })
const other = await market.agent({ balanceCents: 10_000 })
const person = await market.worker({ approvals: 5 })
const player = await play(agent)
const stranger = await play(other)

async function play(of: typeof agent) {
  const { body } = await of.test.post('/test/workers', {})
  return { id: body.worker.id as string, ...market.client(body.token as string) }
}

const post = async (client: typeof agent.test, fields: Json = {}) => {
  const { status, body, text } = await client.post('/tasks', {
    description: 'Look',
    budget_cents: 1000,
    context: { sim: 'me' },
    ...fields,
  })
  assert.equal(status, 201, text)
  return body.task.id as string
}

// One of each mode is open, and one of each is done.
const open = { live: await post(agent), test: await post(agent.test) }
const done = { live: await post(agent), test: await post(agent.test) }
for (const [mode, client, worker] of [
  ['live', agent, person],
  ['test', agent.test, player],
] as const) {
  await worker.post(`/worker/tasks/${done[mode]}/accept`)
  await worker.post(`/worker/tasks/${done[mode]}/proof`, { text: 'Seen' })
  const { status } = await client.post(`/tasks/${done[mode]}/approve`)
  assert.equal(status, 200)
}
await market.work()

const ids = (tasks: Json[]) => tasks.map(({ id }) => id as string).sort()
const tasksOf = { live: [open.live, done.live].sort(), test: [open.test, done.test].sort() }

describe('test mode and live mode', () => {
  test('a key sees the tasks, events, statistics and money of its own mode', async () => {
    for (const [mode, client] of [
      ['live', agent],
      ['test', agent.test],
    ] as const) {
      const { body: list } = await client.get('/tasks')
      assert.deepEqual(ids(list.tasks), tasksOf[mode])
      const { body: stats } = await client.get('/stats')
      assert.equal(stats.tasks.total, 2)
      const worker = mode === 'live' ? person : player
      assert.deepEqual(ids(stats.top_workers), [worker.id])
      const { body: wallet } = await client.get('/wallet')
      for (const { task_id } of wallet.transactions as Json[])
        assert(task_id === undefined || task_id === null || tasksOf[mode].includes(task_id))
      const { body: events } = await client.get('/events')
      for (const { data } of events.events as Json[]) assert.equal(data.task.mode, mode)
    }
  })

  test('404 for a key of the other mode, and for other agents, on every task endpoint', async () => {
    const clients = {
      live: [agent.test, other, other.test],
      test: [agent, other, other.test],
    }
    for (const mode of ['live', 'test'] as const)
      for (const client of clients[mode])
        for (const id of tasksOf[mode]) {
          assert.equal((await client.get(`/tasks/${id}`)).status, 404)
          assert.equal((await client.get(`/tasks/${id}/proof`)).status, 404)
          for (const verb of ['approve', 'cancel', 'payout'])
            assert.equal((await client.post(`/tasks/${id}/${verb}`)).status, 404, verb)
          assert.equal((await client.post(`/tasks/${id}/dispute`, { reason: 'No' })).status, 404)
        }
  })

  test('a worker’s feed and the public preview contain only live tasks', async () => {
    for (const sort of ['match', 'new', 'pay', 'nearest']) {
      const { body } = await person.get(`/worker/feed?sort=${sort}`)
      assert.deepEqual(ids(body.tasks), [open.live])
    }
    const { body } = await market.call('GET', '/worker/preview')
    assert(!JSON.stringify(body).includes(open.test))
    assert.equal((await person.get(`/worker/feed/${open.test}`)).status, 404)
    assert.equal((await person.post(`/worker/tasks/${open.test}/accept`)).status, 404)
  })

  test('a test worker sees only its own agent’s test tasks', async () => {
    assert.deepEqual(ids((await player.get('/worker/feed')).body.tasks), [open.test])
    assert.deepEqual((await stranger.get('/worker/feed')).body.tasks, [])
    for (const [worker, id] of [
      [player, open.live],
      [stranger, open.live],
      [stranger, open.test],
    ] as const) {
      assert.equal((await worker.get(`/worker/feed/${id}`)).status, 404)
      assert.equal((await worker.post(`/worker/tasks/${id}/accept`)).status, 404)
    }
  })

  test('leaderboards are separate, and test workers are not public', async () => {
    for (const period of ['week', 'all']) {
      const of = async (worker: typeof person | typeof player) =>
        (await worker.get(`/worker/leaderboard?period=${period}`)).body.entries.map(
          ({ worker: { id } }: Json) => id as string,
        )
      assert.deepEqual(await of(person), [person.id])
      assert(!(await of(player)).some((id: string) => id === person.id || id === stranger.id))
    }
    assert.equal((await market.call('GET', `/worker/${player.id}/public`)).status, 404)
    assert.equal((await market.call('GET', `/worker/${person.id}/public`)).status, 200)
  })

  test('the books are separate: no entry of one names an owner of the other', async () => {
    const mixed = await market.asOwner(
      `select t.id from transfers t
         left join agents a on a.id = t.agent_id left join workers w on w.id = t.worker_id
        where a.mode <> t.mode or w.mode <> t.mode`,
    )
    assert.deepEqual(mixed, [])
    const [count] = await market.asOwner(
      `select count(distinct mode)::integer as modes from transfers where agent_id is not null`,
    )
    assert.equal(count!.modes, 2, 'both books have entries')
  })

  test('open tasks, known photos and operators’ lists contain nothing of test mode', async () => {
    const photo = await post(agent.test, { context: { sim: 'happy' }, proof_required: 'photo' })
    await agent.test.post('/test/clock/advance', { by: '10s' })
    await player.post(`/worker/tasks/${open.test}/report`, { kind: 'scam' })

    const rows = await market.asOwner(
      `select task_id from open_tasks where task_id in (select id from tasks where mode = 'test')
       union all select task_id from photo_hashes where task_id in (select id from tasks where mode = 'test')`,
    )
    assert.deepEqual(rows, [])
    assert.equal(await countWaitingReports([market.db.reader]), 0)
    assert.deepEqual(await waitingReports([market.db.reader]), [])
    assert.equal((await agent.test.get(`/tasks/${photo}`)).body.task.status, 'proof_submitted')
  })

  test('test workers are never mailed or pushed', async () => {
    const [row] = await market.asOwner('select email from workers where id = $1', [player.id])
    await market.call('POST', '/worker/password/forgot', { body: { email: row!.email } })
    await market.work()

    const links = await market.asOwner('select 1 from worker_tokens where worker_id = $1', [
      player.id,
    ])
    const pushed = await market.asOwner(
      'select 1 from notices where worker_id = $1 and (push_at is not null or mailed_at is not null)',
      [player.id],
    )
    assert.deepEqual([links, pushed], [[], []])
  })

  test('an alert covers only tasks of its own mode', async () => {
    for (const worker of [person, player])
      assert.equal((await worker.put('/worker/alert', {})).status, 200)
    market.advance(1)
    const live = await post(agent)
    await post(agent.test)
    market.advance(6 * 60_000)
    await run(market)

    const told = await noticesOf(person)
    assert.deepEqual(
      told.filter(({ kind }) => kind === 'new_task').map(({ task_id }) => task_id),
      [live],
    )
    assert.deepEqual(
      (await noticesOf(player)).filter(({ kind }) => kind === 'new_task'),
      [],
    )
  })

  test('an answered appeal of a script does not wait for an operator', async () => {
    const id = await post(agent.test, { context: { sim: 'appeal' } })
    await agent.test.post('/test/clock/advance', { by: '10s' })
    await agent.test.post(`/tasks/${id}/dispute`, { reason: 'Not what I asked for' })
    await agent.test.post('/test/clock/advance', { by: '1h' })
    const { status } = await agent.test.post(`/tasks/${id}/dispute/answer`, {
      statement: 'It is not',
    })

    assert.equal(status, 200)
    const { config } = market.server
    const report = await reportAppeals([market.db.reader], { config, now: market.now() })
    assert.deepEqual([report.to_rule_count, report.unanswered], [0, 0])
  })

  test('quotes exclude test tasks', async () => {
    const third = await market.agent()
    const { body: before } = await agent.get('/quote?type=custom')

    // More than a quote requires: six tasks of three agents.
    for (const [of, worker] of [
      [agent, player],
      [other, stranger],
      [third, await play(third)],
    ] as const)
      for (let i = 0; i < 2; i += 1) {
        const id = await post(of.test, { budget_cents: 900 })
        await worker.post(`/worker/tasks/${id}/accept`)
        await worker.post(`/worker/tasks/${id}/proof`, { text: 'Seen' })
        assert.equal((await of.test.post(`/tasks/${id}/approve`)).status, 200)
      }
    market.advance(2 * 60_000)

    assert.deepEqual((await agent.get('/quote?type=custom')).body, before)
  })
})
