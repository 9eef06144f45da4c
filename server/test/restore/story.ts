/**
 * A day of a marketplace, in seconds: lives, deposits, payouts and backups under load; a chosen second; more lives,
 * payouts, deposits and a refund; then the database's disk is lost.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../../src/kit/log.ts'
import { migrate } from '../../src/migrate.ts'
import { refundAgent } from '../../src/wallet/request-refund.ts'
import { Marketplace, startOn, type TestWorker } from '../harness.ts'
import { seeded } from '../figures.ts'
import type { Cast } from '../lives/cast.ts'
import { type Fleet, startFleet } from '../lives/fleet.ts'
import { type Lives, startLives } from '../lives/load.ts'
import type { Series } from '../lives/timeline.ts'
import type { Line } from '../lives/log.ts'
import { ops } from '../ops.ts'
import { PASSWORD } from '../people.ts'
import { openSandbox } from '../sandbox.ts'
import { steppedClock } from '../stepped-clock.ts'
import { type Cluster, openCluster } from './cluster.ts'

const CLIENTS = 3
const OWN_FUNDS_CENTS = 2_000_000
const DEPOSIT_CENTS = 50_000
const WAIT_MS = 30_000
/** More data, to measure seconds per gigabyte. */
const PADDING_MB = Number(process.env.RESTORE_PADDING_MB ?? 0)
/** The log keeps what a restored database has forgotten. */
const ACCOUNT_CLOSED = 'an account was closed'
const KEYS = randomBytes(32).toString('base64')
const SECRETS = randomBytes(32).toString('base64')

type Agent = Awaited<ReturnType<Marketplace['agent']>>

export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld() {
  const cluster = await openCluster()
  await cluster.query('create database legwork', 'postgres')
  const url = cluster.urlOf('legwork')
  await migrate(url, { log: openLog('error') })
  const sandbox = await openSandbox({ now: () => new Date() })
  const settings = {
    ...sandbox.settings,
    WORKER_TOKEN_KEYS: KEYS,
    WEBHOOK_SECRET_KEYS: SECRETS,
    FREE_TASKS: 0,
    HOLD_HOURS: 0,
    HOLD_HOURS_NEW: 0,
    RELAY_INTERVAL_MS: 50,
    SWEEP_INTERVAL_MS: 400,
    LOG_LEVEL: 'silent',
  }

  /** The server's processes, and a client of their API. */
  async function serve(databaseUrl: string): Promise<{ fleet: Fleet; market: Marketplace }> {
    const fleet = await startFleet({
      databaseUrl,
      workerTokenKeys: KEYS,
      apis: 1,
      settings: {
        ...Object.fromEntries(
          Object.entries(settings).map(([name, value]) => [name, String(value)]),
        ),
        LOG_LEVEL: 'info',
      },
      keep: ACCOUNT_CLOSED,
    })
    await sandbox.tell(fleet.bases[0]!)
    return { fleet, market: await operate(databaseUrl, fleet.bases[0]) }
  }

  /** An operator's connection, and a client of the API if there is one. */
  async function operate(databaseUrl: string, api?: string): Promise<Marketplace> {
    const server = await startOn(databaseUrl, { roles: [], clock: 'real', settings })
    const reachable = { ...server, addresses: api === undefined ? {} : { api } }
    return new Marketplace(databaseUrl, reachable, steppedClock(), {}, { sandbox })
  }

  return {
    cluster,
    sandbox,
    url,
    settings,
    serve,
    operate,
    async stop() {
      await sandbox.stop()
      await cluster.stop()
    },
  }
}

/** Deposits through the API and the payment page; resolves when the wallet has the money. */
async function deposit(market: Marketplace, agent: Agent, cents: number): Promise<void> {
  const before = await market.balance(agent.id)
  const { body, status, text } = await agent.post('/wallet/deposit', { amount_cents: cents })
  assert.equal(status, 201, text)
  await market.sandbox.pay(body.session_id as string)
  await until(async () => (await market.balance(agent.id)) >= before + cents, 'a deposit')
}

export async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + WAIT_MS
  while (!(await isTrue())) {
    assert(performance.now() < deadline, `waited in vain for ${what}`)
    await sleep(100)
  }
}

