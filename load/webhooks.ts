/**
 * `npm run bench:webhooks`: how many events per second one jobs process delivers, compared with its bare HTTP client.
 *
 *   (bare)  a loop that signs and posts the same bodies to the same receivers over as many connections
 *   (a)     16 agents, 4 concurrent deliveries to each: from rows in the outbox through relay, lanes, signing, HTTP
 *           and recording, until the queue is empty
 *   (b)     the same with one agent
 *   (c)     as (a), but relay and deliveries one after the other, to measure them separately
 *   (d)     the relay alone, for agents without a webhook URL
 *   (e)     3,000 agents with a few events each: every lane is acquired and released for one or two events
 *
 * Receivers, bare loop, server and PostgreSQL (fsync and synchronous_commit on) are separate processes on the same
 * machine. Machine speed drifts, so each figure is compared with the bare one of its own round, and the median over all
 * rounds counts (goal: at least 0.5). Afterward it counts the statements from the database log and measures what TLS
 * costs the bare loop. Needs openssl. BENCH_EVENTS (30000) and BENCH_ROUNDS (3) set its length, `--small` is a quick
 * run; BENCH_PROFILE names a folder for a profile of the jobs process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  cpuOf,
  freePort,
  median,
  need,
  needsProgram,
  startApiProcess,
  startDurablePostgres,
} from './machine.ts'
import { type ReceiverOrder, type ReceiverReport, valueOf } from './webhook-receiver.ts'
import type { SenderOrder, SenderReport } from './webhook-sender.ts'

const isSmall = process.argv.includes('--small')
const EVENTS = Number(process.env.BENCH_EVENTS ?? (isSmall ? 1000 : 30_000))
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? (isSmall ? 1 : 3))
const AGENTS = 16
const CONCURRENCY = 4
const LOGGED_EVENTS = isSmall ? 500 : 10_000
const WARM_UP_EVENTS = isSmall ? 500 : 20_000
const SPREAD_AGENTS = isSmall ? 100 : 3000
const TASKS_EACH = 10
const PATIENCE_MS = 60_000
const GOAL = 0.5
const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-bench-'))
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
process.on('SIGINT', () => process.exit(130))

/** As long as the payload of a real proof event. */
const TYPE = 'task.proof_submitted'
const DATA = JSON.stringify({
  task: { id: 'task_', description: 'a'.repeat(900) },
  assignment: 'b'.repeat(300),
})

/** The database's log line for a statement, or for one phase of it. */
const LOG_LINE =
  /duration: (?<ms>[\d.]+) ms {2}(?:(?<step>parse|bind|execute) (?<name>\S+): |statement: )(?<text>(?:.*)(?:\n\t.*)*)/g

interface BenchAgent {
  id: string
  secret: string
  url: string
  tasks: string[]
}

interface BenchEvent {
  id: string
  agent: BenchAgent
  sequence: number
}

/** The cost of a measured period; CPU in microseconds. */
interface Cost {
  events: number
  seconds: number
  nodeMicros: number
  receiverMicros: number
  postgresMicros: number
  walBytes: number
}

try {
  await main()
} finally {
  for (const close of closers.reverse()) await close()
}

