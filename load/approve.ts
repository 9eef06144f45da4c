/**
 * `npm run bench:approve`: how many tasks per second can be approved, compared with what the database alone can do.
 *
 *   (a) pgbench alone: the function move_tasks with one approval per transaction, its arguments prepared in advance,
 *       at 8, 32 and 64 clients
 *   (b) HTTP through the whole stack, at 8 and 64 connections
 *
 * Each approval pays one of 5,000 workers from the escrow of a task of one of 500 agents, updates the worker's trust,
 * records the event and stores the response under an Idempotency-Key. Both run in the same database and the same run,
 * with fsync and synchronous_commit on. Machine speed drifts, so each (b) is compared with the best (a) of its own
 * round, and the median over all rounds counts. Needs pgbench and wrk (Debian: postgresql, wrk). BENCH_SECONDS (5) and
 * BENCH_ROUNDS (3) set its length; `--small` is a smoke test with one round of one second.
 *
 * With `--shards`, it compares (b) in a database with sixteen schemas to one with a single schema instead, in turns. With
 * sixteen, fifteen of sixteen workers live in another schema than the agent. BENCH_CONNECTIONS (64) sets how many
 * connections are used.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import {
  cpuOf,
  linesOfRatios,
  makeSixteen,
  median,
  need,
  needsProgram,
  runWrk,
  settle,
  startApiProcess,
  startDurablePostgres,
} from './machine.ts'

const isSmall = process.argv.includes('--small')
const isOfShards = process.argv.includes('--shards')
const SECONDS = Number(process.env.BENCH_SECONDS ?? (isSmall ? 1 : 5))
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? (isSmall ? 1 : 3))
const AGENTS = 500
const WORKERS = 5000
/** More than can be approved in a second on this kind of machine. */
const TASKS_PER_SECOND = isOfShards ? 2500 : 8000
/**
 * For `--shards`, before each measurement. New connections plan every statement of every schema that they use, and while
 * tasks are added the server closes its idle ones.
 */
const WARM_UP_SECONDS = Number(process.env.BENCH_WARM_UP_SECONDS ?? (isSmall ? 1 : 10))
/** For `--shards`. */
const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 64)
const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-bench-'))
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
process.on('SIGINT', () => process.exit(130))

/** One approval per transaction: each takes the next of the prepared moves. */
const PGBENCH = `
select nextval('bench_next') as n \\gset
select m.outcome
  from bench_moves b
 cross join lateral move_tasks(now(), array(select r from json_populate_recordset(null::task_move, b.moves) r),
   array(select r from json_populate_recordset(null::ledger_line, b.lines) r),
   array(select r from json_populate_recordset(null::assignment_change, b.assignments) r),
   array(select r from json_populate_recordset(null::trust_change, b.trust) r), '{}',
   array(select r from json_populate_recordset(null::new_event, b.events) r)) m
 where b.n = :n;
`

try {
  await (isOfShards ? compareShards() : main())
} finally {
  for (const close of closers.reverse()) await close()
}

async function main(): Promise<void> {
  needsProgram('pgbench', 'apt-get install postgresql')
  needsProgram('wrk', 'apt-get install wrk')
  const postgres = await startDurablePostgres(folder)
  closers.push(() => postgres.stop())
  const api = await startApiProcess(postgres.url)
  closers.push(() => api.child.kill('SIGKILL'))
  const client = await open(postgres.url)
  const schemas = await fillDatabase(client, api.port)

  console.log(
    `PostgreSQL 18, fsync and synchronous_commit on, ${os.cpus().length} cores shared by all; ${SECONDS} s each\n`,
  )
  const ratios = new Map<number, number[]>()
  const scaling: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    console.log(`round ${round}`)
    const alone: number[] = []
    for (const clients of [8, 32, 64])
      alone.push(await pgbench(postgres, { client, schemas }, clients))
    const best = Math.max(...alone)
    const rates = new Map<number, number>()
    for (const connections of [8, 64]) {
      const { rate, line } = await wrk(api, postgres, { client, schemas }, { connections })
      console.log(line, `${(rate / best).toFixed(2)} ×`)
      rates.set(connections, rate)
      ratios.set(connections, [...(ratios.get(connections) ?? []), rate / best])
    }
    scaling.push(rates.get(64)! / rates.get(8)!)
  }
  console.log('')
  for (const [connections, all] of ratios)
    console.log(
      `${connections} connections: ${median(all).toFixed(2)} × the best of the function alone ` +
        `(${list(all)}; goal ≥ 0.6)`,
    )
  console.log(
    `64 compared with 8 connections: ${median(scaling).toFixed(2)} × (${list(scaling)}; goal ≥ 0.67)`,
  )
}

