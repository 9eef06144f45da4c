import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { marketplace } from '../../test/harness.ts'
import { limitFor } from '../../test/pace.ts'
import { openReceiver, type Received } from '../../test/receiver.ts'
import { steppedClock } from '../../test/stepped-clock.ts'
import type { Db } from '../kit/db.ts'
import { unavailable } from '../kit/errors.ts'
import { openDeliverer, openTurns } from './deliver.ts'
import { reviveLane } from './lanes.ts'
import { recordEvents } from './record-event.ts'
import { DELAYS_MS, JITTER } from './schedule.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const market = await marketplace()
/** Agents that share a deliverer are on the shard of this one. */
const first = await market.agent()
const background = market.backgroundAt(first.id)
const { name: schema } = background.db.schema

describe('a delivery', () => {
  test('reaches the agent’s server, signed with its secret, and is done', async (t) => {
    market.catchUp()
    const receiver = await openReceiver(t)
    const agent = await listener(receiver.url)
    await tell(agent.id)

    await market.deliver()

    const [got] = receiver.received
    const event = new Webhook(agent.webhook_secret).verify(
      got!.text,
      got!.headers as Record<string, string>,
    )
    assert.deepEqual(event, got!.body)
    assert.equal(got!.headers['webhook-id'], got!.body.id)
    assert.equal(got!.headers['content-type'], 'application/json')
    assert.deepEqual(await outcomes(agent.id), ['1 delivered 200'])
    assert.deepEqual(await waiting(agent.id), [])
    await market.deliver()
    assert.equal(receiver.received.length, 1)
  })

  test('has the same id and the same body byte for byte in every attempt', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await listener(receiver.url)
    await tell(agent.id)
    await market.deliver()
    market.advance(6 * SECOND)
    receiver.answerWith(200)

    await market.deliver()

    const [first, second] = receiver.received
    assert.equal(first!.text, second!.text)
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id'])
    const seconds = (one: Received) => Number(one.headers['webhook-timestamp'])
    assert.equal(seconds(second!) - seconds(first!), 6)
    assert.deepEqual(await outcomes(agent.id), ['1 failed 500', '2 delivered 200'])
  })

  test('goes to the agent’s current URL when it is sent', async (t) => {
    const [before, after] = [await openReceiver(t), await openReceiver(t)]
    before.answerWith(503)
    const agent = await listener(before.url)
    await tell(agent.id)
    await market.deliver()
    await market.asOwner('update agents set webhook_url = $2 where id = $1', [agent.id, after.url])
    market.advance(6 * SECOND)

    await market.deliver()

    assert.equal(before.received.length, 1)
    assert.equal(after.received.length, 1)
  })

  test('is dropped if the agent no longer has a URL', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await listener(receiver.url)
    await tell(agent.id)
    await market.deliver()
    await market.asOwner('update agents set webhook_url = null where id = $1', [agent.id])
    market.advance(6 * SECOND)

    await market.deliver()

    assert.deepEqual(await waiting(agent.id), [])
    assert.equal(receiver.received.length, 1)
  })

  test('is dropped with its expired event, and kept if the event is missing otherwise', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await listener(receiver.url)
    await tell(agent.id, 2)
    await market.events()
    const [old, lost] = await waiting(agent.id)
    await market.asOwner(
      `update deliveries set event_at = event_at - interval '31 days' where event_id = $1`,
      [old!.event_id],
    )
    await market.asOwner('delete from events where id = $1', [lost!.event_id])

    await market.deliver()

    assert.deepEqual(
      (await waiting(agent.id)).map(({ event_id }) => event_id),
      [lost!.event_id],
    )
    assert.equal(receiver.received.length, 0)
    await market.asOwner(`delete from ${schema}.deliveries where agent_id = $1`, [agent.id])
  })
})

