/**
 * Plans the three months: which agent asks what, who does it and when, and how it ends. Pure and seeded, so that every
 * run plans the same; play.ts makes the calls.
 */
import type { Body } from '../visitor.ts'
import { type Place, placesOf } from './city.ts'
import { DISPUTES, type DisputePlan } from './disputes.ts'
import { AGENT_NAMES, type AgentName, WORKERS } from './people.ts'
import { type Random, seeded } from './random.ts'
import { type Reply, type Template, TEMPLATES } from './tasks.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
const SEED = 20_260_801

/** When the agents register, and when each cohort of workers joins, in days before the present. */
export const START_DAYS = 94
export const COHORT_DAYS = [93, 61, 31] as const
/** When the agents fill up their wallets. */
export const DEPOSIT_DAYS = [START_DAYS, 64, 33, 7] as const
export const OPEN_TASKS = 60
const CONSENSUS_TASKS = 8
const NOT_POSSIBLE =
  'Not possible today: the entrance is closed because of roadworks. The barrier is in the photo.'

export interface TaskPlan {
  agent: AgentName
  route: Template['route']
  body: Body
  createdAt: number
  work: WorkPlan[]
  /** A worker who accepted before the others and gave up. */
  gaveUp?: { worker: number; acceptedAt: number; releasedAt: number }
  end: EndPlan
}

export interface WorkPlan {
  /** Index in WORKERS. */
  worker: number
  acceptedAt: number
  /** Undefined if the worker is still at it. */
  submittedAt: number | undefined
  reply: Reply
  outcome: 'done' | 'not_possible'
}

export type EndPlan =
  | { kind: 'approved'; at: number; tipCents?: number }
  | { kind: 'revised'; at: number; note: string; submittedAt: number; approvedAt: number }
  | { kind: 'cancelled'; at: number }
  | { kind: 'disputed'; at: number; dispute: DisputePlan }
  /** Left to the clock: open, waiting for a verdict, expired, or approved automatically. */
  | { kind: 'left' }

interface Setting {
  present: number
  random: Random
  places: Place[]
}

/** Where the tasks are; the street map is drawn around them. */
export const demoPlaces = (random = seeded(SEED)): Place[] => placesOf(random)

export function planWorld(present: number): TaskPlan[] {
  const random = seeded(SEED)
  const setting: Setting = { present, random, places: demoPlaces(random) }
  return [
    ...WORKERS.flatMap((_, worker) => planRecord(setting, worker)),
    ...Array.from({ length: CONSENSUS_TASKS }, (__, i) => planConsensus(setting, i)),
    ...DISPUTES.map((dispute) => planDispute(setting, dispute)),
    ...planShownWeek(setting),
    ...planToday(setting),
    ...planUnfinished(setting),
    ...planUnwanted(setting),
    ...planOpen(setting),
  ]
}

/** The tasks that one worker completed alone, spread over the time since they joined. */
function planRecord({ present, random, places }: Setting, worker: number): TaskPlan[] {
  const { tasks, cohort } = WORKERS[worker]!
  const span = COHORT_DAYS[cohort] - 2.5
  return Array.from({ length: tasks }, (_, i) => {
    const daysAgo = span * (1 - (i + random.between(0.1, 0.9)) / tasks)
    const createdAt = atDaytime(present - (daysAgo + 1) * DAY, random)
    const suits = (one: Template) =>
      !isForSeveral(one) && canDo(worker, one) && levelAfter(i) >= levelOf(one)
    const agents = AGENT_NAMES.filter((name) => TEMPLATES[name].some(suits))
    const agent = random.pick(agents)
    const template = random.pick(TEMPLATES[agent].filter(suits))
    const work = planWork(random, { worker, template, createdAt })
    if (template.isThere && random.percent(4)) {
      work.outcome = 'not_possible'
      work.reply = { text: NOT_POSSIBLE }
    }
    const other = (worker + random.integer(1, 5)) % 10
    const isGivenUp = other !== worker && random.percent(3) && canDo(other, template)
    return {
      ...draft({ agent, template, place: random.pick(places), random }),
      agent,
      createdAt,
      work: [work],
      ...(isGivenUp && levelOf(template) === 1 ? { gaveUp: giveUp(other, work) } : {}),
      end: planEnd(random, { submittedAt: work.submittedAt!, present }),
    }
  })
}

