import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { openReceiver } from '../../test/receiver.ts'
import { mintId, shardOf } from '../kit/ids.ts'

const market = await marketplace()

type Agent = Awaited<ReturnType<typeof market.agent>>

const list = async (agent: Pick<Agent, 'get'>, query = ''): Promise<Json> =>
  (await agent.get(`/webhooks/deliveries${query}`)).body

/** Inserts attempts directly into the log, oldest first. All ids have the current time and ascend. */
const fillLog = (agentId: string, outcomes: string[]) =>
  market.asOwner(
    `insert into delivery_attempts
       (id, event_id, agent_id, type, url, number, outcome, ms, next_try_at, created_at)
       select id, replace(id, 'dlv', 'evt'), $1, 'task.completed', 'https://a.example/', 1, outcome::attempt_outcome, 5,
              case when outcome = 'failed' then $4::timestamptz end, $4
         from unnest($2::text[], $3::text[]) a(id, outcome)`,
    [
      agentId,
      outcomes.map(() => mintId('dlv', market.now(), shardOf(agentId))),
      outcomes,
      market.now(),
    ],
  )

describe('GET /webhooks/deliveries', () => {
  test('shows each attempt with its response, newest first', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url, events: ['task.cancelled'] })
    receiver.answerWith(503)
    const task = await market.taskIn(agent, 'cancelled', { budget_cents: 500 })
    await market.deliver()
    const failedAt = market.now()
    receiver.answerBy((_, response) => void response.end('thank you'))
    market.advance(10_000)
    await market.deliver()

    const { deliveries, next_before, receivers } = await list(agent)

    const [event] = (await agent.get('/events')).body.events
    const [second, first] = deliveries
    assert.equal(deliveries.length, 2)
    assert.match(first.id, /^dlv_[0-9a-z]{26}$/)
    const both = {
      event_id: event.id,
      type: 'task.cancelled',
      task_id: task.id,
      url: receiver.url,
      error: null,
    }
    assert.deepEqual(first, {
      ...both,
      id: first.id,
      attempt: 1,
      outcome: 'failed',
      status: 503,
      answer: '503',
      duration_ms: first.duration_ms,
      created_at: failedAt.toISOString(),
      next_try_at: first.next_try_at,
    })
    const delay = new Date(first.next_try_at).getTime() - failedAt.getTime()
    assert(delay >= 4000 && delay <= 6000, `${delay} ms`)
    assert.deepEqual(second, {
      ...both,
      id: second.id,
      attempt: 2,
      outcome: 'delivered',
      status: 200,
      answer: 'thank you',
      duration_ms: second.duration_ms,
      created_at: market.now().toISOString(),
      next_try_at: null,
    })
    assert.equal(next_before, null)
    assert.deepEqual(receivers, [
      {
        url: receiver.url,
        status: 'ok',
        failing_since: null,
        disabled_at: null,
        disabled_for: null,
        waiting: 0,
        next_try_at: null,
      },
    ])
  })

  test('says why there was no response', async (t) => {
    const receiver = await openReceiver(t)
    await receiver.close()
    const agent = await market.agent({ webhook_url: receiver.url })
    await agent.post('/webhooks/ping')
    await market.deliver()

    const { deliveries } = await list(agent)

    assert.equal(deliveries[0].status, null)
    assert.equal(deliveries[0].answer, null)
    assert.match(deliveries[0].error, /refused/)
  })

  test('has stable pages, filtered by event or outcome', async () => {
    const agent = await market.agent()
    const outcomes = ['delivered', 'failed', 'delivered', 'given_up', 'delivered', 'failed']
    await fillLog(agent.id, outcomes)

    const first = await list(agent, '?limit=4')
    market.advance(1)
    await fillLog(agent.id, ['disabled'])
    const second = await list(agent, `?limit=4&before=${first.next_before}`)
    const failed = await list(agent, '?outcome=failed&limit=1')
    const older = await list(agent, `?outcome=failed&before=${failed.next_before}`)
    const others = await Promise.all(
      ['delivered', 'given_up', 'disabled'].map((outcome) => list(agent, `?outcome=${outcome}`)),
    )
    const one = await list(agent, `?event_id=${first.deliveries[0].event_id}`)

    assert.deepEqual(
      [...first.deliveries, ...second.deliveries].map(({ outcome }: Json) => outcome),
      outcomes.toReversed(),
    )
    assert.equal(second.next_before, null)
    assert.deepEqual(
      [failed, older, ...others].map(({ deliveries }) => deliveries.length),
      [1, 1, 3, 1, 1],
    )
    assert.equal(one.deliveries.length, 1)
  })

  test('lists failing and disabled receivers first, after the webhook_url', async (t) => {
    const [receiver, failing, gone] = await Promise.all([
      openReceiver(t),
      openReceiver(t),
      openReceiver(t),
    ])
    failing!.answerWith(500)
    gone!.answerWith(410)
    const agent = await market.agent({
      balanceCents: 10_000,
      freeTasks: false,
      webhook_url: receiver!.url,
      events: ['task.cancelled'],
    })
    for (const { url } of [failing!, gone!])
      await market.taskIn(agent, 'cancelled', { callback_url: url })
    await market.deliver()

    const { receivers } = await list(agent)

    const shown = receivers.map((one: Json) => [
      one.url,
      one.status,
      one.disabled_for,
      one.waiting,
      one.failing_since === null,
      one.next_try_at === null,
    ])
    assert.deepEqual(shown, [
      [receiver!.url, 'ok', null, 0, true, true],
      [gone!.url, 'disabled', 'gone', 0, true, true],
      [`127.0.0.1:${failing!.port}`, 'failing', null, 1, false, false],
    ])
  })

  test('shows at most fifty callback hosts, and counts to a thousand', async () => {
    const agent = await market.agent()
    await market.asOwner(
      `insert into webhook_lanes (id, agent_id) select $1 || ' h' || i, $1 from generate_series(1, 60) i`,
      [agent.id],
    )
    await market.asOwner(
      `insert into deliveries (event_id, lane, agent_id, url, event_at, attempts_max, next_try_at, created_at)
         select $1 || i, $1 || ' h1', $1, 'https://h1/', $2, 8, $3, $2 from generate_series(1, 1001) i`,
      [agent.id, market.now(), new Date('2999-01-01')],
    )
    await market.asOwner('update webhook_lanes set due_at = $2 where id = $1', [
      `${agent.id} h1`,
      new Date('2999-01-01'),
    ])

    const { receivers } = await list(agent)

    assert.equal(receivers.length, 50)
    assert.deepEqual([receivers[0].url, receivers[0].waiting], ['h1', 1000])
  })

  test('never shows another agent’s deliveries, and separates live and test', async () => {
    const [agent, other] = [
      await market.agent({ webhook_url: 'http://127.0.0.1:9/' }),
      await market.agent({ webhook_url: 'http://127.0.0.1:9/' }),
    ]
    await agent.post('/webhooks/ping')
    await agent.test.post('/webhooks/ping', { url: 'http://127.0.0.1:9/test' })
    await market.deliver()
    const mine = await list(agent)
    const tests = await list(agent.test)

    const theirs = await Promise.all(
      [
        '',
        `?event_id=${mine.deliveries[0].event_id}`,
        `?before=${tests.deliveries[0].id}`,
        '?outcome=given_up',
      ].map((query) => list(other, query)),
    )

    assert.deepEqual(
      [mine, tests].map(({ deliveries }) => deliveries.map(({ url }: Json) => url)),
      [['http://127.0.0.1:9/'], ['http://127.0.0.1:9/test']],
    )
    for (const { deliveries, receivers } of theirs) {
      assert.deepEqual(deliveries, [])
      assert.equal(receivers.length, 1)
    }
  })

  test('400 for an invalid parameter', async () => {
    const agent = await market.agent()

    const replies = await Promise.all(
      [
        'outcome=ok',
        'before=x',
        `before=${mintId('evt', market.now(), 1)}`,
        'limit=0',
        'event_id=x',
        'event_id=%00',
      ].map((query) => agent.get(`/webhooks/deliveries?${query}`)),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.details[0].path]),
      ['outcome', 'before', 'before', 'limit', 'event_id', 'event_id'].map((path) => [400, path]),
    )
  })

  test('is empty for an agent without deliveries', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.get('/webhooks/deliveries')

    assert.equal(status, 200)
    assert.deepEqual(body, { deliveries: [], next_before: null, receivers: [] })
  })
})
