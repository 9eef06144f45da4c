/** A marketplace with all its roles running, a fast clock, and counts of what is done to it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freshDatabase, Marketplace, type Reply, startOn } from '../harness.ts'
import { GOOD_CARD, openSandbox } from '../sandbox.ts'
import type { Query } from './books.ts'
import { fastClock } from './fast-clock.ts'
import { startServerChild } from './server-child.ts'

/** A minute passes in a second, so polling intervals are as short as the test needs. */
const CLOCK_SPEED = 60
const SETTINGS = {
  LOG_LEVEL: 'silent',
  FREE_TASKS: 0,
  HOLD_HOURS: 0,
  HOLD_HOURS_NEW: 0,
  RELAY_INTERVAL_MS: 50,
  SWEEP_INTERVAL_MS: 400,
  JOBS_CONCURRENCY: 24,
  DATABASE_CONNECTIONS: 40,
  // Retries are left to our own code instead of the processor's package.
  STRIPE_RETRIES: 0,
} as const
const TIMEOUT_MS = 200
const LOOK_EVERY_MS = 100
/** The processor replays a stored failure for a day; a client gives up and starts over with a new key. */
const TRIES_MAX = 8
const KEYS_MAX = 5

const SUBSCRIBED = {
  account: [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.async_payment_failed',
    'checkout.session.expired',
    'charge.updated',
    'refund.created',
    'refund.updated',
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.funds_reinstated',
    'transfer.created',
    'transfer.updated',
    'transfer.reversed',
    'payout.paid',
    'payout.failed',
    'balance.available',
    'topup.succeeded',
    'radar.early_fraud_warning.created',
  ],
  connect: ['account.updated', 'capability.updated', 'account.application.deauthorized'],
  v2: [
    'v2.core.account[requirements].updated',
    'v2.core.account[configuration.recipient].capability_status_updated',
    'v2.core.account.closed',
  ],
}

export type World = Awaited<ReturnType<typeof openWorld>>

interface Scope {
  after(end: () => Promise<unknown>): void
}

/** Runs cleanups in reverse order; a failure of one does not stop the others. */
export function lastFirst(test: Scope): Scope {
  const ends: (() => Promise<unknown>)[] = []
  test.after(async () => {
    const failures: unknown[] = []
    for (const end of ends.toReversed()) await end().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be ended')
  })
  return { after: (end) => ends.push(end) }
}

export async function openWorld(scope: Scope) {
  const url = await freshDatabase()
  const beganAt = Date.now()
  const clock = fastClock({ beganAt, speed: CLOCK_SPEED })
  const sandbox = await openSandbox({ now: clock.now })
  scope.after(() => sandbox.stop())
  const settings = { ...SETTINGS, ...sandbox.settings, STRIPE_TIMEOUT_MS: TIMEOUT_MS }
  // Runs the operator's commands; it serves no requests.
  const server = await startOn(url, { roles: [], settings, clockOverride: clock })
  scope.after(() => server.stop())
  const child = await startServerChild({
    ...asText({ ...settings, DATABASE_URL: url, BEGAN_AT: beganAt, SPEED: CLOCK_SPEED }),
    NODE_ENV: 'test',
    PORT: '0',
    OPS_PORT: '0',
    RATE_LIMITS: 'off',
    AGENT_CAPS: 'off',
    SHARD_DATABASES: '16',
    KEY_CACHE_SECONDS: '0',
    WORKER_TOKEN_KEYS: server.config.WORKER_TOKEN_KEYS!,
  })
  scope.after(() => child.stop())
  const reachable = { ...server, addresses: { api: child.api } }
  const market = new Marketplace(url, reachable, clock, {}, { sandbox })
  await subscribe(market)
  // Its refunds and withdrawals are about the books, not about who must agree.
  await market.asOwner('update two_person_limits set over_cents = null')

  const owner = new pg.Pool({ connectionString: url, max: 4 })
  const query: Query = async (text, values = []) => (await owner.query(text, values)).rows
  scope.after(() => owner.end())
  const watch = openWatch(query)
  scope.after(watch.stop)
  const counts = new Map<string, number>()
  return {
    market,
    query,
    counts,
    watch,
    count(what: string, times = 1) {
      counts.set(what, (counts.get(what) ?? 0) + times)
    },
    /** Skips time in every process. */
    leap(ms: number) {
      clock.advance(ms)
      child.advance(ms)
    },
    control: sandbox.control,
    pay: (sessionId: string, card = GOOD_CARD) => sandbox.pay(sessionId, card),
  }
}

const asText = (values: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

/** Subscribes only to the events that we handle, as an operator sets it up. */
async function subscribe({ sandbox, server }: Marketplace): Promise<void> {
  for (const [kind, enabled_events] of Object.entries(SUBSCRIBED))
    await sandbox.control('POST', 'endpoints', {
      kind,
      url: `${server.addresses.api}/processor/${kind}`,
      secret: sandbox.settings[`STRIPE_SECRETS_${kind.toUpperCase()}` as 'STRIPE_SECRETS_ACCOUNT'],
      enabled_events,
    })
}

/** Retries like a client that gets 503: several times with one key, then with another. */
export async function insist(
  { count }: Pick<World, 'count'>,
  what: string,
  ask: (headers: Record<string, string>) => Promise<Reply>,
): Promise<Reply> {
  for (let keys = 0; keys < KEYS_MAX; keys += 1) {
    const headers = { 'idempotency-key': randomUUID() }
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const reply = await ask(headers)
      if (reply.status < 500) return reply
      assert.equal(reply.status, 503, `${what}: ${reply.text}`)
      count(`asked again: ${what}`)
      await sleep(30)
    }
    count(`given up: ${what}`)
  }
  throw new Error(`${what}: refused under ${KEYS_MAX} keys`)
}

interface Waiting {
  id: string
  isDone(status: string): boolean
  deadline: number
  resolve(status: string | undefined): void
}

/** Waits for rows to reach a status; one query serves all waiters. Undefined on timeout. */
function openWatch(query: Query) {
  const waiting = {
    deposits: new Set<Waiting>(),
    payouts: new Set<Waiting>(),
    refunds: new Set<Waiting>(),
  }
  type Table = keyof typeof waiting
  let isStopped = false

  async function look(table: Table): Promise<void> {
    const all = waiting[table]
    if (all.size === 0) return
    const rows = await query(`select id, status::text from ${table} where id = any($1)`, [
      [...all].map(({ id }) => id),
    ])
    const statuses = new Map(rows.map(({ id, status }) => [id as string, status as string]))
    for (const one of all) {
      const status = statuses.get(one.id)
      const isDone = status !== undefined && one.isDone(status)
      if (!isDone && performance.now() < one.deadline) continue
      all.delete(one)
      one.resolve(isDone ? status : undefined)
    }
  }

  const looking = (async () => {
    while (!isStopped) {
      await Promise.all([look('deposits'), look('payouts'), look('refunds')])
      await sleep(LOOK_EVERY_MS)
    }
  })()

  return {
    until(table: Table, id: string, isDone: (status: string) => boolean, withinMs: number) {
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      waiting[table].add({ id, isDone, deadline: performance.now() + withinMs, resolve })
      return promise
    },
    async stop() {
      isStopped = true
      await looking
    },
  }
}