/** The other worker accepts and gives up before the plan's worker accepts, too late to do so freely. */
function giveUp(worker: number, work: WorkPlan) {
  const acceptedAt = work.acceptedAt
  work.acceptedAt += 25 * MINUTE
  work.submittedAt! += 25 * MINUTE
  return { worker, acceptedAt, releasedAt: acceptedAt + 18 * MINUTE }
}

function planEnd(
  random: Random,
  { submittedAt, present }: { submittedAt: number; present: number },
): EndPlan {
  const at = submittedAt + random.integer(20, 200) * MINUTE
  if (random.percent(5) && present - submittedAt > 5 * DAY) return { kind: 'left' }
  if (random.percent(4))
    return {
      kind: 'revised',
      at,
      note: 'Almost there: please add a closer photo, or one more sentence on what you saw.',
      submittedAt: at + random.integer(25, 50) * MINUTE,
      approvedAt: at + random.integer(70, 120) * MINUTE,
    }
  if (!random.percent(14)) return { kind: 'approved', at }
  return { kind: 'approved', at, tipCents: random.pick([50, 100, 100, 150, 200, 300]) }
}

function planConsensus({ present, random, places }: Setting, i: number): TaskPlan {
  const all = AGENT_NAMES.flatMap((agent) =>
    TEMPLATES[agent].filter(isForSeveral).map((template) => ({ agent, template })),
  )
  const { agent, template } = all[i % all.length]!
  const daysAgo = 1.5 + ((COHORT_DAYS[0] - 5) * i) / CONSENSUS_TASKS
  const createdAt = atDaytime(present - (daysAgo + 1) * DAY, random)
  const joined = WORKERS.flatMap(({ cohort }, worker) =>
    COHORT_DAYS[cohort] > daysAgo + 2 ? [worker] : [],
  )
  const first = random.integer(0, joined.length - 1)
  const work = Array.from({ length: slotsOf(template) }, (_, slot) => {
    const worker = joined[(first + slot * 5) % joined.length]!
    return planWork(random, { worker, template, createdAt, slot })
  })
  const last = Math.max(...work.map(({ submittedAt }) => submittedAt!))
  return {
    ...draft({ agent, template, place: random.pick(places), random }),
    agent,
    createdAt,
    work,
    end: { kind: 'approved', at: last + random.integer(20, 120) * MINUTE },
  }
}

function planDispute({ present, random, places }: Setting, dispute: DisputePlan): TaskPlan {
  const { agent, worker } = dispute
  const template = TEMPLATES[agent][dispute.template]!
  const at = present - dispute.daysAgo * DAY
  const work = planWork(random, { worker, template, createdAt: at - 5 * HOUR })
  const { proof: text, answer } = dispute
  work.reply = answer === undefined ? { text } : { text, answer }
  return {
    ...draft({ agent, template, place: random.pick(places), random }),
    agent,
    createdAt: at - 5 * HOUR,
    work: [work],
    end: { kind: 'disputed', at, dispute },
  }
}

/** A full week of the worker whose login is printed: two tasks a day. */
function planShownWeek({ present, random, places }: Setting): TaskPlan[] {
  return SHOWN_WEEK.map(({ hoursAgo, agent, template: index, tipCents }) => {
    const template = TEMPLATES[agent][index]!
    const createdAt = present - hoursAgo * HOUR
    const work = planWork(random, { worker: 0, template, createdAt })
    const end: EndPlan = {
      kind: 'approved',
      at: work.submittedAt! + 25 * MINUTE,
      ...(tipCents === undefined ? {} : { tipCents }),
    }
    return {
      ...draft({ agent, template, place: random.pick(places), random }),
      agent,
      createdAt,
      work: [work],
      end,
    }
  })
}

