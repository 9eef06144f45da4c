import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import pg from 'pg'
import { marketplace } from '../../test/harness.ts'
import { settle } from '../../test/settled.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { TYPES } from '../tasks/fields.ts'
import { findWrongCounts } from './figures.ts'
import { countAgents, foldCounts } from './fold.ts'
import { STATUSES } from '../tasks/status.ts'

const market = await marketplace()
/** A key with these scopes sees only its own tasks. */
const CONFINED = ['create', 'read', 'manage']
const fold = () => market.runJob(foldCounts)
const rowsIn = async (table: 'agent_counts' | 'agent_count_changes', agentId: string) =>
  (await market.asOwner(`select 1 from ${table} where agent_id = $1`, [agentId])).length

type Caller = Awaited<ReturnType<typeof market.agent>> | Awaited<ReturnType<typeof market.key>>

/** Everything that the API tells of counted figures. */
async function figuresOf(caller: Caller) {
  const filters = [
    ...STATUSES.map((status) => `status=${status}`),
    ...TYPES.map((type) => `type=${type}&status=completed`),
  ]
  const totals = []
  for (const filter of filters)
    totals.push([filter, (await caller.get(`/tasks?limit=1&${filter}`)).body.total])
  const { timing: _timing, ...stats } = (await caller.get('/stats')).body
  return { stats, total: (await caller.get('/tasks?limit=1')).body.total, totals }
}

/** Tasks of the caller in every status, free and paid, judged by the agent and automatically, with disputes. */
async function useEverything(caller: Caller, agent: Awaited<ReturnType<typeof market.agent>>) {
  const both = {
    post: (path: string, body?: unknown) => (path === '/tasks' ? caller : agent).post(path, body),
    get: agent.get,
  }
  const workers = [await market.worker(), await market.worker()]
  // Many disputes by one agent are held; these are written below.
  for (const [i, status] of STATUSES.filter((one) => one !== 'disputed').entries())
    await market.taskIn(both, status, { type: TYPES[i % TYPES.length] })
  await settle(market, caller, workers, 'approved', { isConflict: true })
  await settle(market, caller, workers, 'approved', { approvedBy: 'auto' })
  const disputed = await settle(market, caller, workers.slice(1), 'disputed')
  for (const status of ['overturned', 'upheld', 'held'])
    await market.asOwner(
      `insert into disputes (id, task_id, agent_id, assignment_ids, reason, status, touches_trust, refunded_cents,
         created_at) values ($1, $2, $3, '{}', 'no', $4, true, 0, now())`,
      [mintId('dsp', market.now(), shardOf(disputed.id)), disputed.id, agent.id, status],
    )
}