describe('the schedule', () => {
  test('makes eight attempts at the published times, plus or minus a fifth, then gives up', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await listener(receiver.url)
    await tell(agent.id)
    await market.deliver()

    for (const [index, delayMs] of DELAYS_MS.entries()) {
      assert.equal(receiver.received.length, index + 1)
      const [row] = await waiting(agent.id)
      const inMs = row!.next_try_at.getTime() - market.now().getTime()
      assert(Math.abs(inMs - delayMs) <= JITTER * delayMs, `${inMs} is not near ${delayMs}`)
      market.advance(inMs - 1)
      await market.deliver()
      assert.equal(receiver.received.length, index + 1, 'not before its time')
      market.advance(1)
      await market.deliver()
    }

    assert.equal(receiver.received.length, 8)
    assert.deepEqual((await outcomes(agent.id)).at(-1), '8 given_up 500')
    assert.deepEqual(await waiting(agent.id), [])
    market.advance(DAY)
    await market.deliver()
    assert.equal(receiver.received.length, 8)
  })

  test('respects Retry-After between the delay and twice the delay', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await listener(receiver.url)
    const waitAfter = async (seconds: number) => {
      receiver.answerWith(503, { 'retry-after': String(seconds) })
      await tell(agent.id)
      await market.deliver()
      const rows = await waiting(agent.id)
      await market.asOwner(`delete from ${schema}.deliveries where agent_id = $1`, [agent.id])
      return rows[0]!.next_try_at.getTime() - market.now().getTime()
    }

    const [below, inside, above] = [await waitAfter(1), await waitAfter(8), await waitAfter(3600)]

    assert(below >= 4000 && below <= 6000, `${below}`)
    assert.equal(inside, 8000)
    assert.equal(above, 10_000)
  })

  test('treats an unreachable receiver as failing, and logs why', async (t) => {
    const receiver = await openReceiver(t)
    await receiver.close()
    const agent = await listener(receiver.url)
    await tell(agent.id)

    await market.deliver()

    const [row] = await attempts(agent.id)
    assert.equal(row!.outcome, 'failed')
    assert.equal(row!.status, null)
    assert.equal(row!.error, 'the connection was refused')
  })
})

describe('410', () => {
  test('disables the webhook_url: the queue is dropped, nothing is added, the agent is notified', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(410)
    const agent = await listener(receiver.url)
    await tell(agent.id, 20)

    await market.deliver()
    assert.deepEqual(await requested(agent.id), ['webhook.disabled'])
    await tell(agent.id)
    await market.deliver()

    assert(receiver.received.length <= market.server.config.WEBHOOK_CONCURRENCY)
    assert((await outcomes(agent.id)).every((one) => one === '1 disabled 410'))
    assert.deepEqual(await waiting(agent.id), [])
    const lane = await laneOf(agent.id)
    assert.equal(lane.disabled_for, 'gone')
    assert.deepEqual(lane.disabled_at, market.now())
  })

  test('of a callback_url disables only that URL', async (t) => {
    const receiver = await openReceiver(t, ({ path }, response) => {
      response.writeHead(path === '/gone' ? 410 : 200).end()
    })
    const agent = await listener()
    const at = (path: string) => new URL(path, receiver.url).href
    const [gone, alive] = [await taskOf(agent, at('/gone')), await taskOf(agent, at('/alive'))]
    await tell(agent.id, 2, gone)
    await tell(agent.id, 1, alive)

    await market.deliver()
    receiver.received.length = 0
    await tell(agent.id, 1, gone)
    await tell(agent.id, 1, alive)
    await market.deliver()

    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/alive'],
    )
    assert.deepEqual(await waiting(agent.id), [])
    assert.deepEqual(await requested(`${agent.id} 127.0.0.1:${receiver.port}`), [])
    const kept = await market.asOwner('select from webhook_lanes where agent_id = $1', [agent.id])
    assert.equal(kept.length, 0, 'a healthy callback host without deliveries needs no row')
  })
})