/** Completed in the last hours, so that this week's leaderboard and today's earnings have something to show. */
function planToday({ present, random, places }: Setting): TaskPlan[] {
  const agents = ['shelfwatch', 'wayfare', 'homelight', 'soundmap'] as const
  const templates = { shelfwatch: 2, wayfare: 1, homelight: 2, soundmap: 1 }
  return Array.from({ length: 9 }, (_, worker) => {
    const agent = agents[worker % agents.length]!
    const template = TEMPLATES[agent][templates[agent]]!
    const createdAt = present - (3.5 + worker * 0.6) * HOUR
    const work = planWork(random, { worker, template, createdAt })
    const place = random.pick(places)
    const end: EndPlan = { kind: 'approved', at: work.submittedAt! + 40 * MINUTE }
    return { ...draft({ agent, template, place, random }), agent, createdAt, work: [work], end }
  })
}

interface Shown {
  hoursAgo: number
  agent: AgentName
  template: number
  tipCents?: number
}

/** None of them takes longer than five hours from posting to approval. */
const SHOWN_WEEK: Shown[] = [
  { hoursAgo: 6, agent: 'wayfare', template: 0 },
  { hoursAgo: 8.5, agent: 'homelight', template: 2, tipCents: 100 },
  { hoursAgo: 26, agent: 'wayfare', template: 2 },
  { hoursAgo: 31, agent: 'shelfwatch', template: 2 },
  { hoursAgo: 50, agent: 'soundmap', template: 1 },
  { hoursAgo: 56, agent: 'rampfinder', template: 1 },
  { hoursAgo: 75, agent: 'wayfare', template: 1, tipCents: 200 },
  { hoursAgo: 98, agent: 'wayfare', template: 0 },
  { hoursAgo: 104, agent: 'shelfwatch', template: 1 },
  { hoursAgo: 123, agent: 'pulse', template: 2, tipCents: 150 },
  { hoursAgo: 146, agent: 'homelight', template: 2 },
  { hoursAgo: 152, agent: 'wayfare', template: 2 },
]

interface Unfinished {
  agent: AgentName
  template: number
  hoursAgo: number
  workers: number[]
  /** How many of them have submitted. */
  submitted: number
  answers?: unknown[]
}

/** Tasks that workers are doing right now, and proofs that wait for a verdict. */
const UNFINISHED: Unfinished[] = [
  { agent: 'rampfinder', template: 2, hoursAgo: 1.1, workers: [0], submitted: 0 },
  { agent: 'wayfare', template: 2, hoursAgo: 1.6, workers: [1], submitted: 0 },
  { agent: 'rampfinder', template: 0, hoursAgo: 1.2, workers: [6], submitted: 0 },
  { agent: 'nora', template: 1, hoursAgo: 1.4, workers: [11], submitted: 0 },
  { agent: 'pulse', template: 0, hoursAgo: 2, workers: [0, 4], submitted: 2 },
  {
    agent: 'wayfare',
    template: 4,
    hoursAgo: 6,
    workers: [2, 8, 9],
    submitted: 3,
    answers: ['A', 'B', 'C'],
  },
  { agent: 'wayfare', template: 0, hoursAgo: 4.2, workers: [0], submitted: 1 },
  { agent: 'wayfare', template: 1, hoursAgo: 9, workers: [14], submitted: 1 },
  { agent: 'homelight', template: 2, hoursAgo: 5.5, workers: [3], submitted: 1 },
  { agent: 'shelfwatch', template: 1, hoursAgo: 7, workers: [4], submitted: 1 },
  { agent: 'nora', template: 3, hoursAgo: 3.4, workers: [16], submitted: 1 },
  { agent: 'gentle', template: 0, hoursAgo: 8, workers: [5], submitted: 1 },
]

function planUnfinished({ present, random, places }: Setting): TaskPlan[] {
  return UNFINISHED.map(({ agent, template: index, hoursAgo, workers, submitted, answers }) => {
    const template = TEMPLATES[agent][index]!
    const createdAt = present - hoursAgo * HOUR
    const work = workers.map((worker, slot) => {
      const planned = planWork(random, { worker, template, createdAt, slot })
      const reply = answers ? { ...planned.reply, answer: answers[slot] } : planned.reply
      return slot < submitted ? { ...planned, reply } : { ...planned, submittedAt: undefined }
    })
    const place = random.pick(places)
    return {
      ...draft({ agent, template, place, random }),
      agent,
      createdAt,
      work,
      end: { kind: 'left' },
    }
  })
}