describe('counts.fold', () => {
  test('changes no figure: uncounted, counted, with changes since, and folded are the same', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const parent = await market.key(agent, { scopes: CONFINED, total_max_cents: 400_000 })
    const child = await market.key(parent, { scopes: CONFINED, total_max_cents: 200_000 })
    const callers: Caller[] = [agent, parent, child]
    for (const caller of callers) await useEverything(caller, agent)
    const uncounted = await Promise.all(callers.map(figuresOf))
    assert.equal(uncounted[0]!.total, 27)
    assert.deepEqual(
      uncounted.map(({ stats }) => stats.quality.counts.disputes),
      [6, 4, 2],
    )

    await fold()
    const counted = await Promise.all(callers.map(figuresOf))
    const changesAfterCounting = await rowsIn('agent_count_changes', agent.id)
    for (const caller of callers) await useEverything(caller, agent)
    const changed = await Promise.all(callers.map(figuresOf))
    const changesSince = await rowsIn('agent_count_changes', agent.id)
    await fold()
    const folded = await Promise.all(callers.map(figuresOf))
    const changesAfterFolding = await rowsIn('agent_count_changes', agent.id)
    await market.asOwner('delete from counted_agents where agent_id = $1', [agent.id])
    const fromRows = await Promise.all(callers.map(figuresOf))
    await countAgents(market.backgroundAt(agent.id), [agent.id])

    assert.deepEqual(counted, uncounted)
    assert.deepEqual(changed, fromRows)
    assert.deepEqual(folded, fromRows)
    assert.deepEqual(await Promise.all(callers.map(figuresOf)), fromRows)
    assert.equal(fromRows[0]!.total, 54)
    assert.equal(changesAfterCounting, 0)
    assert(changesSince > 0)
    assert.equal(changesAfterFolding, 0)
  })

  test('a counted agent finds its new task and its moves in the next response', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    await market.taskIn(agent, 'pending')
    await fold()

    const task = await market.taskIn(agent, 'pending')
    const after = await agent.get('/tasks?status=pending')
    await agent.post(`/tasks/${task.id}/cancel`)
    const later = await agent.get('/tasks?status=pending')

    assert.equal(after.body.total, 2)
    assert.equal(later.body.total, 1)
  })

  test('runs at once count and fold once', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    await market.taskIn(agent, 'pending')
    await Promise.all([fold(), fold(), fold()])
    await fold()
    await market.taskIn(agent, 'cancelled')

    await Promise.all([fold(), fold(), fold()])
    await fold()

    assert.equal((await agent.get('/tasks')).body.total, 2)
    assert.equal(await rowsIn('agent_count_changes', agent.id), 0)
  })

  test('folds more changes than fit into one step', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    await market.taskIn(agent, 'pending')
    await fold()
    await market.asOwner(
      `insert into agent_count_changes (agent_id, type, status, tasks)
       select $1, 'custom', 'pending', case n % 2 when 0 then 1 else -1 end from generate_series(1, 25000) n`,
      [agent.id],
    )

    await fold()

    assert.equal(await rowsIn('agent_count_changes', agent.id), 0)
    assert.equal((await agent.get('/tasks')).body.total, 1)
  })
})

describe('a task whose transaction is open while its agent is counted', () => {
  /** Copies a task of the agent in an open transaction, and commits it when asked. */
  async function openCopy(t: TestContext, agentId: string) {
    const client = new pg.Client({ connectionString: market.url })
    await client.connect()
    t.after(() => client.end())
    const [columns] = await market.asOwner(
      `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
        where attrelid = 'tasks'::regclass and attnum > 0 and not attisdropped and attname <> 'id'`,
    )
    const id = mintId('task', market.now(), shardOf(agentId))
    await client.query('begin')
    await client.query(
      `insert into tasks (id, ${columns!.names}) select $1, ${columns!.names} from tasks where agent_id = $2 limit 1`,
      [id, agentId],
    )
    return {
      commit: () => client.query('commit'),
      /** A copy has no money, so the books would not add up at the end of this file. */
      remove: () => market.deleteTasks('id = $1', [id]),
    }
  }

  test('is added by its change', async (t) => {
    const agent = await market.agent({ balanceCents: 10_000 })
    await market.taskIn(agent, 'pending')
    const copy = await openCopy(t, agent.id)

    await fold()
    const { body: before } = await agent.get('/tasks')
    await copy.commit()
    const { body: after } = await agent.get('/tasks')
    const wrong = await findWrongCounts(market.db.reader, [agent.id])

    assert.equal(before.total, 1)
    assert.equal(after.total, 2)
    assert.deepEqual(wrong, [])
    await copy.remove()
  })

  test('would be lost if counting and deleting changes saw two snapshots', async (t) => {
    const agent = await market.agent({ balanceCents: 10_000 })
    await market.taskIn(agent, 'pending')
    const copy = await openCopy(t, agent.id)

    await market.asOwner('insert into counted_agents values ($1, now(), now())', [agent.id])
    await market.asOwner(
      `insert into agent_counts (agent_id, key_path, type, status, tasks)
       select agent_id, '{}', type, status, count(*) from tasks where agent_id = $1 group by 1, 3, 4`,
      [agent.id],
    )
    await copy.commit()
    await market.asOwner('delete from agent_count_changes where agent_id = $1', [agent.id])
    const { body } = await agent.get('/tasks')
    const wrong = await findWrongCounts(market.db.reader, [agent.id])

    assert.equal(body.total, 1)
    assert.deepEqual(wrong, [agent.id])
    await copy.remove()
  })
})
