/** Plays days of a marketplace with farmers in it, on the real server and a clock of its own. */
import assert from 'node:assert/strict'
import type { TaskView } from '../../src/tasks/view.ts'
import { type Marketplace, marketplace, proofFor } from '../harness.ts'
import {
  type Agent,
  hire,
  logIn,
  register,
  STRATEGIES,
  type Strategy,
  type Worker,
} from './people.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const FREE_HOLD_DAYS = 7
/** After the last task: the hold of free tasks, and days for what the daily budgets have put off. */
const REST_DAYS = FREE_HOLD_DAYS + 8
/** An honest payout is delayed if it comes later than the hold of free tasks and one day. */
const LATE_MS = DAY
const FARM_AGENTS = 2
const HONEST_FREE_AGENTS = 3
const HONEST_WALLET_TASKS = 9
const FREE_TASKS = 3
const MOST_CENTS = 2000
const TOGETHER = 6

export const DEFENSES = {
  all: {},
  'daily bounds only': { PAYOUT_REVIEW_SCORE: 1_000_000 },
  none: {
    PAYOUT_REVIEW_SCORE: 1_000_000,
    PROMO_DAILY_CENTS: 1_000_000_000,
    PROMO_RING_DAILY_CENTS: 1_000_000_000,
  },
} as const
export type Defenses = keyof typeof DEFENSES

export interface Outcome {
  /** What free tasks paid each strategy, in cents. */
  losses: Record<string, number>
  /** The most that free tasks paid on one day: in all, and to the workers who share a bank account or an address. */
  mostInADay: { all: number; ring: number }
  honest: { payouts: number; delayed: number }
}

interface Job {
  agent: Agent
  worker: Worker
  budgetCents: number
}

interface World {
  market: Marketplace
  workers: Worker[]
  random: () => number
}

export async function simulate(defenses: Defenses, days: number): Promise<Outcome> {
  const market = await marketplace({
    processor: true,
    settings: {
      TRUST_PROXY: '127.0.0.0/8,::1/128',
      PAYOUT_REVIEW_SCORE: 60,
      ...DEFENSES[defenses],
    },
  })
  await market.sandbox.control('POST', 'topups', { amount: 90_000_000 })
  const world = { market, workers: await hire(market), random: randomOf(7) }
  for (let day = 0; day < days; day += 1) {
    const begin = market.now().getTime()
    for (const worker of world.workers) await logIn(market, worker)
    for (const strategy of STRATEGIES)
      await work(market, await farm(world, strategy), strategy.stepMs)
    await work(market, await ordinaryWork(world), 15 * MINUTE)
    await market.settle()
    market.advance(begin + DAY - market.now().getTime())
  }
  for (let day = 0; day < REST_DAYS; day += 1) {
    await market.settle()
    market.advance(DAY)
  }
  await market.settle()
  return measure(world)
}

async function farm({ market, workers, random }: World, strategy: Strategy): Promise<Job[]> {
  const own = workers.filter((worker) => worker.strategy === strategy)
  const jobs: Job[] = []
  for (let n = 0; n < FARM_AGENTS; n += 1) {
    const agent = await register(market)
    for (let k = 0; k < FREE_TASKS; k += 1)
      jobs.push({ agent, worker: pick(own, random), budgetCents: MOST_CENTS })
  }
  if (random() < (strategy.camouflage ?? 0) * jobs.length) {
    const agent = await register(market, MOST_CENTS)
    jobs.push({ agent, worker: pick(own, random), budgetCents: 1000 })
  }
  return jobs
}

