/**
 * `npm run bench:create`: how many tasks per second can be created, compared with what the database alone can do.
 *
 *   (a) pgbench alone, one creation per transaction, at 8, 32 and 64 clients: one hand-written statement that writes
 *       the same rows and checks nothing but the wallet; and create_tasks with one item
 *   (b) HTTP through the whole stack, at 64 and 256 connections
 *
 * Each is measured both spread over many agents and on one hot agent, in the same database and the same run, with fsync
 * and synchronous_commit on. Machine speed drifts, so each (b) is compared with the best (a) of its own round, and the
 * median over all rounds counts. Needs pgbench and wrk (Debian: postgresql, wrk). BENCH_SECONDS (5) and BENCH_ROUNDS
 * (3) set its length; `--small` is a smoke test with one round of one second.
 *
 * With `--traces`, it measures what traces cost instead: without a collector, at the default share of requests and for
 * all of them, in turns of BENCH_SECONDS in one run. BENCH_AGAINST names another checkout, which is measured as well.
 * With `--shards`, it compares a database with sixteen schemas to one with a single schema, in the same way. With
 * `--screening`, it profiles how much of a process's time screening takes. BENCH_CONNECTIONS (64) is for these three.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { query, stopChild } from '../scripts/postgres.ts'
import {
  cpuOf,
  freePort,
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
const SECONDS = Number(process.env.BENCH_SECONDS ?? (isSmall ? 1 : 5))
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? (isSmall ? 1 : 3))
/** The number of HTTP connections for the comparisons. */
const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 64)
const GOAL = { spread: '≥ 1.2', hot: '≥ 3' }
const AGENTS = 2000
const SCHEMAS_WITH_WALLETS =
  "select schemaname as schema from pg_tables where tablename = 'ledger_agents'"
const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-bench-'))
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
process.on('SIGINT', () => process.exit(130))

/**
 * Writes the same rows as create_tasks does for one task with an Idempotency-Key. The ids are generated in SQL from
 * time and randomness like ours; the stored response is as long as ours.
 */
const IDS = `
\\set cents random(300, 2000)
\\set chance random(1, 4503599627370495)
`
const NEW = (prefix: string) =>
  `'${prefix}_' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint), 13, '0') || lpad(to_hex(:chance::bigint), 13, '0')`
const DESCRIPTION =
  'Please go to the shop at the address in the context and check whether the opening hours on the door match the website; take one photo of the door sign so that the hours can be read, and say in one sentence if anything differs. Be polite.'
const CONTEXT = '{"location":"Main street 5","metadata":{"k":"v"}}'
const PGBENCH = {
  statement: `${IDS}
with a as materialized (select b.id, b.shard, ${NEW('task')} as task, ${NEW('txn')} as txn, ${NEW('evt')} as evt, now() as at
     from bench_agents b where b.n = :agent::integer),
 w as (update ledger_agents l set wallet_cents = wallet_cents - :cents::bigint, statement_no = statement_no + 1 from a
        where l.agent_id = a.id and l.wallet_cents >= :cents::bigint returning l.wallet_cents - l.receivable_cents as left_cents, l.statement_no as no),
 t as (insert into tasks (id, agent_id, mode, type, description, budget_cents, budget_basis, locked_cents, escrow_cents, funding,
         urgency, proof_required, consensus_count, deadline, auto_approve_after, min_worker_level, skills, location, context, created_at, updated_at)
       select a.task, a.id, 'live', 'verification', '${DESCRIPTION}', :cents::bigint, 'total', :cents::bigint, :cents::bigint, 'wallet', 'standard', 'photo', 1,
         a.at + interval '2h', 86400, 1, '{}', '"Main street 5"', '${CONTEXT}', a.at, a.at from a, w),
 f as (insert into transfers (key, line, id, mode, kind, debit, credit, amount_cents, shard, agent_id, task_id, agent_statement_no, agent_balance_cents, request_hash, created_at)
       select concat('task', chr(58), a.task, chr(58), 'lock'), 1, a.txn, 'live', 'escrow_lock', 'liab' || chr(58) || 'agent_wallet', 'liab' || chr(58) || 'escrow', :cents::bigint, a.shard, a.id, a.task,
         w.no, w.left_cents, hashtextextended(a.task, 0), a.at from a, w),
 o as (insert into outbox (id, type, agent_id, task_id, data, created_at) select a.evt, 'task.created', a.id, a.task, '{}', a.at from a, w)
insert into idempotency_keys (week, principal, key_hash, fingerprint, status, answer, created_at)
  select date_trunc('week', a.at)::date, a.id, encode(sha256(a.task::bytea), 'hex'), repeat('f', 64), 201, repeat('a', 1150), a.at from a, w;
`,
  function: `${IDS}
select c.outcome
  from bench_agents b
 cross join lateral (select ${NEW('task')} as task) n
 cross join lateral create_tasks(now(),
   array(select r from json_populate_recordset(null::task_creation, json_build_array(json_build_object('id', n.task,
     'agent_id', b.id, 'event_id', ${NEW('evt')}, 'locked_cents', :cents::bigint, 'may_be_free', false, 'funding', 'wallet',
     'key_hash', encode(sha256((${NEW('key')})::bytea), 'hex'), 'fingerprint', repeat('f', 64),
     'response', repeat('a', 1150), 'type', 'verification', 'description', '${DESCRIPTION}',
     'budget_cents', :cents::bigint, 'budget_basis', 'total', 'urgency', 'standard', 'proof_required', 'photo',
     'consensus_count', 1, 'deadline', now() + interval '2h', 'auto_approve_after', 86400, 'min_worker_level', 1,
     'skills', '[]'::json, 'languages', '[]'::json, 'location', 'Main street 5', 'context', '${CONTEXT}'::json,
     'commission_basis_points', 1800, 'created_at', now()))) r),
   array(select r from json_populate_recordset(null::ledger_line, json_build_array(json_build_object('item', 1,
     'entry', 1, 'key', 'task' || chr(58) || n.task || chr(58) || 'lock', 'mode', 'live', 'kind', 'escrow_lock',
     'shard', b.shard, 'id', ${NEW('txn')}, 'debit', 'liab' || chr(58) || 'agent_wallet',
     'credit', 'liab' || chr(58) || 'escrow', 'amount_cents', :cents::bigint, 'agent_id', b.id, 'task_id', n.task))) r),
   '{}'::bigint[]) c
 where b.n = :agent::integer;
`,
}

