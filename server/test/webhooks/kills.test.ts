/**
 * Events reach agents despite kill -9 of delivering and producing processes, frozen processes and cut connections,
 * while agents' servers fail, cut connections, hang or are dead. WEBHOOK_KILLS is the total number of kills of the two
 * delivering processes; from 30 on, delays are checked, too.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../jobs-child.ts'
import { chanceOf } from '../processor/chance.ts'
import { lastFirst } from '../processor/world.ts'
import type { Fleet } from './fleet.ts'
import {
  type Agent,
  cutConnections,
  EVERYTHING,
  type Manner,
  openScene,
  type Scene,
  startLives,
  untilAllDelivered,
} from './scene.ts'
import { delaysOf, judge, percentile, type Receipt, type Verdict } from './verdict.ts'
import { record } from '../figures.ts'

const KILLS = Number(process.env.WEBHOOK_KILLS ?? 3)
const IS_LONG = KILLS >= 30
const SEED = process.env.WEBHOOK_SEED ?? 'kills'
const TIMEOUT_MS = 240_000 + KILLS * 5000
const MANNERS: Manner[] = [
  ...(['healthy', 'healthy', 'healthy'] as const),
  ...(['faulty', 'faulty', 'faulty'] as const),
  ...(['slow', 'hanging', 'dead'] as const),
]
const PER_SECOND = 110
const QUIET_MS = 1000
const BETWEEN_KILLS_MS = 900
/** Now and then all delivering processes are killed at once, until one is restarted. */
const ALL_AT_ONCE_EVERY = 16
const TOLD_EVERY = 8
/** Longer than the lease on a lane lasts without renewal. */
const FROZEN_MS = 2800
const CUTS = 3
/** More are allowed in a short run, in which little happens besides the kills. */
const DUPLICATES_MAX = IS_LONG ? 0.1 : 0.2
/** Delays up to this are fine on any machine. */
const HEALTHY_P95_MS = 2000
/** On a slower machine, the p95 may be this many times that of the quiet part of the same run. */
const DELAY_RATIO_MAX = 20
/**
 * Concurrent requests to one receiver, from the process that holds its lane, and from another one when that one is
 * frozen.
 */
const AT_ONCE_MAX = 4

test('every committed event arrives, signed, while processes are killed and some receivers fail', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const scope = lastFirst(t)
  const scene = await openScene(scope, {
    seed: SEED,
    manners: MANNERS,
    settings: IS_LONG ? {} : { WEBHOOK_TIMEOUT_MS: '1500' },
  })
  const { agents, weighted } = await registerAll(scene)
  const deliverers = await scene.startDeliverers(2)
  const producers = await scene.startProducers({ size: 2, to: weighted, perSecond: PER_SECOND })
  const lives = startLives(scope, scene, agents.lively)

  // The processes have started when each healthy host has received something; all deliveries of the quiet phase are
  // done before the first kill.
  const healthyHosts = scene.of('healthy')
  await eventually('the healthy are told', 30_000, async () =>
    healthyHosts.every((host) => host.receipts.length > 0) ? true : undefined,
  )
  const begunAt = Date.now()
  await sleep(QUIET_MS)
  const quietUntil = Date.now()
  await sleep(HEALTHY_P95_MS)
  const killedFrom = Date.now()
  await Promise.all([
    killAll(deliverers, { times: KILLS, pauseMs: BETWEEN_KILLS_MS }),
    killAll(producers, { times: Math.ceil(KILLS / 3), pauseMs: 3 * BETWEEN_KILLS_MS }),
  ])
  const killedUntil = Date.now()
  await freeze(deliverers)
  await cut(scene)
  const lived = await lives.stop()
  await producers.stop()

  const told = [...agents.lively, ...agents.answered]
  const leaps = await untilAllDelivered(scene, { deliverers, to: told })
  const receipts = scene.hosts.flatMap((host) => host.receipts)
  const { invented, forged, altered } = await judgeScene(scene, [...scene.agents.values()])
  const { lost, events, repeated } = await judgeScene(scene, told)
  const [rows] = await scene.query(
    `select (select count(*)::integer from undone) as undone,
            (select count(*)::integer from deliveries where agent_id = $1) as waiting`,
    [agents.dead.id],
  )
  const healthy = healthyHosts.flatMap((host) => host.receipts)
  const quiet = delaysOf(healthy.filter(within(begunAt, quietUntil)))
  const killed = delaysOf(healthy.filter(within(killedFrom, killedUntil)))

  t.diagnostic(`killed ${deliverers.killed} times, those who record ${producers.killed} times`)
  t.diagnostic(
    `${events} events in ${receipts.length} deliveries, of ${lived} tasks among others; ` +
      `${rows!.undone} rolled back; ${leaps} leaps of the clock`,
  )
  t.diagnostic(`received more than once: ${repeated} (${percent(repeated, events)})`)
  tellDelays(t, 'before the kills', quiet)
  tellDelays(t, 'while processes are killed', killed)
  record('webhooks', [
    { figure: 'kills', value: deliverers.killed + producers.killed },
    { figure: 'events', value: events },
    { figure: 'events that were never delivered', value: lost.length, max: 0 },
    { figure: 'deliveries of events that never happened', value: invented.length, max: 0 },
    { figure: 'wrong signatures', value: forged.length, max: 0 },
    {
      figure: 'events delivered more than once',
      value: (100 * repeated) / events,
      unit: '%',
      max: 100 * DUPLICATES_MAX,
    },
    {
      figure: 'delay of healthy receivers during the kills, p95',
      value: percentile(killed, 0.95),
      unit: 'ms',
    },
  ])
  assert.deepEqual([...deliverers.unasked, ...producers.unasked], [])
  assert.deepEqual(lost, [])
  assert.deepEqual(invented, [])
  assert.deepEqual(forged, [])
  assert.deepEqual(altered, [])
  assert(deliverers.killed >= KILLS && rows!.undone > 0 && lived > 0)
  assert(repeated <= DUPLICATES_MAX * events)
  // A hanging receiver must not delay the healthy ones: that would raise the p95 but not the median.
  assertDelay(percentile(quiet, 0.95), percentile(quiet, 0.5))
  if (IS_LONG) assertDelay(percentile(killed, 0.95), percentile(quiet, 0.95))
  const [slow] = scene.of('slow')
  assert(slow!.atOnceMax() <= deliverers.size * AT_ONCE_MAX)
  assert.deepEqual(await scene.unseen(), [])
  const { size } = await scene.committed([agents.dead])
  assert.equal(rows!.waiting, size, 'deliveries to the dead receiver are queued')
})