describe('days of failures', () => {
  test('the agent is notified after three, and disabled after five; then nothing is added', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await listener(receiver.url)
    const failAt = async (ms: number) => {
      market.advance(ms)
      await market.asOwner(`delete from ${schema}.deliveries where agent_id = $1`, [agent.id])
      await tell(agent.id)
      await market.deliver()
      return requested(agent.id)
    }

    assert.deepEqual(await failAt(0), [])
    assert.deepEqual(await failAt(3 * DAY - MINUTE), [])
    assert.deepEqual(await failAt(MINUTE), ['webhook.failing'])
    assert.deepEqual(await failAt(DAY), ['webhook.failing'], 'once')
    assert.deepEqual(await failAt(DAY - MINUTE), ['webhook.failing'])
    assert.deepEqual(await failAt(MINUTE), ['webhook.failing', 'webhook.disabled'])
    const sent = receiver.received.length
    await failAt(MINUTE)

    assert.equal(receiver.received.length, sent)
    assert.deepEqual(await waiting(agent.id), [])
    assert.equal((await laneOf(agent.id)).disabled_for, 'failing')
  })

  test('an agent that is found failing after five days is notified, and has two days left', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await listener(receiver.url)
    await tell(agent.id)
    await market.deliver()
    market.advance(6 * DAY)
    await tell(agent.id)

    await market.deliver()

    assert.deepEqual(await requested(agent.id), ['webhook.failing'])
    assert.equal((await laneOf(agent.id)).disabled_at, null)
  })

  test('one success resets the days', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await listener(receiver.url)
    await tell(agent.id)
    await market.deliver()
    market.advance(3 * DAY)
    await tell(agent.id)
    await market.deliver()
    receiver.answerWith(200)
    market.advance(DAY)

    await market.deliver()

    const { failures, failing_since, warned_at, paused_until } = await laneOf(agent.id)
    assert.deepEqual([failures, failing_since, warned_at, paused_until], [0, null, null, null])
  })

  test('a revived lane gets new and queued deliveries', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(410)
    const agent = await listener(receiver.url)
    await tell(agent.id)
    await market.deliver()
    receiver.answerWith(200)

    await revive(agent.id)
    await tell(agent.id)
    await market.deliver()

    assert.equal(receiver.received.length, 2)
    const { disabled_at, disabled_for, due_at } = await laneOf(agent.id)
    assert.deepEqual([disabled_at, disabled_for, due_at], [null, null, null])
  })

  test('a recovered receiver does not wait for the next attempt', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const [patched, pinged] = [await listener(receiver.url), await listener(receiver.url)]
    for (const { id } of [patched, pinged]) await tell(id, 4)
    await market.deliver()
    market.advance(6 * SECOND)
    await market.deliver()
    receiver.answerWith(200)
    await market.deliver()
    assert.deepEqual((await waiting(pinged.id)).length, 4)

    await revive(patched.id)
    await ping(pinged.id)
    await market.deliver()

    assert.deepEqual([...(await waiting(patched.id)), ...(await waiting(pinged.id))], [])
  })

  test('a ping goes to a disabled receiver once, and enables it on success', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(410)
    const agent = await listener(receiver.url)
    await tell(agent.id)
    await market.deliver()
    receiver.answerWith(500)
    await ping(agent.id)
    await market.deliver()
    assert.equal((await laneOf(agent.id)).disabled_for, 'gone')
    receiver.answerWith(200)
    market.advance(HOUR)

    await ping(agent.id)
    await market.deliver()

    assert.deepEqual(await outcomes(agent.id), [
      '1 disabled 410',
      '1 given_up 500',
      '1 delivered 200',
    ])
    assert.equal((await laneOf(agent.id)).disabled_at, null)
    await tell(agent.id)
    await market.deliver()
    assert.equal(receiver.received.length, 4)
  })
})

describe('the circuit breaker', () => {
  test('pauses after five consecutive failures, then tries one delivery', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await listener(receiver.url)
    await tell(agent.id, 100)
    await market.deliver()
    const first = receiver.received.length
    assert(first >= 5 && first <= 8, `${first}`)

    const counts: number[] = []
    for (let i = 0; i < 12; i += 1) {
      const { paused_until } = await laneOf(agent.id)
      market.advance(paused_until!.getTime() - market.now().getTime())
      await market.deliver()
      counts.push(receiver.received.length)
    }

    assert.deepEqual(
      counts,
      counts.map((_, i) => first + 1 + i),
    )
    const { paused_until, due_at, failures } = await laneOf(agent.id)
    assert.equal(failures, first + 12)
    assert.equal(
      paused_until!.getTime() - market.now().getTime(),
      5 * MINUTE,
      'five minutes at most',
    )
    assert.deepEqual(due_at, paused_until)
  })

  test('closes after a successful probe, and everything is delivered', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await listener(receiver.url)
    await tell(agent.id, 40)
    await market.deliver()
    const failed = receiver.received.length
    receiver.answerWith(200)
    await market.deliver()
    assert.equal(receiver.received.length, failed, 'paused')
    market.advance(10 * SECOND)

    await market.deliver()

    assert.equal(receiver.received.length, 40 + failed)
    assert.deepEqual(await waiting(agent.id), [])
  })

  test('queues new deliveries until the pause ends', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await listener(receiver.url)
    await tell(agent.id, 10)
    await market.deliver()
    const { paused_until } = await laneOf(agent.id)

    await tell(agent.id)
    await market.events()

    assert.deepEqual((await laneOf(agent.id)).due_at, paused_until)
  })
})

