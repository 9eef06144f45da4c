import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { takeEvents } from './take-events.ts'

const market = await marketplace()

describe('takeEvents', () => {
  test('takes the oldest, in their order, and no more than asked for', async () => {
    await fill(10)

    const first = await take(4)
    const second = await take(100)

    assert.deepEqual(numbers(first), [1, 2, 3, 4])
    assert.deepEqual(numbers(second), [5, 6, 7, 8, 9, 10])
    assert.deepEqual(await take(100), [])
  })

  test('keeps their order in a full outbox, which is read in another way', async () => {
    await fill(50_000)
    await market.asOwner('vacuum analyze outbox')

    const taken = await take(500)
    await market.asOwner('delete from outbox')

    assert.deepEqual(
      numbers(taken),
      Array.from({ length: 500 }, (_, i) => i + 1),
    )
  })

  test('writes to the log of agents what concerns them, and not task.created', async () => {
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

  test('leaves alone what another transaction is taking', async () => {
    await fill(6)

    const both = await market.db.transaction(async (one) => {
      const first = await takeEvents(one, 3)
      const second = await market.db.transaction((other) => takeEvents(other, 10))
      return [numbers(first), numbers(second)]
    })

    assert.deepEqual(both, [
      [1, 2, 3],
      [4, 5, 6],
    ])
  })

  test('what was taken is there again when the transaction rolls back', async () => {
    await fill(3)
    const before = await logSize()
    const rolledBack = market.db.transaction(async (tx) => {
      await takeEvents(tx, 10)
      throw new Error('crashed')
    })

    await assert.rejects(rolledBack, /crashed/)

    assert.equal(await logSize(), before)
    assert.deepEqual(numbers(await take(10)), [1, 2, 3])
  })
})

const take = (limit: number) => market.db.transaction((tx) => takeEvents(tx, limit))
const numbers = (events: { data: unknown }[]) =>
  events.map(({ data }) => (data as { number: number }).number)

async function fill(count: number, type = 'task.cancelled'): Promise<void> {
  await market.asOwner(
    `insert into outbox (id, type, agent_id, data, created_at)
     select gen_random_uuid()::text, $2, 'agent_x', json_build_object('number', i), now()
       from generate_series(1, $1::integer) i order by i`,
    [count, type],
  )
}

async function logSize(): Promise<number> {
  const [row] = await market.asOwner('select count(*)::integer as count from events')
  return row!.count as number
}
