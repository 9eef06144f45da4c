/**
 * How much the database reads for the figures of an agent with a long history, in blocks. With counts, a history of
 * twice the length costs the same; without, it costs twice as much.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import type { Clock } from '../../src/kit/clock.ts'
import { type Db, openDb, type Reader, type Shards } from '../../src/kit/db.ts'
import type { AgentCaller } from '../../src/kit/endpoint.ts'
import { getStats } from '../../src/stats/get-stats.ts'
import { countAgents, foldChanges } from '../../src/counts/fold.ts'
import { findWrongCounts } from '../../src/counts/figures.ts'
import { list } from '../../src/tasks/list.ts'
import { freshDatabase } from '../harness.ts'

const HALF = 100_000
const PARTNERS = 500
const AGENT = `agent_${'0'.repeat(26)}`
const caller = { id: AGENT, visibleKeyId: null } as AgentCaller
const now = new Date()
const READS: Record<string, (db: Reader, shards: Shards) => Promise<unknown>> = {
  'GET /stats': (db, shards) => getStats.handler({ db, shards, agent: caller, now } as never),
  'total of GET /tasks': (db) =>
    list.handler({ db, agent: caller, query: { limit: 20, offset: 0 } } as never),
  'GET /tasks?status=expired, of which there are none': (db) =>
    list.handler({
      db,
      agent: caller,
      query: { limit: 20, offset: 0, status: 'expired' },
    } as never),
}

const url = await freshDatabase()
const owner = new pg.Client({ connectionString: url })
await owner.connect()
await owner.query(
  `insert into agents (id, mode, twin_id, name, email, webhook_secret, created_at)
   values ($1, 'live', 'agent_' || repeat('1', 26), 'Large', 'large@example.com', 'none', now())`,
  [AGENT],
)

/** Adds completed tasks with an approved assignment each; one in a hundred is disputed. */
async function addTasks(from: number): Promise<void> {
  await owner.query(
    `insert into tasks (id, agent_id, mode, type, status, description, budget_cents, budget_basis, locked_cents,
       escrow_cents, funding, urgency, proof_required, consensus_count, deadline, auto_approve_after, min_worker_level,
       skills, context, created_at, updated_at, ended_at, approved_by, settlement)
     select 'task_' || lpad(n::text, 26, '0'), $1, 'live', 'custom',
            (case n % 100 when 0 then 'disputed' else 'completed' end)::task_status, repeat('x', 200), 500, 'total', 500, 0,
            'wallet', 'standard', 'text', 1, now(), 86400, 1, '{}', '{}', now(), now(), now(), 'agent',
            '{"gross_cents": 500}'
       from generate_series($2::int, $3::int) n`,
    [AGENT, from, from + HALF - 1],
  )
  await owner.query(
    `insert into assignments (id, task_id, agent_id, worker_id, status, pay_cents, deadline, accepted_at, expires_at,
       ended_at)
     select 'asg_' || lpad(n::text, 26, '0'), 'task_' || lpad(n::text, 26, '0'), $1,
            'worker_' || lpad((n % ${PARTNERS})::text, 26, '0'), 'approved', 410, now(), now(), now(), now()
       from generate_series($2::int, $3::int) n`,
    [AGENT, from, from + HALF - 1],
  )
  await owner.query(
    `insert into disputes (id, task_id, agent_id, assignment_ids, reason, status, touches_trust, refunded_cents, created_at)
     select 'dsp_' || lpad(n::text, 26, '0'), 'task_' || lpad(n::text, 26, '0'), $1, '{}', 'no', 'upheld', true, 0, now()
       from generate_series($2::int, $3::int) n where n % 100 = 0`,
    [AGENT, from, from + HALF - 1],
  )
  await owner.query('vacuum analyze')
}

/** Blocks that a new connection reads. It reports them when it closes. */
async function blocksOf(read: (typeof READS)[string]): Promise<number> {
  const sum = async () => {
    const { rows } = await owner.query<{ blocks: string }>(
      `select pg_stat_clear_snapshot(), (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::text as blocks
         from (select sum(heap_blks_read) as heap_blks_read, sum(heap_blks_hit) as heap_blks_hit,
                      sum(idx_blks_read) as idx_blks_read, sum(idx_blks_hit) as idx_blks_hit
                 from pg_statio_user_tables) s`,
    )
    return Number(rows[0]!.blocks)
  }
  const before = await sum()
  await withDb((db) => read(db.reader, db.shards))
  for (let i = 0; i < 100 && (await openConnections()) > 0; i += 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  return (await sum()) - before
}

async function openConnections(): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(
    `select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend'`,
  )
  return Number(rows[0]!.count)
}

async function withDb<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb(url, { connectionsMax: 1, slowestMs: 60_000, onError: assert.ifError })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function readAll() {
  const blocks: Record<string, number> = {}
  for (const [name, read] of Object.entries(READS)) blocks[name] = await blocksOf(read)
  return blocks
}

test('with counts, the figures of a large agent cost the same at twice its history', async (t) => {
  t.after(() => owner.end())
  const background = {
    config: readConfig({ DATABASE_URL: url }),
    clock: { now: () => now } as Clock,
  }
  const fold = () => withDb((db) => foldChanges({ db }))

  await addTasks(1)
  const uncounted = await readAll()
  await withDb((db) => countAgents({ ...background, db }, [AGENT]))
  await owner.query('vacuum agent_count_changes')
  const counted = await readAll()
  await addTasks(HALF + 1)
  const withChanges = await readAll()
  while ((await fold()) > 0);
  await owner.query('vacuum agent_count_changes')
  const countedTwice = await readAll()
  const wrong = await withDb(({ reader }) => findWrongCounts(reader, [AGENT]))
  await owner.query('delete from counted_agents')
  const uncountedTwice = await readAll()

  t.diagnostic(JSON.stringify({ uncounted, counted, withChanges, countedTwice, uncountedTwice }))
  assert.deepEqual(wrong, [])
  for (const name of Object.keys(READS)) {
    const growth = countedTwice[name]! / counted[name]!
    const growthOfRows = uncountedTwice[name]! / uncounted[name]!
    const gain = uncountedTwice[name]! / countedTwice[name]!
    t.diagnostic(
      `${name}: × ${growth.toFixed(2)} with counts, × ${growthOfRows.toFixed(2)} without; gain ${gain.toFixed(0)}`,
    )
    assert(growth < 1.2, `${name} reads ${growth} times as much at twice the history`)
    assert(growthOfRows > 1.7, `${name} reads ${growthOfRows} times as much without counts`)
    assert(gain > 10, `${name} reads 1/${gain} of what it read without counts`)
  }
})
