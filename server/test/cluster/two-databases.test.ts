/**
 * A market whose sixteen shards are in two databases. Agent and worker live in different ones, so no transaction
 * includes both: what one does, the other still sees as soon as the first has a response.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { query } from '../../../scripts/postgres.ts'
import { urlOf } from '../../src/kit/databases.ts'
import { shardOf } from '../../src/kit/ids.ts'
import { marketplace, PHOTO, type TestWorker } from '../harness.ts'
import { ops } from '../ops.ts'

const market = await marketplace({ shards: 16, databases: 2 })
const { shards } = market.server.db

const databaseOf = (id: string) => market.at(id).schema.database

async function agentIn(database: string) {
  for (;;) {
    const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
    if (databaseOf(agent.id) === database) return agent
  }
}

async function workerIn(
  database: string,
  make: () => Promise<TestWorker> = () => market.worker(),
): Promise<TestWorker> {
  for (;;) {
    const worker = await make()
    if (databaseOf(worker.id) === database) return worker
  }
}

const ownTask = async (worker: TestWorker) => (await worker.get('/worker/tasks')).body.tasks[0]

async function crossings(): Promise<number> {
  const rows = await market.asOwner('select count(*)::int as n from crossings')
  return rows.reduce((sum, { n }) => sum + Number(n), 0)
}

for (const [agentHome, workerHome] of [
  ['main', 'b1'],
  ['b1', 'main'],
] as const)
  describe(`an agent in ${agentHome} and a worker in ${workerHome}`, async () => {
    const agent = await agentIn(agentHome)
    const worker = await workerIn(workerHome)

    async function proven(fields: Record<string, unknown> = {}): Promise<string> {
      const { body } = await agent.post('/tasks', {
        description: 'Look',
        budget_cents: 2500,
        ...fields,
      })
      const taskId = body.task.id as string
      assert.equal((await worker.post(`/worker/tasks/${taskId}/accept`)).status, 200)
      const sent = await worker.post(`/worker/tasks/${taskId}/proof`, { text: 'Done' })
      assert.equal(sent.status, 201, sent.text)
      return taskId
    }

    /** The worker's schema receives nothing meanwhile. */
    async function withoutReceiving<T>(work: () => Promise<T>): Promise<T> {
      const { name } = market.at(worker.id).schema
      const url = urlOf(market.server.config, market.at(worker.id).schema)
      const table = `${name}.crossings_applied`
      await query(url, `alter table ${table} add constraint nothing check (false) not valid`)
      try {
        return await work()
      } finally {
        await query(url, `alter table ${table} drop constraint nothing`)
      }
    }

    test('an approval pays the worker before it is answered, through clearing', async () => {
      const before = await market.payable(worker.id)
      const taskId = await proven()

      assert.equal((await agent.post(`/tasks/${taskId}/approve`)).status, 200)

      const { task, assignment } = await ownTask(worker)
      assert.deepEqual([task.id, assignment.status], [taskId, 'approved'])
      assert.equal((await market.payable(worker.id)) - before, 2050)
      const lines = await market.asOwner(
        `select shard, debit, credit, amount_cents::int as cents from transfers
          where key = $1 and 'liab:clearing' in (debit, credit)`,
        [`task:${taskId}:settle`],
      )
      const shard = shardOf(agent.id)
      assert.deepEqual(
        lines.sort((a, b) => (a.debit < b.debit ? 1 : -1)),
        [
          { shard, debit: 'liab:escrow', credit: 'liab:clearing', cents: 2050 },
          { shard, debit: 'liab:clearing', credit: 'liab:worker_payable', cents: 2050 },
        ],
      )
      assert.equal(await crossings(), 0)
    })

    test('its payout is opened in the worker’s database', async () => {
      const taskId = await proven()
      await agent.post(`/tasks/${taskId}/approve`)

      await market.work()

      const { rows } = await market
        .at(worker.id)
        .pool.query('select amount_cents from payouts where task_id = $1', [taskId])
      assert.deepEqual(rows, [{ amount_cents: 2050 }])
    })

    test('a dispute reaches the worker’s pages and trust', async () => {
      const taskId = await proven()

      assert.equal(
        (await agent.post(`/tasks/${taskId}/dispute`, { reason: 'Blurred' })).status,
        200,
      )

      assert.equal((await ownTask(worker)).assignment.status, 'disputed')
      const [row] = await market.asOwner('select disputed_count from workers where id = $1', [
        worker.id,
      ])
      assert.equal(row!.disputed_count, 1)
    })

    test('an accepted task has left the feed when the accept is answered', async () => {
      const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
      const id = body.task.id as string
      await market.events()
      const other = await workerIn(workerHome)
      const isListed = async () => {
        const { body: feed } = await other.get('/worker/feed?sort=new&limit=100')
        return (feed.tasks as { id: string }[]).some((task) => task.id === id)
      }
      assert.equal(await isListed(), true)

      await worker.post(`/worker/tasks/${id}/accept`)

      assert.equal(await isListed(), false)
      await worker.post(`/worker/tasks/${id}/release`)
      await market.events()
      assert.equal(await isListed(), true)
    })

    test('workers of both databases agree on an answer', async () => {
      const near = await workerIn(agentHome)
      const { body } = await agent.post('/gut-check', {
        content: 'A headline',
        question: 'How good is it?',
        scale: '1-10',
        consensus_count: 2,
      })
      const id = body.task.id as string
      for (const voter of [worker, near]) {
        assert.equal((await voter.post(`/worker/tasks/${id}/accept`)).status, 200)
        const sent = await voter.post(`/worker/tasks/${id}/proof`, { text: 'Good', answer: 7 })
        assert.equal(sent.status, 201, sent.text)
      }

      const { body: shown } = await agent.get(`/tasks/${id}`)

      assert.equal(shown.task.consensus.result, 7)
      assert.equal((await agent.post(`/tasks/${id}/approve`)).status, 200)
    })

    test('reports of experienced workers hide the task', async () => {
      const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
      const id = body.task.id as string
      const reporter = await workerIn(workerHome, () => market.trustedWorker())

      await reporter.post(`/worker/tasks/${id}/report`, { kind: 'dangerous' })

      const refused = await worker.post(`/worker/tasks/${id}/accept`)
      assert.deepEqual([refused.status, refused.body.code], [409, 'no_slot'])
    })

    test('a photo is recognized when it is sent again', async () => {
      const ids = []
      for (let i = 0; i < 2; i += 1) {
        const { body } = await agent.post('/tasks', {
          description: 'Look',
          budget_cents: 500,
          proof_required: 'photo',
        })
        const id = body.task.id as string
        ids.push(id)
        await worker.post(`/worker/tasks/${id}/accept`)
        const sent = await worker.post(`/worker/tasks/${id}/proof`, {
          text: 'Done',
          photos: [PHOTO],
        })
        assert.equal(sent.status, 201, sent.text)
      }
      const rows = await market.asOwner(
        'select task_id from photo_hashes where task_id = any($1)',
        [ids],
      )
      assert.deepEqual(new Set(rows.map(({ task_id }) => task_id as string)), new Set(ids))
    })

    test('money on its way is no break of the books, unless it is lost', async () => {
      const breaks = await withoutReceiving(async () => {
        const taskId = await proven()
        assert.equal((await agent.post(`/tasks/${taskId}/approve`)).status, 200)
        assert.deepEqual(await market.audit(), [])
        // Control: as if what waits had been lost.
        const sent = `call = 'workers_receive_moves'`
        await market.asOwner(`update crossings set call = 'lost' where ${sent}`)
        const found = await market.audit()
        await market.asOwner(
          `update crossings set call = 'workers_receive_moves' where call = 'lost'`,
        )
        return found
      })

      assert.deepEqual(
        breaks.map(({ invariant }) => invariant),
        ['what a movement puts into clearing in one shard leaves it in another'],
      )
      await shards.cross(market.at(agent.id), [market.at(worker.id).schema.name])
      assert.equal(await crossings(), 0)
      assert.deepEqual(await market.audit(), [])
    })

    test('what was left over is done by the relay, once', async () => {
      const taskId = await proven()
      await agent.post(`/tasks/${taskId}/approve`)
      const paid = await market.payable(worker.id)
      const home = market.at(agent.id)
      // As if the process had died before it recorded what it had done.
      const [row] = await market.asOwner(
        `select id, source from crossings_applied where source = $1 order by id desc limit 1`,
        [home.schema.name],
      )
      const again = await market
        .at(worker.id)
        .pool.query('select shards_receive($1, $2, $3, $4) as is_new', [
          row!.source,
          row!.id,
          'workers_receive_moves',
          '{}',
        ])

      assert.deepEqual(again.rows, [{ is_new: false }])
      assert.equal(await market.payable(worker.id), paid)
    })
  })

describe('two databases', () => {
  test('each has half of the schemas', () => {
    const homes = Map.groupBy(shards.all, ({ schema }) => schema.database)
    assert.deepEqual(
      [...homes].map(([name, all]) => [name, all.length]),
      [
        ['main', 8],
        ['b1', 8],
      ],
    )
  })

  test('ops shards names the database of each schema', async () => {
    const { out, isBad } = await ops(market, 'shards')
    assert.equal(isBad, false)
    assert.match(out, /^s07 +main +shards/m)
    assert.match(out, /^s08 +b1 +shards/m)
  })

  test('a statement of one database can’t read the other', async () => {
    const { pool } = shards.all.find(({ schema }) => schema.database === 'b1')!
    await assert.rejects(pool.query('select from s00.tasks'), /does not exist/)
  })
})
