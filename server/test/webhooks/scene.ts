/**
 * Agents whose servers behave in every manner, processes that deliver to them, and others that produce the events.
 * Hosts on loopback differ in their ports.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../../src/config.ts'
import { steppedClock } from '../stepped-clock.ts'
import { auditPatiently } from '../../src/ledger/audit-patiently.ts'
import { TOLD_TYPES } from '../../src/webhooks/record-event.ts'
import { freshDatabase, type Json, Marketplace, startOn } from '../harness.ts'
import { eventually } from '../jobs-child.ts'
import { type Chance, chanceOf } from '../processor/chance.ts'
import { openReceiver, type Received } from '../receiver.ts'
import { type Fleet, startFleet } from './fleet.ts'
import type { Way } from './producer-child.ts'
import { nameOfFact, nameOfMove, type Receipt } from './verdict.ts'

const FAULTS = { 'answers 500': 10, 'is cut after receipt': 3, hangs: 2, answers: 85 }
const DELIVERER = 'deliverer'
const SLOW_MS = 1000
/** Share of tasks with their own callback address. */
const CALLED_BACK = 0.3
const SETTLED_WITHIN_MS = 30_000
/** One leap for each of the published attempts except the first. */
const LEAPS_MAX = 7

/** How an agent's server behaves. Dead: nothing listens there. */
export type Manner = 'healthy' | 'faulty' | 'slow' | 'hanging' | 'dead'

export interface Host {
  manner: Manner
  url: string
  receipts: Receipt[]
  /** The maximum number of concurrent requests it had. */
  atOnceMax(): number
}

export interface Agent {
  id: string
  secret: string
  api_key: string
  host: Host
  /** Identifies the agent at its host. */
  path: string
}

export type Scene = Awaited<ReturnType<typeof openScene>>

interface Scope {
  after(end: () => Promise<unknown>): void
}

export async function openScene(
  scope: Scope,
  {
    manners,
    settings = {},
    seed,
  }: { manners: readonly Manner[]; settings?: Record<string, string>; seed: string },
) {
  const url = await freshDatabase()
  const server = await startOn(url, { roles: ['api'], clock: 'real', settings })
  scope.after(() => server.stop())
  const market = new Marketplace(url, server, steppedClock(), {})
  scope.after(() => market.stop())
  const owner = new pg.Pool({ connectionString: url, max: 4 })
  owner.on('error', () => {})
  scope.after(() => owner.end())
  scope.after(async () => assert.deepEqual(await auditPatiently(url), []))
  await owner.query(`
    create table facts (id text primary key, agent_id text not null);
    create table undone (id text not null);
    grant insert on facts, undone to legwork_app`)
  // A restarted process reuses the compile cache of the one before.
  const compiled = await mkdtemp(path.join(os.tmpdir(), 'legwork-compiled-'))
  scope.after(() => rm(compiled, { recursive: true }))
  const agents = new Map<string, Agent>()
  const hosts: Host[] = []
  let leaptMs = 0
  const now = () => new Date(Date.now() + leaptMs)
  for (const [n, manner] of manners.entries())
    hosts.push(
      await openHost(scope, { manner, chance: chanceOf(`${seed} host ${n}`), agents, now }),
    )

  const query = async (text: string, values: unknown[] = []) =>
    (await owner.query(text, values)).rows as Json[]

  return {
    market,
    hosts,
    agents,
    query,
    now,
    of: (manner: Manner) => hosts.filter((host) => host.manner === manner),

    /** Skips time for the deliverers and the receivers. */
    async leap(deliverers: Fleet, ms: number): Promise<void> {
      leaptMs += ms
      await deliverers.leap(ms)
    },

    ...openFleets(scope, { url, compiled, config: server.config, settings }),
    register: (host: Host, events: readonly string[] = []) =>
      register(market, agents, { host, events }),
    unseen: () => unseen(query, now()),
    committed: (to: readonly Agent[]) => committed(query, to),
  }
}

type Query = (text: string, values?: unknown[]) => Promise<Json[]>

/** Starts processes that deliver events or produce them. */
function openFleets(
  scope: Scope,
  {
    url,
    compiled,
    config,
    settings,
  }: { url: string; compiled: string; config: Config; settings: Record<string, string> },
) {
  const startDelivering = (file: string, size: number) =>
    startFleet(scope, {
      file: path.join(import.meta.dirname, file),
      size,
      env: {
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: compiled,
        DATABASE_URL: `${url}?application_name=${DELIVERER}`,
        OPS_PORT: '0',
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
        SHARD_DATABASES: '16',
        HEARTBEAT_SECONDS: '1',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        WEBHOOK_DNS_SERVERS: '127.0.0.1:9',
        WEBHOOK_SECRET_KEYS: config.WEBHOOK_SECRET_KEYS.join(','),
        WORKER_TOKEN_KEYS: config.WORKER_TOKEN_KEYS!,
        ...settings,
      },
    })

  return {
    startDeliverers: (size: number) => startDelivering('deliverer-child.ts', size),
    startNaiveDeliverer: () => startDelivering('naive-child.ts', 1),

    /**
     * Processes that produce events for these agents, at this total rate; an agent that is listed twice gets twice as
     * many.
     */
    startProducers: ({
      size,
      to,
      perSecond,
      way = 'together',
    }: {
      size: number
      to: Agent[]
      perSecond: number
      way?: Way
    }) =>
      startFleet(scope, {
        file: path.join(import.meta.dirname, 'producer-child.ts'),
        size,
        env: {
          NODE_COMPILE_CACHE: compiled,
          DATABASE_URL: url,
          AGENTS: to.map(({ id }) => id).join(','),
          PER_SECOND: String(perSecond / size),
          WAY: way,
        },
      }),
  }
}