describe('concurrency', () => {
  test('no lane and no host exceeds its share, and the share is used', async (t) => {
    const { WEBHOOK_CONCURRENCY, WEBHOOK_HOST_CONCURRENCY } = market.server.config
    const gate = openGate()
    const receiver = await openReceiver(t, gate.answer)
    const agents = await Promise.all(
      Array.from({ length: 8 }, (_, i) => listener(`${receiver.url}/${i}`)),
    )
    for (const { id } of agents) await tell(id, 30)

    await market.deliver()

    assert.equal(receiver.received.length, 240)
    assert.equal(new Set(receiver.received.map(({ body }) => body.id)).size, 240)
    const { all, ...paths } = Object.fromEntries(gate.most)
    assert(all! <= WEBHOOK_HOST_CONCURRENCY, `the host had ${all} at once`)
    assert(all! > WEBHOOK_CONCURRENCY, `lanes wait for each other: ${all} at once`)
    for (const [path, most] of Object.entries(paths))
      assert(most <= WEBHOOK_CONCURRENCY, `${path} had ${most} at once`)
  })

  test('the deliverers of all shards share the turns of a host', async (t) => {
    const gate = openGate()
    const receiver = await openReceiver(t, gate.answer)
    const turns = openTurns(market.server.config)
    const deliverers = market.backgrounds().map((one) => openDeliverer(one, { turns }))
    t.after(() => Promise.all(deliverers.map((one) => one.stop())))
    const agents = []
    for (let i = 0; i < 16; i += 1)
      agents.push(await market.agent({ webhook_url: `${receiver.url}/${i}` }))
    for (const { id } of agents) await tell(id, 10)
    await market.events()

    await until(async () => {
      await Promise.all(deliverers.map((one) => one.step()))
      return receiver.received.length >= 160
    })
    await Promise.all(deliverers.map((one) => one.idle()))

    assert.equal(receiver.received.length, 160)
    const most = gate.most.get('all')!
    assert(most <= market.server.config.WEBHOOK_HOST_CONCURRENCY, `the host had ${most} at once`)
  })

  test('one hanging request does not block the others of its lane', async (t) => {
    const hanging: ServerResponse[] = []
    const receiver = await openReceiver(t, ({ body }, response) => {
      if (body.data.n === 0) hanging.push(response)
      else response.end()
    })
    const agent = await listener(receiver.url)
    const deliverer = openDeliverer(background)
    t.after(() => deliverer.stop())
    await tell(agent.id)
    await market.events()
    await deliverer.step()
    await until(() => hanging.length === 1)
    await tell(agent.id, 10, undefined, 1)
    await market.events()

    await until(async () => (await deliverer.step(), receiver.received.length === 11))

    hanging[0]!.end()
    await deliverer.idle()
    assert.deepEqual(await waiting(agent.id), [])
  })

  test('hanging lanes leave their places to others', async (t) => {
    const hanging: ServerResponse[] = []
    const stuck = await openReceiver(t, (_, response) => void hanging.push(response))
    const receiver = await openReceiver(t)
    const config = { ...market.server.config, WEBHOOK_LANES: 2 }
    const deliverer = openDeliverer({ ...background, config })
    t.after(() => deliverer.stop())
    for (let i = 0; i < 2; i += 1) await tell((await listener(stuck.url)).id)
    await market.events()
    market.advance(1)
    const agent = await listener(receiver.url)
    await tell(agent.id)
    await market.events()

    await until(async () => (await deliverer.step(), receiver.received.length === 1))

    for (const response of hanging) response.end()
    await deliverer.idle()
  })

  test('a lane yields after its time slice if others wait', async (t) => {
    const receiver = await openReceiver(t)
    const config = { ...market.server.config, WEBHOOK_LANES: 1 }
    const deliverer = openDeliverer({ ...background, config })
    t.after(() => deliverer.stop())
    const [busy, small] = [await listener(receiver.url), await listener(receiver.url)]
    await tell(busy.id, 300)
    await market.events()
    market.advance(1)
    await tell(small.id)
    await market.events()

    await until(async () => {
      market.advance(1)
      await deliverer.step()
      return receiver.received.length === 301
    })

    const owners = receiver.received.map(({ body }) => body.data.of as string)
    const place = owners.indexOf(small.id)
    assert(place >= 100 && place < 120, `it was delivered as number ${place}`)
    await deliverer.idle()
  })
})

