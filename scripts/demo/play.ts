/**
 * Plays the plan: makes every call of three months in order, while the clock moves from one to the next. Calls that
 * don't depend on each other run side by side, unless the clock would move too far meanwhile.
 */
import { sweeps } from '../../server/src/jobs.ts'
import { COMMANDS } from '../../server/src/ops/commands.ts'
import { perform } from '../../server/src/ops/perform.ts'
import { sweepOnce } from '../../server/src/runner/sweep.ts'
import type { Body } from '../visitor.ts'
import {
  type Agent,
  connectBank,
  joinAs,
  payIn,
  payToBank,
  registerAgent,
  type Worker,
} from './cast.ts'
import type { DisputePlan } from './disputes.ts'
import { AGENT_NAMES, type AgentName, WORKERS } from './people.ts'
import { photoOf, recording } from './photos.ts'
import {
  COHORT_DAYS,
  DAY,
  DEPOSIT_DAYS,
  HOUR,
  MINUTE,
  START_DAYS,
  type TaskPlan,
  urgencyOf,
  type WorkPlan,
} from './plan.ts'
import { seeded } from './random.ts'
import type { Market } from './stage.ts'

const OPERATOR = 'demo'
const CONCURRENT_MAX = 6
/** How far the clock may move while a call is on its way. Much more could end somebody's time to submit. */
const DRIFT_MAX_MS = 45 * MINUTE
/** The processor pays out to the banks. */
const BANK_DAYS = [70, 49, 28, 14, 4]
const REPORT_DAYS = 14
/** Days before the present on which everybody reads their notices. */
const READING_DAYS = [60, 30, 7, 1]

export interface World {
  agents: Record<AgentName, Agent>
  workers: Worker[]
}

interface Step {
  at: number
  /** Steps with the same key happen one after the other. */
  key: string
  /** Nothing else happens meanwhile. */
  isAlone?: boolean
  run(): Promise<unknown>
}

interface Scene extends World {
  market: Market
  present: number
}

export async function playWorld(
  market: Market,
  { plan, present, say }: { plan: TaskPlan[]; present: number; say(line: string): void },
): Promise<World> {
  const scene: Scene = { market, present, agents: {} as World['agents'], workers: [] }
  const steps = [
    ...openingSteps(scene, plan, say),
    ...plan.flatMap((task, i) => taskSteps(scene, task, i)),
    ...readingSteps(scene),
    ...timerSteps(scene),
    ...reportSteps(scene, say),
  ]
  await playInOrder(market, steps)
  await runTimers(market)
  await market.settle()
  return { agents: scene.agents, workers: scene.workers }
}

async function playInOrder({ clock }: Market, steps: Step[]): Promise<void> {
  const latest = new Map<string, Promise<unknown>>()
  /** Running steps with the clock time at which each started; oldest first. */
  const running = new Map<Promise<unknown>, number>()
  const failures: unknown[] = []
  for (const step of steps.toSorted((one, other) => one.at - other.at)) {
    for (const [done, since] of running)
      if (step.isAlone || step.at - since > DRIFT_MAX_MS) await done
    await latest.get(step.key)
    if (running.size >= CONCURRENT_MAX) await Promise.race(running.keys())
    if (failures.length > 0) throw failures[0]
    clock.moveTo(step.at)
    const done: Promise<unknown> = step
      .run()
      .catch((error: unknown) => failures.push(error))
      .finally(() => running.delete(done))
    running.set(done, step.at)
    latest.set(step.key, done)
    if (step.isAlone) await done
  }
  await Promise.all(running.keys())
  if (failures.length > 0) throw failures[0]
}

/** Registrations, deposits and bank payouts. */
function openingSteps(scene: Scene, plan: TaskPlan[], say: (line: string) => void): Step[] {
  const { market, present, agents, workers } = scene
  const alone = (daysAgo: number, run: () => Promise<unknown>): Step => ({
    at: present - daysAgo * DAY,
    key: 'opening',
    isAlone: true,
    run,
  })
  const register = alone(START_DAYS + 0.1, async () => {
    const registered = AGENT_NAMES.map(async (name, i) => {
      agents[name] = await registerAgent(market, name, i)
    })
    await Promise.all(registered)
    say(`${on(market)}  8 agents register`)
  })
  const deposits = DEPOSIT_DAYS.map((daysAgo, i) =>
    alone(daysAgo, async () => {
      const until = DEPOSIT_DAYS[i + 1] ?? -1
      const span = { from: present - daysAgo * DAY, to: present - until * DAY }
      await Promise.all(
        AGENT_NAMES.map((name) => payIn(agents[name], neededBy(plan, name, span), name)),
      )
    }),
  )
  const cohorts = COHORT_DAYS.map((daysAgo, cohort) =>
    alone(daysAgo, async () => {
      const joining = WORKERS.flatMap((worker, i) => (worker.cohort === cohort ? [i] : []))
      await Promise.all(joining.map(async (i) => (workers[i] = await joinAs(market, i))))
      const withBank = joining.filter((i) => WORKERS[i]!.hasBank)
      await Promise.all(withBank.map((i) => connectBank(workers[i]!, i)))
      say(
        `${on(market)}  ${joining.length} people join, and ${withBank.length} connect a bank account`,
      )
    }),
  )
  const banks = BANK_DAYS.map((daysAgo) =>
    alone(daysAgo, async () => {
      await market.settle()
      const paid = workers.filter((_, i) => WORKERS[i]!.hasBank)
      await Promise.all(paid.map((worker) => payToBank(market, worker)))
    }),
  )
  return [register, ...deposits, ...cohorts, ...banks]
}

