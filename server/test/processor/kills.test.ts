/**
 * A process is killed between two steps, and another one takes over. For each named crash point: one deposit, one
 * account, one task, one payout and one refund, and in the end the same ledger, line by line, as without the crash.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { steppedClock } from '../stepped-clock.ts'
import { type Step, STEPS } from '../../src/kit/crash-points.ts'
import { auditPatiently } from '../../src/ledger/audit-patiently.ts'
import { refundAgent } from '../../src/wallet/request-refund.ts'
import { freshDatabase, type Json, Marketplace, startOn } from '../harness.ts'
import { openSandbox } from '../sandbox.ts'
import { linesOf, type Posting, POSTINGS } from './lines.ts'
import { type Supervised, supervise } from './supervised.ts'

const TIMEOUT_MS = 240_000
const LANES = 3
const DEPOSIT_CENTS = 5000
const BUDGET_CENTS = 2000
const REST_CENTS = DEPOSIT_CENTS - BUDGET_CENTS
const FLOAT_CENTS = 100_000
const SETTLED_WITHIN_MS = 45_000
const HURRY_EVERY = 10

interface Ending {
  lines: string[]
  statuses: Record<string, string[]>
  /** Number of objects of each kind at the processor. */
  objects: Record<string, number>
}

/** A separate server, on which stories run one after the other. */
interface Lane {
  market: Marketplace
  owner: pg.Pool
  processes: Supervised
  close(): Promise<void>
}

describe('a process killed between two steps', { concurrency: LANES }, () => {
  const idle: Lane[] = []
  let all: Lane[] = []
  const expected = Promise.withResolvers<Ending>()
  // Every test that awaits it gets the error; this only prevents an unhandled rejection.
  expected.promise.catch(() => {})

  before(async () => {
    all = await Promise.all(Array.from({ length: LANES }, openLane))
    idle.push(...all)
  })
  after(async () => {
    for (const lane of all) await lane.close()
  })

  /** No more stories run at once than there are lanes, so one is always idle. */
  async function play(step?: Step, asIfForgotten?: string) {
    const lane = idle.pop()!
    const { owner, processes } = lane
    if (step !== undefined)
      processes.doom(step, async () => {
        if (asIfForgotten !== undefined) await owner.query(asIfForgotten)
      })
    try {
      return await tell(lane, { step, isUntold: asIfForgotten !== undefined })
    } finally {
      await processes.heal()
      idle.push(lane)
    }
  }

  test('control: the story completes without a kill', { timeout: TIMEOUT_MS }, async () => {
    const playing = play()
    playing.then(({ ending }) => expected.resolve(ending), expected.reject)
    const { ending, deaths } = await playing

    assert.deepEqual(deaths, [])
    assert.deepEqual(ending.objects, ONE_OF_EACH)
    assert.deepEqual(ending.statuses, {
      accounts: ['active'],
      deposits: ['partially_refunded'],
      payouts: ['paid'],
      refunds: ['succeeded'],
      tasks: ['completed'],
    })
  })

  for (const step of STEPS)
    test(`at ${step}: the ledger is the same in the end`, { timeout: TIMEOUT_MS }, async () => {
      const { ending, deaths } = await play(step)

      assert.deepEqual(deaths, ['SIGKILL'], 'the process died at this step, once')
      assert.deepEqual(ending, await expected.promise)
    })

  test('control: forgetting the running request makes two transfers, which are detected', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const forget = `update processor_attempts set outcome = 'not_found' where outcome is null`
    const { ending, deaths } = await play('payout.sent', forget)

    assert.deepEqual(deaths, ['SIGKILL'])
    assert.equal(ending.objects.transfer, 2)
    assert.notDeepEqual(ending, await expected.promise)
  })
})

const ONE_OF_EACH = {
  'checkout.session': 1,
  payment_intent: 1,
  charge: 1,
  account: 1,
  transfer: 1,
  refund: 1,
}

