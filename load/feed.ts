/**
 * `npm run bench:feed`: how long a page of the feed takes, at 10,000, 100,000 and 1,000,000 open tasks.
 *
 *   bare   the two statements of a page, prepared, on one connection to the database
 *   HTTP   GET /worker/feed through the whole stack, one connection, each request by another worker
 *
 * Tasks and workers are in 300 cities whose sizes follow Zipf's law; radius 10 km, 20 cards, sort new and match. Bare
 * and HTTP requests alternate, so that both see the same machine conditions. Only ratios count: p99 with the most tasks
 * to p99 with the fewest, and HTTP to bare. `--small` is a quick run with 1,000 / 10,000 / 50,000 tasks; BENCH_REQUESTS
 * (2,000) sets how many requests each figure is based on.
 *
 * With `--shards`, it compares a database with sixteen schemas to one with a single schema instead: the same pages at
 * 100,000 open tasks, one request to each in turns.
 */
import type { ChildProcess } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, hash, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startPostgres } from '../scripts/postgres.ts'
import { makeSixteen, migrate, startApiProcess } from './machine.ts'

// Uses the server's own copy of h3-js, because the cells must be identical.
const h3 = createRequire(new URL('../server/package.json', import.meta.url))('h3-js') as {
  latLngToCell(lat: number, lng: number, resolution: number): string
  gridDisk(cell: string, rings: number): string[]
  cellToLatLng(cell: string): [number, number]
  greatCircleDistance(a: [number, number], b: [number, number], unit: 'km'): number
}

const isSmall = process.argv.includes('--small')
const isOfShards = process.argv.includes('--shards')
const SCALES = (isSmall ? [1000, 10_000, 50_000] : [10_000, 100_000, 1_000_000]).slice(
  0,
  isOfShards ? 2 : 3,
)
const WORKERS = isSmall ? 5000 : 100_000
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? (isSmall ? 300 : 2000))
const WARM_UP = 300
const AGENTS = 1000
const VERDICTS = 20
const RADIUS_KM = 10
const CARDS = 20
const RANKED = 500
const GOALS = { growth: 3, overhead: 2 }
const SORTS = ['new', 'match'] as const
type Sort = (typeof SORTS)[number] | 'nearest' | 'pay'

const MAX_TASKS = SCALES.at(-1)!
const LOGICAL_SHARDS = 4096
/** Workers who send requests, each once per figure: first those for bare, then for HTTP, then for the warm-up. */
const ASKERS = 2 * REQUESTS + WARM_UP
const NOW = Date.now()
const SEED = 12_345
const seed = { state: SEED }
const TOKEN_SEED = randomBytes(32)
const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-bench-'))
// PostgreSQL runs as another user and reads these files itself.
chmodSync(folder, 0o755)
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
process.on('SIGINT', () => process.exit(130))

const CITIES = Array.from({ length: 300 }, (_, i) => ({
  lat: -40 + chance() * 95,
  lng: -170 + chance() * 340,
  share: 1 / (i + 1) ** 0.8,
  spreadKm: 6 + chance() * 6,
}))
const SHARES = CITIES.reduce((sum, { share }) => sum + share, 0)

interface Worker {
  id: string
  lat: number
  lng: number
  skills: string[]
  level: number
}

/** Durability is off, because nothing is written during the measurement. */
async function startDatabase() {
  const postgres = await startPostgres({
    dataDir: path.join(folder, 'postgres'),
    temporary: true,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      shared_buffers: '2GB',
      max_wal_size: '8GB',
      maintenance_work_mem: '512MB',
      autovacuum: 'off',
    },
  })
  closers.push(() => postgres.stop())
  migrate(postgres.url)
  return postgres
}

/** A client of the database, the schema of the feed, and the schemas of shards. */
interface Database {
  db: pg.Client
  feed: string
  shards: { name: string; first: number; last: number }[]
}

