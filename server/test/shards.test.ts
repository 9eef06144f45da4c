/** The trigger of shards.sql: even while there is only one database, no transaction may span what would be two. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../src/kit/db.ts'
import { databaseOf, mintId, SHARDS, shardOf } from '../src/kit/ids.ts'
import { createInBatch } from '../src/tasks/creations.ts'
import { draftTask } from '../src/tasks/draft.ts'
import { marketplace } from './harness.ts'

const DATABASES = 16
const home = (id: string) => databaseOf(shardOf(id), DATABASES)

const market = await marketplace()
const agents = await Promise.all(
  Array.from({ length: 20 }, () => market.agent({ balanceCents: 100_000, freeTasks: false })),
)
const byHome = Map.groupBy(agents, ({ id }) => home(id))
const [here, there] = [...byHome.values()].map(([agent]) => agent!)
// With twenty agents in sixteen databases, two must share one.
const neighbors = [...byHome.values()].find((group) => group.length > 1)!

describe('a transaction', () => {
  test('that writes for two agents of two databases fails', async () => {
    const rename = market.db.transaction(async (tx) => {
      for (const { id } of [here!, there!])
        await tx.updateTable('agents').set({ name: 'Renamed' }).where('id', '=', id).execute()
    })

    await assert.rejects(rename, /writes to the shards of two databases/)
    const named = await market.asOwner(`select 1 from agents where name = 'Renamed'`)
    assert.deepEqual(named, [])
  })

  test('that writes for two agents of one database passes', async () => {
    await market.db.transaction(async (tx) => {
      for (const { id } of neighbors.slice(0, 2))
        await tx.updateTable('agents').set({ name: 'Neighbor' }).where('id', '=', id).execute()
    })

    const named = await market.asOwner(`select 1 from agents where name = 'Neighbor'`)
    assert.equal(named.length, 2)
  })

  test('that declares a crossing may reach any worker, but no other agent', async () => {
    const worker = await market.worker()
    const stranger = agents.find(({ id }) => home(id) !== home(worker.id))!
    const rename = (ids: [string, string], crossing: boolean) =>
      market.db.transaction(async (tx) => {
        if (crossing) await sql`set local legwork.crossing = 'shards.test'`.execute(tx)
        for (const id of ids) {
          const table = id.startsWith('worker') ? 'workers' : 'agents'
          await tx.updateTable(table).set({ name: 'Crossed' }).where('id', '=', id).execute()
        }
      })

    await rename([stranger.id, worker.id], true)

    const named = await market.asOwner(`select 1 from workers where name = 'Crossed'`)
    assert.equal(named.length, 1)
    await assert.rejects(rename([stranger.id, worker.id], false), /two databases/)
    await assert.rejects(rename([here!.id, there!.id], true), /two databases/)
  })

  test('that approves reaches a worker of another database', async () => {
    const far = await market.worker()
    const agent = agents.find(({ id }) => home(id) !== home(far.id))!
    const task = await market.taskIn(agent, 'pending')
    await far.post(`/worker/tasks/${task.id}/accept`)
    await far.post(`/worker/tasks/${task.id}/proof`, { text: 'Done' })

    const { status } = await agent.post(`/tasks/${task.id}/approve`)

    assert.equal(status, 200)
    assert.equal(await market.payable(far.id), 2050)
  })

  test('that fails leaves no mark on the connection', async () => {
    const write = (id: string) =>
      market.db.transaction((tx) =>
        tx.updateTable('agents').set({ name: 'After' }).where('id', '=', id).execute(),
      )

    await assert.rejects(
      market.db.transaction(async (tx) => {
        await tx.updateTable('agents').set({ name: 'A' }).where('id', '=', here!.id).execute()
        await tx.updateTable('agents').set({ name: 'B' }).where('id', '=', there!.id).execute()
      }),
    )
    for (const { id } of agents) await write(id)

    const named = await market.asOwner(`select 1 from agents where name = 'After'`)
    assert.equal(named.length, 20)
  })
})

describe('the database of a row', () => {
  test('is computed the same by TypeScript and by the trigger, for any id', async () => {
    const prefixes = ['agent', 'worker', 'task', 'txn', 'evt', 'key'] as const
    const ids = Array.from({ length: 500 }, (_, i) => {
      const at = new Date(Math.floor(Math.random() * 4e12))
      const shard = i < 4 ? [0, 255, 256, SHARDS - 1][i]! : Math.floor(Math.random() * SHARDS)
      return { shard, id: mintId(prefixes[i % prefixes.length]!, at, shard) }
    })

    const rows = await market.asOwner(
      'select test_database_of(id) as home from unnest($1::text[]) with ordinality u(id, n) order by n',
      [ids.map(({ id }) => id)],
    )

    assert.deepEqual(
      ids.map(({ id }) => shardOf(id)),
      ids.map(({ shard }) => shard),
    )
    assert.deepEqual(
      rows.map((row) => row.home as number),
      ids.map(({ id }) => home(id)),
    )
    assert.equal(new Set(rows.map((row) => row.home as number)).size, DATABASES)
  })

  test('is the same for a task and its agent', async () => {
    const replies = await Promise.all(
      agents.map((agent) => agent.post('/tasks', { description: 'Look', budget_cents: 500 })),
    )

    assert.deepEqual(
      replies.map(({ body }) => shardOf(body.task.id)),
      agents.map(({ id }) => shardOf(id)),
    )
  })
})

describe('concurrent creations of 20 agents', () => {
  test('all succeed through the API', async () => {
    const replies = await Promise.all(
      agents.flatMap((agent) =>
        Array.from({ length: 5 }, () =>
          agent.post('/tasks', { description: 'Look', budget_cents: 500 }),
        ),
      ),
    )

    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  })

  test('are batched per database, and none is retried', async () => {
    const calls = await createAll(DATABASES)

    assert.deepEqual(calls.failed, [])
    assert.ok(calls.made < 100, `100 creations in ${calls.made} calls`)
  })

  test('control: fail by the trigger if batches assume one database', async () => {
    const calls = await createAll(1)

    assert.ok(calls.failed.length > 0)
    assert.match(calls.failed[0]!, /writes to the shards of two databases/)
  })
})

/** Five concurrent creations per agent, with the results of the database calls. */
async function createAll(databases: number): Promise<{ made: number; failed: string[] }> {
  const calls = { made: 0, failed: [] as string[] }
  const { db } = market
  const watched: Db = {
    ...db,
    async call(...query) {
      calls.made += 1
      return db.call<any>(...query).catch((error: Error) => {
        calls.failed.push(error.message)
        throw error
      })
    },
  }
  const config = { ...market.server.config, SHARD_DATABASES: databases }
  const now = market.now()

  const outcomes = await Promise.all(
    agents.flatMap(({ id }) =>
      Array.from({ length: 5 }, () =>
        createInBatch(watched, config, {
          taskId: mintId('task', now, shardOf(id)),
          keyId: 'key',
          draft: draftTask(
            { description: 'Look', budget_cents: 500 },
            { agent: { id, mode: 'live' }, now, warn: () => {} },
          ),
          mayBeFree: true,
          claim: undefined,
          render: () => '',
        }),
      ),
    ),
  )

  // A failed batch is retried item by item, so in the end each creation gets its task.
  assert.deepEqual(new Set(outcomes.map(({ outcome }) => outcome)), new Set(['created']))
  return calls
}