describe('fairness', () => {
  test('100,000 deliveries to a dead receiver do not delay another agent’s event', async (t) => {
    const dead = await openReceiver(t)
    await dead.close()
    const receiver = await openReceiver(t)
    const [loser, winner] = [await listener(dead.url), await listener(receiver.url)]
    await fill(loser.id, 100_000)
    await revive(loser.id)
    await tell(winner.id)

    const begun = performance.now()
    await market.deliver()
    const ms = performance.now() - begun

    t.diagnostic(`${Math.round(ms)} ms`)
    assert.equal(receiver.received.length, 1)
    assert(ms < (await limitFor(market, 1000)), `it took ${ms} ms`)
    await market.asOwner(`delete from ${schema}.deliveries where agent_id = $1`, [loser.id])
  })

  test('the queue of a disabled receiver is dropped in pages, whatever its size', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(410)
    const agent = await listener(receiver.url)
    await tell(agent.id)
    await market.deliver()
    await fill(agent.id, 20_000)
    await market.asOwner('update webhook_lanes set due_at = disabled_at where id = $1', [agent.id])

    await market.deliver()

    assert.deepEqual(await waiting(agent.id), [])
    assert.equal(receiver.received.length, 1)
  })
})

describe('two processes', () => {
  test('send each event once if neither crashes', async (t) => {
    const gate = openGate()
    const receiver = await openReceiver(t, gate.answer)
    const deliverers = Array.from({ length: 2 }, () => openDeliverer(background))
    t.after(() => Promise.all(deliverers.map((one) => one.stop())))
    const agents = await Promise.all(Array.from({ length: 20 }, () => listener(receiver.url)))
    for (const { id } of agents) await tell(id, 20)

    await until(async () => {
      await market.events()
      await Promise.all(deliverers.map((one) => one.step()))
      return receiver.received.length >= 400
    })
    await Promise.all(deliverers.map((one) => one.idle()))

    assert.equal(receiver.received.length, 400)
    assert.equal(new Set(receiver.received.map(({ body }) => body.id)).size, 400)
  })

  test('take over lost deliveries, and count them once', async (t) => {
    const open: ServerResponse[] = []
    const receiver = await openReceiver(t, (_, response) => void open.push(response))
    const [frozen, other] = [openDeliverer(background), openDeliverer(background)]
    t.after(() => Promise.all([frozen.stop(), other.stop()]))
    const agent = await listener(receiver.url)
    await tell(agent.id, 6)
    await market.events()
    await frozen.step()
    await until(() => open.length === 4)

    // Simulates a frozen process: its lease has expired and it had no time to renew it.
    market.advance(3 * SECOND)
    await other.step()
    await until(() => open.length === 8)
    for (const response of open) response.writeHead(500).end()
    await frozen.idle()
    await until(() => open.length === 10)
    for (const response of open.slice(8)) response.end()
    await other.idle()

    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, 6)
    assert.deepEqual(ids.slice(0, 4), ids.slice(4, 8))
    const rows = await waiting(agent.id)
    assert.deepEqual(
      rows.map(({ attempts: count }) => count),
      [1, 1, 1, 1],
    )
    assert.equal((await outcomes(agent.id)).filter((one) => one === '1 failed 500').length, 8)
    assert.equal((await laneOf(agent.id)).failures, 0, 'only its holder moves the lane')
  })

  test('a process that lost a lane does not start what it had read', async (t) => {
    const open: ServerResponse[] = []
    const receiver = await openReceiver(t, (_, response) => void open.push(response))
    const frozen = openDeliverer(background)
    t.after(() => frozen.stop())
    const agent = await listener(receiver.url)
    await tell(agent.id, 30)
    await market.events()
    await frozen.step()
    await until(() => open.length === 4)
    await market.asOwner(
      `update webhook_lanes set held_by = 'another', due_at = due_at + interval '1 hour',
              held_until = held_until + interval '1 hour' where id = $1`,
      [agent.id],
    )
    market.advance(3 * SECOND)

    for (const response of open) response.end()
    await frozen.idle()

    assert.equal(receiver.received.length, 4)
    assert.equal((await waiting(agent.id)).length, 26)
    assert.equal((await laneOf(agent.id)).held_by, 'another')
  })
})