async function openDatabase(url: string): Promise<Database> {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  closers.push(() => db.end())
  const { rows } = await db.query<{ schema: string; has_feed: boolean }>(
    `select schemaname as schema, tablename = 'open_tasks' as has_feed from pg_tables
      where tablename in ('agents', 'open_tasks') order by 1`,
  )
  const names = rows.flatMap(({ schema, has_feed }) => (has_feed ? [] : [schema]))
  const size = LOGICAL_SHARDS / names.length
  return {
    db,
    feed: rows.find(({ has_feed }) => has_feed)!.schema,
    shards: names.map((name, i) => ({ name, first: i * size, last: (i + 1) * size - 1 })),
  }
}

/** The same pages with sixteen schemas and with one, one request to each in turns. */
async function compareShards(): Promise<void> {
  const postgres = await startDatabase()
  const sixteen = await makeSixteen(postgres.url)
  const sides: { url: string; workers: Worker[] }[] = []
  for (const url of [postgres.url, sixteen]) {
    const database = await openDatabase(url)
    seed.state = SEED
    sides.push({ url, workers: await load(database) })
    await open(database, { tasks: MAX_TASKS, before: undefined })
  }
  // Both start now: a server closes a connection that waits for long.
  const [one, other] = [await serve(sides[0]!), await serve(sides[1]!)]
  say(`${MAX_TASKS.toLocaleString('en')} open tasks, ${REQUESTS} requests each`)
  for (const sort of SORTS) {
    for (const { workers, api } of [one, other])
      for (const { id } of workers.slice(2 * REQUESTS)) await api.feed(id, sort)
    const [inOne, inSixteen] = [new Times(), new Times()]
    for (let i = 0; i < REQUESTS; i += 1) {
      await inOne.add(() => one.api.feed(one.workers[i]!.id, sort))
      await inSixteen.add(() => other.api.feed(other.workers[i]!.id, sort))
    }
    const figures = [inOne, inSixteen].map((times) => times.figures())
    for (const [i, way] of (['one', 'sixteen'] as const).entries())
      print({ tasks: MAX_TASKS, sort, way, ...figures[i]! })
    const [of, to] = figures as [(typeof figures)[0], (typeof figures)[0]]
    say(
      `${sort}: rate with sixteen schemas / with one: ${(of.mean / to.mean).toFixed(3)}; ` +
        `p50 × ${(to.p50 / of.p50).toFixed(3)}, p99 × ${(to.p99 / of.p99).toFixed(3)}`,
    )
  }
}

const serve = async ({ url, workers }: { url: string; workers: Worker[] }) => ({
  workers,
  api: await startApi(url),
})

async function main(): Promise<void> {
  const startedAt = performance.now()
  const postgres = await startDatabase()
  const database = await openDatabase(postgres.url)
  const workers = await load(database)
  say(
    `PostgreSQL 18, ${os.cpus().length} cores shared by all; ${REQUESTS} requests each; ` +
      `data created in ${seconds(startedAt)} s\n`,
  )

  const figures: Figure[] = []
  for (const [i, tasks] of SCALES.entries()) {
    const at = performance.now()
    await open(database, { tasks, before: SCALES[i - 1] })
    const loadedIn = seconds(at)
    const api = await startApi(postgres.url)
    const own = new pg.Client({ connectionString: postgres.url, options: '-c role=legwork_app' })
    await own.connect()
    say(`${tasks.toLocaleString('en')} open tasks (loaded in ${loadedIn} s)`)
    for (const sort of SORTS) figures.push(...(await compare(own, api, { tasks, sort, workers })))
    if (tasks === MAX_TASKS)
      for (const sort of ['pay', 'nearest'] as const)
        print(await httpAlone(api, { tasks, sort, workers }))
    await own.end()
    await api.stop()
  }
  summarize(figures)
  say(`\n${seconds(startedAt)} s in total`)
}

interface Figure {
  tasks: number
  sort: Sort
  way: 'bare' | 'HTTP' | 'one' | 'sixteen'
  p50: number
  p99: number
  cards: number
}

