/**
 * Not a cent is lost: thousands of operations run while the processor's responses get lost, its webhooks arrive twice,
 * out of order or not at all, and others send forged ones. Then the faults stop, time passes, and everything must have
 * completed exactly once.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { differences, unsettled } from './books.ts'
import { startForging } from './forgeries.ts'
import { agentLife, operatorTurn, type Worker, workerLife } from './lives.ts'
import { lastFirst, openWorld, type World } from './world.ts'
import { record } from '../figures.ts'

const OPERATIONS = Number(process.env.PROCESSOR_OPERATIONS ?? 600)
const seed = Number(process.env.PROCESSOR_SEED ?? 20_261_115)
const TIMEOUT_MS = 600_000 + OPERATIONS * 100
const LANES = 16
const WORKERS = Math.max(12, Math.ceil(OPERATIONS / 50))
const WORKERS_AT_ONCE = 6
const LIVES_PER_TURN = 8
/** The operator's own money, so small deposits with high fees do not block everything. */
const FLOAT_CENTS = 300_000
const MINUTE = 60_000
/** By the test's clock. The processor forgets idempotency keys after a day; this covers that, and a while after. */
const SETTLED_WITHIN_MS = 48 * 60 * MINUTE
const LEAPS_MINUTES = [1, 5, 30]
const LEAP_PAUSE_MS = 200
/** A quarter of an hour by the test's clock. */
const TIMETABLE_MS = 15_000
const TIMETABLE = ['reconcile.run', 'reconcile.close-gaps']
/** Operations that must have happened at least once. */
const EXPECTED = [
  'onboardings',
  'deposits',
  'payouts',
  'refunds',
  'chargebacks',
  'chargebacks won',
  'chargebacks lost',
  'transfers reversed',
  'top-ups',
  'withdrawals',
]

/** Of all requests to the processor, 5% lose their response after the effect, and a few more are refused before it. */
const EVERY = '^(GET|POST) /v[12]/'
const FAULTS = [
  { match: EVERY, mode: 'reset_after', probability: 0.02 },
  { match: EVERY, mode: 'error_after', probability: 0.02 },
  { match: EVERY, mode: 'hang_after', probability: 0.012 },
  { match: EVERY, mode: 'error_before', probability: 0.01, status: 503 },
  { match: EVERY, mode: 'reset_before', probability: 0.003 },
  { match: EVERY, mode: 'rate_limit', probability: 0.005 },
  { match: EVERY, mode: 'lock_timeout', probability: 0.003 },
  {
    match: 'POST /v',
    mode: 'error_before',
    probability: 0.005,
    status: 409,
    code: 'idempotency_key_in_use',
  },
  { match: EVERY, mode: 'html502', probability: 0.004 },
  { match: EVERY, mode: 'json_without_error', probability: 0.004 },
  // Longer than our timeout: the effect comes after we have given up on the request.
  { match: 'POST /v', mode: 'slow', probability: 0.003, ms: 400 },
]

/** The treatment of webhooks in each phase; `from` is the percentage of the work done. */
const DISORDER = { duplicate: 0.05, shuffle: true, drop: 0.02 }
const PHASES = [
  { from: 0, policy: DISORDER, isLate: false },
  { from: 20, policy: DISORDER, isLate: true },
  { from: 40, policy: { ...DISORDER, drop: 1 }, isLate: false },
  { from: 55, policy: DISORDER, isLate: false },
]

test(`${OPERATIONS} operations under faults: nothing is lost, nothing is done twice`, {
  timeout: TIMEOUT_MS,
}, async (t) => {
  console.log(`PROCESSOR_SEED=${seed} PROCESSOR_OPERATIONS=${OPERATIONS}`)
  const scope = lastFirst(t)
  const world = await openWorld(scope)
  const began = performance.now()
  await world.control('POST', 'topups', { amount: FLOAT_CENTS })
  await world.control('POST', 'settings', { available_delay_seconds: 120 })
  await world.control(
    'POST',
    'faults',
    FAULTS.map((fault, i) => ({ ...fault, seed: seed + i })),
  )
  const forging = startForging(world, `${seed} forger`)
  const phases = startPhases(world)
  const timetable = startTimetable(world)
  for (const { stop } of [forging, phases, timetable]) scope.after(stop)

  await live(world)
  const lived = performance.now()
  const struck = await readFaults(world)
  await phases.stop()
  await forging.stop()
  await world.control('DELETE', 'faults')
  await world.control('POST', 'deliveries/policy', {})
  await timetable.stop()
  const wellAgainAt = world.market.now().getTime()
  const left = await passTime(world)
  const hours = ((world.market.now().getTime() - wellAgainAt) / 3_600_000).toFixed(1)
  console.log(`all has settled ${hours} hours after the faults, by the clock of the test`)

  const found = await differences(world.market, world.query)
  const [books] = await world.query('select * from reconciliations order by at desc limit 1')
  const breaks = await world.query(
    'select kind, subject, detail from money_breaks where closed_at is null',
  )
  printTable(world, struck, { livedMs: lived - began, settledMs: performance.now() - lived })
  record('processor', [
    { figure: 'operations', value: operations(world) },
    { figure: 'objects that did not end', value: left.length, max: 0 },
    { figure: 'differences between the processor’s books and ours', value: found.length, max: 0 },
    { figure: 'breaks that reconciliation can’t explain', value: breaks.length, max: 0 },
    {
      figure: 'forged notifications that were accepted',
      value: world.counts.get('forged and accepted') ?? 0,
      max: 0,
    },
  ])
  assert.deepEqual(left, [], 'everything has ended')
  assert.deepEqual(found, [], 'the processor’s books and ours are the same')
  assert.deepEqual(breaks, [], 'reconciliation finds nothing to explain')
  assert.equal(books!.processor_cents, books!.ledger_cents)
  assert.equal(books!.processor_cents, books!.mirrored_cents)
  for (const age of ['new', 'hour', 'day'])
    assert.equal(Number(books![`unexplained_${age}_cents`]), 0, age)
  assert.equal(world.counts.get('forged and accepted') ?? 0, 0)
  const forged = await world.query(
    `select event_id from processor_events where event_id ~ '^evt_(forged|altered)'`,
  )
  assert.deepEqual(forged, [])
  assert.deepEqual(missing(world, struck), [], 'every kind of operation happened')
})

