import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { type Config, readConfig } from '../src/config.ts'
import { jobs, sweeps } from '../src/jobs.ts'
import { type Clock, steppedClock } from '../src/kit/clock.ts'
import type { AnyEndpoint } from '../src/kit/endpoint.ts'
import { mintId, shardOf } from '../src/kit/ids.ts'
import type { Background, Job } from '../src/kit/job.ts'
import { openLog } from '../src/kit/log.ts'
import { auditLedger } from '../src/ledger/audit.ts'
import { openAccounts, postEntry, returnFreeTasks } from '../src/ledger/journal.ts'
import { deposit, escrowRefund, escrowRelease } from '../src/ledger/movements.ts'
import { runSweep } from '../src/runner/sweep.ts'
import { startServer } from '../src/start.ts'
import { hasEnded, type TaskStatus } from '../src/tasks/status.ts'
import type { TaskView } from '../src/tasks/view.ts'
import { takeEvents } from '../src/webhooks/take-events.ts'

const TEMPLATE = 'legwork_template'

/** A test knows what it expects of an answer better than the compiler can. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = Record<string, any>

export interface Reply<Body = Json> {
  status: number
  body: Body
  text: string
  headers: Headers
}

interface MarketOptions {
  settings?: Partial<Record<keyof Config, string | number>>
  roles?: ('api' | 'jobs')[]
  /** By default one that stands still until the test advances it; 'real' follows the database's. */
  clock?: 'stepped' | 'real'
  moreEndpoints?: readonly AnyEndpoint[]
  moreJobs?: readonly Job[]
}

/**
 * A marketplace of its own for one test file: a fresh database cloned from the migrated template, and the real
 * server on it. At the end the ledger must hold. The database stays until the next run, to be looked at.
 */
export async function marketplace(options: MarketOptions = {}) {
  const url = await freshDatabase()
  const stepped = steppedClock()
  const server = await startOn(url, { ...options, clockOverride: stepped })
  after(async () => {
    const breaks = await auditLedger(server.db.reader)
    await server.stop()
    assert.deepEqual(breaks, [], 'the ledger holds at the end of the file')
  })
  return new Marketplace(url, server, stepped, options)
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
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
  })
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

export class Marketplace {
  readonly url: string
  readonly server: Awaited<ReturnType<typeof startOn>>
  readonly #clock: ReturnType<typeof steppedClock>
  readonly #options: MarketOptions
  #names = 0

  constructor(
    url: string,
    server: Awaited<ReturnType<typeof startOn>>,
    clock: ReturnType<typeof steppedClock>,
    options: MarketOptions,
  ) {
    this.url = url
    this.server = server
    this.#clock = clock
    this.#options = options
  }

  get db() {
    return this.server.db
  }

  now = () => this.server.clock.now()
  advance = (ms: number) => this.#clock.advance(ms)

  /** One request, as anybody could send it. */
  call = (method: string, path: string, init: CallInit = {}) =>
    call(this.server.addresses.api!, method, path, init)

  /** An agent, registered through the front door, with money in its wallet. */
  async agent({
    balanceCents = 0,
    freeTasks = true,
  }: {
    balanceCents?: number
    freeTasks?: boolean
  } = {}) {
    this.#names += 1
    const email = `agent-${this.#names}-${randomBytes(3).toString('hex')}@example.com`
    const { status, body } = await this.call('POST', '/agents/register', {
      body: { name: `Agent ${this.#names}`, email },
    })
    assert.equal(status, 201)
    const agent = body.agent as { id: string; api_key: string; test_api_key: string; name: string }
    if (balanceCents > 0) await this.fund(agent.id, balanceCents)
    if (!freeTasks)
      await this.asOwner(
        `update ledger_agents set free_tasks_granted = 0, free_tasks_remaining = 0 where agent_id = $1`,
        [agent.id],
      )
    return { ...agent, email, ...this.client(agent.api_key), test: this.client(agent.test_api_key) }
  }

  /** The same calls with a key in the header. */
  client(apiKey: string) {
    const send =
      (method: string) =>
      (path: string, body?: unknown, headers: Record<string, string> = {}) =>
        this.call(method, path, {
          body,
          headers: { authorization: `Bearer ${apiKey}`, ...headers },
        })
    return { get: send('GET'), post: send('POST'), delete: send('DELETE') }
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

  /** A task that has come as far as this, with its money where the status says, and nobody asked. */
  async taskIn(
    agent: Pick<ReturnType<Marketplace['client']>, 'post'>,
    status: TaskStatus,
    fields: Record<string, unknown> = {},
  ): Promise<TaskView> {
    const created = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 2500,
      ...fields,
    })
    assert.equal(created.status, 201, created.text)
    const task = created.body.task as TaskView
    const now = this.now()
    const money = {
      mode: task.mode,
      shard: shardOf(task.id),
      taskId: task.id,
      agentId: task.agent_id,
      lockedCents: task.escrow_cents,
      funding: task.funding,
    }
    if (status === 'pending') return task

    await this.db.transaction(async (tx) => {
      if (status === 'completed') {
        const workerId = mintId('worker', now, money.shard)
        await openAccounts(tx, { ownerId: workerId, mode: money.mode })
        const release = { ...money, workerIds: [workerId], grossCents: money.lockedCents }
        await postEntry(tx, escrowRelease(release), { now })
      } else if (hasEnded(status)) {
        await postEntry(tx, escrowRefund(money), { now })
        if (money.funding === 'free' && status !== 'disputed')
          await returnFreeTasks(tx, [money.agentId])
      }
      const end = hasEnded(status) ? { escrow_cents: 0, ended_at: now } : {}
      await tx
        .updateTable('tasks')
        .set({ status, updated_at: now, ...end })
        .where('id', '=', task.id)
        .execute()
    })
    return { ...task, status }
  }

  async balance(agentId: string): Promise<number> {
    const row = await this.db.reader
      .selectFrom('ledger_agents')
      .select(['wallet_cents', 'receivable_cents'])
      .where('agent_id', '=', agentId)
      .executeTakeFirstOrThrow()
    return row.wallet_cents - row.receivable_cents
  }

  /** Lets every timer look at the clock once, as the jobs process does every second. */
  async sweep(): Promise<number> {
    let moved = 0
    for (const sweep of sweeps) moved += await runSweep(this.background, sweep)
    return moved
  }

  /** What has happened and not been told yet, oldest first; taken from the outbox as the relay does. */
  events = () => this.db.transaction((tx) => takeEvents(tx, 1000))

  audit = () => auditLedger(this.db.reader)

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
