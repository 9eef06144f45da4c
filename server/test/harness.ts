import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import type { z } from 'zod'
import { freePort } from '../../scripts/postgres.ts'
import type { KeyView } from '../src/agents/keys.ts'
import { type Config, readConfig } from '../src/config.ts'
import { takeAndProject } from '../src/feed/project-open.ts'
import { takeGlobalWork } from '../src/webhooks/take-events.ts'
import { jobs, sweeps } from '../src/jobs.ts'
import type { Clock } from '../src/kit/clock.ts'
import { databasesOf, type NamedDatabase, urlOf } from '../src/kit/databases.ts'
import type { Db } from '../src/kit/db.ts'
import { deskUrl } from '../src/kit/desk-url.ts'
import type { AnyEndpoint } from '../src/kit/endpoint.ts'
import { readShards } from '../src/kit/everywhere.ts'
import { mintId, SHARDS, shardOf } from '../src/kit/ids.ts'
import { finderOf, type HomeSchema, schemasOf } from '../src/kit/layout.ts'
import type { Background, Job } from '../src/kit/job.ts'
import { openLog } from '../src/kit/log.ts'
import { auditPatiently } from '../src/ledger/audit-patiently.ts'
import { openAccounts, postEntry } from '../src/ledger/journal.ts'
import { deposit } from '../src/ledger/movements.ts'
import { migrate } from '../src/migrate.ts'
import { runSweep } from './run-sweep.ts'
import { startServer } from '../src/start.ts'
import { findWrongCounts } from '../src/counts/figures.ts'
import { countAgents } from '../src/counts/fold.ts'
import { expireTasks } from '../src/tasks/expire.ts'
import type { TaskStatus } from '../src/tasks/status.ts'
import type { TaskView } from '../src/tasks/view.ts'
import { openDeliverer } from '../src/webhooks/deliver.ts'
import { steppedClock } from './stepped-clock.ts'
import { tokensOf } from '../src/workers/tokens.ts'
import { scaleOf } from '../src/workers/trust.ts'
import { everywhere } from './everywhere.ts'
import { atEnd } from './hooks.ts'
import { type Inbox, openInbox } from './inbox.ts'
import { GOOD_CARD, openSandbox, type TestSandbox } from './sandbox.ts'
import { watchEndpoints } from './tenants/recorder.ts'
import type { Json } from './json.ts'

const TEMPLATE = 'legwork_template'
const VIEWS = path.join(import.meta.dirname, 'all-shards.sql')
const TOKEN_KEY = randomBytes(32).toString('base64')
const WEBHOOK_KEY = randomBytes(32).toString('base64')
const PUSH_KEY = randomBytes(32)
const OWNER_IDLE_MS = 1000
const UNDEFINED_TABLE = '42P01'
const NO_TARGET_CAPS = Object.fromEntries(
  ['PHONE', 'PLACE', 'PERSON'].flatMap((kind) => [
    [`TARGET_${kind}_DAY_MAX`, '0'],
    [`TARGET_${kind}_MONTH_MAX`, '0'],
  ]),
)
/** The hash of `PASSWORD` in people.ts, with the fastest parameters. */
export const QUICK_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$tvU/0epjCyJwSe2Ee0mwNw$1DwujncIDSMvva7LdM5aab4xCauX4dGbU+K8MY4eZhg'

export type { Json }

export interface Reply<Body = Json> {
  status: number
  body: Body
  text: string
  headers: Headers
}

export interface MarketOptions {
  /** The number of shards, if the test needs another one than all tests of this run. */
  shards?: number
  /** The number of databases over which the shards are spread; by default one. */
  databases?: number
  settings?: Partial<Record<keyof Config, string | number>>
  /** With `desk`, the operators' desk listens on a port of its own: `market.desk`. */
  roles?: ('api' | 'jobs' | 'desk')[]
  /** The default stands still until the test advances it; 'real' follows the database's clock. */
  clock?: 'stepped' | 'real'
  moreEndpoints?: readonly AnyEndpoint[]
  moreJobs?: readonly Job[]
  /** Emails are really sent, to this file's own inbox: `market.inbox`. */
  mail?: boolean
  /** Payments really go through this file's own sandbox processor: `market.sandbox`. */
  processor?: boolean
}