/** The deposit that an agent needs for its tasks of this period, including a reserve for tips and lost appeals. */
function neededBy(
  plan: TaskPlan[],
  name: AgentName,
  { from, to }: { from: number; to: number },
): number {
  const costs = plan
    .filter(({ agent, createdAt }) => agent === name && createdAt >= from && createdAt < to)
    .map(({ body }) => {
      const isEach = body.budget_basis === 'per_worker'
      return Number(body.budget_cents) * (isEach ? Number(body.consensus) : 1)
    })
  const cents = costs.reduce((sum, cost) => sum + cost, 0)
  return Math.ceil((cents * 1.1 + 5_000) / 5_000) * 5_000
}

/** Everybody opens the inbox now and then, so that only the notices of the last day are new. */
function readingSteps({ market, present, workers }: Scene): Step[] {
  return READING_DAYS.map((daysAgo) => ({
    at: present - daysAgo * DAY,
    key: 'reading',
    isAlone: true,
    async run() {
      await market.settle()
      await Promise.all(
        workers.map(async (worker) => {
          const { notices } = await worker.get('/worker/notices?limit=1')
          const [newest] = notices as Body[]
          if (newest) await worker.post('/worker/notices/read', { up_to: newest.id as string })
        }),
      )
    },
  }))
}

/** Once a day by the clock: by real time, they would hardly ever run while months pass. */
function timerSteps({ market, present }: Scene): Step[] {
  return Array.from({ length: START_DAYS }, (_, day) => ({
    at: present - (day + 0.3) * DAY,
    key: 'timers',
    isAlone: true,
    run: () => runTimers(market),
  }))
}

async function runTimers({ background }: Market): Promise<void> {
  const live = sweeps.filter(({ isTest }) => !isTest)
  await Promise.all(live.map((sweep) => sweepOnce(background, sweep, new Map(), 'live')))
}

function reportSteps({ market, present }: Scene, say: (line: string) => void): Step[] {
  const steps: Step[] = []
  for (let daysAgo = START_DAYS - REPORT_DAYS; daysAgo >= 0; daysAgo -= REPORT_DAYS)
    steps.push({
      at: present - daysAgo * DAY,
      key: 'report',
      isAlone: true,
      async run() {
        await market.settle()
        const { completed } = await market.background.db.reader
          .selectFrom('tasks')
          .select((select) => select.fn.countAll<number>().as('completed'))
          .where('status', '=', 'completed')
          .executeTakeFirstOrThrow()
        say(`${on(market)}  ${completed} tasks completed so far`)
      },
    })
  return steps
}

function taskSteps(scene: Scene, plan: TaskPlan, index: number): Step[] {
  const { agents } = scene
  const task: { id: string } = { id: '' }
  const agent = () => agents[plan.agent]
  const isAlone = urgencyOf({ route: plan.route, ask: plan.body }) === 'urgent'
  const step = (at: number, run: () => Promise<unknown>): Step => ({
    at,
    key: `task ${index}`,
    isAlone: isAlone && plan.work.length > 0,
    run,
  })
  const create = step(plan.createdAt, async () => {
    const { task: created } = await agent().post(plan.route, plan.body)
    task.id = created.id as string
  })
  const { gaveUp } = plan
  const giveUp = gaveUp
    ? [
        step(gaveUp.acceptedAt, () => accept(scene, gaveUp.worker, task)),
        step(gaveUp.releasedAt, () =>
          scene.workers[gaveUp.worker]!.post(`/worker/tasks/${task.id}/release`, {
            reason: 'Something came up, sorry.',
          }),
        ),
      ]
    : []
  const work = plan.work.flatMap((one, slot) => [
    step(one.acceptedAt, () => accept(scene, one.worker, task)),
    ...(one.submittedAt === undefined
      ? []
      : [
          step(one.submittedAt, () =>
            submit(scene, { plan, work: one, task, seed: index * 10 + slot }),
          ),
        ]),
  ])
  return [create, ...giveUp, ...work, ...endSteps(scene, { plan, task, index, step })]
}

