import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { type EventType, recordEvents } from './record-event.ts'

const market = await marketplace()
const ADDRESS = 'http://127.0.0.1:9/hooks'
const CALLBACK = 'http://127.0.0.1:9/callback'

describe('addDeliveries', () => {
  test('without a selection, four event types are delivered, and no others', async () => {
    const agent = await market.agent({ webhook_url: ADDRESS })

    await tell(agent.id, ['task.proof_submitted', 'task.completed', 'task.disputed'])
    await tell(agent.id, ['task.consensus_proof', 'task.accepted', 'payout.paid'])

    assert.deepEqual(await told(agent.id), [
      'task.completed',
      'task.consensus_proof',
      'task.disputed',
      'task.proof_submitted',
    ])
  })

  test('with a selection, only those types are delivered', async () => {
    const agent = await market.agent({ webhook_url: ADDRESS, events: ['task.accepted'] })

    await tell(agent.id, ['task.completed', 'task.accepted'])

    assert.deepEqual(await told(agent.id), ['task.accepted'])
  })

  test('without a URL nothing is queued or stored', async () => {
    const agent = await market.agent()

    await tell(agent.id, ['task.completed'])

    assert.deepEqual(await told(agent.id), [])
    assert.deepEqual(await lanesOf(agent.id), [])
  })

  test('a task’s callback_url replaces the agent’s URL, and each host has a lane', async () => {
    const agent = await market.agent({ webhook_url: ADDRESS, balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'pending', { callback_url: CALLBACK })

    await tell(agent.id, ['task.completed'], task.id)
    await tell(agent.id, ['task.completed'])

    const rows = await market.asOwner(
      'select lane, url from deliveries where agent_id = $1 order by lane',
      [agent.id],
    )
    assert.deepEqual(rows, [
      { lane: agent.id, url: null },
      { lane: `${agent.id} 127.0.0.1:9`, url: CALLBACK },
    ])
    assert.deepEqual(
      (await lanesOf(agent.id)).map(({ due_at }) => due_at as Date),
      [market.now(), market.now()],
    )
  })

  test('a disabled receiver gets nothing new, nor does a callback_url that is gone', async () => {
    const agent = await market.agent({ webhook_url: ADDRESS, balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'pending', { callback_url: CALLBACK })
    await tell(agent.id, ['task.completed'])
    await market.asOwner(
      `update webhook_lanes set disabled_at = now(), disabled_for = 'gone' where id = $1`,
      [agent.id],
    )
    await market.asOwner('insert into gone_callbacks values ($1, $2, now())', [agent.id, CALLBACK])

    await tell(agent.id, ['task.disputed'])
    await tell(agent.id, ['task.disputed'], task.id)

    assert.deepEqual(await told(agent.id), ['task.completed'])
  })

  test('the time of an event is not rounded', async () => {
    const agent = await market.agent({ webhook_url: ADDRESS })
    await market.asOwner(
      `insert into outbox (id, type, agent_id, data, created_at)
       values ('evt_exact', 'task.completed', $1, '{}', '2026-01-02T03:04:05.678901Z')`,
      [agent.id],
    )

    await market.events()

    const [row] = await market.asOwner(
      `select d.event_at = e.created_at as same from deliveries d, events e
        where d.event_id = 'evt_exact' and e.id = d.event_id`,
    )
    assert.equal(row!.same, true)
  })
})

async function tell(agentId: string, types: EventType[], taskId?: string): Promise<void> {
  const task = taskId === undefined ? {} : { task: { id: taskId, sequence: 1 } }
  await market.at(agentId).transaction((tx) =>
    recordEvents(
      tx,
      types.map((type) => ({ type, agentId, ...task, data: {}, now: market.now() })),
    ),
  )
  await market.events()
}

const told = async (agentId: string) => {
  const rows = await market.asOwner(
    `select e.type from deliveries d join events e on e.id = d.event_id
      where d.agent_id = $1 order by e.type`,
    [agentId],
  )
  return rows.map(({ type }) => type as string)
}

const lanesOf = (agentId: string) =>
  market.asOwner('select id, due_at from webhook_lanes where agent_id = $1 order by id', [agentId])