/**
 * A separate marketplace for one test file: a fresh database cloned from the migrated template, with the real server on
 * it. The ledger audit must pass at the end. The database stays until the next run for inspection.
 */
export async function marketplace(options: MarketOptions = {}) {
  const others: NamedDatabase[] = []
  for (let i = 1; i < (options.databases ?? 1); i += 1)
    others.push({ name: `b${i}`, url: await emptyDatabase() })
  const url = await freshDatabase(options.shards, others)
  const stepped = steppedClock()
  const inbox = options.mail ? await openInbox() : undefined
  const now = options.clock === 'real' ? () => new Date() : stepped.now
  const sandbox = options.processor ? await openSandbox({ now }) : undefined
  const settings = {
    ...(inbox && { SMTP_URL: inbox.url }),
    ...sandbox?.settings,
    DATABASES: others.map(({ name, url }) => `${name}=${url}`).join(' '),
    ...options.settings,
  }
  const server = await startOn(url, { ...options, settings, clockOverride: stepped })
  await sandbox?.tell(server.addresses.api!)
  const market = new Marketplace(url, server, stepped, options, { inbox, sandbox })
  atEnd(async () => {
    const breaks = await market.audit()
    const offTrust = await market.auditPendingTrust()
    const offCounts = await market.auditCounts()
    await market.stop()
    await server.stop()
    await sandbox?.stop()
    await inbox?.stop()
    assert.deepEqual(breaks, [], 'the ledger is consistent at the end of the file')
    assert.deepEqual(offTrust, [], 'pending trust is the sum of pending disputes')
    assert.deepEqual(offCounts, [], 'the counts of every agent are those of its rows')
  })
  return market
}

/** The address of a new database with all tables and no rows, or of one whose shards are also in other databases. */
export async function freshDatabase(
  shards?: number,
  databases: readonly NamedDatabase[] = [],
): Promise<string> {
  const usual = Number(process.env.TEST_SHARDS ?? 1)
  if (databases.length === 0 && (shards ?? usual) === usual)
    return emptyDatabase(` template ${TEMPLATE}`)
  const url = await emptyDatabase()
  await migrateAll(url, shards ?? usual, databases)
  return url
}

/** Makes the tables of a market with several schemas, and the views over all of them. */
export async function migrateAll(
  url: string,
  shards: number,
  databases: readonly NamedDatabase[],
): Promise<void> {
  await migrate(url, { log: { info() {} }, shards, databases })
  for (const one of [url, ...databases.map((database) => database.url)]) {
    const owner = openOwner(one)
    await owner.query(readFileSync(VIEWS, 'utf8'))
    await owner.end()
  }
}