function print({ sort, way, p50, p99, cards }: Figure): void {
  say(
    `  ${sort.padEnd(8)}${way.padEnd(8)} p50 ${p50.toFixed(2).padStart(6)} ms   p99 ${p99.toFixed(2).padStart(6)} ms` +
      `   ${cards.toFixed(1)} cards`,
  )
}

function summarize(figures: Figure[]): void {
  const of = (tasks: number, sort: Sort, way: Figure['way']) =>
    figures.find((one) => one.tasks === tasks && one.sort === sort && one.way === way)!
  say('')
  for (const sort of SORTS) {
    const growth = (['bare', 'HTTP'] as const).map((way) => {
      const ratio = of(MAX_TASKS, sort, way).p99 / of(SCALES[0]!, sort, way).p99
      return `${way} ${ratio.toFixed(2)}`
    })
    say(
      `${sort}: p99 at ${MAX_TASKS.toLocaleString('en')} / p99 at ${SCALES[0]!.toLocaleString('en')}: ` +
        `${growth.join(', ')} (goal ≤ ${GOALS.growth})`,
    )
    const overhead = SCALES.map((tasks) =>
      (of(tasks, sort, 'HTTP').p50 / of(tasks, sort, 'bare').p50).toFixed(2),
    )
    say(`${sort}: p50 of HTTP / p50 of bare: ${overhead.join(', ')} (goal ≤ ${GOALS.overhead})`)
  }
}

interface Measured {
  tasks: number
  sort: Sort
  workers: Worker[]
}

/** Alternates bare and HTTP requests, each time with another worker. */
async function compare(
  db: pg.Client,
  api: Api,
  { tasks, sort, workers }: Measured,
): Promise<Figure[]> {
  const limit = sort === 'match' ? RANKED : CARDS + 1
  for (const worker of workers.slice(2 * REQUESTS)) {
    await askBare(db, worker, limit)
    await api.feed(worker.id, sort)
  }
  const [bare, http] = [new Times(), new Times()]
  for (let i = 0; i < REQUESTS; i += 1) {
    const [one, other] = [workers[i]!, workers[REQUESTS + i]!]
    await bare.add(() => askBare(db, one, limit))
    await http.add(() => api.feed(other.id, sort))
  }
  const both: Figure[] = [
    { tasks, sort, way: 'bare', ...bare.figures() },
    { tasks, sort, way: 'HTTP', ...http.figures() },
  ]
  for (const figure of both) print(figure)
  return both
}

async function httpAlone(api: Api, { tasks, sort, workers }: Measured): Promise<Figure> {
  for (const worker of workers.slice(2 * REQUESTS)) await api.feed(worker.id, sort)
  const http = new Times()
  for (const worker of workers.slice(0, REQUESTS)) await http.add(() => api.feed(worker.id, sort))
  return { tasks, sort, way: 'HTTP', ...http.figures() }
}

class Times {
  readonly #ms: number[] = []
  #cards = 0

  async add(ask: () => Promise<number>): Promise<void> {
    const at = performance.now()
    this.#cards += await ask()
    this.#ms.push(performance.now() - at)
  }