async function onboard(market: Marketplace, worker: TestWorker): Promise<void> {
  const { body, status, text } = await worker.post('/worker/stripe/connect')
  assert.equal(status, 200, text)
  const path = `accounts/${body.account_id as string}/submit`
  await market.sandbox.control('POST', path, { outcome: 'verified' })
  await until(async () => {
    const { body } = await worker.get('/worker/stripe/status')
    return body.status === 'active'
  }, 'a verified account')
}

async function funded(market: Marketplace): Promise<Agent> {
  const agent = await market.agent()
  await deposit(market, agent, DEPOSIT_CENTS)
  return agent
}

async function onboarded(market: Marketplace): Promise<TestWorker> {
  const worker = await market.worker({ approvals: 100 })
  await onboard(market, worker)
  return worker
}

/** A task up to its proof; returns its id. */
export async function prove(agent: Agent, worker: TestWorker, cents = 1000): Promise<string> {
  const ok = ({ status, text }: { status: number; text: string }) => assert(status < 300, text)
  const created = await agent.post('/tasks', { description: 'Look', budget_cents: cents })
  ok(created)
  const id = created.body.task.id as string
  ok(await worker.post(`/worker/tasks/${id}/accept`))
  ok(await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' }))
  return id
}

export async function approve(agent: Agent, taskId: string): Promise<void> {
  const { status, text } = await agent.post(`/tasks/${taskId}/approve`)
  assert(status < 300, text)
}

export const untilPaid = (cluster: Cluster, taskId: string, database = 'legwork') =>
  until(async () => {
    const rows = await cluster.query(
      'select status from payouts where task_id = $1 and status = $2',
      database,
      [taskId, 'paid'],
    )
    return rows.length > 0
  }, `the payout of ${taskId}`)

/** A payout that was stopped by a switch is looked at again minutes later. */
export const hurry = (cluster: Cluster) =>
  cluster.query(`update payouts set check_at = now() where status in ('held', 'requested')`)

/** What was done before and after the second, for the tests to find. */
export interface Story {
  lines: Line[]
  /** The clients' response times during the backups. */
  series: Series
  at: Date
  destroyedAt: Date
  agent: Agent
  worker: TestWorker
  /** Proved before the second, approved and paid after it. */
  approvedLater: string
  /** Approved before the second, held by the switch, and paid after it. */
  heldBefore: string
  /** Created, approved and paid after the second. */
  afterwards: string
  /** A page opened before the second and paid after it, and one opened and paid after it. */
  deposits: { openBefore: string; after: string; ofLostAgent: string }
  /** Closed and erased after the second, and what the log says about it. */
  closed: { worker: TestWorker; inLog: string[] }
  refundCents: number
  balanceCents: number
  backupSeconds: { full: number; incremental: number }
}

export async function play(world: World): Promise<Story> {
  const { fleet, market } = await world.serve(world.url)
  try {
    return await playOn(world, { fleet, market })
  } finally {
    await fleet.stop()
    await market.server.stop()
  }
}

async function playOn(
  { cluster, sandbox }: World,
  { fleet, market }: { fleet: Fleet; market: Marketplace },
): Promise<Story> {
  await sandbox.control('POST', 'topups', { amount: OWN_FUNDS_CENTS })
  const own = <Person>(make: () => Promise<Person>) =>
    Promise.all(Array.from({ length: CLIENTS }, make))
  const [agents, workers, agent, leaving] = await Promise.all([
    own(() => funded(market)),
    own(() => onboarded(market)),
    funded(market),
    market.worker(),
  ])
  const worker = workers[0]!
  const cast: Cast = {
    agents: agents.map(({ id, api_key }) => ({ id, bearer: api_key })),
    workers: workers.map(({ id, token }) => ({ id, bearer: token })),
  }

  if (PADDING_MB > 0) await pad(cluster)
  const seed = seeded('restore', process.env.RESTORE_SEED ?? randomBytes(4).toString('hex'))
  const lives = startLives({ bases: fleet.bases, cast, clients: CLIENTS, seed, lostPercent: 0 })
  try {
    return await loseDisk({ cluster, sandbox, fleet, market, lives, agent, worker, leaving })
  } finally {
    await lives.stop()
  }
}

interface Scene extends Pick<World, 'cluster' | 'sandbox'> {
  fleet: Fleet
  market: Marketplace
  lives: Lives
  agent: Agent
  worker: TestWorker
  /** Closes the account after the second. */
  leaving: TestWorker
}

async function loseDisk(scene: Scene): Promise<Story> {
  const { cluster, sandbox, fleet, market, lives, agent, worker, leaving } = scene
  lives.timeline.mark('full backup')
  const full = await timed(() => cluster.backrest('--type=full', 'backup'))
  lives.timeline.mark('incremental backup')
  const incremental = await timed(() => cluster.backrest('--type=incr', 'backup'))

  const approvedLater = await prove(agent, worker)
  const heldBefore = await prove(agent, worker)
  await turnPayouts(market, 'off')
  await approve(agent, heldBefore)
  await until(async () => {
    const held = 'select id from payouts where task_id = $1'
    return (await cluster.query(held, 'legwork', [heldBefore])).length > 0
  }, 'a held payout')
  const page = await agent.post('/wallet/deposit', { amount_cents: 700 })
  await sleep(500)

  lives.timeline.mark('the chosen second')
  const at = new Date()
  await sleep(500)
  await turnPayouts(market, 'on')
  await hurry(cluster)
  await approve(agent, approvedLater)
  const afterwards = await prove(agent, worker, 1500)
  await approve(agent, afterwards)
  // Before the new deposits are paid, because a refund takes the newest deposit first.
  const refundCents = 2500
  const asked = { agentId: agent.id, amountCents: refundCents, requestedBy: 'ada', reason: 'asked' }
  await refundAgent(market.background, asked)
  await sandbox.pay(page.body.session_id as string)
  const second = await agent.post('/wallet/deposit', { amount_cents: 900 })
  await sandbox.pay(second.body.session_id as string)
  const lost = await market.agent()
  const third = await lost.post('/wallet/deposit', { amount_cents: 1100 })
  await sandbox.pay(third.body.session_id as string)
  await closeAccount(cluster, leaving)
  for (const id of [approvedLater, heldBefore, afterwards]) await untilPaid(cluster, id)
  await until(async () => {
    const sent = `select 1 from refunds where status in ('pending', 'succeeded')`
    return (await cluster.query(sent)).length > 0
  }, 'the refund')
  await lives.stop()
  const balanceCents = await market.balance(agent.id)

  const destroyedAt = new Date()
  await cluster.destroy()
  return {
    lines: lives.log.lines,
    series: lives.timeline.series(),
    at,
    destroyedAt,
    agent,
    worker,
    approvedLater,
    heldBefore,
    afterwards,
    deposits: {
      openBefore: page.body.transaction_id as string,
      after: second.body.transaction_id as string,
      ofLostAgent: third.body.transaction_id as string,
    },
    closed: { worker: leaving, inLog: closedSince(at, fleet.kept()) },
    refundCents,
    balanceCents,
    backupSeconds: { full, incremental },
  }
}

/** As the command of docs/restore.md finds them. */
function closedSince(at: Date, lines: Record<string, unknown>[]): string[] {
  return lines
    .filter(({ msg, time }) => msg === ACCOUNT_CLOSED && String(time) >= at.toISOString())
    .map(({ worker_id }) => String(worker_id))
}

/** Asks for it, and lets the grace period end at once. */
async function closeAccount(cluster: Cluster, worker: TestWorker): Promise<void> {
  const { status, text } = await worker.post('/worker/close', { current_password: PASSWORD })
  assert.equal(status, 202, text)
  await cluster.query(
    'update worker_closings set look_at = now() where worker_id = $1',
    'legwork',
    [worker.id],
  )
  await until(async () => {
    const closed = `select 1 from workers where id = $1 and name = 'Former worker'`
    return (await cluster.query(closed, 'legwork', [worker.id])).length > 0
  }, 'a closed account')
}

/** Random bytes, which no compression makes smaller. */
async function pad(cluster: Cluster): Promise<void> {
  await cluster.query('create table padding (bytes bytea)')
  await cluster.query('alter table padding alter bytes set storage external')
  await cluster.query(
    `insert into padding select (
       select string_agg(uuid_send(gen_random_uuid()), '') from generate_series(1, 65536) where n > 0)
       from generate_series(1, $1::int) n`,
    'legwork',
    [PADDING_MB],
  )
}

async function turnPayouts(market: Marketplace, state: 'on' | 'off'): Promise<void> {
  await ops(market, 'switch', 'payouts', state, 'a test')
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}
