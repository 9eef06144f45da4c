import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import type { Db } from '../kit/db.ts'
import { unavailable } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { claimLanes, wakeLanes } from './lanes.ts'
import {
  type Attempt,
  type EndedAttempt,
  isAnswered,
  openRecorder,
  whatHappened,
} from './record-attempts.ts'

const market = await marketplace()

describe('a recorder', () => {
  test('logs each attempt, and advances its delivery', async () => {
    const lane = await heldLane(4)
    const [arrived, failed, givenUp, other] = lane.events
    const record = recorder(lane)

    await Promise.all([
      record(arrived!, 'delivered'),
      record(failed!, 'failed'),
      record(givenUp!, 'given_up'),
    ])

    assert.deepEqual(await waiting(lane.id), [
      { event_id: failed, attempts: 1, next_try_at: later() },
      { event_id: other, attempts: 0, next_try_at: market.now() },
    ])
    assert.equal((await logged(lane.id)).length, 3)
  })

  test('does not postpone a delivery that another process has postponed', async () => {
    const lane = await heldLane(1)
    const record = recorder(lane)
    await record(lane.events[0]!, 'failed')

    await record(lane.events[0]!, 'failed', { next_try_at: new Date(later().getTime() * 2) })
    await record(lane.events[0]!, 'given_up')

    assert.deepEqual(await waiting(lane.id), [
      { event_id: lane.events[0], attempts: 1, next_try_at: later() },
    ])
    assert.equal((await logged(lane.id)).length, 3, 'each attempt was made, and is shown')
  })

  test('completes a delivered one, however often another process tried it meanwhile', async () => {
    const lane = await heldLane(1)
    const record = recorder(lane)
    await record(lane.events[0]!, 'failed')

    await record(lane.events[0]!, 'delivered')

    assert.deepEqual(await waiting(lane.id), [])
  })

  test('does not record twice if a response of the database is lost', async () => {
    const lane = await heldLane(1)
    let lost = 0
    const record = recorder(lane, {
      async after() {
        lost += 1
        if (lost === 1) throw unavailable({ retry_after_seconds: 1 })
      },
    })

    assert.equal(await record(lane.events[0]!, 'failed'), 'recorded')

    assert.equal(lost, 2)
    assert.equal((await logged(lane.id)).length, 1)
    const [row] = await market.asOwner('select failures from webhook_lanes where id = $1', [
      lane.id,
    ])
    assert.equal(row!.failures, 1)
  })

  test('logs an attempt once, also if a lost call commits after the one that repeats it', async () => {
    const lane = await heldLane(1)
    const id = mintId('dlv', market.now(), shardOf(lane.id))
    const record = recorder(lane)
    await record(lane.events[0]!, 'delivered', { id })

    assert.equal(await record(lane.events[0]!, 'delivered', { id }), 'recorded')

    assert.deepEqual(await logged(lane.id), [{ id }])
  })

  test('drops a record if the database stays down; the delivery is sent again', async () => {
    const lane = await heldLane(1)
    const record = recorder(lane, {
      async before() {
        throw unavailable({ retry_after_seconds: 1 })
      },
    })

    assert.equal(await record(lane.events[0]!, 'delivered'), 'lost')

    assert.equal((await waiting(lane.id)).length, 1)
  })

  test('isolates a record that the database refuses', async () => {
    const lane = await heldLane(3)
    const [first, refused, last] = lane.events
    const record = recorder(lane)

    const outcomes = await Promise.allSettled([
      record(first!, 'delivered'),
      record(refused!, 'delivered', { answer: 'no text: \u0000' }),
      record(last!, 'delivered'),
    ])

    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(
      (await waiting(lane.id)).map(({ event_id }) => event_id),
      [refused],
    )
  })
})