  figures() {
    const sorted = this.#ms.toSorted((a, b) => a - b)
    const part = (share: number) => sorted[Math.floor(sorted.length * share)]!
    const mean = sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length
    return { mean, p50: part(0.5), p99: part(0.99), cards: this.#cards / sorted.length }
  }
}

/** The server reads the hidden tasks with the worker's profile, which is not measured here. */
const NEWEST = `select * from feed_newest($1, $2, $3, $4, '', 'task_~', $5, $6, $7, $8, $9, $10::smallint, $11, null, 0, open_tasks_hidden_from($12, $9), '{}')`

/** Runs the statements of a page with the values that the server would send. */
async function askBare(
  db: pg.Client,
  { id, lat, lng, skills, level }: Worker,
  limit: number,
): Promise<number> {
  const cover = coverOf(lat, lng)
  const { rows } = await db.query<{ task_id: string }>({
    name: 'newest',
    text: NEWEST,
    values: [
      6,
      cover.cells,
      cover.isInner,
      cover.isSampled,
      limit,
      lat,
      lng,
      RADIUS_KM,
      new Date(),
      level + 1,
      skills.map(skillKey),
      id,
    ],
  })
  if (rows.length === 0) return 0
  const cards = await db.query({
    name: 'cards',
    text: 'select * from feed_cards($1, $2, $3, $4)',
    values: [rows.slice(0, CARDS).map(({ task_id }) => task_id), skills, [], new Date()],
  })
  return cards.rows.length
}

const covers = new Map<string, ReturnType<typeof makeCover>>()

/** Made before its time is taken: the second time it is asked for. */
function coverOf(lat: number, lng: number) {
  const key = `${lat} ${lng}`
  const known = covers.get(key) ?? makeCover(lat, lng)
  covers.set(key, known)
  return known
}

function makeCover(lat: number, lng: number) {
  const reach = 3.724532667 * 1.12
  const disk = h3.gridDisk(h3.latLngToCell(lat, lng, 6), 4).flatMap((cell) => {
    const km = h3.greatCircleDistance(h3.cellToLatLng(cell), [lat, lng], 'km')
    return km <= RADIUS_KM + reach ? [{ cell: asNumber(cell), km }] : []
  })
  return {
    cells: `{0,${disk.map(({ cell }) => cell).join()}}`,
    isInner: `{t,${disk.map(({ km }) => km <= RADIUS_KM - reach).join()}}`,
    isSampled: `{t,${disk.map(({ km }) => km <= RADIUS_KM).join()}}`,
  }
}

interface Api {
  /** Returns the number of cards. */
  feed(workerId: string, sort: Sort): Promise<number>
  stop(): Promise<unknown>
}

async function startApi(url: string): Promise<Api> {
  const { port, child } = await startApiProcess(url, {
    WORKER_TOKEN_KEYS: TOKEN_SEED.toString('base64'),
  })
  closers.push(() => child.kill('SIGKILL'))
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  await once(socket, 'connect')
  return {
    feed: (workerId, sort) =>
      ask(socket, `/api/v1/worker/feed?sort=${sort}&limit=${CARDS}`, tokenOf(workerId)),
    stop: () => stop(child, socket),
  }
}

async function stop(child: ChildProcess, socket: Socket): Promise<void> {
  socket.destroy()
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** A minimal client, because its cost would count as the server's. */
function ask(socket: Socket, target: string, token: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const chunks: Buffer[] = []
  let missing: number | undefined
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    if (missing === undefined) {
      const head = Buffer.concat(chunks)
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      missing = Number(/content-length: (\d+)/i.exec(head.toString('latin1', 0, end))![1])
      missing -= head.length - end - 4
    } else missing -= chunk.length
    if (missing > 0) return
    socket.off('data', onData)
    const text = Buffer.concat(chunks).toString()
    if (text.startsWith('HTTP/1.1 200')) resolve(text.split('"est_minutes"').length - 1)
    else reject(new Error(text))
  }
  socket.on('data', onData)
  socket.write(`GET ${target} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`)
  return promise
}

const signer = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), TOKEN_SEED]),
  format: 'der',
  type: 'pkcs8',
})
const kid = createHash('sha256')
  .update(createPublicKey(signer).export({ format: 'der', type: 'spki' }))
  .digest('base64url')
  .slice(0, 16)
const tokens = new Map<string, string>()

function tokenOf(workerId: string): string {
  const known = tokens.get(workerId)
  if (known !== undefined) return known
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = Math.floor(NOW / 1000)
  const claims = { sv: 1, iss: 'legwork', aud: 'legwork-workers', sub: workerId, iat }
  const text = `${part({ alg: 'EdDSA', typ: 'worker+jwt', kid })}.${part({ ...claims, exp: iat + 6 * 86_400, jti: workerId })}`
  const token = `${text}.${sign(null, Buffer.from(text), signer).toString('base64url')}`
  tokens.set(workerId, token)
  return token
}