async function openLane(): Promise<Lane> {
  const url = await freshDatabase()
  const sandbox = await openSandbox({ now: () => new Date() })
  const settings = { FREE_TASKS: 0, HOLD_HOURS: 0, HOLD_HOURS_NEW: 0, ...sandbox.settings }
  // For manual operations; it serves no requests.
  const server = await startOn(url, { roles: [], clock: 'real', settings })
  const processes = await supervise({
    NODE_ENV: 'test',
    DATABASE_URL: url,
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    AGENT_CAPS: 'off',
    SHARD_DATABASES: '16',
    KEY_CACHE_SECONDS: '0',
    WORKER_TOKEN_KEYS: server.config.WORKER_TOKEN_KEYS!,
    HEARTBEAT_SECONDS: '1',
    RELAY_INTERVAL_MS: '20',
    SWEEP_INTERVAL_MS: '100',
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
  })
  await sandbox.tell(processes.base)
  // The operator's own money: even where something is paid twice, everything after it can be paid.
  await sandbox.control('POST', 'topups', { amount: FLOAT_CENTS })
  const reachable = { ...server, addresses: { api: processes.base } }
  const owner = new pg.Pool({ connectionString: url, max: 2 })
  return {
    market: new Marketplace(url, reachable, steppedClock(), {}, { sandbox }),
    owner,
    processes,
    async close() {
      const breaks = await auditPatiently(url)
      await processes.stop()
      await owner.end()
      await server.stop()
      await sandbox.stop()
      assert.deepEqual(breaks, [], 'the ledger is consistent')
    },
  }
}

/** One agent, one worker, one story, in which a process may die. Untold: no webhook helps with the payout. */
async function tell(
  lane: Lane,
  { step, isUntold }: { step?: Step | undefined; isUntold: boolean },
) {
  const { market, owner, processes } = lane
  const { sandbox } = market
  const agent = await insistently(() => market.agent())
  const worker = await market.worker({ approvals: 100 })
  const asAgent = caller(processes, agent.api_key)
  const asWorker = caller(processes, worker.token)
  const settled = (question: string) => untilSettled(owner, question, [agent.id, worker.id])

  const { account_id } = await asWorker('/worker/stripe/connect', {})
  await sandbox.control('POST', `accounts/${account_id}/submit`, { outcome: 'verified' })
  const paying = await asAgent('/wallet/deposit', { amount_cents: DEPOSIT_CENTS })
  await sandbox.pay(paying.session_id)
  await settled(
    `from deposits where agent_id = $1 and succeeded_at is not null and fee_cents is not null`,
  )
  await settled(`from payout_accounts where worker_id = $2 and status = 'active'`)

  const { task } = await asAgent('/tasks', { description: 'Look', budget_cents: BUDGET_CENTS })
  await asWorker(`/worker/tasks/${task.id}/accept`)
  await asWorker(`/worker/tasks/${task.id}/proof`, { text: 'Done' })
  if (isUntold) await sandbox.control('POST', 'deliveries', { mode: 'hold' })
  await asAgent(`/tasks/${task.id}/approve`)
  await settled(`from payouts where worker_id = $2 and status = 'paid'`)
  await sandbox.control('POST', 'deliveries', { mode: 'normal' })

  const byHand: (NodeJS.Signals | null)[] = []
  if (step === 'refund.requested') {
    const command = ['ops', 'refund', agent.id, String(REST_CENTS), 'asked for']
    byHand.push(await processes.run(command, step))
  } else
    await refundAgent(market.background, {
      agentId: agent.id,
      amountCents: REST_CENTS,
      requestedBy: 'test',
      reason: 'asked for',
    })
  await settled(`from refunds where agent_id = $1 and status = 'succeeded'`)
  await settled(`where not exists (select from processor_events where status = 'pending')`)
  const deaths = [...byHand, ...(await processes.heal())]
  return { deaths, ending: await readEnding(lane, { agent, worker, task, paying }) }
}