async function main(): Promise<void> {
  needsProgram('openssl', 'apt-get install openssl')
  const postgres = await startDurablePostgres(folder)
  closers.push(() => postgres.stop())
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  closers.push(() => client.end())

  const settings = {
    WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_DNS_SERVERS: '127.0.0.1:9',
    WEBHOOK_CONCURRENCY: String(CONCURRENCY),
  }
  const port = await freePort()
  const { agents, quiet } = await registerAgents(postgres.url, settings, port)
  const spread = await addSpreadAgents(client, agents)
  await addTasks(client, [...agents, ...quiet, ...spread])
  const receiver = await startChild('webhook-receiver.ts', [String(AGENTS), String(port)])
  const sender = await startChild('webhook-sender.ts')
  const profile = process.env.BENCH_PROFILE
  const jobs = await startApiProcess(
    postgres.url,
    profile ? { ...settings, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` } : settings,
    'jobs',
  )
  closers.push(() => jobs.child.kill('SIGKILL'))
  const parts: Parts = {
    client,
    receiver,
    sender,
    pids: { node: jobs.pid, postgres: postgres.pid },
  }

  say(
    `PostgreSQL 18, fsync and synchronous_commit on, ${os.cpus().length} cores shared by all; ` +
      `${EVENTS} events each, of ${render(makeEvents(agents, 1)[0]!).length} bytes\n`,
  )
  // Warm-up: code gets faster once it has been optimized.
  await deliver(parts, makeEvents(agents, WARM_UP_EVENTS))
  await sendBare(parts, makeEvents(agents, WARM_UP_EVENTS))

  const ratios = new Map<string, number[]>()
  const keep = (name: string, ratio: number) =>
    void ratios.set(name, [...(ratios.get(name) ?? []), ratio])
  for (let round = 1; round <= ROUNDS; round += 1) {
    say(`round ${round}`)
    const many = await sendBare(parts, makeEvents(agents, EVENTS))
    print(`bare, ${AGENTS} × ${CONCURRENCY} connections`, many)
    const whole = await deliver(parts, makeEvents(agents, EVENTS))
    print(`(a) ${AGENTS} agents`, whole, many)
    const apart = await deliverApart(parts, makeEvents(agents, EVENTS))
    print('(c) relay, with deliveries added', apart.relay)
    print('(c) deliveries alone', apart.deliveries, many)
    print(
      '(d) relay, agents without a webhook URL',
      await relayAlone(parts, makeEvents(quiet, EVENTS)),
    )
    const few = await sendBare(parts, makeEvents(agents.slice(0, 1), EVENTS / 2))
    print(`bare, 1 × ${CONCURRENCY} connections`, few)
    const one = await deliver(parts, makeEvents(agents.slice(0, 1), EVENTS / 2))
    print('(b) one agent', one, few)
    const thin = await deliver(parts, makeEvents(spread, EVENTS / 2))
    print(`(e) ${SPREAD_AGENTS} agents`, thin, many)
    keep('(a) many agents', rateOf(whole) / rateOf(many))
    keep('(b) one agent', rateOf(one) / rateOf(few))
    keep('(e) very many agents', rateOf(thin) / rateOf(many))
    keep('(c) deliveries alone', rateOf(apart.deliveries) / rateOf(many))
    if (round === 1) await printSizes(client, apart.waiting)
  }
  say('')
  for (const [name, all] of ratios)
    say(
      `${name}: ${median(all).toFixed(2)} × bare (${all.map((ratio) => ratio.toFixed(2)).join(', ')}; goal ≥ ${GOAL})`,
    )

  await printIdle(parts)
  await printStatements(parts, postgres.dataDir, agents)
  await stopJobs(jobs.child)
  await printTls(parts, agents)
}

interface Parts {
  client: pg.Client
  receiver: ChildProcess
  sender: ChildProcess
  pids: { node: number; postgres: number }
}

/** Measures from rows in the outbox until nothing is waiting. */
async function deliver(parts: Parts, events: BenchEvent[]): Promise<Cost> {
  const { client } = parts
  await vacuum(client)
  const received = await expectEvents(parts, events)
  const spent = await recordInOutbox(parts, events)
  await received()
  await untilEmpty(client, 'deliveries', 'event_id')
  const cost = await spent()
  await proveDelivered(client, events)
  return cost
}

/** The same, but the relay finishes before the first delivery is sent. */
async function deliverApart(parts: Parts, events: BenchEvent[]) {
  const { client } = parts
  await vacuum(client)
  await untilLanesAreFree(client)
  await client.query(
    `update webhook_lanes set due_at = now() + interval '1 hour', paused_until = now() + interval '1 hour'`,
  )
  const spentOnRelay = await recordInOutbox(parts, events)
  await untilEmpty(client, 'outbox', 'position')
  const relay = await spentOnRelay()
  const waiting = await sizeOf(client, 'deliveries')

  const received = await expectEvents(parts, events)
  const spent = await startMeasuring(parts, events.length)
  await client.query('update webhook_lanes set due_at = now(), paused_until = null')
  await received()
  await untilEmpty(client, 'deliveries', 'event_id')
  const deliveries = await spent()
  await proveDelivered(client, events)
  return { relay, deliveries, waiting }
}

async function relayAlone(parts: Parts, events: BenchEvent[]): Promise<Cost> {
  await vacuum(parts.client)
  const spent = await recordInOutbox(parts, events)
  await untilEmpty(parts.client, 'outbox', 'position')
  return spent()
}

async function sendBare(
  parts: Parts,
  events: BenchEvent[],
  options: Pick<SenderOrder, 'ca' | 'connectsEachTime'> = {},
): Promise<Cost> {
  const lanes = new Map<BenchAgent, SenderOrder['lanes'][number]>()
  for (const event of events) {
    const { url, secret } = event.agent
    const lane = lanes.get(event.agent) ?? { url, secret, bodies: [] }
    lane.bodies.push({ id: event.id, text: render(event) })
    lanes.set(event.agent, lane)
  }
  const received = await expectEvents(parts, events)
  const order: SenderOrder = { lanes: [...lanes.values()], concurrency: CONCURRENCY, ...options }
  const look = () => [cpuOf(parts.sender.pid!), cpuOf(parts.receiver.pid!)] as const
  const before = look()
  const { seconds } = await ask<SenderReport>(parts.sender, order)
  const after = look()
  await received()
  return {
    events: events.length,
    seconds,
    nodeMicros: after[0] - before[0],
    receiverMicros: after[1] - before[1],
    postgresMicros: 0,
    walBytes: 0,
  }
}

function makeEvents(agents: BenchAgent[], count: number): BenchEvent[] {
  const time = Date.now().toString(16).padStart(12, '0')
  return Array.from({ length: count }, (_, i) => ({
    id: `evt_${time}${i.toString(16).padStart(6, '0')}${randomBytes(4).toString('hex')}`,
    agent: agents[i % agents.length]!,
    sequence: Math.floor(i / agents.length),
  }))
}

/** Renders the body as the server does. */
function render({ id, sequence }: BenchEvent): string {
  const created_at = new Date().toISOString()
  const head = { id, type: TYPE, created_at, api_version: 'v1', sequence }
  return `${JSON.stringify(head).slice(0, -1)},"data":${DATA}}`
}

/** Measured from the commit, because the events are invisible before it. */
async function recordInOutbox(parts: Parts, events: BenchEvent[]) {
  const { client } = parts
  await client.query('begin')
  await client.query(
    `insert into outbox (id, type, agent_id, task_id, sequence, data, created_at)
       select id, $1, agent_id, task_id, sequence, $2::json, clock_timestamp()
         from unnest($3::text[], $4::text[], $5::text[], $6::integer[]) e(id, agent_id, task_id, sequence)`,
    [
      TYPE,
      DATA,
      events.map(({ id }) => id),
      events.map(({ agent }) => agent.id),
      events.map(({ agent: { tasks }, sequence }) => tasks[sequence % tasks.length]),
      events.map(({ sequence }) => sequence),
    ],
  )
  const spent = await startMeasuring(parts, events.length)
  await client.query('commit')
  return spent
}

async function startMeasuring(
  { client, pids, receiver }: Parts,
  events: number,
): Promise<() => Promise<Cost>> {
  const look = async () => {
    const { rows } = await client.query<{ wal: string }>(
      `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal`,
    )
    return {
      at: performance.now(),
      node: cpuOf(pids.node),
      receiver: cpuOf(receiver.pid!),
      postgres: cpuOf(pids.postgres),
      wal: Number(rows[0]!.wal),
    }
  }
  const before = await look()
  return async () => {
    const after = await look()
    return {
      events,
      seconds: (after.at - before.at) / 1000,
      nodeMicros: after.node - before.node,
      receiverMicros: after.receiver - before.receiver,
      postgresMicros: after.postgres - before.postgres,
      walBytes: after.wal - before.wal,
    }
  }
}

/** The returned function waits until all events have arrived, then verifies the requests. */
async function expectEvents(
  { receiver }: Parts,
  events: BenchEvent[],
): Promise<() => Promise<void>> {
  await ask(receiver, { expect: events.length } satisfies ReceiverOrder)
  const report = nextMessage<ReceiverReport>(receiver)
  // If something else fails first, nothing awaits this promise, so avoid an unhandled rejection.
  report.catch(() => undefined)
  return async () => {
    const { requests, samples } = await report
    if (requests !== events.length)
      throw new Error(`${requests} requests for ${events.length} events`)
    const agents = new Map(events.map(({ id, agent }) => [id, agent]))
    for (const { headers, body } of samples) {
      const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
        valueOf(headers, `webhook-${name}`),
      ) as [string, string, string]
      const key = Buffer.from(agents.get(id)!.secret.slice('whsec_'.length), 'base64')
      const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
      if (signature !== `v1,${hmac}` || (JSON.parse(body) as { id: string }).id !== id)
        throw new Error(`${id} was not signed well:\n${headers}${body}`)
    }
  }
}

async function proveDelivered(client: pg.Client, events: BenchEvent[]): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from delivery_attempts
      where event_id = any($1) and outcome = 'delivered' and number = 1`,
    [events.map(({ id }) => id)],
  )
  if (rows[0]!.count !== events.length)
    throw new Error(`${rows[0]!.count} deliveries were recorded of ${events.length}`)
}

