import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import type { z } from 'zod'
import type { KeyView } from '../src/agents/keys.ts'
import { type Config, readConfig } from '../src/config.ts'
import { takeAndProject } from '../src/feed/project-open.ts'
import { jobs, sweeps } from '../src/jobs.ts'
import { type Clock, steppedClock } from '../src/kit/clock.ts'
import type { AnyEndpoint } from '../src/kit/endpoint.ts'
import { mintId, SHARDS, shardOf } from '../src/kit/ids.ts'
import type { Background, Job } from '../src/kit/job.ts'
import { openLog } from '../src/kit/log.ts'
import { auditPatiently } from '../src/ledger/audit.ts'
import { openAccounts, postEntry } from '../src/ledger/journal.ts'
import { deposit } from '../src/ledger/movements.ts'
import { runSweep } from '../src/runner/sweep.ts'
import { startServer } from '../src/start.ts'
import { expireTasks } from '../src/tasks/expire.ts'
import type { TaskStatus } from '../src/tasks/status.ts'
import type { TaskView } from '../src/tasks/view.ts'
import { type Deliverer, openDeliverer } from '../src/webhooks/deliver.ts'
import { tokensOf } from '../src/workers/tokens.ts'
import { scaleOf } from '../src/workers/trust.ts'
import { atEnd } from './hooks.ts'
import { type Inbox, openInbox } from './inbox.ts'
import { GOOD_CARD, openSandbox, type TestSandbox } from './sandbox.ts'
import { watchEndpoints } from './tenants/recorder.ts'
import type { Json } from './json.ts'

const TEMPLATE = 'legwork_template'
const TOKEN_KEY = randomBytes(32).toString('base64')
const WEBHOOK_KEY = randomBytes(32).toString('base64')
const PUSH_KEY = randomBytes(32)

export type { Json }

export interface Reply<Body = Json> {
  status: number
  body: Body
  text: string
  headers: Headers
}

export interface MarketOptions {
  settings?: Partial<Record<keyof Config, string | number>>
  roles?: ('api' | 'jobs')[]
  /** By default one that stands still until the test advances it; 'real' follows the database's. */
  clock?: 'stepped' | 'real'
  moreEndpoints?: readonly AnyEndpoint[]
  moreJobs?: readonly Job[]
  /** Mails are really sent, to an inbox of this file's own: `market.inbox`. */
  mail?: boolean
  /** Payments really go through a processor, this file's own sandbox: `market.sandbox`. */
  processor?: boolean
}

/**
 * A marketplace of its own for one test file: a fresh database cloned from the migrated template, and the real
 * server on it. At the end the ledger must hold. The database stays until the next run, to be looked at.
 */
export async function marketplace(options: MarketOptions = {}) {
  const url = await freshDatabase()
  const stepped = steppedClock()
  const inbox = options.mail ? await openInbox() : undefined
  const now = options.clock === 'real' ? () => new Date() : stepped.now
  const sandbox = options.processor ? await openSandbox({ now }) : undefined
  const settings = {
    ...(inbox && { SMTP_URL: inbox.url }),
    ...sandbox?.settings,
    ...options.settings,
  }
  const server = await startOn(url, { ...options, settings, clockOverride: stepped })
  await sandbox?.tell(server.addresses.api!)
  const market = new Marketplace(url, server, stepped, options, { inbox, sandbox })
  atEnd(async () => {
    const breaks = await market.audit()
    const offTrust = await market.auditPendingTrust()
    await market.stop()
    await server.stop()
    await sandbox?.stop()
    await inbox?.stop()
    assert.deepEqual(breaks, [], 'the ledger holds at the end of the file')
    assert.deepEqual(offTrust, [], 'pending trust is the sum of pending disputes')
  })
  return market
}