try {
  const comparisons = {
    '--traces': compareTraces,
    '--shards': compareShards,
    '--screening': profileScreening,
  }
  const asked = Object.entries(comparisons).find(([flag]) => process.argv.includes(flag))
  await (asked?.[1] ?? main)()
} finally {
  for (const close of closers.reverse()) await close()
}

async function main(): Promise<void> {
  needsProgram('pgbench', 'apt-get install postgresql')
  needsProgram('wrk', 'apt-get install wrk')
  const postgres = await startDurablePostgres(folder)
  closers.push(() => postgres.stop())
  const api = await startApiProcess(postgres.url, { FREE_TASKS: '0' })
  closers.push(() => api.child.kill('SIGKILL'))
  const keysFile = await fillDatabase(postgres.url, api.port)

  say(
    `PostgreSQL 18, fsync and synchronous_commit on, ${os.cpus().length} cores shared by all; ${SECONDS} s each\n`,
  )
  for (const spread of ['spread', 'hot'] as const) {
    const ratios = new Map<number, { toStatement: number[]; toFunction: number[] }>()
    for (let round = 1; round <= ROUNDS; round += 1) {
      say(`${spread}, round ${round}`)
      const statements = [8, 32, 64].map((clients) =>
        pgbench(postgres, { form: 'statement', clients, spread }),
      )
      const best = Math.max(...statements.map(({ rate }) => rate))
      const same = pgbench(postgres, { form: 'function', clients: 8, spread })
      for (const measure of [...statements, same]) print(measure, best)
      for (const connections of [64, 256]) {
        const measure = wrk(api, postgres, { connections, spread, keysFile })
        print(measure, best)
        const all = ratios.get(connections) ?? { toStatement: [], toFunction: [] }
        all.toStatement.push(measure.rate / best)
        all.toFunction.push(measure.rate / same.rate)
        ratios.set(connections, all)
      }
    }
    for (const [connections, { toStatement, toFunction }] of ratios)
      say(
        `  ${spread}, ${connections} connections: ${median(toStatement).toFixed(2)} × the best statement of its ` +
          `round (${toStatement.map((ratio) => ratio.toFixed(2)).join(', ')}; goal ${GOAL[spread]}), ` +
          `${median(toFunction).toFixed(1)} × the same function with one item`,
      )
    say('')
  }
}

interface Variant {
  name: string
  settings: Record<string, string>
  /** Another checkout. */
  folder?: string
  /** Another database than the first variant's. */
  url?: string
}