/** Loads agents, workers and their history, and all tasks into a side table from which each scale opens a part. */
async function load(database: Database): Promise<Worker[]> {
  const { db, shards } = database
  const agents = Array.from({ length: AGENTS }, () => mint('agent', NOW))
  await db.query(`
    create unlogged table bench_tasks (n integer, task_id text collate "C", agent_id text, type task_type, pay_cents bigint,
      level_needed smallint, skills text[], skill_keys integer[], deadline timestamptz, lat float8, lng float8, cell5 bigint, cell6 bigint,
      cell7 bigint)`)
  await copy(db, 'bench_tasks', taskLines(agents))
  const workers = Array.from({ length: WORKERS }, makeWorker)
  await db.query(`create unlogged table bench_workers (n integer, id text collate "C", lat float8, lng float8, skills text[],
    level smallint)`)
  await copy(db, 'bench_workers', workerLines(workers))
  for (const shard of shards) await loadShard(db, { agents, shard })
  await db.query('set search_path = public')
  return workers.slice(0, ASKERS)
}

/** Whether the row with an id belongs to a schema, in SQL. */
const isIn = ({ first, last }: Database['shards'][number], id: string) =>
  `shards_number_of(${id}) between ${first} and ${last}`

/** Loads the agents and the workers of one schema, and what the workers have had to do. */
async function loadShard(
  db: pg.Client,
  { agents, shard }: { agents: string[]; shard: Database['shards'][number] },
): Promise<void> {
  const isHere = (id: string) => isIn(shard, id)
  await db.query(`set search_path = ${shard.name}, public`)
  await db.query(
    `insert into agents (id, mode, twin_id, name, email, webhook_secret, created_at)
       select id, 'live', id || 't', 'Agent ' || n, n || '@example.com', 'none', now()
         from unnest($1::text[]) with ordinality a(id, n) where ${isHere('id')}`,
    [agents],
  )
  await db.query(
    `insert into workers (id, mode, name, email, password_hash, status, skills, location, approved_count, trust_good,
                          verified_at, created_at, updated_at)
       select id, 'live', 'Worker ' || n, n || '@example.org', 'none', 'active', skills,
              json_build_object('label', 'Here', 'lat', lat, 'lng', lng, 'radius_km', ${RADIUS_KM}),
              case level when 1 then 0 when 2 then 10 else 50 end,
              case level when 1 then 0 when 2 then 10 else 50 end * $1::float8, now(), now(), now()
         from bench_workers where ${isHere('id')}`,
    // The same scale factor as workers/trust.ts uses for an event of today.
    [2 ** ((NOW - Date.UTC(2026, 0, 1)) / (90 * 86_400_000))],
  )
  // The assignments of a worker whose agent is in another schema are copies. Triggers would make them, but need tasks.
  await db.query('set session_replication_role = replica')
  for (const [table, where] of [
    ['assignments', isHere('t.agent_id')],
    ['away_assignments', `${isHere('w.id')} and not ${isHere('t.agent_id')}`],
  ])
    await db.query(
      `insert into ${table} (id, task_id, agent_id, worker_id, status, pay_cents, deadline, accepted_at, expires_at,
                             ended_at, revisions)
         select 'asg_' || w.n || '_' || i, t.task_id, t.agent_id, w.id, (case when i < 5 then 'approved' else 'released' end)::assignment_status,
                500, t.deadline, now() - interval '1 day', now(), now() - interval '1 hour', 0
           from bench_workers w cross join generate_series(0, 19) i
           join lateral (select * from bench_tasks b where b.n = ((w.n * 37 + i * 7919) % $2) * $3) t on true
          where w.n < $1 and ${where}`,
      [ASKERS, SCALES[0], MAX_TASKS / SCALES[0]!],
    )
  await db.query('reset session_replication_role')
}