/** Tasks that nobody took, or that the agent no longer needed. */
function planUnwanted({ present, random, places }: Setting): TaskPlan[] {
  return Array.from({ length: 8 }, (_, i) => {
    const agent = AGENT_NAMES[i]!
    const template = TEMPLATES[agent][0]!
    const createdAt = atDaytime(present - (8 + i * 9) * DAY, random)
    const drafted = draft({ agent, template, place: places[30 + i]!, random })
    const end: EndPlan =
      i % 3 === 2 ? { kind: 'cancelled', at: createdAt + 3 * HOUR } : { kind: 'left' }
    const body = end.kind === 'left' ? { ...drafted.body, deadline: '8h' } : drafted.body
    return { ...drafted, body, agent, createdAt, work: [], end }
  })
}

/** Every kind of task once, then those of other places, until there are enough. */
function planOpen({ present, random, places }: Setting): TaskPlan[] {
  const all = AGENT_NAMES.flatMap((agent) =>
    TEMPLATES[agent].map((template) => ({ agent, template })),
  )
  const varied = all.filter(({ template }) => template.title.includes('{'))
  const chosen = [...all, ...varied, ...varied].slice(0, OPEN_TASKS)
  return chosen.map(({ agent, template }, i) => {
    const isHurried = urgencyOf(template) === 'urgent'
    const hoursAgo = isHurried ? random.between(0.2, 10) : random.between(0.1, 110)
    // 7 and 40 have no common factor, so a title doesn't appear twice.
    const place = places[(i * 7) % places.length]!
    return {
      ...draft({ agent, template, place, random }),
      agent,
      createdAt: present - hoursAgo * HOUR,
      work: [],
      end: { kind: 'left' },
    }
  })
}

function draft({
  agent,
  template,
  place,
  random,
}: {
  agent: AgentName
  template: Template
  place: Place
  random: Random
}) {
  const { route, title, ask, dollars, isThere } = template
  const text = JSON.stringify({ title, ...ask })
  const filled = text.replaceAll('{street}', place.street).replaceAll('{quarter}', place.quarter)
  const { address, lat, lng } = place
  const body: Body = {
    ...(JSON.parse(filled) as Body),
    budget_cents: random.integer(2 * dollars[0], 2 * dollars[1]) * 50,
    metadata: { campaign: `${agent}-hamburg` },
    ...(isThere ? { location: { address, lat, lng } } : {}),
  }
  return { route, body }
}

function planWork(
  random: Random,
  {
    worker,
    template,
    createdAt,
    slot = 0,
  }: { worker: number; template: Template; createdAt: number; slot?: number },
): WorkPlan {
  const acceptedAt = createdAt + (random.integer(8, 35) + slot * 4) * MINUTE
  const submittedAt = acceptedAt + random.integer(12, 45) * MINUTE
  const reply = template.replies[(slot + random.integer(0, 5)) % template.replies.length]!
  return { worker, acceptedAt, submittedAt, reply, outcome: 'done' }
}

export const urgencyOf = ({ route, ask }: Pick<Template, 'route' | 'ask'>): string =>
  (ask.urgency as string | undefined) ?? (route === '/escalate' ? 'urgent' : 'standard')

const slotsOf = ({ ask }: Template) => (ask.consensus as number | undefined) ?? 1
const isForSeveral = (template: Template) => slotsOf(template) > 1
const levelOf = ({ ask }: Template) => (ask.min_worker_level as number | undefined) ?? 1
/** Leaves a margin for work that isn't approved yet. */
const levelAfter = (tasks: number) => (tasks >= 28 ? 3 : tasks >= 8 ? 2 : 1)

function canDo(worker: number, { ask }: Template): boolean {
  const { skills, languages } = WORKERS[worker]!
  const has = (asked: unknown, own: string[]) =>
    ((asked as string[] | undefined) ?? []).every((one) => own.includes(one))
  return has(ask.skills, skills) && has(ask.languages, languages)
}

/** Moves a time to the busy hours of its day, so that work of one day happens close together. */
function atDaytime(time: number, random: Random): number {
  const midnight = Math.floor(time / DAY) * DAY
  return midnight + 8 * HOUR + random.integer(0, 240) * MINUTE
}