/** Sends each request with its own idempotency key, and retries until there is a response. */
function caller(processes: Supervised, bearer: string) {
  return async (to: string, body: unknown = {}): Promise<Json> => {
    const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': randomUUID() }
    const reply = await processes.insist('POST', to, { body, headers })
    assert(reply.status < 300, reply.text)
    return reply.body
  }
}

/** Tables with postponed checks, and how to find the rows of this story. */
const PUT_OFF = {
  deposits: 'agent_id = agent',
  refunds: 'agent_id = agent',
  payouts: 'worker_id = worker',
  payout_accounts: 'worker_id = worker',
  processor_events: 'true',
}

/** Waits, and makes postponed checks run at once, as if the time had passed. */
async function untilSettled(owner: pg.Pool, question: string, values: string[]): Promise<void> {
  const deadline = performance.now() + SETTLED_WITHIN_MS
  const text = `select $1::text, $2::text ${question}`
  for (let n = 1; ; n += 1) {
    const { rowCount } = await owner.query(text, values)
    if (rowCount) return
    assert(performance.now() < deadline, `not in time: ${question}`)
    if (n % HURRY_EVERY === 0)
      for (const [table, which] of Object.entries(PUT_OFF))
        await owner.query(
          `update ${table} set check_at = now() from (select $1::text as agent, $2::text as worker) whose
            where check_at > now() and ${which}`,
          values,
        )
    await sleep(50)
  }
}

interface Cast {
  agent: { id: string }
  worker: { id: string }
  task: Json
  paying: Json
}

/** The final state of this story in our tables and at the processor, without ids. */
async function readEnding(
  { market, owner }: Lane,
  { agent, worker, task, paying }: Cast,
): Promise<Ending> {
  const own = [agent.id, worker.id]
  const statusesOf = async (table: string, owned: string) => {
    const { rows } = await owner.query(
      `select * from ${table} where ${owned} = any($1) order by 1`,
      [own],
    )
    return rows as Json[]
  }
  const tables = {
    accounts: await statusesOf('payout_accounts', 'worker_id'),
    deposits: await statusesOf('deposits', 'agent_id'),
    payouts: await statusesOf('payouts', 'worker_id'),
    refunds: await statusesOf('refunds', 'agent_id'),
    tasks: await statusesOf('tasks', 'agent_id'),
  }
  const { objects, balance_transactions } = await market.sandbox.state()
  const isOurs = (one: Json) => {
    const told = Object.values((one.metadata ?? {}) as Json)
    return told.some((id) => own.includes(id) || tables.refunds.some((refund) => refund.id === id))
  }
  const ours = Object.entries(objects as Record<string, Json[]>).map(
    ([kind, found]) => [kind, found.filter(isOurs)] as const,
  )
  const ids = new Set(ours.flatMap(([, found]) => found.map(({ id }) => id as string)))
  const movements = (balance_transactions as Json[]).filter(({ source }) => ids.has(source))

  const roles = new Map<string, string>([
    [agent.id, 'agent'],
    [worker.id, 'worker'],
    [task.id, 'task'],
    [paying.transaction_id, 'deposit'],
    ...tables.payouts.map(({ id }) => [id, 'payout'] as [string, string]),
    ...tables.refunds.map(({ id }) => [id, 'refund'] as [string, string]),
    ...movements.map(({ id, type }) => [id, type] as [string, string]),
  ])
  const { rows } = await owner.query<Posting>(
    `${POSTINGS} and (agent_id = any($1) or worker_id = any($1) or ref_id = any($2))`,
    [own, movements.map(({ id }) => id as string)],
  )
  const counted = ours.map(([kind, { length }]) => [kind, length])
  return {
    lines: linesOf(rows, roles),
    statuses: Object.fromEntries(
      Object.entries(tables).map(([name, found]) => [name, found.map(({ status }) => status)]),
    ),
    objects: pick(Object.fromEntries(counted), Object.keys(ONE_OF_EACH)),
  }
}

const pick = (from: Record<string, number>, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? 0]))

/** Registration has no idempotency key: one that was cut off starts over. */
async function insistently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (tries > 400) throw error
      await sleep(50)
    }
  }
}