/** The address of a new database, without tables unless it is made like another one. */
export async function emptyDatabase(like = ''): Promise<string> {
  const adminUrl = process.env.TEST_DATABASE_URL
  assert(adminUrl, 'TEST_DATABASE_URL is missing: run tests by `npm test`')
  const name = `legwork_${process.pid}_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query(`create database ${name}${like}`)
  } finally {
    await admin.end()
  }
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** The schema of a logical shard in a fresh database, which has as many schemas as TEST_SHARDS says. */
export const schemaOfShard = (shard: number): HomeSchema =>
  finderOf(schemasOf(Number(process.env.TEST_SHARDS ?? 1)))(shard)

/** Starts another server on the same database, as on a second machine. */
export async function startOn(
  url: string,
  {
    settings = {},
    roles = ['api'],
    clock = 'stepped',
    moreEndpoints = [],
    moreJobs = [],
    clockOverride,
  }: MarketOptions & {
    clockOverride?: Clock
  },
) {
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: url,
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    AGENT_CAPS: 'off',
    CHECK_ANSWERS: 'on',
    SHARD_DATABASES: '16',
    KEY_CACHE_SECONDS: '0',
    // Tests of test mode would use up its share of database time.
    TEST_DATABASE_PERCENT: '0',
    // Tests share the machine with other programs, whose load is no reason to refuse a request.
    EVENT_LOOP_DELAY_MAX_MS: '0',
    // A test has only a handful of workers: levels must still apply, with no warning about too few eligible workers.
    LEVEL_WORKERS_MIN: '0',
    // On a clock that stands still, every task is approved within a second, which is a sign of fraud.
    PAYOUT_REVIEW_SCORE: '1000',
    ELIGIBLE_WARNING: 'off',
    // Tests create many tasks at one address. Tasks are counted all the same.
    ...NO_TARGET_CAPS,
    WORKER_TOKEN_KEYS: TOKEN_KEY,
    WEBHOOK_SECRET_KEYS: WEBHOOK_KEY,
    ...pushKeys(PUSH_KEY),
    // In tests, agents' servers are on loopback, and so is the DNS server; none listens there unless a test starts one.
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_DNS_SERVERS: '127.0.0.1:9',
    // Passkeys are bound to the desk's address, so its port is known before it listens.
    ...(roles.includes('desk') && { DESK_PORT: String(await freePort()) }),
    ...Object.fromEntries(
      Object.entries(settings)
        .filter(([name, value]) => !(name === 'DESK_PORT' && String(value) === '0'))
        .map(([name, value]) => [name, String(value)]),
    ),
  })
  watchEndpoints(moreEndpoints)
  const server = await startServer({
    config,
    roles,
    log: openLog(config.LOG_LEVEL),
    moreEndpoints,
    moreJobs,
    ...(clock === 'stepped' && clockOverride ? { clock: clockOverride } : {}),
  })
  return { ...server, config }
}

/** A key pair from its private half, of 32 bytes. */
export function pushKeys(key: Buffer) {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(key)
  return {
    PUSH_PRIVATE_KEY: key.toString('base64url'),
    PUSH_PUBLIC_KEY: pair.getPublicKey('base64url'),
  }
}

export interface WorkerFields {
  name?: string
  skills?: string[]
  languages?: string[]
  location?: { label: string; lat: number; lng: number; radius_km: number }
  preferences?: Record<string, unknown>
  /** Number of approved tasks so far, which determines the level. */
  approvals?: number
  mode?: 'live' | 'test'
  /** In test mode, the agent the worker belongs to; by default a random one. */
  agentId?: string
}

export type TestWorker = Awaited<ReturnType<Marketplace['worker']>>

function ok(reply: Reply): void {
  assert(reply.status < 300, reply.text)
}

/** The minimal proof that a task accepts. */
export function proofFor(task: TaskView): Record<string, unknown> {
  const schema = task.answer_schema as { type?: string; minimum?: number } | null
  return {
    text: 'Done',
    ...(schema?.type === 'boolean' ? { answer: true } : {}),
    ...(schema?.type === 'integer' ? { answer: schema.minimum ?? 1 } : {}),
    ...(task.proof_required === 'photo' ? { photos: [PHOTO] } : {}),
  }
}

/** A photo of four pixels. */
export const PHOTO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQImWM4ISd3Qk6OAUIBAB8mBBGFRCvEAAAAAElFTkSuQmCC'

export class Marketplace {
  readonly url: string
  readonly server: Awaited<ReturnType<typeof startOn>>
  readonly #clock: ReturnType<typeof steppedClock>
  readonly #options: MarketOptions
  readonly #inbox: Inbox | undefined
  readonly #sandbox: TestSandbox | undefined
  #names = 0
  #deliverers: ReturnType<typeof openDeliverer>[] | undefined
  #owners: pg.Pool[] | undefined
  #db: Db | undefined

  constructor(
    url: string,
    server: Awaited<ReturnType<typeof startOn>>,
    clock: ReturnType<typeof steppedClock>,
    options: MarketOptions,
    { inbox, sandbox }: { inbox?: Inbox | undefined; sandbox?: TestSandbox | undefined } = {},
  ) {
    this.url = url
    this.server = server
    this.#clock = clock
    this.#options = options
    this.#inbox = inbox
    this.#sandbox = sandbox
  }

  /**
   * Reads everything, in all schemas. With several schemas it can't write: `at` selects the one of an id.
   */
  get db(): Db {
    this.#db ??= everywhere(this.server.db, this.url)
    return this.#db
  }

  /** The shard of an agent, a worker, a task or anything else with such an id. */
  at = (id: string): Db => this.server.db.shards.at(id)

  get inbox(): Inbox {
    assert(this.#inbox, 'this marketplace was made without `mail: true`')
    return this.#inbox
  }

  get sandbox(): TestSandbox {
    assert(this.#sandbox, 'this marketplace was made without `processor: true`')
    return this.#sandbox
  }

  /** The origin of the operators' desk. */
  get desk(): string {
    assert(this.server.addresses.desk, 'this marketplace was made without the role `desk`')
    return deskUrl(this.server.config)
  }

  now = () => this.server.clock.now()
  advance = (ms: number) => this.#clock.advance(ms)
  /** Advances to the present, which signature verification requires: earlier tests may have taken long. */
  catchUp = () => this.advance(Math.max(0, Date.now() - this.now().getTime()))

  /** Sends one request without credentials. */
  call = (method: string, path: string, init: CallInit = {}) =>
    call(this.server.addresses.api!, method, path, init)

  /** An agent, registered through the API, with money in its wallet. */
  async agent({
    balanceCents = 0,
    freeTasks = true,
    getsMail = false,
    near,
    ...fields
  }: {
    /** An agent on whose shard this one shall be; by default it is on any. */
    near?: { api_key: string } | undefined
    /** Keeps the email that asks to confirm its address. */
    getsMail?: boolean
    balanceCents?: number
    freeTasks?: boolean
    name?: string
    webhook_url?: string
    events?: string[]
  } = {}) {
    this.#names += 1
    const email = `agent-${this.#names}-${randomBytes(3).toString('hex')}@example.com`
    const { status, body } = await this.call('POST', '/agents/register', {
      body: { name: `Agent ${this.#names}`, email, ...fields },
      ...(near && { headers: { authorization: `Bearer ${near.api_key}` } }),
    })
    assert.equal(status, 201)
    const agent = body.agent as {
      id: string
      api_key: string
      test_api_key: string
      webhook_secret: string
      name: string
    }
    // The confirmation email would disturb tests that count events or read other emails.
    if (!getsMail)
      await this.asOwner(
        `delete from outbox where type = 'agent.mail_requested' and data ->> 'agent_id' = $1`,
        [agent.id],
      )
    if (balanceCents > 0) await this.fund(agent.id, balanceCents)
    if (!freeTasks)
      await this.asOwner(
        `update ledger_agents set free_tasks_granted = 0, free_tasks_remaining = 0 where agent_id = $1`,
        [agent.id],
      )
    return { ...agent, email, ...this.client(agent.api_key), test: this.client(agent.test_api_key) }
  }

  /** A verified, logged-in worker. Tests of registration itself go through the API instead. */
  async worker(fields: WorkerFields = {}) {
    this.#names += 1
    const now = this.now()
    const id = mintId('worker', now, Math.floor(Math.random() * SHARDS))
    const email = `worker-${this.#names}-${randomBytes(3).toString('hex')}@example.com`
    const name = fields.name ?? `Worker ${this.#names}`
    const {
      mode = 'live',
      approvals = 0,
      location = null,
      skills = [],
      languages = [],
      preferences = {},
    } = fields
    await this.server.db.shards.global.transaction((tx) =>
      tx.insertInto('worker_emails').values({ email, worker_id: id }).execute(),
    )
    await this.at(id).transaction(async (tx) => {
      await tx
        .insertInto('workers')
        .values({
          id,
          mode,
          agent_id: mode === 'test' ? (fields.agentId ?? mintId('agent', now, 0)) : null,
          name,
          email,
          // As the server does: workers in test mode have no password.
          password_hash: mode === 'test' ? 'none' : QUICK_HASH,
          status: 'active',
          skills,
          languages,
          location: location && JSON.stringify(location),
          preferences: JSON.stringify(preferences),
          approved_count: approvals,
          // As many recent approvals as the level requires.
          trust_good: approvals * scaleOf(now),
          identity_done_at: approvals >= 100 ? now : null,
          verified_at: now,
          // The app would ask before the first task.
          adult_confirmed_at: now,
          terms_version: this.server.config.TERMS_VERSION,
          created_at: now,
          updated_at: now,
        })
        .execute()
      await openAccounts(tx, { ownerId: id, mode })
    })
    const { token } = await this.tokens.sign({ workerId: id, version: 1 }, now)
    return { id, name, email, token, ...this.client(token) }
  }

  /**
   * A worker whose reports count: a month-old account with five approved tasks of two agents, all paid from their
   * wallets.
   */
  async trustedWorker({ tasks = 5, payers: count = 2, areFree = false } = {}) {
    const worker = await this.worker()
    await this.asOwner(
      `update workers set created_at = created_at - interval '30 days' where id = $1`,
      [worker.id],
    )
    const payers = []
    for (let i = 0; i < count; i += 1)
      payers.push(await this.agent({ freeTasks: areFree, balanceCents: areFree ? 0 : 500 }))
    for (let i = 0; i < tasks; i += 1) {
      const payer = payers[i % count]!
      const { body } = await payer.post('/tasks', { description: 'Look', budget_cents: 5 })
      ok(await worker.post(`/worker/tasks/${body.task.id}/accept`))
      ok(await worker.post(`/worker/tasks/${body.task.id}/proof`, { text: 'Done' }))
      ok(await payer.post(`/tasks/${body.task.id}/approve`))
    }
    await this.events()
    return worker
  }

  /** Signs with the server's keys, which the harness supplies. */
  get tokens() {
    return tokensOf(this.server.config)
  }

  /** The same calls with a key or token in the header. */
  client(apiKey: string) {
    const send =
      (method: string) =>
      (path: string, body?: unknown, headers: Record<string, string> = {}) =>
        this.call(method, path, {
          body,
          headers: { authorization: `Bearer ${apiKey}`, ...headers },
        })
    return {
      get: send('GET'),
      post: send('POST'),
      put: send('PUT'),
      patch: send('PATCH'),
      delete: send('DELETE'),
    }
  }

  /** Creates another key with this one, with these limits. */
  async key(
    maker: Pick<ReturnType<Marketplace['client']>, 'post'>,
    limits: Record<string, unknown> = {},
  ) {
    const { status, body, text } = await maker.post('/agents/keys', { name: 'key', ...limits })
    assert.equal(status, 201, text)
    const key = body.key as z.output<typeof KeyView> & { api_key: string }
    return { ...key, ...this.client(key.api_key) }
  }

  async fund(agentId: string, amountCents: number): Promise<void> {
    const now = this.now()
    await this.at(agentId).transaction((tx) =>
      postEntry(
        tx,
        deposit({
          mode: 'live',
          shard: shardOf(agentId),
          depositId: randomBytes(8).toString('hex'),
          agentId,
          amountCents,
        }),
        { now },
      ),
    )
  }

  /** Brings a task to this status through API calls; `workers` are the ones who took part. */
  async taskIn(
    agent: Pick<ReturnType<Marketplace['client']>, 'post' | 'get'>,
    status: TaskStatus,
    fields: Record<string, unknown> = {},
  ): Promise<TaskView & { workers: TestWorker[] }> {
    const created = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 2500,
      ...fields,
    })
    assert.equal(created.status, 201, created.text)
    const task = created.body.task as TaskView
    const workers: TestWorker[] = []
    if (status === 'cancelled') ok(await agent.post(`/tasks/${task.id}/cancel`))
    else if (status === 'expired')
      await this.at(task.id).transaction((tx) =>
        expireTasks(tx, {
          taskIds: [task.id],
          config: this.server.config,
          now: new Date(task.deadline),
        }),
      )
    else if (status !== 'pending') {
      // The workers need the level that the task requires.
      for (let i = 0; i < task.consensus_count; i += 1)
        workers.push(await this.worker({ mode: task.mode, agentId: task.agent_id, approvals: 100 }))
      for (const worker of workers) ok(await worker.post(`/worker/tasks/${task.id}/accept`))
    }
    if (['proof_submitted', 'completed', 'disputed'].includes(status))
      for (const worker of workers)
        ok(await worker.post(`/worker/tasks/${task.id}/proof`, proofFor(task)))
    if (status === 'completed') ok(await agent.post(`/tasks/${task.id}/approve`))
    if (status === 'disputed') ok(await agent.post(`/tasks/${task.id}/dispute`, { reason: 'No' }))
    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.equal(body.task.status, status)
    // As in a list: without the fields that only the detail view has.
    const shown = Object.keys(task).map((name) => [name, body.task[name] as unknown])
    // Non-enumerable, so comparisons of tasks ignore it.
    return Object.defineProperty(Object.fromEntries(shown), 'workers', {
      value: workers,
    }) as TaskView & { workers: TestWorker[] }
  }

  async balance(agentId: string): Promise<number> {
    const row = await this.at(agentId)
      .reader.selectFrom('ledger_agents')
      .select(['wallet_cents', 'receivable_cents'])
      .where('agent_id', '=', agentId)
      .executeTakeFirstOrThrow()
    return row.wallet_cents - row.receivable_cents
  }

  /** The worker's earnings that have not been paid out yet. */
  async payable(workerId: string): Promise<number> {
    const row = await this.at(workerId)
      .reader.selectFrom('ledger_workers')
      .select('payable_cents')
      .where('worker_id', '=', workerId)
      .executeTakeFirstOrThrow()
    return row.payable_cents
  }

  /** Runs every timer once, as the jobs process does every second. */
  async sweep(): Promise<number> {
    let moved = 0
    for (const sweep of sweeps) {
      const parts = this.backgrounds(sweep).map((background) => runSweep(background, sweep))
      for (const part of await Promise.all(parts)) moved += part
    }
    return moved
  }

  /** One pass of the jobs process: dispatches events to jobs and runs them. Returns how many events there were. */
  async work(): Promise<number> {
    for (let done = 0; ; ) {
      const before = done
      for (const background of this.#outboxes()) {
        const events = await this.#take(background.db, 'work')
        for (const event of events)
          for (const job of this.jobs.filter(({ events: types }) => types?.includes(event.type)))
            await job.run({ ...background, payload: job.payload.parse(event) })
        done += events.length
      }
      if (done === before) return done
    }
  }

  /** Sends every webhook that is due now, and records the outcome. */
  async deliver(): Promise<void> {
    await this.work()
    this.#deliverers ??= this.backgrounds().map((background) => openDeliverer(background))
    do
      for (const deliverer of this.#deliverers) {
        await deliverer.step()
        await deliverer.idle()
      }
    while (await this.#isDue())
  }

  async #isDue(): Promise<boolean> {
    const due = this.db.reader.selectFrom('webhook_lanes').select('id').limit(1)
    return (await due.where('due_at', '<=', this.now()).execute()).length > 0
  }

  async stop(): Promise<void> {
    for (const deliverer of this.#deliverers ?? []) await deliverer.stop()
    if (this.#db !== this.server.db) await this.#db?.close()
    this.#db = undefined
    for (const owner of this.#owners ?? []) await owner.end()
    this.#owners = undefined
  }

  /** Delivers the processor's webhooks and runs jobs and timers until nothing is left to do. */
  async settle(): Promise<void> {
    for (let isIdle = false; !isIdle; ) {
      await this.sandbox.flush()
      const events = await this.work()
      const moved = await this.sweep()
      isIdle = events + moved === 0 && !(await this.#hasEvents())
    }
  }

  /** One query for all schemas: taking from each would be a transaction each. */
  async #hasEvents(): Promise<boolean> {
    return (await this.db.reader.selectFrom('outbox').select('id').limit(1).execute()).length > 0
  }

  /** Funds a wallet through the API: a deposit, paid on the processor's page. */
  async deposit(
    agent: Pick<ReturnType<Marketplace['client']>, 'post'>,
    amountCents: number,
    card = GOOD_CARD,
  ): Promise<string> {
    const reply = await agent.post('/wallet/deposit', { amount_cents: amountCents })
    assert.equal(reply.status, 201, reply.text)
    await this.sandbox.pay(reply.body.session_id as string, card)
    await this.settle()
    return reply.body.transaction_id as string
  }

  /** A worker whom the processor has verified, and who can be paid. */
  async onboard(worker: TestWorker): Promise<string> {
    const reply = await worker.post('/worker/stripe/connect')
    assert.equal(reply.status, 200, reply.text)
    const accountId = reply.body.account_id as string
    await this.sandbox.control('POST', `accounts/${accountId}/submit`, { outcome: 'verified' })
    await this.settle()
    return accountId
  }

  /** Events not yet relayed, oldest first; takes them from the outbox as the relay does. */
  async events() {
    const [first, ...others] = this.#outboxes()
    const taken = await this.#take(first!.db, 'all')
    for (const { db } of others) taken.push(...(await this.#take(db, 'all')))
    return others.length === 0 ? taken : taken.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** For each shard, and for the global schema if it is apart from them. */
  #outboxes(): Background[] {
    const { all, global } = this.server.db.shards
    const others = all.includes(global) ? [] : this.backgrounds({ isGlobal: true })
    return [...this.backgrounds(), ...others]
  }

  #take = (db: Db, dataOf: 'all' | 'work') =>
    db.transaction((tx) =>
      db.schema.range === undefined
        ? takeGlobalWork(tx, 1000)
        : takeAndProject(tx, 1000, {
            db,
            now: this.now(),
            dataOf,
            onError(error) {
              throw error
            },
          }),
    )

  /** Without the request timeout: after thousands of operations, or on a busy machine, it takes longer. */
  async audit() {
    const breaks = []
    for (const shard of this.server.db.shards.all)
      breaks.push(...(await auditPatiently(urlOf(this.server.config, shard.schema), shard)))
    return breaks
  }

  /** Workers whose `trust_pending` is not the sum of their pending disputes, or exceeds their total. */
  async auditPendingTrust(): Promise<unknown[]> {
    const off = await readShards(this.server.db.shards.readers, async (shard) => {
      const { rows } = await sql`
      select w.id, w.trust_pending, w.trust_bad, e.pending
        from workers w
        left join (select worker_id, sum(bad) as pending from trust_events
                    where pending_since is not null group by worker_id) e on e.worker_id = w.id
       where abs(w.trust_pending - coalesce(e.pending, 0)) > 1e-9 * coalesce(e.pending, 1)
          or w.trust_pending > w.trust_bad + 1e-9 * greatest(1, w.trust_bad)`.execute(shard)
      return rows
    })
    return off.flat()
  }

  /** Removes tasks, which nothing does in production, and counts their agents anew. */
  async deleteTasks(condition: string, values: unknown[] = []): Promise<void> {
    const gone = await this.asOwner(
      `delete from tasks where ${condition} returning agent_id`,
      values,
    )
    const agentIds = [...new Set(gone.map(({ agent_id }) => agent_id as string))]
    await this.asOwner('delete from counted_agents where agent_id = any($1)', [agentIds])
    for (const [db, ids] of Map.groupBy(agentIds, this.at))
      await countAgents({ ...this.background, db }, ids)
  }

  /** Agents whose figures differ from their rows. The triggers write every change, also before an agent is counted. */
  async auditCounts(): Promise<string[]> {
    const wrong = await readShards(this.server.db.shards.readers, async (shard) => {
      const agents = await shard
        .selectFrom('agents')
        .select('id')
        .where((agent) => agent.or([agent('mode', '=', 'live'), agent('status', '<>', 'closed')]))
        .execute()
      return findWrongCounts(
        shard,
        agents.map(({ id }) => id),
      )
    })
    return wrong.flat()
  }

  /** For each shard, or for the global schema. */
  backgrounds({ isGlobal = false }: { isGlobal?: boolean | undefined } = {}): Background[] {
    const { all, global } = this.server.db.shards
    return (isGlobal ? [global] : all).map((db) => ({ ...this.background, db }))
  }

  /** Of the shard of this id. */
  backgroundAt = (id: string): Background => ({ ...this.background, db: this.at(id) })

  /** Runs a scheduled job wherever the clock does. */
  async runJob(job: Job): Promise<void> {
    for (const background of this.backgrounds(job)) await job.run({ ...background, payload: {} })
  }

  get background(): Background {
    const { db, clock, config, log, metrics } = this.server
    return { db, clock, config, log, metrics }
  }

  get jobs(): readonly Job[] {
    return [...jobs, ...(this.#options.moreJobs ?? [])]
  }

  /** Runs a statement as the tables' owner, for changes that no caller can make: in every database that has the table. */
  async asOwner(text: string, values: unknown[] = []): Promise<pg.QueryResultRow[]> {
    this.#owners ??= databasesOf(this.server.config).map(({ url }) => openOwner(url))
    const [first, ...others] = this.#owners
    const { rows } = await first!.query(text, values)
    for (const owner of others)
      rows.push(...(await owner.query(text, values).catch(rowsIfMissing)).rows)
    return rows
  }
}

function rowsIfMissing(error: unknown): { rows: [] } {
  if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error
  return { rows: [] }
}

/** Its connections stay open for a moment: opening one takes longer than most statements. */
function openOwner(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    idleTimeoutMillis: OWNER_IDLE_MS,
    allowExitOnIdle: true,
  })
  // Some tests end all connections, or stop the database.
  pool.on('error', () => {})
  return pool
}

export interface CallInit {
  body?: unknown
  headers?: Record<string, string>
}

export async function call(
  base: string,
  method: string,
  path: string,
  { body, headers = {} }: CallInit = {},
): Promise<Reply> {
  const response = await fetch(base + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Json),
    text,
    headers: response.headers,
  }
}