/** Reads from the end, because reading from the start would scan past deleted rows again and again. */
async function untilEmpty(client: pg.Client, table: string, key: string): Promise<void> {
  await until(`${table} is empty`, async () => {
    const { rowCount } = await client.query(`select from ${table} order by ${key} desc limit 1`)
    return rowCount === 0
  })
}

async function untilLanesAreFree(client: pg.Client): Promise<void> {
  await until('no lane is held', async () => {
    const { rowCount } = await client.query(
      'select from webhook_lanes where held_by is not null or due_at is not null limit 1',
    )
    return rowCount === 0
  })
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await isTrue())) {
    if (performance.now() > deadline)
      throw new Error(`did not happen within ${PATIENCE_MS} ms: ${what}`)
    await sleep(10)
  }
}

async function vacuum(client: pg.Client): Promise<void> {
  await client.query('vacuum analyze outbox, deliveries, webhook_lanes, event_counters')
}

/** Prints the size of a row including its indexes. */
async function printSizes(client: pg.Client, waitingBytes: number): Promise<void> {
  const sizes: number[] = []
  for (const table of ['delivery_attempts', 'events']) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from ${table}`,
    )
    sizes.push(Math.round((await sizeOf(client, table)) / rows[0]!.count))
  }
  say(
    `  on disk, with indexes: ${Math.round(waitingBytes / EVENTS)} bytes per waiting delivery, ` +
      `${sizes[0]} per attempt, ${sizes[1]} per event in the log`,
  )
}

async function sizeOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `select pg_total_relation_size($1::regclass) + coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 as bytes
       from pg_inherits where inhparent = $1::regclass`,
    [table],
  )
  return rows[0]!.bytes
}

async function printIdle(parts: Parts): Promise<void> {
  await sleep(1000)
  const spent = await startMeasuring(parts, 0)
  await sleep(4000)
  const { seconds, nodeMicros, postgresMicros, walBytes } = await spent()
  const [node, postgres] = [nodeMicros, postgresMicros].map((cpu) =>
    (cpu / seconds / 1000).toFixed(0),
  )
  say(
    `idle: ${node} ms of Node, ${postgres} ms of PostgreSQL per second, ` +
      `${Math.round(walBytes / seconds)} bytes of WAL\n`,
  )
}

/** Counts statements from the database log. Logging slows the database down, so the times are only relative. */
async function printStatements(parts: Parts, dataDir: string, agents: BenchAgent[]): Promise<void> {
  const { client } = parts
  const log = path.join(dataDir, 'server.log')
  await client.query('set log_min_duration_statement = -1')
  await client.query('alter system set log_min_duration_statement = 0')
  await client.query('alter system set log_parameter_max_length = 0')
  await client.query('select pg_reload_conf()')
  await sleep(500)
  const begin = readFileSync(log, 'utf8').length
  await deliver(parts, makeEvents(agents, LOGGED_EVENTS))
  const text = readFileSync(log, 'utf8').slice(begin)
  await client.query('alter system reset log_min_duration_statement')
  await client.query('select pg_reload_conf()')

  const statements = new Map<string, { count: number; ms: number }>()
  for (const { groups } of text.matchAll(LOG_LINE)) {
    const statement = groups!.text!.replaceAll(/\s+/g, ' ').trim().slice(0, 90)
    const name = groups!.name === '<unnamed>' ? statement : `${groups!.name}: ${statement}`
    const sum = statements.get(name) ?? { count: 0, ms: 0 }
    if (groups!.step !== 'bind' && groups!.step !== 'parse') sum.count += 1
    sum.ms += Number(groups!.ms)
    statements.set(name, sum)
  }
  const all = [...statements].toSorted(([, a], [, b]) => b.ms - a.ms)
  const trips = all.reduce((sum, [, { count }]) => sum + count, 0)
  say(
    `statements: ${trips} for ${LOGGED_EVENTS} events, one per ${(LOGGED_EVENTS / trips).toFixed(1)} events`,
  )
  for (const [name, { count, ms }] of all.slice(0, 14))
    say(
      `  ${String(count).padStart(6)} ×  ${((1000 * ms) / LOGGED_EVENTS).toFixed(1).padStart(6)} µs per event  ${name}`,
    )
  say('')
}

/** The cost of TLS is in new connections; lanes keep theirs open while they have something to send. */
async function printTls(parts: Parts, agents: BenchAgent[]): Promise<void> {
  const [certificate, key] = ['certificate.pem', 'key.pem'].map((name) =>
    path.join(folder, name),
  ) as [string, string]
  const addresses = agents.map((_, i) => `IP:127.0.0.${i + 1}`).join(',')
  const options =
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=bench ` +
    `-keyout ${key} -out ${certificate} -addext subjectAltName=${addresses}`
  need('openssl', options.split(' '))
  const port = await freePort()
  const receiver = await startChild('webhook-receiver.ts', [
    String(AGENTS),
    String(port),
    certificate,
    key,
  ])
  const ca = readFileSync(certificate, 'utf8')
  const secure = agents.map((agent) => {
    const url = new URL(agent.url)
    return { ...agent, url: `https://${url.hostname}:${port}/hooks` }
  })
  const few = Math.round(EVENTS / 4)
  print('bare, http', await sendBare(parts, makeEvents(agents, few)))
  print(
    'bare, http, a connection each',
    await sendBare(parts, makeEvents(agents, few), { connectsEachTime: true }),
  )
  const withTls = { ...parts, receiver }
  await sendBare(withTls, makeEvents(secure, 500), { ca })
  print('bare, https', await sendBare(withTls, makeEvents(secure, few), { ca }))
  print(
    'bare, https, a connection each',
    await sendBare(withTls, makeEvents(secure, few), { ca, connectsEachTime: true }),
  )
}