describe('stopping', () => {
  test('running deliveries are finished and recorded; the rest is left for others at once', async (t) => {
    const open: ServerResponse[] = []
    const receiver = await openReceiver(t, (_, response) => void open.push(response))
    const deliverer = openDeliverer(background)
    const agent = await listener(receiver.url)
    await tell(agent.id, 30)
    await market.events()
    await deliverer.step()
    await until(() => open.length === 4)

    const stopped = deliverer.stop()
    for (const response of open) response.end()
    await stopped

    assert.deepEqual(await outcomes(agent.id), Array<string>(4).fill('1 delivered 200'))
    assert.equal((await waiting(agent.id)).length, 26)
    const { held_by, due_at } = await laneOf(agent.id)
    assert.deepEqual([held_by, due_at], [null, market.now()])
  })
})

describe('a database outage', () => {
  test('delays recording, loses nothing, and causes no duplicates if it is short', async (t) => {
    const open: ServerResponse[] = []
    const receiver = await openReceiver(t, (_, response) => void open.push(response))
    let isAway = false
    const db: Db = {
      ...background.db,
      async call(...args) {
        if (isAway) throw unavailable({ retry_after_seconds: 1 })
        return background.db.call(...args) as never
      },
    }
    const deliverer = openDeliverer({ ...background, db })
    t.after(() => deliverer.stop())
    const agent = await listener(receiver.url)
    await tell(agent.id, 6)
    await market.events()
    await deliverer.step()
    await until(() => open.length === 4)

    isAway = true
    await assert.rejects(deliverer.step())
    for (const response of open) response.end()
    await until(() => open.length === 6)
    for (const response of open.slice(4)) response.end()
    setTimeout(() => {
      isAway = false
    }, 100)
    await deliverer.idle()

    assert.equal(receiver.received.length, 6)
    assert.deepEqual(await outcomes(agent.id), Array<string>(6).fill('1 delivered 200'))
    assert.deepEqual(await waiting(agent.id), [])
  })
})

describe('the clock', () => {
  test('that is behind ours does not expire a lease', async (t) => {
    const receiver = await openReceiver(t)
    const clock = steppedClock(new Date(market.now().getTime() - HOUR))
    const agent = await listener(receiver.url)
    await tell(agent.id)
    await market.events()
    const deliverer = openDeliverer({ ...background, clock })
    t.after(() => deliverer.stop())

    await deliverer.step()
    await deliverer.idle()
    assert.equal(receiver.received.length, 0, 'not due there yet')
    clock.advance(HOUR)
    await deliverer.step()
    await deliverer.idle()

    assert.equal(receiver.received.length, 1)
  })
})

/** An agent that receives every event recorded in these tests. */
const listener = (webhook_url?: string) =>
  market.agent({
    balanceCents: 10_000,
    near: first,
    ...(webhook_url !== undefined && { webhook_url }),
  })

async function taskOf(agent: Awaited<ReturnType<typeof listener>>, callback_url: string) {
  const task = await market.taskIn(agent, 'pending', { callback_url })
  return task.id
}

