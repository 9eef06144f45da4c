/**
 * `npm run bench:boards`: how long the desk takes to show each board, on a database with a million tasks of thirty days.
 *
 *   cold   nothing is copied: the board is read from the database
 *   warm   as operators see it: the board is a copy, which is read again in the background
 *   rows   a page of the rows behind a figure; always read from the database
 *
 * BENCH_TASKS (1,000,000) sets the number of tasks; `--small` is a quick run with 20,000. Loading a million takes minutes.
 */
import { mkdtempSync, chmodSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort, startPostgres } from '../../../scripts/postgres.ts'
import { readConfig } from '../../src/config.ts'
import { mintId } from '../../src/kit/ids.ts'
import { beginSession } from '../../src/operators/sessions.ts'
import { startServer } from '../../src/start.ts'
import { keepAccounts } from '../../src/ledger/account-sums.ts'
import { migrate } from '../../src/migrate.ts'

const isSmall = process.argv.includes('--small')
const TASKS = Number(process.env.BENCH_TASKS ?? (isSmall ? 20_000 : 1_000_000))
const COLD = isSmall ? 3 : 15
const WARM = isSmall ? 20 : 200
const GOAL_MS = 300
const CHUNK = 100_000
const DAYS = 30

const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-bench-'))
// PostgreSQL runs as another user and reads these files itself.
chmodSync(folder, 0o755)
const postgres = await startPostgres({
  dataDir: path.join(folder, 'postgres'),
  temporary: true,
  settings: {
    fsync: 'off',
    synchronous_commit: 'off',
    shared_buffers: '1GB',
    max_wal_size: '8GB',
    autovacuum: 'off',
  },
})
try {
  await migrate(postgres.url, { log: { info() {} } })
  await fill(postgres.url)
  await measure(postgres.url)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Ids sort by time: ten letters for the milliseconds, then sixteen of anything.
  await client.query(`
    create function bench_letter(ms bigint, i integer) returns text language sql immutable as
      'select substr(''0123456789abcdefghjkmnpqrstvwxyz'', ((ms >> (5 * i)) & 31)::integer + 1, 1)';
    create function bench_ms(ms bigint) returns text language sql immutable as
      'select ${[...Array(10).keys()]
        .reverse()
        .map((i) => `bench_letter(ms, ${i})`)
        .join(' || ')}';
    create function bench_id(prefix text, at timestamptz, n bigint) returns text language sql immutable as
      'select prefix || ''_'' || bench_ms((extract(epoch from at) * 1000)::bigint) || ''0000'' || lpad(n::text, 12, ''0'')';
    set session_replication_role = replica;
    insert into agents (id, mode, twin_id, name, email, webhook_secret, created_at)
      select bench_id('agent', now() - interval '40 days', n), 'live', 'twin ' || n, 'Agent', n || '@example.com', 'none', now()
        from generate_series(1, 1000) n;
    insert into ledger_agents (agent_id, mode, wallet_cents) select id, 'live', 0 from agents;
    insert into workers (id, mode, name, email, password_hash, status, created_at, updated_at)
      select bench_id('worker', now() - interval '40 days', n), 'live', 'Worker', n || '@example.com', 'none', 'active', now(), now()
        from generate_series(1, 50000) n;
    insert into ledger_workers (worker_id, mode) select id, 'live' from workers;
    insert into request_minutes
      select date_trunc('minute', now()) - m * interval '1 minute', 'process ' || p, g, 1000, 20, 1, 5
        from generate_series(1, 2880) m, generate_series(1, 4) p, unnest(array['create', 'decide', 'feed', 'proof', 'other']) g`)
  for (let from = 0; from < TASKS; from += CHUNK) {
    const until = Math.min(TASKS, from + CHUNK)
    await client.query(`
      create temp table made as
        select n, bench_id('task', at, n) as id, bench_id('agent', now() - interval '40 days', n % 1000 + 1) as agent_id,
               bench_id('worker', now() - interval '40 days', n % 50000 + 1) as worker_id, at,
               case when n % 20 < 12 then 'completed' when n % 20 < 13 then 'disputed' when n % 20 < 16 then 'expired'
                    when n % 20 < 18 then 'cancelled' else 'pending' end as status
          from (select n, now() - interval '${DAYS} days' * (1 - n / ${TASKS}.0) as at
                  from generate_series(${from}, ${until - 1}) n) s;
      insert into tasks (id, agent_id, mode, type, status, description, budget_cents, budget_basis, locked_cents, escrow_cents,
                         funding, urgency, proof_required, consensus_count, deadline, auto_approve_after, min_worker_level,
                         skills, context, created_at, updated_at, ended_at, proof_at, approved_by)
        select id, agent_id, 'live', 'verification', status::task_status, 'Look at the door and say what you see', 1000,
               'total', 1000, case status when 'pending' then 1000 else 0 end, 'wallet', 'standard', 'text', 1,
               at + interval '7 days', 86400, 1, '{}', '{}', at, at,
               case when status <> 'pending' then least(now(), at + interval '5 hours') end,
               case when status in ('completed', 'disputed') then at + interval '3 hours' end,
               case when status = 'completed' then case n % 3 when 0 then 'auto' else 'agent' end end
          from made;
      insert into assignments (id, task_id, agent_id, worker_id, status, pay_cents, deadline, accepted_at, expires_at,
                               submitted_at, ended_at, outcome)
        select bench_id('asg', at + interval '1 hour', n), id, agent_id, worker_id, 'approved', 820, at + interval '7 days',
               at + n % 7200 * interval '1 second', at + interval '1 day', at + interval '3 hours', at + interval '5 hours', 'done'
          from made where status in ('completed', 'disputed');
      insert into proofs (id, assignment_id, task_id, agent_id, worker_id, text, outcome, submitted_at)
        select bench_id('proof', at + interval '3 hours', n), bench_id('asg', at + interval '1 hour', n), id, agent_id,
               worker_id, 'Done', 'done', at + interval '3 hours'
          from made where status in ('completed', 'disputed');
      insert into disputes (id, task_id, agent_id, assignment_ids, reason, status, touches_trust, refunded_cents, created_at,
                            resolved_at)
        select bench_id('dsp', at + interval '5 hours', n), id, agent_id, '{}', 'No',
               case n % 3 when 0 then 'overturned' else 'upheld' end, true, 0, at + interval '5 hours', at + interval '3 days'
          from made where status = 'disputed';
      insert into transfers (key, line, id, mode, kind, debit, credit, amount_cents, shard, agent_id, worker_id, task_id,
                             request_hash, created_at)
        select 'task:' || id || ':' || l.word, l.line, bench_id('txn', at, n * 4 + l.no), 'live', l.kind, l.debit, l.credit,
               l.cents, 0, agent_id, worker_id, id, 0, at
          from made cross join (values
            (1, 'lock', 1, 'escrow_lock', 'liab:agent_wallet', 'liab:escrow', 1000),
            (2, 'settle', 1, 'escrow_release', 'liab:escrow', 'liab:worker_payable', 820),
            (3, 'settle', 2, 'escrow_release', 'liab:escrow', 'rev:commission', 180))
            l(no, word, line, kind, debit, credit, cents)
         where l.no = 1 or status = 'completed';
      insert into payouts (id, worker_id, agent_id, task_id, mode, funding, amount_cents, status, available_at, account_id,
                           transfer_id, paid_at, created_at, updated_at)
        select bench_id('po', at + interval '5 hours', n), worker_id, agent_id, id, 'live', 'wallet', 820, 'paid', at, 'acct',
               'tr_' || n, at + interval '6 hours', at + interval '5 hours', at
          from made where status = 'completed';
      insert into open_tasks (task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, cell5, cell6,
                              cell7, area, paid_chance)
        select id, agent_id, 'verification', 820, 1, '{}', at + interval '7 days', n % 120 - 60, n % 300 - 150, n % 300,
               n % 300, n % 300, 'City ' || n % 300, 1
          from made where status = 'pending';
      insert into open_cards (task_id, status, description, urgency, proof_required, budget_cents, auto_approve_after,
                              slots_needed, slots_taken, skills, languages, created_at)
        select id, 'pending', 'Look at the door', 'standard', 'text', 1000, 86400, 1, 0, '{}', '{}', at
          from made where status = 'pending';
      drop table made`)
  }
  await client.query('vacuum analyze')
  await client.end()
}

