import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { marketplace } from '../../test/harness.ts'
import { takeEvents } from './take-events.ts'

const market = await marketplace()
/** The shard of all agents here, whose ids name none. */
const shard = market.at('agent_x')
const outbox = `${shard.schema.name}.outbox`

describe('takeEvents', () => {
  test('takes the oldest events in order, up to the limit', async () => {
    await fill(10)

    const first = await take(4)
    const second = await take(100)

    assert.deepEqual(numbers(first), [1, 2, 3, 4])
    assert.deepEqual(numbers(second), [5, 6, 7, 8, 9, 10])
    assert.deepEqual(await take(100), [])
  })

  test('keeps their order in a full outbox, which uses another query plan', async () => {
    await fill(50_000)
    await market.asOwner(`vacuum analyze ${outbox}`)

    const taken = await take(500)
    await market.asOwner(`delete from ${outbox}`)

    assert.deepEqual(
      numbers(taken),
      Array.from({ length: 500 }, (_, i) => i + 1),
    )
  })

  test('writes the agents’ events to their log, and not task.created', async () => {
    await fill(2, 'task.created')
    await fill(1, 'task.expired')

    const taken = await take(10)

    const logged = await market.asOwner(`select type from events where type <> 'task.cancelled'`)
    assert.deepEqual(
      taken.map(({ type }) => type),
      ['task.created', 'task.created', 'task.expired'],
    )
    assert.deepEqual(logged, [{ type: 'task.expired' }])
  })

  test('gives jobs only the data of internal events, and the log the data of all', async () => {
    await market.asOwner('delete from events')
    await fill(1, 'task.created')
    await fill(1, 'task.disputed')

    const taken = await shard.transaction((tx) => takeEvents(tx, 10, { ...at(), dataOf: 'work' }))

    assert.deepEqual(
      taken.map(({ type, data }) => ({ type, data })),
      [
        { type: 'task.created', data: { number: 1 } },
        { type: 'task.disputed', data: null },
      ],
    )
    assert.deepEqual(await market.asOwner('select data from events'), [{ data: { number: 1 } }])
  })

  test('a relay that stalls is cut off soon', async () => {
    const patience = await shard.transaction(async (tx) => {
      await takeEvents(tx, 10, at())
      return sql<object>`show idle_in_transaction_session_timeout`.execute(tx)
    })

    assert.deepEqual(patience.rows, [{ idle_in_transaction_session_timeout: '2s' }])
  })

  test('skips events that another transaction is taking', async () => {
    await fill(3)
    await fill(3, 'task.cancelled', 'agent_y')

    const both = await shard.transaction(async (one) => {
      const first = await takeEvents(one, 3, at())
      const second = await shard.transaction((other) => takeEvents(other, 10, at()))
      return [numbers(first), numbers(second)]
    })

    assert.deepEqual(both, [
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  test('numbers the events of each agent without a gap, in readable order', async () => {
    await market.asOwner('delete from events')
    await fill(3, 'task.expired', 'agent_n')
    await fill(2, 'task.created', 'agent_n')
    await fill(2, 'task.expired', 'agent_m')

    await Promise.all([take(2), take(2), take(10)])

    const rows = await market.asOwner(
      'select agent_id, array_agg(number order by number) as numbers from events group by 1 order by 1',
    )
    assert.deepEqual(rows, [
      { agent_id: 'agent_m', numbers: ['1', '2'] },
      { agent_id: 'agent_n', numbers: ['1', '2', '3'] },
    ])
  })

  test('restores the events if the transaction rolls back', async () => {
    await fill(3)
    const before = await logSize()
    const rolledBack = shard.transaction(async (tx) => {
      await takeEvents(tx, 10, at())
      throw new Error('crashed')
    })

    await assert.rejects(rolledBack, /crashed/)

    assert.equal(await logSize(), before)
    assert.deepEqual(numbers(await take(10)), [1, 2, 3])
  })
})

const at = () => ({ now: market.now() })
const take = (limit: number) => shard.transaction((tx) => takeEvents(tx, limit, at()))
const numbers = (events: { data: unknown }[]) =>
  events.map(({ data }) => (data as { number: number }).number)

async function fill(count: number, type = 'task.cancelled', agentId = 'agent_x'): Promise<void> {
  await market.asOwner(
    `insert into ${outbox} (id, type, agent_id, data, created_at)
     select gen_random_uuid()::text, $2, $3, json_build_object('number', i), now()
       from generate_series(1, $1::integer) i order by i`,
    [count, type, agentId],
  )
}

async function logSize(): Promise<number> {
  const [row] = await market.asOwner('select count(*)::integer as count from events')
  return row!.count as number
}