/**
 * Opens as many tasks as the scale has: every hundredth, every tenth, all. Indexes are dropped and rebuilt, which is
 * faster.
 */
async function open(
  { db, feed, shards }: Database,
  { tasks, before }: { tasks: number; before: number | undefined },
): Promise<void> {
  const { rows: indexes } = await db.query<{ name: string; definition: string }>(
    `select format('%I.%I', schemaname, indexname) as name, indexdef as definition from pg_indexes
      where tablename in ('tasks', 'open_tasks') and indexname not like '%_pkey'`,
  )
  for (const { name } of indexes) await db.query(`drop index ${name}`)
  const part = `b.n % ${MAX_TASKS / tasks} = 0 and ${before === undefined ? true : `b.n % ${MAX_TASKS / before} <> 0`}`
  await db.query(`set search_path = ${feed}, public`)
  await db.query(`
    insert into open_tasks (task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, cell5, cell6, cell7, area, paid_chance)
      select task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, cell5, cell6, cell7, 'Here', 0.9
        from bench_tasks b where ${part} order by task_id;
    insert into open_cards (task_id, status, description, urgency, proof_required, budget_cents, auto_approve_after, slots_needed,
      slots_taken, skills, languages, created_at)
      select task_id, 'pending', '${DESCRIPTION}', 'standard', 'photo', pay_cents + 200, 86400, 1, 0, skills, '{}', now()
        from bench_tasks b where ${part} order by task_id;`)
  if (before === undefined)
    await db.query(
      `insert into open_agents (agent_id, name, judged, approved, disputes, overturned, median_review_s)
         select id, 'Agent', ${VERDICTS}, ${VERDICTS - Math.floor(VERDICTS / 10)}, 0, 0, 3600
           from (select distinct agent_id as id from bench_tasks) agents`,
    )
  for (const shard of shards) {
    await db.query(`set search_path = ${shard.name}, public`)
    await db.query(`
      insert into tasks (id, agent_id, mode, type, description, budget_cents, budget_basis, locked_cents, escrow_cents, funding,
        urgency, proof_required, consensus_count, deadline, auto_approve_after, min_worker_level, skills, location, context, created_at, updated_at)
        select task_id, agent_id, 'live', type, '${DESCRIPTION}', pay_cents + 200, 'total', pay_cents + 200, pay_cents + 200, 'wallet',
               'standard', 'photo', 1, deadline, 86400, level_needed, skills, json_build_object('lat', lat, 'lng', lng), '{}', now(), now()
          from bench_tasks b where ${part} and ${isIn(shard, 'agent_id')} order by task_id`)
    if (before === undefined)
      await db.query(`
        insert into tasks (id, agent_id, mode, type, status, description, budget_cents, budget_basis, locked_cents, escrow_cents, funding,
          urgency, proof_required, consensus_count, deadline, auto_approve_after, min_worker_level, skills, context, created_at, updated_at,
          proof_at, ended_at)
          select 'task_0' || a.id || i, a.id, 'live', 'custom', (case when i % 10 = 0 then 'disputed' else 'completed' end)::task_status,
                 '${DESCRIPTION}', 500, 'total', 500, 0, 'wallet', 'standard', 'photo', 1, now(), 86400, 1, '{}', '{}', now(), now(),
                 now() - interval '2 hours', now() - interval '1 hour'
            from agents a cross join generate_series(1, ${VERDICTS}) i`)
  }
  await db.query('set search_path = public')
  for (const { definition } of indexes) await db.query(definition)
  await db.query('vacuum analyze')
  await db.query('checkpoint')
}

const DESCRIPTION =
  'Please go to the shop and check whether the opening hours on the door match the website; take one photo of the door sign so that the hours can be read, and say in one sentence if anything differs. Be polite.'
const TYPES = ['verification', 'voice_proxy', 'gut_check', 'field_mission', 'vibe_reader', 'custom']