/** A client of the database, and the schemas that agents and workers are in. */
interface Filled {
  client: pg.Client
  schemas: string[]
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  closers.push(() => client.end())
  return client
}

/** Each round runs both in another order, so that a drift of the machine hits them alike. */
async function compareShards(): Promise<void> {
  needsProgram('wrk', 'apt-get install wrk')
  const postgres = await startDurablePostgres(folder)
  closers.push(() => postgres.stop())
  const sixteen = await makeSixteen(postgres.url)
  const databases = []
  for (const [name, url] of [
    ['one schema', postgres.url],
    ['sixteen schemas', sixteen],
  ] as const) {
    const api = await startApiProcess(url)
    closers.push(() => api.child.kill('SIGKILL'))
    const client = await open(url)
    const schemas = await fillDatabase(client, api.port)
    databases.push({ name, api, client, schemas, rates: [] as number[], micros: [] as number[] })
  }

  for (let round = 0; round < ROUNDS; round += 1)
    for (let turn = 0; turn < databases.length; turn += 1) {
      const { api, rates, micros, ...filled } = databases[(round + turn) % databases.length]!
      const measure = await wrk(api, postgres, filled, {
        connections: CONNECTIONS,
        warmUpSeconds: WARM_UP_SECONDS,
      })
      console.log(measure.line)
      rates.push(measure.rate)
      micros.push(measure.micros)
    }
  console.log(
    `approvals with ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each; medians, and ratios to “one schema” by round`,
  )
  for (const line of linesOfRatios(databases)) console.log(line)
}

async function pgbench(
  { url, pid }: { url: string; pid: number },
  filled: Filled,
  clients: number,
): Promise<number> {
  await addTasks(filled, SECONDS)
  const file = path.join(folder, 'approve.sql')
  writeFileSync(file, PGBENCH)
  settle()
  const before = cpuOf(pid)
  const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(SECONDS)]
  const { stdout } = need('pgbench', [...args, '-f', file, url])
  settle()
  const count = Number(/actually processed: (\d+)/.exec(stdout)?.[1])
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  await proveApproved(filled, count)
  const cpu = Math.round((cpuOf(pid) - before) / count)
  console.log(`  (a) move_tasks alone, ${clients} clients`.padEnd(40), line(rate), `${cpu} µs PG`)
  return rate
}

async function wrk(
  api: { port: number; pid: number },
  postgres: { pid: number },
  filled: Filled,
  { connections, warmUpSeconds = 0 }: { connections: number; warmUpSeconds?: number },
): Promise<{ rate: number; micros: number; line: string }> {
  await addTasks(filled, warmUpSeconds + SECONDS)
  const { rows } = await filled.client.query<{ line: string }>(
    `select line from (${filled.schemas
      .map(
        (schema) =>
          `select m.n, task || ' ' || k.key as line
             from ${schema}.bench_moves m join ${schema}.bench_keys k on k.agent_id = m.agent`,
      )
      .join(' union all ')}) m order by n`,
  )
  const tasks = rows.map(({ line }) => line)
  const warmUp =
    warmUpSeconds > 0 ? drive(api.port, tasks, { connections, seconds: warmUpSeconds }) : undefined
  const skipped = warmUp ? warmUp.requests + connections : 0
  settle()
  const before = { node: cpuOf(api.pid), postgres: cpuOf(postgres.pid) }
  const { requests, micros, p50, p99 } = drive(api.port, tasks.slice(skipped), {
    connections,
    seconds: SECONDS,
  })
  const after = { node: cpuOf(api.pid), postgres: cpuOf(postgres.pid) }
  await proveApproved(filled, (warmUp?.requests ?? 0) + requests, warmUp ? 2 : 1)
  const rate = requests / (micros / 1e6)
  const [node, database] = [after.node - before.node, after.postgres - before.postgres].map((cpu) =>
    Math.round(cpu / requests),
  )
  return {
    rate,
    micros: node! + database!,
    line: [
      `  (b) HTTP, ${connections} connections`.padEnd(40),
      line(rate),
      `${node} µs Node + ${database} µs PG`.padEnd(28),
      `p50 ${(p50 / 1000).toFixed(1)} ms, p99 ${(p99 / 1000).toFixed(1)} ms,`,
    ].join(' '),
  }
}

