import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, marketplace, startOn } from '../../test/harness.ts'
import { limitFor, untilArrived } from '../../test/pace.ts'
import { mintId } from '../kit/ids.ts'
import { type EventType, recordEvents, TOLD_TYPES } from './record-event.ts'

const DAY = 86_400_000

const market = await marketplace()

type Agent = Awaited<ReturnType<typeof market.agent>>
type Shown = { id: string; type: string; data: { count: number } }

/** Records events and relays them; `data.count` keeps increasing across calls. */
let counted = 0
async function tell(agentId: string, count: number, type: EventType = 'task.expired') {
  await record(agentId, count, type)
  while ((await market.events()).length > 0);
}

const record = (agentId: string, count: number, type: EventType = 'task.expired') =>
  market.at(agentId).transaction((tx) =>
    recordEvents(
      tx,
      Array.from({ length: count }, () => ({
        type,
        agentId,
        data: { count: (counted += 1) },
        now: market.now(),
      })),
    ),
  )

const idsOf = ({ events }: { events?: Shown[] }) => events!.map(({ id }) => id)

/** Reads all pages from `after` on. */
async function follow(agent: Pick<Agent, 'get'>, query: string, after?: string): Promise<Shown[]> {
  const { status, body, text } = await agent.get(
    `/events?${query}${after === undefined ? '' : `&after=${after}`}`,
  )
  assert.equal(status, 200, text)
  return body.has_more
    ? [...body.events, ...(await follow(agent, query, body.next_after))]
    : body.events
}

describe('GET /events?before=', () => {
  test('goes from the newest back to the oldest, each once', async () => {
    const agent = await market.agent()
    await tell(agent.id, 5)
    const oldestFirst = idsOf((await agent.get('/events')).body)

    const { body: newest } = await agent.get('/events?before=latest&limit=2')
    const { body: older } = await agent.get(`/events?before=${newest.next_before}&limit=3`)

    assert.equal(newest.has_more, true)
    assert.deepEqual([...idsOf(newest), ...idsOf(older)], oldestFirst.toReversed())
    assert.equal(older.next_before, null)
  })

  test('filters by type and by task', async () => {
    const agent = await market.agent()
    await tell(agent.id, 2)
    await tell(agent.id, 1, 'task.released')
    await tell(agent.id, 2)

    const { body } = await agent.get('/events?before=latest&type=task.released')

    assert.deepEqual(
      body.events.map(({ type }: Shown) => type),
      ['task.released'],
    )
  })

  test('400 with an event of another agent, or together with after', async () => {
    const [agent, other] = [await market.agent(), await market.agent()]
    await tell(other.id, 1)
    const [id] = idsOf((await other.get('/events')).body)

    assert.equal((await agent.get(`/events?before=${id}`)).status, 400)
    assert.equal((await other.get(`/events?before=${id}&after=${id}`)).status, 400)
  })
})