describe('whatHappened', () => {
  const say = (...outcomes: (Attempt['outcome'] | 'ping' | 'callback gone')[]) =>
    whatHappened(
      outcomes.map((outcome) => ended(outcome)),
      new Date(),
    ).map(({ succeeded, failed, is_gone, is_pinged }) => {
      return { succeeded, failed, is_gone, is_pinged }
    })[0]

  test('counts the failures since the last success', () => {
    const well = { is_gone: false, is_pinged: false }
    assert.deepEqual(say('failed', 'failed'), { ...well, succeeded: false, failed: 2 })
    assert.deepEqual(say('failed', 'delivered'), { ...well, succeeded: true, failed: 0 })
    assert.deepEqual(say('delivered', 'given_up'), { ...well, succeeded: true, failed: 1 })
    assert.deepEqual(say('callback gone'), { ...well, succeeded: true, failed: 0 })
  })

  test('counts a 410 in any case, and distinguishes a successful ping', () => {
    assert.equal(say('disabled', 'delivered')!.is_gone, true)
    assert.equal(say('failed', 'ping')!.is_pinged, true)
  })

  test('leaves out healthy lanes', () => {
    assert.deepEqual(whatHappened([{ ...ended('delivered'), touchesLane: false }], new Date()), [])
  })

  function ended(what: Attempt['outcome'] | 'ping' | 'callback gone'): EndedAttempt {
    const outcome = what === 'ping' ? 'delivered' : what === 'callback gone' ? 'disabled' : what
    const attempt = {
      outcome,
      is_callback: what === 'callback gone',
      type: what === 'ping' ? 'webhook.ping' : 'task.completed',
    } as Attempt
    return { lane: 'agent_1', touchesLane: true, attempt }
  }
})

describe('isAnswered', () => {
  test('treats a host that responds 410 for a callback_url as alive', () => {
    assert.equal(isAnswered({ outcome: 'disabled', is_callback: true }), true)
    assert.equal(isAnswered({ outcome: 'disabled', is_callback: false }), false)
    assert.equal(isAnswered({ outcome: 'failed', is_callback: true }), false)
  })
})

const later = () => new Date(market.now().getTime() + 5000)

interface TestLane {
  id: string
  events: string[]
}

async function heldLane(count: number): Promise<TestLane> {
  const { id } = await market.agent({ webhook_url: 'http://127.0.0.1:9/hooks' })
  const now = market.now()
  await market.at(id).transaction((tx) => wakeLanes(tx, [{ id, agentId: id }], { now }))
  await claimLanes(market.at(id), { holder: 'us', now, until: later(), limit: 1 })
  const events = Array.from({ length: count }, () => mintId('evt', now, shardOf(id)))
  await market.asOwner(
    `insert into deliveries (event_id, lane, agent_id, event_at, attempts_max, next_try_at, created_at)
     select i, $1, $1, $3, 8, $3, $3 from unnest($2::text[]) i`,
    [id, events, now],
  )
  return { id, events }
}

/** Records as the lane's holder; `happens` runs hooks before and after each database call. */
function recorder(
  { id }: TestLane,
  happens: { before?(): Promise<void>; after?(): Promise<void> } = {},
) {
  const shard = market.at(id)
  const db: Db = {
    ...shard,
    async call(...args) {
      await happens.before?.()
      const rows = await shard.call(...args)
      await happens.after?.()
      return rows as never
    },
  }
  const { add } = openRecorder({ ...market.background, db }, { holder: 'us', waitsMs: [1, 10] })
  return (eventId: string, outcome: Attempt['outcome'], more: Partial<Attempt> = {}) =>
    add({
      lane: id,
      touchesLane: outcome !== 'delivered',
      attempt: {
        id: mintId('dlv', market.now(), shardOf(id)),
        event_id: eventId,
        agent_id: id,
        task_id: null,
        type: 'task.completed',
        url: 'http://127.0.0.1:9/hooks',
        is_callback: false,
        number: 1,
        outcome,
        status: 200,
        error: null,
        answer: '',
        ms: 1,
        next_try_at: outcome === 'failed' ? later() : null,
        created_at: market.now(),
        ...more,
      },
    })
}

const waiting = (lane: string) =>
  market.asOwner(
    'select event_id, attempts, next_try_at from deliveries where lane = $1 order by event_id',
    [lane],
  )

const logged = (agentId: string) =>
  market.asOwner('select id from delivery_attempts where agent_id = $1', [agentId])