/** Approves as many of these tasks as it can in this time. */
function drive(
  port: number,
  tasks: string[],
  { connections, seconds }: { connections: number; seconds: number },
) {
  const file = path.join(folder, 'tasks')
  writeFileSync(file, tasks.join('\n'))
  const settings = { LEGWORK_TASKS: file }
  return runWrk('load/approve.lua', { port, connections, seconds, settings })
}

/** Verifies that every response was an approval and that no task was approved twice. */
async function proveApproved({ client, schemas }: Filled, count: number, runs = 1): Promise<void> {
  let [tasks, paid] = [0, 0]
  for (const schema of schemas) {
    await client.query(`set search_path = ${schema}, public`)
    const { rows } = await client.query<{ tasks: string; paid: string }>(`
      select (select count(*) from bench_moves b join tasks t on t.id = b.task where t.status = 'completed') as tasks,
             (select count(*) from bench_moves b join transfers f on f.key = concat('task:', b.task, ':settle')
               where f.line = 1) as paid`)
    tasks += Number(rows[0]!.tasks)
    paid += Number(rows[0]!.paid)
  }
  // Requests in flight when the time of a run was over were completed but not counted.
  if (tasks < count || tasks > count + runs * CONNECTIONS || paid !== tasks)
    throw new Error(`${count} answered, ${tasks} completed, ${paid} paid`)
}

/** Registers agents through the API and inserts workers by SQL. Returns the schemas that they are in. */
async function fillDatabase(client: pg.Client, port: number): Promise<string[]> {
  const keys: { agent: string; key: string }[] = []
  let begun = 0
  const register = async () => {
    while (begun < AGENTS) {
      begun += 1
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/agents/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Bench', email: `bench-${begun}@example.com` }),
      })
      const { agent } = (await response.json()) as { agent: { id: string; test_api_key: string } }
      keys.push({ agent: agent.id, key: agent.test_api_key })
    }
  }
  await Promise.all(Array.from({ length: 8 }, register))
  const { rows } = await client.query<{ schema: string }>(
    `select schemaname as schema from pg_tables where tablename = 'ledger_agents' order by 1`,
  )
  const schemas = rows.map(({ schema }) => schema)
  const workers: string[] = []
  for (const schema of schemas) {
    await client.query(`set search_path = ${schema}, public`)
    await client.query(
      `create table bench_keys (n serial primary key, agent_id text collate "C", key text);
       create table bench_workers (n integer primary key, id text collate "C");
       create sequence bench_next;
       create sequence bench_made;
       create table bench_moves (n integer primary key, task text collate "C", agent text collate "C",
         worker text collate "C", shard smallint, key_hash text, moves json, lines json, assignments json,
         trust json, events json)`,
    )
    await client.query(
      `insert into bench_keys (agent_id, key)
         select a.twin_id, k.key from unnest($1::text[], $2::text[]) k(agent, key) join agents a on a.id = k.agent`,
      [keys.map(({ agent }) => agent), keys.map(({ key }) => key)],
    )
    const { rows: made } = await client.query<{ id: string }>(`
      with made as (
        insert into workers (id, mode, agent_id, name, email, password_hash, status, created_at, updated_at)
          select ${idLike('worker', 'k.agent_id', 'w')}, 'test', k.agent_id, 'Bench', w || '@example.com', 'none',
                 'active', now(), now()
            from generate_series(1, ${Math.ceil(WORKERS / schemas.length)}) w
            join bench_keys k on k.n = (w - 1) % (select count(*) from bench_keys) + 1
          returning id)
      insert into ledger_workers (worker_id, mode) select id, 'test' from made returning worker_id as id`)
    workers.push(...made.map(({ id }) => id))
  }
  for (const schema of schemas)
    await client.query(
      `insert into ${schema}.bench_workers
         select row_number() over (order by md5(id)), id from unnest($1::text[]) id`,
      [workers],
    )
  return schemas
}

/** An id with the shard of another one, in SQL. */
function idLike(prefix: string, id: string, n: string): string {
  return `'${prefix}_0000000000' || substr(split_part(${id}, '_', 2), 11, 4) || lpad(${n}::text, 12, '0')`
}