/** Registers agents through the API: some with a webhook URL, and as many without one. */
async function registerAgents(
  url: string,
  settings: Record<string, string>,
  port: number,
): Promise<{ agents: BenchAgent[]; quiet: BenchAgent[] }> {
  const api = await startApiProcess(url, settings)
  const register = async (n: number, webhook_url?: string): Promise<BenchAgent> => {
    const response = await fetch(`http://127.0.0.1:${api.port}/api/v1/agents/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Bench ${n}`, email: `bench-${n}@example.com`, webhook_url }),
    })
    if (response.status !== 201) throw new Error(await response.text())
    const { agent } = (await response.json()) as { agent: { id: string; webhook_secret: string } }
    const { id, webhook_secret: secret } = agent
    return { id, secret, url: webhook_url ?? '', tasks: makeTasks() }
  }
  try {
    const agents: BenchAgent[] = []
    const quiet: BenchAgent[] = []
    for (let n = 1; n <= AGENTS; n += 1) {
      agents.push(await register(n, `http://127.0.0.${n}:${port}/hooks`))
      quiet.push(await register(AGENTS + n))
    }
    return { agents, quiet }
  } finally {
    api.child.kill('SIGKILL')
  }
}

/**
 * Copies of agents, with URLs on the same hosts. Their secrets are unencrypted, because a sealed secret is bound to one
 * agent.
 */