function* taskLines(agents: string[]): Generator<string> {
  const week = 7 * 86_400_000
  for (let n = 0; n < MAX_TASKS; n += 1) {
    const { lat, lng } = somewhere()
    const task = mint('task', NOW - week + (week * n) / MAX_TASKS)
    const level = chance() < 0.7 ? 1 : chance() < 0.8 ? 2 : 1 + Math.floor(chance() * 5)
    const skills = skillsOf(chance() < 0.3 ? 0 : chance() < 0.7 ? 1 : 2)
    yield [
      n,
      task,
      agents[n % agents.length],
      TYPES[n % TYPES.length],
      Math.round(150 + 6000 * chance() ** 3),
      level,
      `{${skills.join()}}`,
      `{${skills.map(skillKey).join()}}`,
      new Date(NOW + 86_400_000 + chance() * week).toISOString(),
      lat,
      lng,
      ...[5, 6, 7].map((resolution) => asNumber(h3.latLngToCell(lat, lng, resolution))),
    ].join('\t')
  }
}

function* workerLines(workers: Worker[]): Generator<string> {
  for (const [n, { id, lat, lng, skills, level }] of workers.entries())
    yield [n, id, lat, lng, `{${skills.join()}}`, level].join('\t')
}

function makeWorker(): Worker {
  return {
    id: mint('worker', NOW),
    ...somewhere(),
    skills: skillsOf(6),
    level: 1 + Math.floor(chance() * 3),
  }
}

/** There are 40 skills. Tasks require, and workers have, the first ones far more often than the last. */
function skill(): string {
  return `skill-${Math.floor(40 * chance() ** 2)}`
}

function skillsOf(count: number): string[] {
  return [...new Set(Array.from({ length: count }, skill))]
}

/** Same as server/src/feed/ability-keys.ts. */
function skillKey(name: string): number {
  return hash('sha256', name, 'buffer').readInt32BE(0)
}

/** In one of the cities or, for one in twenty, anywhere. */
function somewhere(): { lat: number; lng: number } {
  if (chance() < 0.05) return { lat: -50 + chance() * 110, lng: -175 + chance() * 350 }
  let rest = chance() * SHARES
  const city = CITIES.find(({ share }) => (rest -= share) <= 0) ?? CITIES[0]!
  const degree = 111.2
  return {
    lat: city.lat + (normal() * city.spreadKm) / degree,
    lng: city.lng + (normal() * city.spreadKm) / (degree * Math.cos((city.lat * Math.PI) / 180)),
  }
}

function normal(): number {
  return Math.sqrt(-2 * Math.log(chance() + 1e-12)) * Math.cos(2 * Math.PI * chance())
}

/** Seeded, so that every run uses the same numbers. */
function chance(): number {
  seed.state = (Math.imul(seed.state, 1_664_525) + 1_013_904_223) >>> 0
  return seed.state / 4_294_967_296
}

async function copy(db: pg.Client, table: string, lines: Iterable<string>): Promise<void> {
  const file = path.join(folder, table)
  const stream = createWriteStream(file, { mode: 0o644 })
  let chunk = ''
  for (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < 1 << 20) continue
    if (!stream.write(chunk)) await once(stream, 'drain')
    chunk = ''
  }
  stream.end(chunk)
  await once(stream, 'finish')
  await db.query(`copy ${table} from '${file}'`)
  rmSync(file)
}

/** Generates ids like server/src/kit/ids.ts: first time, then randomness. */
function mint(prefix: string, ms: number): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz'
  let time = Math.floor(ms)
  let text = ''
  for (let i = 0; i < 10; i += 1) {
    text = letters[time % 32]! + text
    time = Math.floor(time / 32)
  }
  for (const byte of randomBytes(16)) text += letters[byte & 31]
  return `${prefix}_${text}`
}

function asNumber(cell: string): string {
  return BigInt(`0x${cell}`).toString()
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0)
}

function say(line: string): void {
  console.log(line)
}

try {
  await (isOfShards ? compareShards() : main())
} finally {
  for (const close of closers.reverse()) await close()
}