describe('GET /events', () => {
  test('shows the events of a task, oldest first, including unsubscribed types', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'completed')
    await market.events()

    const { status, body } = await agent.get('/events')

    assert.equal(status, 200)
    assert.deepEqual(
      body.events.map((event: Record<string, unknown>) => [event.type, event.sequence]),
      [
        ['task.accepted', 1],
        ['task.proof_submitted', 2],
        ['task.completed', 3],
      ],
    )
    assert.deepEqual(Object.keys(body.events[0]), [
      'id',
      'type',
      'created_at',
      'api_version',
      'sequence',
      'data',
    ])
    assert.equal(body.events[2].data.task.id, task.id)
    assert.equal(body.events[2].data.task.status, 'completed')
    assert.equal(body.has_more, false)
    assert.equal(body.next_after, body.events[2].id)
  })

  test('is empty for an agent without events, and starts without a cursor', async () => {
    const agent = await market.agent()

    const replies = [await agent.get('/events'), await agent.get('/events?after=latest')]

    for (const { body } of replies)
      assert.deepEqual(body, { events: [], has_more: false, next_after: null })
  })

  test('has pages; after the last one the cursor stays', async () => {
    const agent = await market.agent()
    await tell(agent.id, 7)
    const all = idsOf((await agent.get('/events')).body)

    const first = await agent.get('/events?limit=3')
    const second = await agent.get(`/events?limit=3&after=${first.body.next_after}`)
    const third = await agent.get(`/events?limit=3&after=${second.body.next_after}`)
    const none = await agent.get(`/events?limit=3&after=${third.body.next_after}`)

    const replies = [first, second, third, none].map(({ body }) => body)
    assert.deepEqual(replies.flatMap(idsOf), all)
    assert.deepEqual(
      replies.map(({ has_more, next_after }) => [has_more, next_after]),
      [
        [true, all[2]],
        [true, all[5]],
        [false, all[6]],
        [false, all[6]],
      ],
    )
  })

  test('has no further page after a last page that is full', async () => {
    const agent = await market.agent()
    await tell(agent.id, 3)

    const { body } = await agent.get('/events?limit=3')

    assert.equal(body.events.length, 3)
    assert.equal(body.has_more, false)
  })

  test('latest returns a cursor and no events, and later events follow it', async () => {
    const agent = await market.agent()
    await tell(agent.id, 3)

    const { body } = await agent.get('/events?after=latest')
    await tell(agent.id, 2)
    const next = await agent.get(`/events?after=${body.next_after}`)

    assert.deepEqual(body.events, [])
    assert.equal(body.has_more, false)
    assert.equal(next.body.events.length, 2)
  })

  test('filters by task, or by type', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const [one, other] = [
      await market.taskIn(agent, 'completed'),
      await market.taskIn(agent, 'cancelled'),
    ]
    await market.events()

    const ofTask = await follow(agent, `limit=2&task_id=${one.id}`)
    const ofType = await follow(agent, 'limit=1&type=task.cancelled')
    const ofBoth = await follow(agent, `type=task.completed&task_id=${one.id}`)
    const neither = await follow(agent, `type=task.completed&task_id=${other.id}`)

    assert.deepEqual(
      [ofTask, ofType, ofBoth, neither].map((events) => events.map(({ type }) => type)),
      [
        ['task.accepted', 'task.proof_submitted', 'task.completed'],
        ['task.cancelled'],
        ['task.completed'],
        [],
      ],
    )
  })

  test('finds an event of a rare type among many, in calls that each advance the cursor', async () => {
    const agent = await market.agent()
    await tell(agent.id, 1, 'task.disputed')
    await tell(agent.id, 5400)
    await tell(agent.id, 2, 'task.disputed')

    const first = await agent.get('/events?type=task.disputed')
    const second = await agent.get(`/events?type=task.disputed&after=${first.body.next_after}`)

    assert.deepEqual(
      [first, second].map(({ body }) => [body.events.length, body.has_more]),
      [
        [1, true],
        [2, false],
      ],
    )
    assert.notEqual(first.body.next_after, first.body.events[0].id)
    assert.equal(second.body.next_after, second.body.events[1].id)
  })

  test('never shows events of another agent, and separates live and test', async () => {
    const [agent, other] = [await market.agent({ balanceCents: 5000 }), await market.agent()]
    const task = await market.taskIn(agent, 'cancelled')
    await market.taskIn(agent.test, 'cancelled')
    await tell(other.id, 2)

    const [live, test, theirs] = await Promise.all(
      [agent, agent.test, other].map(async (who) => idsOf((await who.get('/events')).body)),
    )
    const asked = await other.get(`/events?task_id=${task.id}`)

    assert.deepEqual([live!.length, test!.length, theirs!.length], [1, 1, 2])
    assert.equal(new Set([...live!, ...test!, ...theirs!]).size, 4)
    assert.deepEqual(asked.body.events, [])
  })

  test('400 for an after that is not the agent’s own event', async () => {
    const [agent, other] = [await market.agent(), await market.agent()]
    await tell(other.id, 1)
    const [theirs] = idsOf((await other.get('/events')).body)

    const replies = await Promise.all(
      [
        theirs,
        mintId('evt', market.now(), 1),
        `evt_${'z'.repeat(26)}`,
        'evt_1',
        'last',
        '%20',
        '7',
        `${theirs}%20`,
        '%00',
      ].map((after) => agent.get(`/events?after=${after}`)),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code, body.details?.[0].path]),
      replies.map(() => [400, 'invalid_request', 'after']),
    )
  })

  test('410 for an expired after, with advice on how to continue', async () => {
    const agent = await market.agent()
    await tell(agent.id, 2)
    const [old] = idsOf((await agent.get('/events')).body)
    await market.asOwner('delete from events where id = $1', [old])
    market.advance(31 * DAY)

    const { status, body } = await agent.get(`/events?after=${old}`)
    const rest = await agent.get('/events')

    assert.equal(status, 410)
    assert.equal(body.code, 'cursor_expired')
    assert.match(body.error, /leave out after/)
    assert.equal(rest.body.events.length, 1)
  })

  test('400 for an invalid limit, wait, type or task', async () => {
    const agent = await market.agent()

    const replies = await Promise.all(
      'limit=0 limit=x wait=56 wait=-1 wait=abc type=task.created type=%20 task_id=%20 task_id=task_1 task_id=%00'
        .split(' ')
        .map((query) => agent.get(`/events?${query}`)),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.details[0].path]),
      'limit limit wait wait wait type type task_id task_id task_id'
        .split(' ')
        .map((path) => [400, path]),
    )
  })

  test('a limit above 100 counts as 100', async () => {
    const agent = await market.agent()
    await tell(agent.id, 101)

    const { body } = await agent.get('/events?limit=1000')

    assert.equal(body.events.length, 100)
    assert.equal(body.has_more, true)
  })

  test('accepts all types that agents can choose', async () => {
    const agent = await market.agent()

    const replies = await Promise.all(
      [...TOLD_TYPES, 'webhook.ping'].map((type) => agent.get(`/events?type=${type}`)),
    )

    assert(replies.every(({ status }) => status === 200))
  })

  test('401 without a key', async () => {
    const { status } = await market.call('GET', '/events')

    assert.equal(status, 401)
  })
})