async function compareTraces(): Promise<void> {
  const postgres = await startDurablePostgres(folder)
  closers.push(() => postgres.stop())
  const collectorPort = await freePort()
  const collector = fork('load/trace-collector.ts', [String(collectorPort)])
  closers.push(() => collector.kill('SIGKILL'))
  await once(collector, 'message')

  const sending = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}` }
  await compareInTurns(postgres, [
    { name: 'off', settings: {} },
    { name: '1 % sampled', settings: { ...sending, OTEL_TRACES_SAMPLER_ARG: '0.01' } },
    { name: 'all sampled', settings: { ...sending, OTEL_TRACES_SAMPLER_ARG: '1' } },
  ])
}

/**
 * Measures the share of screening in the CPU of a process that creates tasks, from the profile of that process. Two
 * processes with equal settings differ by more than screening costs, so comparing two would show nothing.
 */
async function profileScreening(): Promise<void> {
  needsProgram('wrk', 'apt-get install wrk')
  const postgres = await startDurablePostgres(folder)
  closers.push(() => postgres.stop())
  const settings = { FREE_TASKS: '0' }
  const keysFile = await fillThrough(postgres.url, settings)
  say(`creations with ${CONNECTIONS} connections, ${ROUNDS} processes, ${SECONDS} s each`)
  const shares: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const profiles = path.join(folder, `profile-${round}`)
    const api = await startApiProcess(postgres.url, {
      ...settings,
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}`,
    })
    closers.push(() => api.child.kill('SIGKILL'))
    const load = { connections: CONNECTIONS, spread: 'spread', keysFile } as const
    const { rate, nodeMicros, postgresMicros, began } = wrk(api, postgres, load)
    await stopChild(api.child, 'SIGTERM')
    const ofNode = shareOfScreening(profiles, began)
    // Node and PostgreSQL share the cores, which limit the rate.
    const share = (ofNode * nodeMicros!) / (nodeMicros! + postgresMicros)
    shares.push(share)
    say(
      `  ${rate.toFixed(0)}/s, ${nodeMicros} µs of CPU in Node + ${postgresMicros} in PostgreSQL each; screening: ` +
        `${percent(ofNode)} of Node, ${percent(share)} of both`,
    )
  }
  say(`screening takes ${percent(median(shares))} of the CPU of a creation (goal ≤ 5 %)`)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  /** Microseconds of the monotonic clock. */
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

/** The part of the busy time since `began` in which a function of server/src/screening is on the stack. */
function shareOfScreening(profiles: string, began: number): number {
  const [file] = readdirSync(profiles)
  const { nodes, startTime, samples, timeDeltas } = JSON.parse(
    readFileSync(path.join(profiles, file!), 'utf8'),
  ) as Profile
  const isIdle = new Set<number>()
  const isScreening = new Set<number>()
  // A node comes before its children.
  for (const { id, callFrame, children = [] } of nodes) {
    if (callFrame.functionName === '(idle)') isIdle.add(id)
    if (callFrame.url.includes('/server/src/screening/')) isScreening.add(id)
    if (isScreening.has(id)) for (const child of children) isScreening.add(child)
  }
  let at = startTime
  const micros = { busy: 0, screening: 0 }
  for (const [i, id] of samples.entries()) {
    at += timeDeltas[i]!
    if (at < began || isIdle.has(id)) continue
    micros.busy += timeDeltas[i]!
    if (isScreening.has(id)) micros.screening += timeDeltas[i]!
  }
  return micros.screening / micros.busy
}

async function compareShards(): Promise<void> {
  const postgres = await startDurablePostgres(folder)
  closers.push(() => postgres.stop())
  const sixteen = await makeSixteen(postgres.url)
  await compareInTurns(postgres, [
    { name: 'one schema', settings: {} },
    { name: 'sixteen schemas', settings: {}, url: sixteen },
  ])
}

/** Each round runs all variants in another order, so that a drift of the machine hits them alike. */
async function compareInTurns(
  postgres: { url: string; pid: number },
  variants: Variant[],
): Promise<void> {
  needsProgram('wrk', 'apt-get install wrk')
  const { BENCH_AGAINST: other } = process.env
  if (other) variants.push({ name: 'the other checkout', settings: {}, folder: other })
  const apis = []
  const keysFiles = new Map<string, KeysFile>()
  for (const variant of variants) {
    const { url = postgres.url } = variant
    const settings = { FREE_TASKS: '0', ...variant.settings }
    const keysFile = keysFiles.get(url) ?? (await fillThrough(url, settings))
    keysFiles.set(url, keysFile)
    const api = await startApiProcess(url, settings, 'api', variant.folder)
    closers.push(() => api.child.kill('SIGKILL'))
    apis.push({ ...variant, api, keysFile, rates: [] as number[], micros: [] as number[] })
  }

  // The first round is not counted: the compiler has not yet seen the code of every process.
  for (let round = -1; round < ROUNDS; round += 1)
    for (let turn = 0; turn < apis.length; turn += 1) {
      const { api, keysFile, rates, micros } = apis[(round + 1 + turn) % apis.length]!
      const measure = wrk(api, postgres, { connections: CONNECTIONS, spread: 'spread', keysFile })
      if (round === -1) continue
      rates.push(measure.rate)
      micros.push(measure.nodeMicros! + measure.postgresMicros)
    }
  say(
    `creations with ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each; medians, and ratios to “${apis[0]!.name}” by round`,
  )
  for (const line of linesOfRatios(apis)) say(line)
}