/** An agent with its webhook at this host, with the default events unless it chooses others. */
async function register(
  market: Marketplace,
  agents: Map<string, Agent>,
  { host, events }: { host: Host; events: readonly string[] },
): Promise<Agent> {
  const name = randomBytes(6).toString('hex')
  const { status, body, text } = await market.call('POST', '/agents/register', {
    body: {
      name,
      email: `${name}@example.com`,
      webhook_url: `${host.url}/${name}`,
      events,
    },
  })
  assert.equal(status, 201, text)
  const { id, webhook_secret: secret, api_key } = body.agent
  const agent = { id, secret, api_key, host, path: `/hooks/${name}` }
  agents.set(agent.path, agent)
  return agent
}

/** Pending deliveries that no process would find in time. */
function unseen(query: Query, now: Date) {
  return query(
    `select d.event_id, d.lane, d.next_try_at, l.due_at, l.paused_until
       from deliveries d left join webhook_lanes l on l.id = d.lane
      where l.due_at is null
         or l.due_at > greatest(d.next_try_at, l.paused_until, $1::timestamptz + interval '5 seconds')`,
    [now],
  )
}

/** Names of everything that was committed and must be delivered to these agents. */
async function committed(query: Query, to: readonly Agent[]): Promise<Set<string>> {
  const ids = to.map(({ id }) => id)
  const facts = await query('select id, agent_id from facts where agent_id = any($1)', [ids])
  const moves = await query(
    `select agent_id, id, n from tasks, generate_series(1, event_sequence) n where agent_id = any($1)`,
    [ids],
  )
  return new Set([
    ...facts.map(({ id, agent_id }) => nameOfFact(agent_id, id)),
    ...moves.map(({ id, agent_id, n }) => nameOfMove(agent_id, id, n)),
  ])
}

async function openHost(
  scope: Scope,
  {
    manner,
    chance,
    agents,
    now,
  }: { manner: Manner; chance: Chance; agents: Map<string, Agent>; now(): Date },
): Promise<Host> {
  const receipts: Receipt[] = []
  let atOnce = 0
  let atOnceMax = 0
  const receiver = await openReceiver(scope, (received: Received, response: ServerResponse) => {
    atOnce += 1
    atOnceMax = Math.max(atOnce, atOnceMax)
    response.once('close', () => {
      atOnce -= 1
    })
    const isRefused = answer(response, { manner, chance }) === 'refused'
    const { id: agentId } = agents.get(received.path)!
    receipts.push({ ...received, at: now(), agentId, isRefused })
  })
  if (manner === 'dead') await receiver.close()
  return { manner, url: receiver.url, receipts, atOnceMax: () => atOnceMax }
}

function answer(
  response: ServerResponse,
  { manner, chance }: { manner: Manner; chance: Chance },
): 'taken' | 'refused' {
  if (manner === 'hanging') return 'taken'
  if (manner === 'slow') setTimeout(() => response.end(), SLOW_MS)
  if (manner === 'healthy') response.end()
  if (manner !== 'faulty') return 'taken'

  const fault = chance.weighted(FAULTS)
  if (fault === 'answers') response.end()
  if (fault === 'is cut after receipt') response.destroy()
  if (fault === 'answers 500') response.writeHead(500).end('Something is wrong here')
  return fault === 'answers 500' ? 'refused' : 'taken'
}

/** Runs tasks to their end through the API, with all events delivered, until it is stopped. */
export function startLives(scope: Scope, scene: Scene, agents: readonly Agent[]) {
  const { market } = scene
  let isStopping = false
  let lived = 0
  const lives = agents.map(async (agent, n) => {
    const chance = chanceOf(`life ${n}`)
    await market.fund(agent.id, 10_000_000)
    const client = market.client(agent.api_key)
    while (!isStopping) {
      const callback_url = new URL(agent.path, chance.pick(scene.of('healthy')).url).href
      const status = chance.pick(['completed', 'cancelled'] as const)
      await market.taskIn(client, status, chance.happens(CALLED_BACK) ? { callback_url } : {})
      lived += 1
      await sleep(chance.integer(200, 800))
    }
  })
  async function stop(): Promise<number> {
    isStopping = true
    await Promise.all(lives)
    return lived
  }
  scope.after(stop)
  return { stop }
}

/** The database terminates every connection of the deliverers. */
export async function cutConnections({ query }: Scene): Promise<number> {
  const cut = await query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = $1`,
    [DELIVERER],
  )
  return cut.length
}

/** All event types that an agent can choose. */
export const EVERYTHING = TOLD_TYPES

/**
 * Waits until nothing is pending for these agents. For retries that are due in minutes or hours, the deliverers' clocks
 * skip ahead.
 */
export async function untilAllDelivered(
  { query, now, leap }: Scene,
  { deliverers, to }: { deliverers: Fleet; to: readonly Agent[] },
): Promise<number> {
  const ids = to.map(({ id }) => id)
  for (let leaps = 0; ; leaps += 1) {
    const next = await eventually('what is due is told', SETTLED_WITHIN_MS, async () => {
      const [row] = await query(
        `select (select count(*)::integer from outbox) as untaken,
                min(next_try_at) as first, max(next_try_at) as last from deliveries where agent_id = any($1)`,
        [ids],
      )
      const { untaken, first, last } = row as { untaken: number; first: Date | null; last: Date }
      if (untaken > 0) return undefined
      if (first === null) return 'nothing' as const
      return first > now() ? last : undefined
    })
    if (next === 'nothing') return leaps
    assert(leaps < LEAPS_MAX, 'delivered within the published attempts')
    await leap(deliverers, next.getTime() - now().getTime() + 1000)
  }
}