describe('GET /events?wait', () => {
  test('returns within a second of the event, and not before', async () => {
    const agent = await market.agent()
    await tell(agent.id, 1)
    const { next_after } = (await agent.get('/events?after=latest')).body

    const waiting = agent.get(`/events?after=${next_after}&wait=20`).then((reply) => ({
      ...reply,
      at: performance.now(),
    }))
    await sleep(300)
    await record(agent.id, 1)
    await sleep(300)
    const toldAt = performance.now()
    await market.events()
    const { body, at } = await waiting

    assert.equal(body.events.length, 1)
    assert(at > toldAt && at - toldAt < (await limitFor(market, 1000)), `${at - toldAt} ms`)
  })

  test('returns at once if there are events', async () => {
    const agent = await market.agent()
    await tell(agent.id, 1)
    const start = performance.now()

    const { body } = await agent.get('/events?wait=20')

    assert.equal(body.events.length, 1)
    assert(performance.now() - start < 15_000)
  })

  test('wakes an agent at its very first event', async () => {
    const agent = await market.agent()

    const waiting = agent.get('/events?after=latest&wait=20')
    await untilArrived(market)
    await tell(agent.id, 1)
    const { body } = await waiting

    assert.equal(body.events.length, 1)
    assert.equal(body.next_after, body.events[0].id)
  })

  test('ignores events of another type, task or agent', async () => {
    const [agent, other] = [await market.agent(), await market.agent()]
    await tell(agent.id, 1)
    const start = performance.now()

    const waiting = [
      agent.get('/events?type=task.completed&wait=1.2'),
      agent.get(`/events?task_id=${mintId('task', market.now(), 1)}&wait=1.2`),
      agent.get('/events?after=latest&wait=1.2'),
    ]
    await sleep(100)
    await tell(other.id, 1)
    await sleep(400)
    const [ofType, ofTask, latest] = await Promise.all([
      ...waiting.slice(0, 2),
      (async () => {
        await tell(agent.id, 1)
        return waiting[2]!
      })(),
    ])

    assert(performance.now() - start >= 1200)
    assert.deepEqual(
      [ofType, ofTask, latest].map((reply) => reply!.body.events.length),
      [0, 0, 1],
    )
    // The cursor has moved past the scanned events.
    assert.equal(ofType!.body.next_after, latest!.body.next_after)
  })

  test('returns an empty list at the timeout', async () => {
    const agent = await market.agent()
    const start = performance.now()

    const { status, body } = await agent.get('/events?wait=0.6')

    const took = performance.now() - start
    assert.equal(status, 200)
    assert.deepEqual(body, { events: [], has_more: false, next_after: null })
    assert(took >= 600 && took < 15_000, `${took} ms`)
  })

  test('returns when the server stops', async () => {
    const agent = await market.agent()
    const server = await startOn(market.url, {})
    const start = performance.now()

    const waiting = call(server.addresses.api!, 'GET', '/events?wait=20', {
      headers: { authorization: `Bearer ${agent.api_key}` },
    })
    await untilArrived(market)
    const [{ status }] = await Promise.all([waiting, server.stop()])

    assert.equal(status, 200)
    assert(performance.now() - start < 15_000)
  })
})

