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
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import {
  cpuOf,
  need,
  needsProgram,
  settle,
  startApiProcess,
  startDurablePostgres,
} from './machine.ts'

const isSmall = process.argv.includes('--small')
const SECONDS = Number(process.env.BENCH_SECONDS ?? (isSmall ? 1 : 5))
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? (isSmall ? 1 : 3))
const AGENTS = 500
const WORKERS = 5000
/** More than any measurement of this length can approve on this kind of machine. */
const TASKS_PER_RUN = SECONDS * 8000
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
  await main()
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
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  closers.push(() => client.end())
  await fillDatabase(client, api.port)

  console.log(
    `PostgreSQL 18, fsync and synchronous_commit on, ${os.cpus().length} cores shared by all; ${SECONDS} s each\n`,
  )
  const ratios = new Map<number, number[]>()
  const scaling: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    console.log(`round ${round}`)
    const alone: number[] = []
    for (const clients of [8, 32, 64]) alone.push(await pgbench(postgres, client, clients))
    const best = Math.max(...alone)
    const rates = new Map<number, number>()
    for (const connections of [8, 64]) {
      const rate = await wrk(api, postgres, client, { connections, best })
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

async function pgbench(
  { url, pid }: { url: string; pid: number },
  client: pg.Client,
  clients: number,
): Promise<number> {
  await addTasks(client)
  const file = path.join(folder, 'approve.sql')
  writeFileSync(file, PGBENCH)
  settle()
  const before = cpuOf(pid)
  const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(SECONDS)]
  const { stdout } = need('pgbench', [...args, '-f', file, url])
  settle()
  const count = Number(/actually processed: (\d+)/.exec(stdout)?.[1])
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  await proveApproved(client, count)
  const cpu = Math.round((cpuOf(pid) - before) / count)
  console.log(`  (a) move_tasks alone, ${clients} clients`.padEnd(40), line(rate), `${cpu} µs PG`)
  return rate
}

async function wrk(
  api: { port: number; pid: number },
  postgres: { pid: number },
  client: pg.Client,
  { connections, best }: { connections: number; best: number },
): Promise<number> {
  await addTasks(client)
  const { rows } = await client.query<{ line: string }>(
    `select task || ' ' || k.key as line from bench_moves m join bench_keys k on k.agent_id = m.agent order by m.n`,
  )
  const file = path.join(folder, 'tasks')
  writeFileSync(file, rows.map(({ line }) => line).join('\n'))
  settle()
  const before = { node: cpuOf(api.pid), postgres: cpuOf(postgres.pid) }
  const { stdout } = need(
    'wrk',
    [
      '-t',
      '1',
      '-c',
      String(connections),
      '-d',
      `${SECONDS}s`,
      '--latency',
      '-s',
      'load/approve.lua',
      `http://127.0.0.1:${api.port}`,
    ],
    { ...process.env, LEGWORK_TASKS: file },
  )
  const after = { node: cpuOf(api.pid), postgres: cpuOf(postgres.pid) }
  const match = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout)
  if (match === null) throw new Error(`unexpected output of wrk:\n${stdout}`)
  const [requests, micros, p50, p99, refused, broken] = match.slice(1).map(Number) as number[]
  if (refused! > 0 || broken! > 0)
    throw new Error(`${refused} refused, ${broken} broken of ${requests}`)
  await proveApproved(client, requests!)
  const rate = requests! / (micros! / 1e6)
  const [node, database] = [after.node - before.node, after.postgres - before.postgres].map((cpu) =>
    Math.round(cpu / requests!),
  )
  console.log(
    `  (b) HTTP, ${connections} connections`.padEnd(40),
    line(rate),
    `${node} µs Node + ${database} µs PG`.padEnd(28),
    `p50 ${(p50! / 1000).toFixed(1)} ms, p99 ${(p99! / 1000).toFixed(1)} ms, ${(rate / best).toFixed(2)} ×`,
  )
  return rate
}

/** Verifies that every response was an approval and that no task was approved twice. */
async function proveApproved(client: pg.Client, count: number): Promise<void> {
  const { rows } = await client.query<{ tasks: string; paid: string }>(`
    select (select count(*) from bench_moves b join tasks t on t.id = b.task where t.status = 'completed') as tasks,
           (select count(*) from bench_moves b join transfers f on f.key = concat('task:', b.task, ':settle')
             where f.line = 1) as paid`)
  const [tasks, paid] = [Number(rows[0]!.tasks), Number(rows[0]!.paid)]
  // Requests in flight when the time ran out were completed but not counted.
  if (tasks < count || tasks > count + 64 || paid !== tasks)
    throw new Error(`${count} answered, ${tasks} completed, ${paid} paid`)
}

/** Registers agents through the API and inserts workers by SQL. */
async function fillDatabase(client: pg.Client, port: number): Promise<void> {
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
  await client.query(
    `create table bench_keys (n serial primary key, agent_id text collate "C", key text);
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
  await client.query(`
    insert into workers (id, mode, agent_id, name, email, password_hash, status, created_at, updated_at)
      select 'worker_' || lpad(w::text, 26, '0'), 'test', k.agent_id, 'Bench', w || '@example.com', 'none', 'active', now(),
             now()
        from generate_series(1, ${WORKERS}) w join bench_keys k on k.n = (w - 1) % ${AGENTS} + 1;
    insert into ledger_workers (worker_id, mode)
      select 'worker_' || lpad(n::text, 26, '0'), 'test' from generate_series(1, ${WORKERS}) n`)
}

/** Adds tasks that have a proof and a budget in escrow, and the approval arguments for each. */
async function addTasks(client: pg.Client): Promise<void> {
  await client.query(`
    truncate bench_moves;
    select setval('bench_next', 1, false);
    with made as (select nextval('bench_made') as i, n from generate_series(1, ${TASKS_PER_RUN}) n)
    insert into bench_moves
      select made.n, 'task_' || lpad(made.i::text, 26, '0'), k.agent_id, 'worker_' || lpad((made.n % ${WORKERS} + 1)::text, 26, '0'), 0,
             encode(sha256(made.i::text::bytea), 'hex'), null
        from made join bench_keys k on k.n = made.n % ${AGENTS} + 1;
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
      select 'task:' || task || ':lock', 1, 'txn_' || right(task, 26), 'test', 'free_task_lock', 'exp:promo', 'liab:escrow', 1000, 0,
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
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

function line(rate: number): string {
  return `${rate.toFixed(0).padStart(6)}/s `
}

function list(values: number[]): string {
  return values.map((value) => value.toFixed(2)).join(', ')
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