/** Adds tasks that have a proof and a budget in escrow, and the approval arguments for each. */
async function addTasks({ client, schemas }: Filled, seconds: number): Promise<void> {
  for (const [i, schema] of schemas.entries()) {
    await client.query(`set search_path = ${schema}, public`)
    await addTasksTo(client, {
      count: Math.ceil((TASKS_PER_SECOND * seconds) / schemas.length),
      firstWorker: Math.floor((i * WORKERS) / schemas.length),
    })
  }
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

/** Adds them to the schema of the search path. Schemas begin with different workers: all are approved at once. */
async function addTasksTo(
  client: pg.Client,
  { count, firstWorker }: { count: number; firstWorker: number },
): Promise<void> {
  await client.query(`
    truncate bench_moves;
    select setval('bench_next', 1, false);
    with made as (select nextval('bench_made') as i, n from generate_series(1, ${count}) n)
    insert into bench_moves
      select made.n, ${idLike('task', 'k.agent_id', 'made.i')}, k.agent_id, w.id,
             shards_number_of(k.agent_id), encode(sha256((k.agent_id || made.i)::bytea), 'hex'), null
        from made
        join bench_keys k on k.n = made.n % (select count(*) from bench_keys) + 1
        join bench_workers w on w.n = (made.i + ${firstWorker}) % ${WORKERS} + 1;
    insert into tasks (id, agent_id, mode, type, status, description, budget_cents, budget_basis, locked_cents, escrow_cents,
                       funding, urgency, proof_required, consensus_count, deadline, auto_approve_after, min_worker_level, skills,
                       context, created_at, updated_at, slots_taken, proofs_received, proof_at, review_due_at)
      select task, agent, 'test', 'verification', 'proof_submitted', repeat('Look at the door. ', 12), 1000, 'total', 1000, 1000,
             'free', 'standard', 'photo', 1, now() + interval '7 days', 86400, 1, '{}', '{}', now(), now(), 1, 1, now(),
             now() + interval '1 day' from bench_moves;
    insert into assignments (id, task_id, agent_id, worker_id, status, pay_cents, deadline, accepted_at, expires_at, submitted_at, outcome)
      select 'asg_' || right(task, 26), task, agent, worker, 'submitted', 820, now() + interval '7 days', now(),
             now() + interval '4 hours', now(), 'done' from bench_moves;
    insert into transfers (key, line, id, mode, kind, debit, credit, amount_cents, shard, agent_id, task_id, request_hash, created_at)
      select 'task:' || task || ':lock', 1, 'txn_' || right(task, 26), 'test', 'free_task_lock', 'exp:promo', 'liab:escrow', 1000, shard,
             agent, task, 0, now() from bench_moves;
    update bench_moves
       set moves = json_build_array(json_build_object('task_id', task, 'version', 1, 'agent_id', agent, 'tip_cents', 0,
             'is_open', false, 'returns_free_task', false, 'principal', agent, 'key_hash', key_hash,
             'fingerprint', repeat('f', 64), 'response', repeat('a', 1150), 'status', 'completed', 'escrow_cents', 0,
             'slots_taken', 1, 'slots_extra', 0, 'proofs_received', 1, 'proof_at', now(), 'approved_by', 'agent', 'settlement',
             json_build_object('gross_cents', 1000, 'commission_cents', 180, 'refunded_cents', 0, 'workers',
               json_build_array(json_build_object('worker_id', worker, 'net_cents', 820))), 'ended_at', now(), 'updated_at', now(),
             'event_sequence', 1)),
           lines = json_build_array(
             json_build_object('item', 1, 'entry', 1, 'key', 'task:' || task || ':settle', 'mode', 'test',
               'kind', 'escrow_release', 'shard', shard, 'id', 'txn_' || task, 'debit', 'liab:escrow',
               'credit', 'liab:worker_payable', 'amount_cents', 820, 'agent_id', agent, 'worker_id', worker, 'task_id', task),
             json_build_object('item', 1, 'entry', 1, 'key', 'task:' || task || ':settle', 'mode', 'test',
               'kind', 'escrow_release', 'shard', shard, 'id', 'txn_' || task || '2', 'debit', 'liab:escrow',
               'credit', 'rev:commission', 'amount_cents', 180, 'agent_id', agent, 'task_id', task)),
           assignments = json_build_array(json_build_object('item', 1, 'id', 'asg_' || right(task, 26), 'status', 'approved',
             'net_cents', 820, 'expires_at', now(), 'submitted_at', now(), 'ended_at', now(), 'outcome', 'done', 'revisions', 0)),
           trust = json_build_array(json_build_object('item', 1, 'worker_id', worker, 'key', task, 'cause', 'approved',
             'good', 1.2, 'bad', 0, 'weight', 1)),
           events = json_build_array(json_build_object('item', 1, 'id', 'evt_' || right(task, 26), 'type', 'task.completed',
             'data', json_build_object('task', repeat('a', 1150))));
    truncate outbox`)
}

function line(rate: number): string {
  return `${rate.toFixed(0).padStart(6)}/s `
}

function list(values: number[]): string {
  return values.map((value) => value.toFixed(2)).join(', ')
}