async function ordinaryWork({ market, workers, random }: World): Promise<Job[]> {
  const honest = workers.filter(({ strategy }) => strategy === undefined)
  const jobs: Job[] = []
  for (let n = 0; n < HONEST_FREE_AGENTS; n += 1) {
    const agent = await register(market)
    for (let k = 0; k < FREE_TASKS; k += 1) {
      const worker = pick(honest, random)
      jobs.push({ agent, worker, budgetCents: 300 + Math.floor(random() * 900) })
    }
  }
  const payer = await register(market, 100_000)
  for (let n = 0; n < HONEST_WALLET_TASKS; n += 1) {
    const worker = pick(honest, random)
    jobs.push({ agent: payer, worker, budgetCents: 300 + Math.floor(random() * 2200) })
  }
  return jobs
}

/** Every step of these tasks is taken at about the same time. */
async function work(market: Marketplace, jobs: Job[], stepMs: number): Promise<void> {
  const tasks = await inTurns(jobs, async ({ agent, budgetCents }) => {
    const { status, body, text } = await agent.post('/tasks', {
      description: 'Say which of two names is better for a shop, and why',
      budget_cents: budgetCents,
      deadline: '20h',
    })
    assert.equal(status, 201, text)
    return body.task as TaskView
  })
  const posted = jobs.map((job, n) => ({ ...job, task: tasks[n]! }))
  market.advance(stepMs)
  await inTurns(posted, async ({ worker, task }) => {
    const { status, text } = await worker.post(`/worker/tasks/${task.id}/accept`)
    assert.equal(status, 200, text)
  })
  market.advance(stepMs)
  await inTurns(posted, async ({ worker, task }) => {
    const { status, text } = await worker.post(`/worker/tasks/${task.id}/proof`, proofFor(task))
    assert.equal(status, 201, text)
  })
  market.advance(stepMs)
  await inTurns(posted, async ({ agent, task }) => {
    const { status, text } = await agent.post(`/tasks/${task.id}/approve`)
    assert.equal(status, 200, text)
  })
  await market.work()
}

async function measure({ market, workers }: World): Promise<Outcome> {
  const payouts = await market.db.reader
    .selectFrom('payouts')
    .select(['worker_id', 'funding', 'amount_cents', 'created_at', 'paid_at'])
    .where('mode', '=', 'live')
    .execute()
  const strategyOf = new Map(workers.map(({ id, strategy }) => [id, strategy]))
  const losses = Object.fromEntries(STRATEGIES.map(({ name }) => [name, 0]))
  const honest = { payouts: 0, delayed: 0 }
  for (const { worker_id, funding, amount_cents, created_at, paid_at } of payouts) {
    const strategy = strategyOf.get(worker_id)
    if (strategy === undefined) {
      const holdMs = funding === 'free' ? FREE_HOLD_DAYS * DAY : 0
      const waitedMs = (paid_at ?? market.now()).getTime() - created_at.getTime()
      honest.payouts += 1
      if (paid_at === null || waitedMs > holdMs + LATE_MS) honest.delayed += 1
    } else if (funding === 'free' && paid_at !== null) losses[strategy.name]! += amount_cents
  }
  return { losses, mostInADay: await readMost({ market, workers }), honest }
}

async function readMost({ market, workers }: Omit<World, 'random'>) {
  const [all] = await market.asOwner('select max(spent_cents)::int as cents from promo_days')
  let ring = 0
  for (const strategy of STRATEGIES.filter((one) => one.sharesBank ?? one.sharesAddress)) {
    const ids = workers.filter((one) => one.strategy === strategy).map(({ id }) => id)
    const [most] = await market.asOwner(
      `select coalesce(max(cents), 0)::int as cents
         from (select sum(spent_cents) as cents from promo_workers where worker_id = any($1) group by day) d`,
      [ids],
    )
    ring = Math.max(ring, most!.cents as number)
  }
  return { all: all!.cents as number, ring }
}

const pick = <T>(some: readonly T[], random: () => number): T =>
  some[Math.floor(random() * some.length)]!

/** A few at a time, in a fixed order. */
async function inTurns<T, R>(all: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let n = 0; n < all.length; n += TOGETHER)
    results.push(...(await Promise.all(all.slice(n, n + TOGETHER).map(run))))
  return results
}

/** The same numbers in every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