interface KeysFile {
  spread: string
  hot: string
}

/** A process that has registered thousands of agents is slower afterwards, so none of those compared does it. */
async function fillThrough(url: string, settings: Record<string, string>): Promise<KeysFile> {
  const { port, child } = await startApiProcess(url, settings)
  try {
    return await fillDatabase(url, port)
  } finally {
    child.kill('SIGKILL')
  }
}

interface Measure {
  name: string
  clients: number
  rate: number
  nodeMicros?: number
  postgresMicros: number
  /** When the measured load began, in microseconds of the monotonic clock. */
  began?: number
  notes: string
}

function print({ name, rate, nodeMicros, postgresMicros, notes }: Measure, best: number): void {
  const cpu =
    nodeMicros === undefined
      ? `${postgresMicros} µs PG`
      : `${nodeMicros} µs Node + ${postgresMicros} µs PG`
  say(
    `${name.padEnd(40)} ${rate.toFixed(0).padStart(6)}/s  ${(rate / best).toFixed(2)}  ${cpu.padEnd(28)} ${notes}`,
  )
}

function pgbench(
  { url, pid }: { url: string; pid: number },
  {
    form,
    clients,
    spread,
  }: { form: 'statement' | 'function'; clients: number; spread: 'spread' | 'hot' },
): Measure {
  const file = path.join(folder, `${form}-${spread}.sql`)
  writeFileSync(
    file,
    `\\set agent ${spread === 'hot' ? '1' : `random(1, ${AGENTS})`}\n${PGBENCH[form]}`,
  )
  settle()
  const before = cpuOf(pid)
  const { stdout } = need('pgbench', [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    '2',
    '-T',
    String(SECONDS),
    '-f',
    file,
    url,
  ])
  settle()
  const cpu = cpuOf(pid) - before
  const count = Number(/actually processed: (\d+)/.exec(stdout)?.[1])
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  return {
    name: `(a) pgbench ${form}, ${spread}, ${clients} clients`,
    clients,
    rate,
    postgresMicros: Math.round(cpu / count),
    notes: '',
  }
}

function wrk(
  api: { port: number; pid: number },
  postgres: { pid: number },
  {
    connections,
    spread,
    keysFile,
  }: { connections: number; spread: 'spread' | 'hot'; keysFile: KeysFile },
): Measure & { began: number } {
  const run = (seconds: number) =>
    runWrk('load/create.lua', {
      port: api.port,
      connections,
      seconds,
      settings: { LEGWORK_KEYS: keysFile[spread] },
    })
  run(2)
  const began = Number(process.hrtime.bigint() / 1000n)
  const before = { node: cpuOf(api.pid), postgres: cpuOf(postgres.pid) }
  const { requests, micros, p50, p99 } = run(SECONDS)
  const after = { node: cpuOf(api.pid), postgres: cpuOf(postgres.pid) }
  return {
    name: `(b) HTTP, ${spread}, ${connections} connections`,
    clients: connections,
    rate: requests / (micros / 1e6),
    nodeMicros: Math.round((after.node - before.node) / requests),
    postgresMicros: Math.round((after.postgres - before.postgres) / requests),
    began,
    notes: `p50 ${(p50 / 1000).toFixed(1)} ms, p99 ${(p99 / 1000).toFixed(1)} ms`,
  }
}

/** Registers agents through the API and fills their wallets. They are live agents, because test mode has limits. */
async function fillDatabase(url: string, port: number): Promise<KeysFile> {
  const keys: string[] = []
  const register = async () => {
    while (keys.length < AGENTS) {
      const n = keys.push('')
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/agents/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Bench ${n}`, email: `bench-${n}@example.com` }),
      })
      const { agent } = (await response.json()) as { agent: { api_key: string } }
      keys[n - 1] = agent.api_key
    }
  }
  await Promise.all(Array.from({ length: 8 }, register))

  // An agent's shard is read from the play-money transfer of its test twin.
  for (const { schema } of await query(url, SCHEMAS_WITH_WALLETS))
    await query(
      url,
      `set search_path = ${schema}, public;
       create table bench_agents (n integer primary key, id text collate "C", shard smallint);
       insert into bench_agents select row_number() over (), a.id, f.shard
         from agents a join transfers f on f.agent_id = a.twin_id where a.mode = 'live';
       update ledger_agents set wallet_cents = 1000000000000 where mode = 'live';`,
    )
  await query(url, 'vacuum analyze')

  const write = (name: string, some: string[]) => {
    const file = path.join(folder, `${name}-${port}`)
    writeFileSync(file, some.join('\n'))
    return file
  }
  return { spread: write('keys-spread', keys), hot: write('keys-hot', keys.slice(0, 1)) }
}

function say(line: string): void {
  console.log(line)
}