async function measure(url: string): Promise<void> {
  const at = new URL(url)
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: at.href,
    PORT: '0',
    OPS_PORT: '0',
    DESK_PORT: String(await freePort()),
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    AGENT_CAPS: 'off',
  })
  const cold = await startServer({ config: { ...config, BOARD_CACHE_SECONDS: 0 }, roles: ['desk'] })
  const audited = performance.now()
  await keepAccounts(cold.db.reader, { patient: cold.db.reader })
  console.log(
    `${TASKS} tasks; sums of accounts counted in ${Math.round(performance.now() - audited)} ms`,
  )
  const cookie = await sessionOn(cold)
  const missed: string[] = []
  const report = (what: string, times: number[], isHeld: boolean) => {
    const [p50, p95] = [0.5, 0.95].map((share) => quantile(times, share))
    console.log(`${what.padEnd(40)} p50 ${p50!.toFixed(0)} ms  p95 ${p95!.toFixed(0)} ms`)
    if (isHeld && p95! > GOAL_MS) missed.push(what)
  }
  const boards = ['money', 'marketplace', 'marketplace?window=week', 'health']
  for (const board of boards)
    report(
      `${board}, cold`,
      await timesOf(cold.addresses.desk!, cookie, `/boards/${board}`, COLD),
      false,
    )
  const rows = [
    'money/rows/commission_day_cents',
    'money/rows/open_tasks_cents',
    'marketplace/rows/expiry_share',
    'marketplace/rows/without_takers',
    'health/rows/failed_share',
  ]
  for (const path of rows)
    report(`${path}`, await timesOf(cold.addresses.desk!, cookie, `/boards/${path}`, COLD), false)
  await cold.stop(0)
  const warm = await startServer({ config, roles: ['desk'] })
  for (const board of boards) {
    await timesOf(warm.addresses.desk!, cookie, `/boards/${board}`, 1)
    report(
      `${board}, warm`,
      await timesOf(warm.addresses.desk!, cookie, `/boards/${board}`, WARM),
      true,
    )
  }
  await warm.stop(0)
  if (missed.length > 0) {
    console.error(`slower than ${GOAL_MS} ms: ${missed.join(', ')}`)
    process.exitCode = 1
  }
}

async function sessionOn({ db, clock }: Awaited<ReturnType<typeof startServer>>): Promise<string> {
  const now = clock.now()
  const operator = { id: mintId('opr', now, 0), name: 'Bench', email: 'bench@desk.example' }
  return db.shards.global.transaction(async (tx) => {
    await tx
      .insertInto('operators')
      .values({ ...operator, role: 'viewer', status: 'active', invited_by: null, created_at: now })
      .execute()
    const given = { operatorId: operator.id, how: 'passkey' as const, device: 'Bench', now }
    const cookie = await beginSession(tx, {
      ...given,
      config: readConfig({ NODE_ENV: 'test', DATABASE_URL: postgres.url }),
    })
    return cookie.split(';')[0]!
  })
}

async function timesOf(
  desk: string,
  cookie: string,
  path: string,
  times: number,
): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < times; i += 1) {
    const startedMs = performance.now()
    const response = await fetch(`${desk}/desk/api${path}`, { headers: { cookie } })
    const text = await response.text()
    taken.push(performance.now() - startedMs)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  }
  return taken
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!
}