async function addSpreadAgents(client: pg.Client, agents: BenchAgent[]): Promise<BenchAgent[]> {
  const spread = Array.from({ length: SPREAD_AGENTS }, (_, i) => ({
    id: `agent_${randomBytes(13).toString('hex')}`,
    secret: agents[0]!.secret,
    url: agents[i % AGENTS]!.url,
    tasks: makeTasks(),
  }))
  await client.query(
    `insert into agents (id, mode, twin_id, name, email, webhook_url, webhook_secret, created_at)
       select id, 'live', reverse(id), 'Bench', 'bench@example.com', url, secret, now()
         from unnest($1::text[], $2::text[], $3::text[]) a(id, secret, url)`,
    [spread.map(({ id }) => id), spread.map(({ secret }) => secret), spread.map(({ url }) => url)],
  )
  return spread
}

async function addTasks(client: pg.Client, agents: BenchAgent[]): Promise<void> {
  const tasks = agents.flatMap(({ id, tasks }) => tasks.map((task) => [task, id]))
  await client.query(
    `insert into tasks (id, agent_id, mode, type, description, budget_cents, budget_basis, locked_cents, escrow_cents,
         funding, urgency, proof_required, consensus_count, deadline, auto_approve_after, min_worker_level, skills,
         context, created_at, updated_at)
       select t.id, t.agent_id, 'test', 'verification', repeat('a', 240), 1000, 'total', 1000, 1000, 'wallet',
              'standard', 'photo', 1, now() + interval '1 day', 86400, 1, '{}', '{}', now(), now()
         from unnest($1::text[], $2::text[]) t(id, agent_id)`,
    [tasks.map(([task]) => task), tasks.map(([, agent]) => agent)],
  )
  await client.query('vacuum analyze')
}