/** The address of a new database with all tables and no rows. */
export async function freshDatabase(): Promise<string> {
  const adminUrl = process.env.TEST_DATABASE_URL
  assert(adminUrl, 'TEST_DATABASE_URL is missing: run tests by `npm test`')
  const name = `legwork_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query(`create database ${name} template ${TEMPLATE}`)
  } finally {
    await admin.end()
  }
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Another server on the same database, as a second machine would be. */
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
    CHECK_ANSWERS: 'on',
    SHARD_DATABASES: '16',
    KEY_CACHE_SECONDS: '0',
    // Tests of test mode would use up the time that it may take from the database.
    TEST_DATABASE_PERCENT: '0',
    // Tests share the machine with others, whose load is no reason to refuse a request.
    EVENT_LOOP_DELAY_MAX_MS: '0',
    // A test has a handful of workers: levels count all the same, and nobody is missed.
    LEVEL_WORKERS_MIN: '0',
    ELIGIBLE_WARNING: 'off',
    WORKER_TOKEN_KEYS: TOKEN_KEY,
    WEBHOOK_SECRET_KEYS: WEBHOOK_KEY,
    ...pushKeys(PUSH_KEY),
    // Agents' servers of tests are on loopback, and so is the one who is asked for names: nobody, unless a test is.
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_DNS_SERVERS: '127.0.0.1:9',
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
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

/** A pair by its private half, of 32 bytes. */
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
  /** So many approved tasks behind them; a level follows. */
  approvals?: number
  mode?: 'live' | 'test'
  /** In test mode the agent it belongs to; by default one that nobody knows. */
  agentId?: string
}

export type TestWorker = Awaited<ReturnType<Marketplace['worker']>>

function ok(reply: Reply): void {
  assert(reply.status < 300, reply.text)
}

/** The least proof that a task takes. */
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
  #deliverer: Deliverer | undefined

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

  get db() {
    return this.server.db
  }

  get inbox(): Inbox {
    assert(this.#inbox, 'this marketplace was made without `mail: true`')
    return this.#inbox
  }

  get sandbox(): TestSandbox {
    assert(this.#sandbox, 'this marketplace was made without `processor: true`')
    return this.#sandbox
  }

  now = () => this.server.clock.now()
  advance = (ms: number) => this.#clock.advance(ms)
  /** To the present, which who verifies a signature asks for: the tests before may have taken long. */
  catchUp = () => this.advance(Math.max(0, Date.now() - this.now().getTime()))

  /** One request, as anybody could send it. */
  call = (method: string, path: string, init: CallInit = {}) =>
    call(this.server.addresses.api!, method, path, init)

  /** An agent, registered through the front door, with money in its wallet. */
  async agent({
    balanceCents = 0,
    freeTasks = true,
    getsMail = false,
    ...fields
  }: {
    /** With the mail that asks to confirm its address. */
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
    })
    assert.equal(status, 201)
    const agent = body.agent as {
      id: string
      api_key: string
      test_api_key: string
      webhook_secret: string
      name: string
    }
    // The mail that asks to confirm the address would be in the way of tests that count events or read other mails.
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

  /** A worker, verified and logged in. Who tests the way to there registers through the front door instead. */
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
    await this.db.transaction(async (tx) => {
      await tx.insertInto('worker_emails').values({ email, worker_id: id }).execute()
      await tx
        .insertInto('workers')
        .values({
          id,
          mode,
          agent_id: mode === 'test' ? (fields.agentId ?? mintId('agent', now, 0)) : null,
          name,
          email,
          password_hash: 'none',
          status: 'active',
          skills,
          languages,
          location: location && JSON.stringify(location),
          preferences: JSON.stringify(preferences),
          approved_count: approvals,
          // As many approvals a moment ago as the level asks for.
          trust_good: approvals * scaleOf(now),
          identity_done_at: approvals >= 100 ? now : null,
          verified_at: now,
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
   * A worker whose reports have weight: an account of a month with five approved tasks of two agents, all paid from
   * their wallets.
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

  /** Signs as the server does: the harness gives it its keys. */
  get tokens() {
    return tokensOf(this.server.config)
  }

  /** The same calls with a key or a token in the header. */
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

  /** Another key, made with this one, with these limits. */
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
    await this.db.transaction((tx) =>
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

  /** A task that has come as far as this, by the calls that lead there; `workers` are those who took part in it. */
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
      await this.db.transaction((tx) =>
        expireTasks(tx, {
          taskIds: [task.id],
          config: this.server.config,
          now: new Date(task.deadline),
        }),
      )
    else if (status !== 'pending') {
      // Those who take part need the level that the task asks for.
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
    // As a list shows it: without what only the detail has.
    const shown = Object.keys(task).map((name) => [name, body.task[name] as unknown])
    // Not a field of the task, so that it is not compared with one.
    return Object.defineProperty(Object.fromEntries(shown), 'workers', {
      value: workers,
    }) as TaskView & { workers: TestWorker[] }
  }

  async balance(agentId: string): Promise<number> {
    const row = await this.db.reader
      .selectFrom('ledger_agents')
      .select(['wallet_cents', 'receivable_cents'])
      .where('agent_id', '=', agentId)
      .executeTakeFirstOrThrow()
    return row.wallet_cents - row.receivable_cents
  }

  /** What a worker has earned and not been paid out. */
  async payable(workerId: string): Promise<number> {
    const row = await this.db.reader
      .selectFrom('ledger_workers')
      .select('payable_cents')
      .where('worker_id', '=', workerId)
      .executeTakeFirstOrThrow()
    return row.payable_cents
  }

  /** Lets every timer look at the clock once, as the jobs process does every second. */
  async sweep(): Promise<number> {
    let moved = 0
    for (const sweep of sweeps) moved += await runSweep(this.background, sweep)
    return moved
  }

  /** One turn of the jobs process: what has happened is told to the jobs that act on it, and they are run. */
  async work(): Promise<void> {
    for (;;) {
      const events = await this.#take('work')
      for (const event of events)
        for (const job of this.jobs.filter(({ events: types }) => types?.includes(event.type)))
          await job.run({ ...this.background, payload: job.payload.parse(event) })
      if (events.length === 0) return
    }
  }

  /** What has happened is told to agents: everything that is due at this moment is sent, and its outcome recorded. */
  async deliver(): Promise<void> {
    await this.work()
    this.#deliverer ??= openDeliverer(this.background)
    do {
      await this.#deliverer.step()
      await this.#deliverer.idle()
    } while (await this.#isDue())
  }

  async #isDue(): Promise<boolean> {
    const due = this.db.reader.selectFrom('webhook_lanes').select('id').limit(1)
    return (await due.where('due_at', '<=', this.now()).execute()).length > 0
  }

  async stop(): Promise<void> {
    await this.#deliverer?.stop()
  }

  /** The processor tells what has happened, jobs and timers act on it, until all is quiet. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 2; ) {
      await this.sandbox.flush()
      await this.work()
      const moved = await this.sweep()
      const left = await this.db.reader.selectFrom('outbox').select('id').limit(1).execute()
      quiet = moved === 0 && left.length === 0 ? quiet + 1 : 0
    }
  }

  /** Money through the front door: a deposit, paid on the processor's page. */
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

  /** A worker whom the processor has checked, and who can be paid. */
  async onboard(worker: TestWorker): Promise<string> {
    const reply = await worker.post('/worker/stripe/connect')
    assert.equal(reply.status, 200, reply.text)
    const accountId = reply.body.account_id as string
    await this.sandbox.control('POST', `accounts/${accountId}/submit`, { outcome: 'verified' })
    await this.settle()
    return accountId
  }

  /** What has happened and not been told yet, oldest first; taken from the outbox as the relay does. */
  events = () => this.#take('all')

  #take = (dataOf: 'all' | 'work') =>
    this.db.transaction((tx) =>
      takeAndProject(tx, 1000, {
        now: this.now(),
        dataOf,
        onError(error) {
          throw error
        },
      }),
    )

  /** Without the time limit of requests: after thousands of operations, or beside other work, it takes longer. */
  audit = () => auditPatiently(this.url)

  /** Workers whose `trust_pending` is not the sum of their pending disputes, or is more than all that counts. */
  async auditPendingTrust(): Promise<unknown[]> {
    const { rows } = await sql`
      select w.id, w.trust_pending, w.trust_bad, e.pending
        from workers w
        left join (select worker_id, sum(bad) as pending from trust_events
                    where pending_since is not null group by worker_id) e on e.worker_id = w.id
       where abs(w.trust_pending - coalesce(e.pending, 0)) > 1e-9 * coalesce(e.pending, 1)
          or w.trust_pending > w.trust_bad + 1e-9 * w.trust_bad`.execute(this.db.reader)
    return rows
  }

  get background(): Background {
    const { db, clock, config, log, metrics } = this.server
    return { db, clock, config, log, metrics }
  }

  get jobs(): readonly Job[] {
    return [...jobs, ...(this.#options.moreJobs ?? [])]
  }

  /** A statement with the rights of the tables' owner, for what no caller can bring about. */
  async asOwner(text: string, values: unknown[] = []): Promise<pg.QueryResultRow[]> {
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }
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
