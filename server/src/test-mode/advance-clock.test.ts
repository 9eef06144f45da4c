import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import { type Json, marketplace } from '../../test/harness.ts'
import { eventually } from '../../test/jobs-child.ts'
import { openReceiver } from '../../test/receiver.ts'

const market = await marketplace()

type Tester = Awaited<ReturnType<typeof market.agent>>['test']

async function created(agent: Tester, sim: unknown, fields: Json = {}): Promise<string> {
  const { status, body, text } = await agent.post('/tasks', {
    description: 'Is the bakery open?',
    budget_cents: 1000,
    context: { sim },
    ...fields,
  })
  assert.equal(status, 201, text)
  return body.task.id as string
}

const show = async (agent: Tester, id: string) =>
  (await agent.get(`/tasks/${id}`)).body.task as Json

async function advance(agent: Tester, by: string, headers: Record<string, string> = {}) {
  const { status, body, text } = await agent.post('/test/clock/advance', { by }, headers)
  assert.equal(status, 200, text)
  return body
}

/** Runs something while a call moves the clock. The call is blocked by a lock on the task in the meantime. */
async function whileMoving<T>(
  agent: Tester,
  taskId: string,
  by: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T & { first: Json }> {
  const { promise, first } = await market.at(taskId).transaction(async (tx) => {
    await sql`select from tasks where id = ${taskId} for update`.execute(tx)
    const running = advance(agent, by)
    const waits = `select from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%tasks_age%' and datname = current_database()`
    await eventually('the call waits for the task', 20_000, async () =>
      (await market.asOwner(waits)).length > 0 ? true : undefined,
    )
    return { promise: await work(tx), first: running }
  })
  return { ...promise, first: await first }
}

const whats = ({ fired }: Json) => fired.map(({ at_s, what }: Json) => `${at_s} ${what}`)

describe('POST /test/clock/advance', () => {
  test('by a day: a worker accepts, proves, and the task is approved automatically, each at its time', async () => {
    const { test: agent } = await market.agent()
    const id = await created(agent, 'happy')

    const first = await advance(agent, '24h')

    assert.deepEqual(whats(first), ['2 rehearsal.accept', '7 rehearsal.proof'])
    assert.deepEqual([first.moved_s, first.total_moved_s, first.is_done], [86_400, 86_400, true])
    const waiting = await show(agent, id)
    assert.equal(waiting.status, 'proof_submitted')
    const age = (name: string) => Date.parse(waiting[name]) - Date.parse(waiting.created_at)
    assert.equal(age('deadline'), 7 * 86_400_000)
    assert.equal(market.now().getTime() - Date.parse(waiting.created_at), 86_400_000)

    const second = await advance(agent, '7s')

    assert.deepEqual(second.fired, [{ at_s: 7, what: 'tasks.auto_approve', task_id: id }])
    const { status, approved_by } = await show(agent, id)
    assert.deepEqual([status, approved_by], ['completed', 'auto'])
    assert.equal(second.total_moved_s, 86_407)
  })

  test('past the deadline: the task expires, and the money is refunded', async () => {
    const { test: agent } = await market.agent()
    const { balance_cents } = (await agent.get('/wallet')).body
    const id = await created(agent, 'nobody', { deadline: '2h', budget_cents: 5000 })

    const { fired } = await advance(agent, '2h')

    assert.deepEqual(fired, [{ at_s: 7200, what: 'tasks.expire', task_id: id }])
    assert.equal((await show(agent, id)).status, 'expired')
    assert.equal((await agent.get('/wallet')).body.balance_cents, balance_cents)
  })

  test('past the work timer: the half-time notice is sent, then the slot is freed', async () => {
    const { test: agent } = await market.agent()
    const id = await created(agent, { proof_after_s: 90_000 }, { urgency: 'instant' })

    const { fired } = await advance(agent, '20m')

    assert.deepEqual(
      fired.map(({ at_s, what }: Json) => [at_s, what]),
      [
        [2, 'rehearsal.accept'],
        [452, 'tasks.half_time'],
        [902, 'tasks.time_out'],
      ],
    )
    const task = await show(agent, id)
    assert.deepEqual([task.status, task.assignments[0].status], ['pending', 'expired'])
  })

  test('a dispute without an appeal counts for the level after three days, and the clock lists it', async () => {
    const { test: agent } = await market.agent()
    const id = await created(agent, 'happy')
    await advance(agent, '10s')
    await agent.post(`/tasks/${id}/dispute`, { reason: 'No' })
    const next = (await agent.get('/test/clock')).body.next
    const [assignment] = (await show(agent, id)).assignments
    const pending = () =>
      market.asOwner('select trust_pending from workers where id = $1', [assignment.worker_id])

    const answer = await advance(agent, '71h')
    const [before] = await pending()
    const last = await advance(agent, '1h')
    const [after] = await pending()

    assert.deepEqual(next, [{ in_s: 259_200, what: 'workers.settle_trust', task_id: id }])
    assert.deepEqual(whats(answer), [])
    assert(before!.trust_pending > 0)
    assert.deepEqual(whats(last), ['3600 workers.settle_trust'])
    assert.equal(after!.trust_pending, 0)
  })

  test('an appeal without a reply for two days is decided for the worker', async () => {
    const { test: agent } = await market.agent()
    const id = await created(agent, 'appeal')
    await advance(agent, '10s')
    await agent.post(`/tasks/${id}/dispute`, { reason: 'No' })

    const answer = await advance(agent, '3d')

    assert.deepEqual(whats(answer), ['2 rehearsal.appeal', '172802 tasks.concede_appeals'])
    const { status, dispute } = await show(agent, id)
    assert.deepEqual([status, dispute.status], ['completed', 'overturned'])
  })

  test('events of several tasks happen in the order of their due time', async () => {
    const { test: agent } = await market.agent()
    const slow = await created(agent, 'slow')
    const quick = await created(agent, 'happy', { auto_approve_after: 60 })

    const { fired } = await advance(agent, '5m')

    assert.deepEqual(
      fired.map(({ at_s, what, task_id }: Json) => [
        at_s,
        what,
        task_id === slow ? 'slow' : 'quick',
      ]),
      [
        [2, 'rehearsal.accept', 'quick'],
        [7, 'rehearsal.proof', 'quick'],
        [30, 'rehearsal.accept', 'slow'],
        [67, 'tasks.auto_approve', 'quick'],
        [150, 'rehearsal.proof', 'slow'],
      ],
    )
    assert.equal((await show(agent, quick)).status, 'completed')
  })

  test('a failed webhook is retried, and a recovered receiver gets it', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(503)
    const { test: agent } = await market.agent({ webhook_url: receiver.url })
    const id = await created(agent, 'happy')
    await advance(agent, '10s')
    await market.deliver()
    const failed = receiver.received.length
    assert(failed > 0)
    receiver.answerWith(200)
    await market.deliver()
    assert.equal(receiver.received.length, failed, 'nothing is due yet')

    const { fired } = await advance(agent, '1m')
    await market.deliver()

    assert(fired.some(({ what, task_id }: Json) => what === 'webhooks.retry' && task_id === id))
    assert.equal(receiver.received.length, 2 * failed)
  })

  test('changes no other agent, and not the live twin', async () => {
    const one = await market.agent({ balanceCents: 1000 })
    const other = await market.agent()
    const live = await one.post('/tasks', {
      description: 'Look',
      budget_cents: 500,
      deadline: '1h',
    })
    const theirs = await created(other.test, 'happy')
    const before = [
      (await one.get(`/tasks/${live.body.task.id}`)).body,
      await show(other.test, theirs),
    ]

    await advance(one.test, '2h')

    assert.deepEqual(
      [(await one.get(`/tasks/${live.body.task.id}`)).body, await show(other.test, theirs)],
      before,
    )
  })

  test('403 with a live key; the database refuses to age live rows', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.post('/test/clock/advance', { by: '1h' })

    assert.deepEqual([status, body.code], [403, 'test_mode_only'])
    for (const call of ['tasks_age($1, 1000, now())', 'webhooks_age($1, 1000)'])
      await assert.rejects(
        market.at(agent.id).pool.query(`select ${call}`, [agent.id]),
        /is not a test agent/,
      )
  })

  test('400 for an invalid duration, or one above 90 days', async () => {
    const { test: agent } = await market.agent()

    for (const by of ['', '1', '1w', '-1h', '1.5h', '91d', 'soon'])
      assert.equal((await agent.post('/test/clock/advance', { by })).status, 400, by)
  })

  test('the same idempotency key again returns the same response, without an effect', async () => {
    const { test: agent } = await market.agent()
    await created(agent, 'happy')
    const headers = { 'idempotency-key': randomUUID() }

    const first = await advance(agent, '1h', headers)
    const again = await Promise.all([1, 2, 3].map(() => advance(agent, '1h', headers)))

    for (const one of again) assert.deepEqual(one, first)
    assert.equal((await agent.get('/test/clock')).body.moved_s, 3600)
  })

  test('409: a concurrent second call is refused, and can be retried', async () => {
    const { test: agent } = await market.agent()
    const id = await created(agent, 'happy', { auto_approve_after: 60 })
    const key = { 'idempotency-key': randomUUID() }

    const { first, second, sameKey } = await whileMoving(agent, id, '40s', async () => ({
      second: await agent.post('/test/clock/advance', { by: '40s' }),
      sameKey: await agent.post('/test/clock/advance', { by: '40s' }, key),
    }))
    const later = await advance(agent, '40s', key)

    for (const refused of [second, sameKey]) {
      assert.deepEqual([refused.status, refused.body.code], [409, 'clock_moving'])
      assert.equal(refused.headers.get('retry-after'), '1')
    }
    const fired = [...first.fired, ...later.fired].map(({ what }: Json) => what as string).sort()
    assert.deepEqual(fired, ['rehearsal.accept', 'rehearsal.proof', 'tasks.auto_approve'])
    assert.equal((await show(agent, id)).status, 'completed')
    assert.equal((await agent.get('/test/clock')).body.moved_s, 80)
  })

  test('503: no more clocks move at once than the setting allows', async () => {
    const agents = await Promise.all(Array.from({ length: 5 }, () => market.agent()))
    const [first, ...others] = agents.map(({ test: agent }) => agent)
    const id = await created(first!, 'nobody')
    // The other holds belong to calls in other processes.
    for (const { id: agentId } of agents.slice(1, 4))
      await market.asOwner(
        `insert into test_clocks (agent_id, held_by, held_until) values ($1, 'other', now() + interval '1 minute')`,
        [`${agentId}_other`],
      )

    const { refused } = await whileMoving(first!, id, '1s', async () => ({
      refused: await others[3]!.post('/test/clock/advance', { by: '1s' }),
    }))

    assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable'])
    assert.equal(refused.headers.get('retry-after'), '2')
    await market.asOwner(`delete from test_clocks where held_by = 'other'`)
    assert.equal((await others[3]!.post('/test/clock/advance', { by: '1s' })).status, 200)
  })

  test('the lock of a dead process expires, and a retried call continues', async () => {
    const live = await market.agent()
    const { test: agent } = live
    const { id: agentId } = (await agent.get('/agents/me')).body.agent
    await market.asOwner(
      `insert into test_clocks (agent_id, held_by, held_until) values ($1, 'dead', now() - interval '1 second')`,
      [agentId],
    )

    assert.equal((await advance(agent, '1s')).moved_s, 1)
  })

  test('a call that waits for a lock delays no live request, and keeps no lane', async () => {
    const live = await market.agent()
    const { test: agent } = live
    const { id: agentId } = (await agent.get('/agents/me')).body.agent
    const id = await created(agent, 'nobody')
    const lane = `${agentId} https://a.example/`
    await market.asOwner('insert into webhook_lanes (id, agent_id) values ($1, $2)', [
      lane,
      agentId,
    ])

    const { wallet } = await whileMoving(agent, id, '1s', async (tx) => {
      await sql`select from webhook_lanes where id = ${lane} for update nowait`.execute(tx)
      return { wallet: await live.get('/wallet') }
    })

    assert.equal(wallet.status, 200)
    assert.equal((await agent.get('/test/clock')).body.moved_s, 1)
  })

  test('409 for more tasks than the limit', async () => {
    const { test: agent } = await market.agent()
    const id = await created(agent, 'nobody')
    await market.asOwner(
      `insert into tasks select (jsonb_populate_record(t, jsonb_build_object('id', t.id || n))).*
         from tasks t, generate_series(1, 500) n where t.id = $1`,
      [id],
    )

    const { status, body } = await agent.post('/test/clock/advance', { by: '1h' })

    // Delete the copies: no money was locked for them.
    await market.deleteTasks('id like $1', [`${id}_%`])
    assert.deepEqual([status, body.code, body.limit], [409, 'too_many_test_tasks', 500])
  })
})