describe('a reader that follows the cursor during writes', () => {
  const WRITERS = 4
  const EVENTS = 40

  test('sees every event once; one that follows ids misses some', async () => {
    const agent = await market.agent()
    const stopped = new AbortController()
    let written = 0
    /** An event's time is set when its transaction starts. Transactions take a while, so later ones overtake it. */
    const write = async (writer: number) => {
      for (let i = 0; i < EVENTS; i += 1)
        await market.at(agent.id).transaction(async (tx) => {
          const event = { type: 'task.expired' as const, agentId: agent.id, now: market.now() }
          await recordEvents(tx, [{ ...event, data: { count: writer * EVENTS + i } }])
          await sleep(i === 5 * (writer + 1) ? 200 : Math.random() * 6)
        })
      written += EVENTS
    }
    const relay = async () => {
      while (!stopped.signal.aborted) if ((await market.events()).length === 0) await sleep(2)
    }
    const seen: Shown[] = []
    const read = async () => {
      for (let after = ''; seen.length < WRITERS * EVENTS; ) {
        const { body } = await agent.get(`/events?limit=7&wait=5${after && `&after=${after}`}`)
        if (body.events.length === 0) break
        seen.push(...body.events)
        after = body.next_after
      }
    }
    const seenById: string[] = []
    const readById = async () => {
      for (let after = ''; ; ) {
        const isLast = written === WRITERS * EVENTS && seen.length === written
        const rows = await market.db.reader
          .selectFrom('events')
          .select('id')
          .where('agent_id', '=', agent.id)
          .where('id', '>', after)
          .orderBy('id')
          .limit(7)
          .execute()
        seenById.push(...rows.map(({ id }) => id))
        after = seenById.at(-1) ?? ''
        if (rows.length === 0 && isLast) return
        await sleep(1)
      }
    }

    const relays = [relay(), relay()]
    const readers = [read(), readById()]
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
    await Promise.all(readers)
    stopped.abort()
    await Promise.all(relays)

    assert.equal(written, WRITERS * EVENTS)
    assert.deepEqual(
      seen.map(({ data }) => data.count).toSorted((a, b) => a - b),
      Array.from({ length: written }, (_, i) => i),
    )
    assert.equal(new Set(seen.map(({ id }) => id)).size, written)
    assert(seenById.length < written, 'control: the ids were not in commit order')
  })
})