/** Two agents per healthy host, and one with real tasks; agents that are listed more often get more events. */
async function registerAll(scene: Scene) {
  const at = (manner: Manner) => scene.of(manner).map((host) => scene.register(host))
  const well = await Promise.all([...at('healthy'), ...at('healthy')])
  const ill = await Promise.all(at('faulty'))
  const [late, mute, dead] = await Promise.all([...at('slow'), ...at('hanging'), ...at('dead')])
  const lively = await Promise.all(
    [scene.of('healthy')[0]!, scene.of('faulty')[0]!].map((host) =>
      scene.register(host, EVERYTHING),
    ),
  )
  return {
    agents: { lively, answered: [...well, ...ill, late!], dead: dead! },
    weighted: [...times(4, well), ...times(4, ill), late!, mute!, dead!],
  }
}

const times = <T>(n: number, items: T[]) => Array.from({ length: n }, () => items).flat()

/**
 * Kills at random moments, one or the other, sometimes all at once; waits until all are running again before the next.
 */
async function killAll(
  fleet: Fleet,
  { times: killsMin, pauseMs }: { times: number; pauseMs: number },
): Promise<void> {
  const chance = chanceOf(`${SEED} ${pauseMs}`)
  const all = Array.from({ length: fleet.size }, (_, n) => n)
  for (let n = 0; fleet.killed < killsMin; n += 1) {
    await fleet.whole()
    await sleep(chance.integer(0, 2 * pauseMs))
    const doomed = n % ALL_AT_ONCE_EVERY === 1 ? all : [chance.pick(all)]
    await Promise.all(doomed.map((one) => fleet.kill(one)))
    // The test runner treats a long silence as a hanging test.
    if (n % TOLD_EVERY === TOLD_EVERY - 1) console.log(`${fleet.killed} of ${killsMin} kills`)
  }
  await fleet.whole()
}

async function freeze(fleet: Fleet): Promise<void> {
  const thaw = await fleet.freeze(0)
  await sleep(FROZEN_MS)
  thaw()
}

async function cut(scene: Scene): Promise<void> {
  const chance = chanceOf(SEED)
  let connections = 0
  for (let cuts = 0; cuts < CUTS; cuts += 1) {
    connections += await cutConnections(scene)
    await sleep(chance.integer(100, 600))
  }
  assert(connections > 0)
}

async function judgeScene(scene: Scene, agents: readonly Agent[]): Promise<Verdict> {
  const ids = new Set(agents.map(({ id }) => id))
  const receipts = scene.hosts.flatMap((host) => host.receipts)
  return judge({
    committed: await scene.committed(agents),
    receipts: receipts.filter(({ agentId }) => ids.has(agentId)),
    secrets: new Map(agents.map(({ id, secret }) => [id, secret])),
  })
}

const within =
  (from: number, to: number) =>
  ({ body }: Receipt) =>
    Date.parse(body.created_at) >= from && Date.parse(body.created_at) < to

function tellDelays(t: TestContext, when: string, delays: number[]): void {
  const [p50, p95, p99, longest] = [0.5, 0.95, 0.99, 1].map((share) => percentile(delays, share))
  t.diagnostic(
    `healthy hosts, ${when}: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, longest ${longest} ms`,
  )
}

function assertDelay(p95: number, quietMs: number): void {
  const maxMs = Math.max(HEALTHY_P95_MS, DELAY_RATIO_MAX * quietMs)
  assert(p95 <= maxMs, `a p95 of ${p95} ms, where ${maxMs} ms are allowed`)
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