/** Runs lives concurrently until enough has been done. */
async function live(world: World): Promise<void> {
  const workers: Worker[] = []
  let born = 0
  const raise = async () => {
    while (born < WORKERS) {
      born += 1
      workers.push(await workerLife(world, `${seed} worker ${born}`))
    }
  }
  await Promise.all(Array.from({ length: WORKERS_AT_ONCE }, raise))

  let lives = 0
  let isBroken = false
  const lane = async () => {
    while (!isBroken && operations(world) < OPERATIONS) {
      lives += 1
      const life = lives
      await agentLife(world, { seed: `${seed} agent ${life}`, workers })
      if (life % LIVES_PER_TURN === 0)
        await operatorTurn(world, { seed: `${seed} operator ${life}`, workers })
      if (life % 50 === 0) console.log(`… ${operations(world)} operations in ${life} lives`)
    }
  }
  const lanes = Array.from({ length: LANES }, () =>
    lane().catch((error: unknown) => {
      isBroken = true
      throw error
    }),
  )
  // Wait for all of them before reporting the first failure: none may keep running on a closed server.
  const ends = await Promise.allSettled(lanes)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

const OPERATION =
  /^(deposits|onboardings|payouts|refunds( made outside| failed later)?|chargebacks( won| lost)?|transfers reversed|top-ups|fees|withdrawals|accounts .*)$/

function operations({ counts }: World): number {
  return [...counts].reduce((sum, [name, count]) => sum + (OPERATION.test(name) ? count : 0), 0)
}

/** The processor's behavior changes while the work continues. */
function startPhases(world: World) {
  return repeat(100, async () => {
    const percent = (operations(world) / OPERATIONS) * 100
    const next = PHASES[world.counts.get('phases') ?? 0]
    if (next === undefined || percent < next.from) return
    world.count('phases')
    await world.control('POST', 'deliveries/policy', { ...next.policy, seed: seed + next.from })
    await world.control('POST', 'settings', { asynchronous_capture: next.isLate })
  })
}

/** Scheduled jobs follow the test's clock, which is faster than the machine's. */
function startTimetable(world: World) {
  return repeat(TIMETABLE_MS, () => byTimetable(world))
}

async function byTimetable({ market }: World): Promise<void> {
  for (const job of market.jobs.filter(({ name }) => TIMETABLE.includes(name)))
    await job.run({ ...market.background, payload: {} })
}

function repeat(everyMs: number, step: () => Promise<void>) {
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await step()
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  // `stop` rethrows the failure; this only prevents an unhandled rejection.
  running.catch(() => {})
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/**
 * After the faults have stopped, advances the clock in leaps until everything has settled; returns what has not settled
 * after days.
 */
async function passTime(world: World): Promise<string[]> {
  const until = new Date(world.market.now().getTime() + SETTLED_WITHIN_MS)
  for (;;) {
    for (const minutes of LEAPS_MINUTES) {
      world.leap(minutes * MINUTE)
      await sleep(LEAP_PAUSE_MS)
    }
    const left = await unsettled(world.query)
    // After the last of them, because what has just settled is not in any list yet.
    await byTimetable(world)
    if (left.length === 0 || world.market.now() > until) return left
  }
}

interface Struck {
  faults: Map<string, number>
  notifications: Map<string, number>
}

async function readFaults(world: World): Promise<Struck> {
  const { data } = await world.control('GET', 'faults')
  const { counts } = await world.control('GET', 'deliveries?limit=1')
  return {
    faults: new Map(
      (data as { mode: string; status?: number; struck: number }[]).map((fault) => [
        fault.status === undefined ? fault.mode : `${fault.mode} ${fault.status}`,
        fault.struck,
      ]),
    ),
    notifications: new Map(Object.entries(counts as Record<string, number>)),
  }
}

/** Everything that was supposed to happen and did not. */
function missing(world: World, { faults, notifications }: Struck): string[] {
  const done = [...world.counts.keys()]
  return [
    ...[...faults].filter(([, struck]) => struck === 0).map(([mode]) => `no ${mode}`),
    ...['duplicates', 'dropped_tries']
      .filter((what) => !notifications.get(what))
      .map((w) => `no ${w}`),
    ...EXPECTED.filter((what) => !done.includes(what)).map((what) => `no ${what}`),
    ...(operations(world) < OPERATIONS ? ['too few operations'] : []),
    ...(world.counts.get('phases') === PHASES.length ? [] : ['not all phases']),
  ]
}

function printTable(
  world: World,
  { faults, notifications }: Struck,
  { livedMs, settledMs }: { livedMs: number; settledMs: number },
): void {
  const rows = (title: string, counts: Iterable<[string, number]>) => [
    title,
    ...[...counts]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, count]) => `  ${name.padEnd(44)}${String(count).padStart(7)}`),
  ]
  const lines = [
    `${operations(world)} operations in ${(livedMs / 1000).toFixed(1)} s, all settled ${(settledMs / 1000).toFixed(1)} s later`,
    ...rows('done', world.counts),
    ...rows('faults of the processor', faults),
    ...rows('notifications', notifications),
  ]
  console.log(lines.join('\n'))
}