function makeTasks(): string[] {
  return Array.from({ length: TASKS_EACH }, () => `task_${randomBytes(13).toString('hex')}`)
}

async function startChild(file: string, args: string[] = []): Promise<ChildProcess> {
  const child = fork(path.join(import.meta.dirname, file), args)
  closers.push(() => child.kill('SIGKILL'))
  await nextMessage(child)
  return child
}

function ask<Answer>(child: ChildProcess, order: SenderOrder | ReceiverOrder): Promise<Answer> {
  const answer = nextMessage<Answer>(child)
  child.send(order)
  return answer
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(PATIENCE_MS)])
  try {
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error(`${child.spawnargs.join(' ')} has exited`)
    })
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Message]
    return message
  } finally {
    done.abort()
  }
}

async function stopJobs(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

function rateOf({ events, seconds }: Cost): number {
  return events / seconds
}

function print(name: string, cost: Cost, bare?: Cost): void {
  const each = (value: number) => String(Math.round(value / cost.events)).padStart(5)
  const ratio = bare === undefined ? '    ' : (rateOf(cost) / rateOf(bare)).toFixed(2)
  const cpu = [
    `${each(cost.nodeMicros)} µs Node`,
    ...(cost.receiverMicros > 0 ? [`${each(cost.receiverMicros)} µs receiver`] : []),
    ...(cost.postgresMicros > 0
      ? [`${each(cost.postgresMicros)} µs PostgreSQL, ${each(cost.walBytes)} bytes of WAL`]
      : []),
  ]
  say(`  ${name.padEnd(36)} ${rateOf(cost).toFixed(0).padStart(6)}/s  ${ratio}  ${cpu.join(' + ')}`)
}

function say(line: string): void {
  console.log(line)
}