const tell = (agentId: string, count = 1, taskId?: string, n = 0) =>
  market.at(agentId).transaction((tx) =>
    recordEvents(
      tx,
      Array.from({ length: count }, (_, i) => ({
        type: 'task.consensus_proof',
        agentId,
        ...(taskId !== undefined && { task: { id: taskId, sequence: i + 1 } }),
        data: { n: n + i, of: agentId },
        now: market.now(),
      })),
    ),
  )

/** Queues deliveries the way the relay would. Only the first 100 of them have an event in the log. */
const fill = (agentId: string, count: number) =>
  market.asOwner(
    `with logged as (
       insert into ${schema}.events (id, type, agent_id, data, created_at)
       select 'evt_' || $1 || i, 'task.consensus_proof', $1, '{}', $3::timestamptz
         from generate_series(1, least($2::integer, 100)) i)
     insert into ${schema}.deliveries (event_id, lane, agent_id, event_at, attempts_max, next_try_at, created_at)
       select 'evt_' || $1 || i, $1, $1, $3, 8, $3 - interval '1 s' + interval '1 us' * i, $3
         from generate_series(1, $2) i`,
    [agentId, count, market.now()],
  )

/** Does what POST /webhooks/ping does. */
async function ping(agentId: string): Promise<void> {
  await market
    .at(agentId)
    .transaction((tx) =>
      recordEvents(tx, [{ type: 'webhook.ping', agentId, data: {}, now: market.now() }]),
    )
  const [event] = (await market.events()).filter(({ type }) => type === 'webhook.ping')
  await market.asOwner(
    `with waiting as (
       insert into ${schema}.deliveries (event_id, lane, agent_id, event_at, attempts_max, next_try_at, created_at)
       values ($1, $2, $2, $3, 1, $3, $3))
     update ${schema}.webhook_lanes set due_at = $3, paused_until = null where id = $2`,
    [event!.id, agentId, event!.created_at],
  )
}

const revive = (id: string) =>
  market.at(id).transaction((tx) => reviveLane(tx, { id, agentId: id, now: market.now() }))

interface Waiting {
  event_id: string
  attempts: number
  next_try_at: Date
}

const waiting = async (agentId: string) =>
  (await market.asOwner('select * from deliveries where agent_id = $1 order by event_id', [
    agentId,
  ])) as Waiting[]

const attempts = (agentId: string) =>
  market.asOwner('select * from delivery_attempts where agent_id = $1 order by id', [agentId])

const outcomes = async (agentId: string) =>
  (await attempts(agentId)).map(({ number, outcome, status }) => `${number} ${outcome} ${status}`)

interface LaneRow {
  failures: number
  due_at: Date | null
  paused_until: Date | null
  failing_since: Date | null
  warned_at: Date | null
  disabled_at: Date | null
  disabled_for: string | null
  held_by: string | null
}

const laneOf = async (id: string) =>
  (await market.asOwner('select * from webhook_lanes where id = $1', [id]))[0] as LaneRow

/** The emails requested so far; each is in the outbox until the next relay takes it. */
async function requested(lane: string): Promise<string[]> {
  const rows = await market.asOwner(
    `select type from outbox where data ->> 'id' = $1 and type like 'webhook.%' order by position`,
    [lane],
  )
  const types = rows.map(({ type }) => type as string)
  const before = told.get(lane) ?? []
  told.set(lane, [...before, ...types])
  await market.asOwner(`delete from outbox where data ->> 'id' = $1`, [lane])
  return told.get(lane)!
}
const told = new Map<string, string[]>()

/** Responds after 5 ms and records the highest number of concurrent requests, in total and per path. */
function openGate() {
  const now = new Map<string, number>()
  const most = new Map<string, number>()
  const count = (key: string, by: number) => {
    now.set(key, (now.get(key) ?? 0) + by)
    most.set(key, Math.max(most.get(key) ?? 0, now.get(key)!))
  }
  return {
    most,
    answer({ path }: Received, response: ServerResponse) {
      for (const key of ['all', path]) count(key, 1)
      setTimeout(() => {
        for (const key of ['all', path]) count(key, -1)
        response.end()
      }, 5)
    },
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + 8000
  while (!(await isSo())) {
    assert(performance.now() < endsAt, 'waited for too long')
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  }
}