const accept = ({ workers }: Scene, worker: number, task: { id: string }) =>
  workers[worker]!.post(`/worker/tasks/${task.id}/accept`)

interface Submission {
  plan: TaskPlan
  work: WorkPlan
  task: { id: string }
  seed: number
}

async function submit(
  { market, workers }: Scene,
  { plan: { route, body }, work, task, seed }: Submission,
): Promise<void> {
  const usual = route === '/verify' || route === '/field' ? 'photo' : 'text'
  const kind = (body.proof ?? body.proof_required ?? usual) as string
  const random = seeded(seed + 1)
  const { location } = body
  const { text, answer } = work.reply
  await workers[work.worker]!.post(`/worker/tasks/${task.id}/proof`, {
    text,
    outcome: work.outcome,
    captured_at: market.clock.now().toISOString(),
    ...(answer === undefined ? {} : { answer }),
    ...(kind === 'photo' || work.outcome === 'not_possible'
      ? { photos: [await photoOf(random)] }
      : {}),
    ...(kind === 'audio' ? { audio: recording() } : {}),
    ...(location === undefined
      ? {}
      : { location: { lat: location.lat, lng: location.lng, accuracy_m: random.integer(5, 20) } }),
  })
}

function endSteps(
  scene: Scene,
  {
    plan,
    task,
    index,
    step,
  }: {
    plan: TaskPlan
    task: { id: string }
    index: number
    step(at: number, run: () => Promise<unknown>): Step
  },
): Step[] {
  const { end } = plan
  const agent = () => scene.agents[plan.agent]
  switch (end.kind) {
    case 'approved':
      return plan.work.length > 1
        ? [step(end.at, () => approveConsensus(agent(), task.id))]
        : [step(end.at, () => approve(agent(), task.id, end.tipCents))]
    case 'revised':
      return [
        step(end.at, () => agent().post(`/tasks/${task.id}/request-revision`, { note: end.note })),
        step(end.submittedAt, () =>
          submit(scene, { plan, work: plan.work[0]!, task, seed: index * 10 + 9 }),
        ),
        step(end.approvedAt, () => approve(agent(), task.id)),
      ]
    case 'cancelled':
      return [step(end.at, () => agent().post(`/tasks/${task.id}/cancel`))]
    case 'disputed':
      return disputeSteps(scene, { agent, worker: plan.work[0]!.worker, task, ...end, step })
    case 'left':
      return []
  }
}

async function approve(agent: Agent, id: string, tipCents?: number): Promise<void> {
  await agent.post(`/tasks/${id}/approve`, tipCents === undefined ? {} : { tip_cents: tipCents })
}

/** If the workers disagree, the agent takes the first answer. */
async function approveConsensus(agent: Agent, id: string): Promise<void> {
  const { task } = await agent.get(`/tasks/${id}?media=url`)
  const { conflict, votes } = task.consensus as Body
  await agent.post(`/tasks/${id}/approve`, conflict ? { override_result: votes[0].answer } : {})
}

/** The dispute, and what follows until its stage is reached. */
function disputeSteps(
  { market, workers }: Scene,
  {
    agent,
    worker,
    task,
    at,
    dispute: { stage, reason, category, statement, reply, note },
    step,
  }: {
    agent(): Agent
    worker: number
    task: { id: string }
    at: number
    dispute: DisputePlan
    step(at: number, run: () => Promise<unknown>): Step
  },
): Step[] {
  const steps = [step(at, () => agent().post(`/tasks/${task.id}/dispute`, { reason, category }))]
  if (statement !== undefined)
    steps.push(
      step(at + 7 * HOUR, () =>
        workers[worker]!.post(`/worker/tasks/${task.id}/appeal`, { statement }),
      ),
    )
  if (reply !== undefined)
    steps.push(
      step(at + 20 * HOUR, () =>
        agent().post(`/tasks/${task.id}/dispute/answer`, { statement: reply }),
      ),
    )
  if (stage === 'withdrawn')
    steps.push(step(at + 26 * HOUR, () => agent().post(`/tasks/${task.id}/dispute/withdraw`, {})))
  if (note !== undefined)
    steps.push(step(at + 44 * HOUR, () => operate(market, ['appeal', task.id, stage, note])))
  return steps
}

/** Runs an operator's command, as `server ops` does. */
async function operate({ background }: Market, [name, ...words]: string[]): Promise<void> {
  const command = COMMANDS.find((one) => one.name === name)!
  const { isBad, lines } = await perform(background, {
    command,
    words,
    operator: { id: OPERATOR, role: 'admin' },
  })
  if (isBad) throw new Error(lines.join('\n'))
}

const on = ({ clock }: Market) =>
  clock.now().toLocaleDateString('en-US', { month: 'short', day: '2-digit', timeZone: 'UTC' })
