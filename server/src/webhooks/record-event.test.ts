import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { idPattern, shardOf } from '../kit/ids.ts'
import { type Event, recordEvents, requestAgentMail, requestMail } from './record-event.ts'

const market = await marketplace()

describe('recordEvents', () => {
  test('events appear with the transaction that recorded them, in order', async () => {
    const agent = await market.agent()
    const event = cancelled(agent.id)

    await market.at(agent.id).transaction(async (tx) => {
      await recordEvents(tx, [event, { ...event, type: 'task.expired' }])
      await recordEvents(tx, [event])
    })

    const events = await market.events()
    assert.deepEqual(
      events.map(({ type }) => type),
      ['task.cancelled', 'task.expired', 'task.cancelled'],
    )
    assert.deepEqual(events[0]!.data, { task: { id: 'task_x' } })
    assert.equal(events[0]!.agent_id, agent.id)
    assert.equal(events[0]!.task_id, null)
    assert.deepEqual(events[0]!.created_at, market.now())
  })

  test('events of a rolled-back transaction never appear', async () => {
    const agent = await market.agent()
    const rolledBack = market.at(agent.id).transaction(async (tx) => {
      await recordEvents(tx, [cancelled(agent.id)])
      throw new Error('changed our mind')
    })

    await assert.rejects(rolledBack, /changed our mind/)

    assert.deepEqual(await market.events(), [])
    assert.deepEqual(await market.asOwner('select from events where agent_id = $1', [agent.id]), [])
  })

  test('an event has its own id, on the shard of its agent', async () => {
    const agent = await market.agent()

    await market
      .at(agent.id)
      .transaction((tx) => recordEvents(tx, [cancelled(agent.id), cancelled(agent.id)]))

    const ids = (await market.events()).map(({ id }) => id)
    assert.equal(new Set(ids).size, 2)
    assert(ids.every((id) => idPattern('evt').test(id) && shardOf(id) === shardOf(agent.id)))
  })

  test('an empty list runs no statement', async () => {
    await market.server.db.shards.global.transaction((tx) => recordEvents(tx, []))

    assert.deepEqual(await market.events(), [])
  })
})

describe('requestAgentMail', () => {
  test('is an internal event on the agent’s shard, and not in the agents’ log', async () => {
    const { id } = await market.agent()

    await market
      .at(id)
      .transaction((tx) =>
        requestAgentMail(tx, { agentId: id, template: 'recover', now: market.now() }),
      )

    const [event] = await market.events()
    assert.equal(event!.type, 'agent.mail_requested')
    assert.equal(event!.agent_id, null)
    assert.equal(shardOf(event!.id), shardOf(id))
    assert.deepEqual(event!.data, { agent_id: id, template: 'recover' })
    const logged = `select from events where type = 'agent.mail_requested'`
    assert.deepEqual(await market.asOwner(logged), [])
  })
})

describe('requestMail', () => {
  test('is an internal event on the worker’s shard, without an agent, and not in the agents’ log', async () => {
    const { id } = await market.worker()

    await market
      .at(id)
      .transaction((tx) => requestMail(tx, { workerId: id, template: 'verify', now: market.now() }))

    const [event] = await market.events()
    assert.equal(event!.type, 'mail.requested')
    assert.equal(event!.agent_id, null)
    assert.equal(shardOf(event!.id), shardOf(id))
    assert.deepEqual(event!.data, { worker_id: id, template: 'verify' })
    assert.deepEqual(await market.asOwner(`select from events where type = 'mail.requested'`), [])
  })

  test('is also written without a worker', async () => {
    await market.server.db.shards.global.transaction((tx) =>
      requestMail(tx, { workerId: undefined, template: 'reset', now: market.now() }),
    )

    const [event] = await market.events()
    assert.deepEqual(event!.data, { worker_id: null, template: 'reset' })
  })
})

function cancelled(agentId: string): Event {
  return { type: 'task.cancelled', agentId, data: { task: { id: 'task_x' } }, now: market.now() }
}
