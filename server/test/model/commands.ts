/**
 * Everything that can be done to the marketplace, as fast-check commands: each does the same to the model and, through
 * HTTP, to the server, and the two must agree. A command selects its targets by number, so every sequence of commands
 * can be run.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { ApiError } from '../../src/kit/errors.ts'
import type { Json, Reply } from '../harness.ts'
import { decideHeld } from '../held-disputes.ts'
import {
  type Agent,
  byProof,
  DAY,
  HOUR,
  hasHeldDispute,
  type Market,
  MINUTE,
  normal,
  type Order,
  type Part,
  type ProofInput,
  type Question,
  shownPart,
  type Status,
  type Task,
  type Urgency,
  type Worker,
} from './model.ts'
import { Choices, compare, compareReply, Difference, type Play, type Post } from './play.ts'

const REPLAYED_FOR = 7 * DAY
const NOBODYS = 'task_00000000000000000000000000'

// Choosing.

/** Picks from a list by number; undefined if it is empty. */
const at = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length]

/** Mostly a task of the wanted kind, sometimes any, depending on `aim`; small numbers aim well. */
interface Aim {
  task: number
  aim: number
}
const aim = { task: fc.nat(15), aim: fc.nat(9) }
const AIMED = 8

/** Null if there is no task of the wanted kind: the command then does something that leads to one. */
const aimedAt = (
  model: Market,
  play: Play,
  { task, aim: by }: Aim,
  isWanted: (task: Task) => boolean,
) =>
  play.choices.task(model, () => {
    if (by >= AIMED) return at(model.tasks, task)
    return at(model.tasks.filter(isWanted), task) ?? null
  })

const isIn =
  (...statuses: Status[]) =>
  (task: Task) =>
    statuses.includes(task.status)
const taskId = (task: Task | undefined) => task?.id ?? NOBODYS

/** The task's agent, or another one. */
const agentFor = (model: Market, play: Play, task: Task | undefined, n: number): Agent =>
  play.choices.agent(model, () => (task !== undefined && n < 9 ? task.agent : at(model.agents, n)!))

const anyAgent = (model: Market, play: Play, n: number) => agentFor(model, play, undefined, n)

/** A worker with the wanted role in the task, or any other. */
const workerFor = (
  model: Market,
  play: Play,
  task: Task | undefined,
  { worker, aim: by }: { worker: number; aim: number },
  isWanted: (part: Part) => boolean,
): Worker =>
  play.choices.worker(model, () => {
    const wanted = task?.parts.filter(isWanted).map((part) => part.worker) ?? []
    return (by < AIMED ? at(wanted, worker) : undefined) ?? at(model.workers, worker)!
  })

/** Mostly one with a valid proof; none if the whole task is meant. */
const partFor = (model: Market, play: Play, task: Task | undefined, n: number | null) =>
  n === null || task === undefined
    ? undefined
    : play.choices.part(model, task, () => {
        return (n < 4 ? at(byProof(task, 'submitted'), n) : undefined) ?? at(task.parts, n)
      })

/** Whether a worker could accept the task, and has not yet. */
const isFit = (model: Market, worker: Worker, task: Task | undefined) =>
  task !== undefined &&
  model.level(worker) >= model.levelFor(task) &&
  !task.parts.some((part) => part.worker === worker)

const ANSWERS: Record<Question, unknown[]> = {
  text: ['Open', 'open!', 'Closed', 'Shut'],
  boolean: [true, false, true],
  scale: [3, 1, 2, 4, 5],
}
const SCHEMAS = {
  text: undefined,
  boolean: { type: 'boolean' },
  scale: { type: 'integer', minimum: 1, maximum: 5 },
}
const MISFITS: Record<Question, unknown> = { text: undefined, boolean: 'maybe', scale: 9 }
const REASONS = ['Not what I asked for', 'Not what I asked for', 'Too dark to see', '']

// Reading.

const READS = {
  async task(model: Market, play: Play, n: number, who: number) {
    const task = play.choices.task(model, () => at(model.tasks, n)) ?? undefined
    const agent = agentFor(model, play, task, who)
    const reply = await play.get(agent, `/tasks/${taskId(task)}`)
    if (task?.agent === agent) compareTask(model, task, reply)
    else compareReply('task', { status: 404, code: 'task_not_found' }, reply)
  },
  async part(model: Market, play: Play, n: number, who: number) {
    const task = play.choices.task(model, () => at(model.tasks, n)) ?? undefined
    const worker = at(model.workers, who)!
    const part = task?.parts.findLast((one) => one.worker === worker)
    const expected = part
      ? { status: 200, body: shownPart(part) }
      : { status: 404, code: 'assignment_not_found' }
    compareReply('part', expected, await play.get(worker, `/worker/tasks/${taskId(task)}`))
  },
  list: (model: Market, play: Play, n: number) =>
    compareList(model, play, anyAgent(model, play, n)),
  wallet: (model: Market, play: Play, n: number) =>
    compareWallet(model, play, anyAgent(model, play, n)),
  stats: (model: Market, play: Play, n: number) =>
    compareStats(model, play, anyAgent(model, play, n)),
  earnings: (model: Market, play: Play, n: number) =>
    compareEarnings(model, play, at(model.workers, n)!),
  trust: (model: Market, play: Play, n: number) => compareTrust(model, play, at(model.workers, n)!),
}

function compareTask(model: Market, task: Task, reply: Reply): void {
  compareReply('task', { status: 200 }, reply)
  const shown = reply.body.task as Json
  const { dispute, ...expected } = model.detail(task)
  const consensus = shown.consensus as { result: unknown } | undefined
  compare('task', expected, {
    ...shown,
    ...(consensus && { consensus: { ...consensus, result: normal(consensus.result) } }),
  })
  compare('task.dispute', dispute, shown.dispute)
  compare(
    'task.status_reason tells of a conflict',
    model.isInConflict(task),
    shown.status_reason === 'consensus_conflict',
  )
}

async function compareList(model: Market, play: Play, agent: Agent) {
  const reply = await play.get(agent, '/tasks?limit=100')
  compareReply('list', { status: 200, body: model.list(agent) }, reply)
}

async function compareWallet(model: Market, play: Play, agent: Agent) {
  const reply = await play.get(agent, '/wallet')
  compareReply('wallet', { status: 200 }, reply)
  const summary = reply.body.summary as { type: string }[]
  compare('wallet', model.wallet(agent), {
    ...reply.body,
    summary: summary.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
  })
}

async function compareStats(model: Market, play: Play, agent: Agent) {
  const reply = await play.get(agent, '/stats')
  compareReply('stats', { status: 200, body: model.stats(agent) }, reply)
}

async function compareEarnings(model: Market, play: Play, worker: Worker) {
  const reply = await play.get(worker, '/worker/earnings?period=all')
  compareReply('earnings', { status: 200, body: model.earnings(worker) }, reply)
  const { gross_cents, commission_cents, net_cents } = reply.body
  compare('earnings: gross less commission', gross_cents - commission_cents, net_cents)
}

async function compareTrust(model: Market, play: Play, worker: Worker) {
  const reply = await play.get(worker, '/worker/trust')
  const pending = worker.record.filter(({ isPending }) => isPending === true)
  const expected = { trust_score: model.trust(worker), level: model.level(worker) }
  compareReply('trust', { status: 200, body: expected }, reply)
  compare('trust: pending', (reply.body.pending as unknown[]).length, pending.length)
  const changes = reply.body.changes as { cause: string }[]
  const counted = [...Map.groupBy(changes, ({ cause }) => cause)].map(([cause, all]) => {
    return [cause, all.length] as const
  })
  if (!isDeepStrictEqual(new Map(counted), new Map(Object.entries(model.record(worker)))))
    throw new Difference(
      `trust: ${JSON.stringify(counted)} instead of ${JSON.stringify(model.record(worker))}`,
    )
}

// The commands.

interface Declared<Args> {
  /** Relative frequency. */
  weight: number
  args: fc.Arbitrary<Args>
  /** Returns what happened, for the counts and for readers of a counterexample. */
  run(model: Market, play: Play, args: Args): Promise<string>
}

const declare = <Args>(declared: Declared<Args>) => declared
const isKeyed = fc.boolean()

const outcome = ({ status, body }: Reply) =>
  body.code === undefined ? `${status}` : `${status} ${body.code}`

export const COMMANDS = {
  register: declare({
    weight: 1,
    args: fc.constant({}),
    async run(model, play) {
      if (model.agents.length < 4) await play.addAgent(model)
      return 'done'
    },
  }),

  fund: declare({
    weight: 2,
    args: fc.record({ agent: fc.nat(3), cents: fc.constantFrom(500, 1234, 20_000) }),
    async run(model, play, { agent: n, cents }) {
      await play.fund(model, anyAgent(model, play, n), cents)
      return 'done'
    },
  }),

  create: declare({
    weight: 9,
    args: fc.record({
      agent: fc.nat(3),
      budget: fc.constantFrom<number[]>(
        1000,
        1,
        2,
        7,
        1500,
        99,
        333,
        500,
        1999,
        2000,
        2001,
        3333,
        5001,
        12_003,
        25_001,
        70_000,
      ),
      count: fc.constantFrom<number[]>(1, 2, 3),
      perWorker: fc.boolean(),
      urgency: fc.constantFrom<Urgency[]>('standard', 'instant', 'urgent', 'flex', 'scheduled'),
      deadline: fc.constantFrom<Order['deadline'][]>(
        null,
        null,
        null,
        null,
        null,
        null,
        30 * MINUTE,
        5 * HOUR,
        3 * DAY,
        90 * DAY,
        'past',
        'far',
      ),
      silenceMs: fc.constantFrom(null, null, 10 * MINUTE, 2 * DAY),
      minLevel: fc.constantFrom(1, 1, 1, 2, 3),
      question: fc.constantFrom<Question[]>('text', 'boolean', 'scale'),
      window: fc.constantFrom(null, { inMs: HOUR, ms: HOUR }, { inMs: DAY, ms: 30 * MINUTE }),
      type: fc.constantFrom('custom', 'gut_check', 'verification'),
      isIso: fc.boolean(),
      isKeyed,
    }),
    async run(model, play, { agent: n, isIso, isKeyed: keyed, ...drawn }) {
      const agent = anyAgent(model, play, n)
      const order = { ...drawn, window: drawn.urgency === 'scheduled' ? drawn.window : null }
      const { answer, task } = model.create(agent, order)
      const reply = await play.post(agent, '/tasks', {
        isKeyed: keyed,
        body: {
          description: 'Look whether it is open',
          type: order.type,
          budget_cents: order.budget,
          consensus_count: order.count,
          budget_basis: order.perWorker ? 'per_worker' : 'total',
          urgency: order.urgency,
          deadline: deadlineText(order.deadline, { isIso, now: model.now }),
          ...(order.window && {
            scheduled_at: new Date(model.now + order.window.inMs).toISOString(),
            window_minutes: order.window.ms / MINUTE,
          }),
          auto_approve_after: order.silenceMs === null ? undefined : order.silenceMs / 1000,
          min_worker_level: order.minLevel,
          answer_schema: SCHEMAS[order.question],
        },
      })
      compareReply('create', answer, reply)
      if (task) Object.assign(task, { id: reply.body.task.id as string, madeBy: play.choices })
      return `${outcome(reply)}${task ? ` ${task.funding}` : ''}`
    },
  }),

  accept: declare({
    weight: 14,
    args: fc.record({ worker: fc.nat(5), ...aim, isKeyed }),
    async run(model, play, { worker: n, isKeyed: keyed, ...aims }) {
      const task = aimedAt(model, play, aims, (one) => model.hasFreeSlot(one))
      if (task === null) return proceed(model, play, aims)
      const worker = play.choices.worker(model, () => {
        const fit = model.workers.filter((one) => isFit(model, one, task))
        return (aims.aim < 5 ? at(fit, n) : undefined) ?? at(model.workers, n)!
      })
      const known = task?.parts.length ?? 0
      const { answer, part } = model.accept(worker, task)
      const path = `/worker/tasks/${taskId(task)}/accept`
      const reply = await play.post(worker, path, { isKeyed: keyed })
      compareReply('accept', answer, reply)
      const isNew = part !== undefined && task!.parts.length > known
      if (isNew) part.id = (reply.body.assignment as { id: string }).id
      return `${outcome(reply)}${part && !isNew ? ' again' : ''}`
    },
  }),

  release: declare({
    weight: 3,
    args: fc.record({
      worker: fc.nat(5),
      ...aim,
      reason: fc.constantFrom(undefined, 'No time', 'unsafe'),
      isKeyed,
    }),
    async run(model, play, { reason, isKeyed: keyed, ...aims }) {
      const task = aimedAt(model, play, aims, isIn('in_progress'))
      if (task === null) return proceed(model, play, aims)
      const worker = workerFor(model, play, task, aims, ({ status }) => status === 'accepted')
      const causes = worker.record.length
      const isRevision = task?.parts.some(
        (part) => part.worker === worker && part.status === 'accepted' && part.proof,
      )
      const answer = model.release(worker, task, { isUnsafe: reason === 'unsafe' })
      const path = `/worker/tasks/${taskId(task)}/release`
      const reply = await play.post(worker, path, { body: { reason }, isKeyed: keyed })
      compareReply('release', answer, reply)
      const how = isRevision
        ? ' of a revision'
        : worker.record.length > causes
          ? ' late'
          : reason === 'unsafe'
            ? ' unsafe'
            : ''
      return outcome(reply) + (reply.status === 200 ? how : '')
    },
  }),

  submit: declare({
    weight: 15,
    args: fc.record({
      worker: fc.nat(5),
      ...aim,
      kind: fc.constantFrom<ProofInput['kind'][]>(
        'done',
        'done',
        'done',
        'done',
        'done',
        'not_possible',
        'wrong',
        'no_reason',
      ),
      answer: fc.nat(4),
      isInText: fc.boolean(),
      isKeyed,
    }),
    async run(model, play, { kind, answer: n, isInText, isKeyed: keyed, ...aims }) {
      const open = (part: Part) => part.status === 'accepted' || part.status === 'expired'
      const task = aimedAt(model, play, aims, ({ status, parts }) => {
        return ['pending', 'in_progress'].includes(status) && parts.some(open)
      })
      if (task === null) return proceed(model, play, aims)
      const worker = workerFor(model, play, task, aims, open)
      const mine = task?.parts.findLast((part) => part.worker === worker)
      const [wasLate, wasRevision] = [mine?.status === 'expired', (mine?.revisions ?? 0) > 0]
      const question = task?.question ?? 'text'
      const value = at(ANSWERS[question], n)
      const expected = model.submit(worker, task, { kind, answer: value })
      const reply = await play.post(worker, `/worker/tasks/${taskId(task)}/proof`, {
        isKeyed: keyed,
        body: proofBody({ kind, question, value, isInText }),
      })
      compareReply('submit', expected, reply)
      if (reply.status !== 201) return outcome(reply)
      const which = wasLate ? ' late' : wasRevision ? ' revised' : ''
      return `201 ${kind}${which}`
    },
  }),

  approve: declare({
    weight: 7,
    args: fc.record({
      agent: fc.nat(11),
      ...aim,
      override: fc.constantFrom('none', 'none', 'fits', 'misfits'),
      answer: fc.nat(4),
      tip: fc.constantFrom(0, 0, 0, 1, 250, 100_000),
      isKeyed,
    }),
    async run(model, play, { agent: n, override, answer: value, tip, isKeyed: keyed, ...aims }) {
      const task = aimedAt(model, play, aims, isIn('proof_submitted'))
      if (task === null) return proceed(model, play, aims)
      const agent = agentFor(model, play, task, n)
      const question = task?.question ?? 'text'
      const misfits = override === 'misfits' && MISFITS[question] !== undefined
      const said = misfits ? MISFITS[question] : at(ANSWERS[question], value)
      const given = override === 'none' ? {} : { override: { value: said, fits: !misfits } }
      const expected = model.approve(agent, task, { ...given, tip })
      const reply = await play.post(agent, `/tasks/${taskId(task)}/approve`, {
        isKeyed: keyed,
        body: {
          ...(override === 'none' ? {} : { override_result: said }),
          ...(tip === 0 ? {} : { tip_cents: tip }),
        },
      })
      compareReply('approve', expected, reply)
      if (reply.status === 200) play.expectSameWords(task!, 'approve', reply)
      const with_ = `${override === 'none' ? '' : ' override'}${tip > 0 ? ' tip' : ''}`
      return outcome(reply) + (reply.status === 200 ? with_ : '')
    },
  }),

  dispute: declare({
    weight: 7,
    args: fc.record({
      agent: fc.nat(11),
      ...aim,
      reason: fc.constantFrom(...REASONS),
      part: fc.option(fc.nat(5)),
      isKeyed,
    }),
    async run(model, play, { agent: n, reason, part: which, isKeyed: keyed, ...aims }) {
      const task = aimedAt(model, play, aims, isIn('proof_submitted'))
      if (task === null) return proceed(model, play, aims)
      return disputeOf(model, play, {
        agent: agentFor(model, play, task, n),
        task,
        reason,
        part: partFor(model, play, task, which),
        isKeyed: keyed,
      })
    },
  }),

  /** Repeats an earlier dispute, exactly or nearly. */
  disputeAgain: declare({
    weight: 3,
    args: fc.record({
      task: fc.nat(15),
      which: fc.nat(2),
      isSameReason: fc.boolean(),
      isByName: fc.boolean(),
      isKeyed,
    }),
    async run(model, play, { task: n, which, isSameReason, isByName, isKeyed: keyed }) {
      const disputed = model.tasks.filter(({ disputes }) => disputes.length > 0)
      const task = play.choices.task(model, () => at(disputed, n) ?? null)
      const earlier = task && at(task.disputes, which)
      if (!earlier) return proceed(model, play, { task: n, aim: 0 })
      const { reason, parts } = earlier
      return disputeOf(model, play, {
        agent: task.agent,
        task,
        reason: isSameReason ? reason : 'Something else',
        part: isByName ? parts[0] : undefined,
        isKeyed: keyed,
      })
    },
  }),

  /** A held dispute is withdrawn by its agent, or decided by an operator. */
  endHeld: declare({
    weight: 4,
    args: fc.record({
      agent: fc.nat(11),
      task: fc.nat(15),
      how: fc.constantFrom('withdraw', 'uphold', 'reject'),
    }),
    async run(model, play, { agent: n, task: which, how }): Promise<string> {
      const task = play.choices.task(
        model,
        () => at(model.tasks.filter(hasHeldDispute), which) ?? null,
      )
      // If none is held, a dispute leads to one.
      if (!task || !hasHeldDispute(task))
        return `→ dispute ${await COMMANDS.dispute.run(model, play, {
          agent: n,
          task: which,
          aim: 0,
          reason: REASONS[0]!,
          part: which % 3 === 0 ? which : null,
          isKeyed: false,
        })}`
      if (how === 'withdraw') {
        const agent = agentFor(model, play, task, n)
        const expected = model.withdrawHeld(agent, task)
        const path = `/tasks/${taskId(task)}/dispute/withdraw`
        const reply = await play.post(agent, path, { isKeyed: false })
        compareReply('endHeld', expected, reply)
        return `withdraw ${outcome(reply)}`
      }
      const expected = model.decideHeld(task, how as 'uphold' | 'reject')
      const decided = await decideHeld(play.market, task.id, how as 'uphold' | 'reject').then(
        ({ dispute }) => (dispute.status === 'open' ? 'upheld' : dispute.status),
        (error: unknown) => {
          if (error instanceof ApiError) return 'too late'
          throw error
        },
      )
      compare('endHeld', expected, decided)
      return decided
    },
  }),

  requestRevision: declare({
    weight: 4,
    args: fc.record({ agent: fc.nat(11), ...aim, part: fc.option(fc.nat(5)), isKeyed }),
    async run(model, play, { agent: n, part: which, isKeyed: keyed, ...aims }) {
      const task = aimedAt(model, play, aims, isIn('proof_submitted'))
      if (task === null) return proceed(model, play, aims)
      const agent = agentFor(model, play, task, n)
      const part = partFor(model, play, task, which)
      const expected = model.requestRevision(agent, task, part)
      const reply = await play.post(agent, `/tasks/${taskId(task)}/request-revision`, {
        isKeyed: keyed,
        body: { note: 'Once more, please', assignment_id: part?.id },
      })
      compareReply('requestRevision', expected, reply)
      return outcome(reply)
    },
  }),

  cancel: declare({
    weight: 3,
    args: fc.record({ agent: fc.nat(11), ...aim, isKeyed }),
    async run(model, play, { agent: n, isKeyed: keyed, ...aims }) {
      const task = aimedAt(model, play, aims, isIn('pending', 'in_progress', 'cancelled'))
      if (task === null) return proceed(model, play, aims)
      const agent = agentFor(model, play, task, n)
      const before = task?.status
      const expected = model.cancel(agent, task)
      const path = `/tasks/${taskId(task)}/cancel`
      const reply = await play.post(agent, path, { isKeyed: keyed })
      compareReply('cancel', expected, reply)
      if (reply.status === 200) play.expectSameWords(task!, 'cancel', reply)
      return outcome(reply) + (reply.status === 200 ? ` ${before}` : '')
    },
  }),

  advance: declare({
    weight: 8,
    args: fc.record({
      ms: fc.constantFrom(
        4 * MINUTE,
        6 * MINUTE,
        16 * MINUTE,
        35 * MINUTE,
        HOUR,
        4 * HOUR,
        12 * HOUR,
        25 * HOUR,
        3 * DAY,
        8 * DAY,
      ),
      how: fc.constantFrom('then sweep', 'step by step', 'unswept'),
    }),
    async run(model, play, { ms, how }) {
      const end = model.now + ms
      if (how === 'step by step')
        for (let due = model.nextDue(); due <= end; due = model.nextDue()) {
          play.advance(model, due - model.now)
          await play.sweep(model)
        }
      play.advance(model, end - model.now)
      if (how === 'then sweep') await play.sweep(model)
      return how
    },
  }),

  /** Repeats an earlier request: the response is byte-identical, and there is no second effect. */
  repeat: declare({
    weight: 6,
    args: fc.record({ post: fc.nat(60), isOther: fc.boolean() }),
    async run(model, play, { post: n, isOther }) {
      const fresh = play.posts.filter((one) => one.at > model.now - REPLAYED_FOR)
      const madeBy = play.choices.of('post', () => at(fresh.toReversed(), n)?.madeBy)
      const post: Post | undefined = fresh.find((one) => one.madeBy === madeBy)
      if (post === undefined) return 'nothing'
      const { caller, path, key, reply } = post
      if (isOther) {
        const other = await play.send(caller, path, otherBody(path), key)
        compareReply('repeat', { status: 422, code: 'idempotency_mismatch' }, other)
        return '422'
      }
      const again = await play.send(caller, path, post.body, key)
      const replayed = again.headers.get('idempotency-replayed')
      if (again.status !== reply.status || again.text !== reply.text || replayed !== 'true')
        throw new Difference(
          `repeat ${path}: ${again.status} ${again.text} instead of ${reply.status} ${reply.text}`,
        )
      return `${again.status}`
    },
  }),

  read: declare({
    weight: 6,
    args: fc.record({
      what: fc.constantFrom(...(Object.keys(READS) as (keyof typeof READS)[])),
      n: fc.nat(15),
      who: fc.nat(11),
    }),
    async run(model, play, { what, n, who }) {
      await READS[what](model, play, n, who)
      return what
    },
  }),
}

/** Makes progress: submits proof for a held task; otherwise accepts a task; otherwise creates one. */
async function proceed(model: Market, play: Play, { task: n }: Aim): Promise<string> {
  const base = { task: n, aim: 0, isKeyed: n % 2 === 0 }
  const next = play.choices.of('next', () => {
    const isAnyHeld = model.tasks.some(({ parts }) => parts.some(isHeld))
    if (isAnyHeld && n % 3 > 0) return 'submit'
    return model.tasks.some((task) => model.hasFreeSlot(task)) ? 'accept' : 'create'
  })
  switch (next) {
    case 'submit':
      return `→ submit ${await COMMANDS.submit.run(model, play, {
        ...base,
        worker: n,
        kind: n === 7 ? 'not_possible' : 'done',
        answer: n % 5,
        isInText: n % 2 === 1,
      })}`
    case 'accept':
      return `→ accept ${await COMMANDS.accept.run(model, play, { ...base, worker: n })}`
    case 'create':
      return `→ create ${await COMMANDS.create.run(model, play, {
        agent: n,
        budget: [1000, 333, 2001, 1999][n % 4]!,
        count: [1, 2, 3][n % 3]!,
        perWorker: false,
        urgency: (['standard', 'urgent', 'flex'] as const)[n % 3]!,
        deadline: null,
        silenceMs: null,
        minLevel: 1,
        window: null,
        question: (['text', 'boolean', 'scale'] as const)[(n >> 1) % 3]!,
        type: 'custom',
        isIso: false,
        isKeyed: true,
      })}`
  }
}

const isHeld = ({ status }: Part) => status === 'accepted'

async function disputeOf(
  model: Market,
  play: Play,
  {
    agent,
    task,
    reason,
    part,
    isKeyed: keyed,
  }: {
    agent: Agent
    task: Task | undefined
    reason: string
    part: Part | undefined
    isKeyed: boolean
  },
): Promise<string> {
  const before = task?.disputes.length ?? 0
  const parts = part === undefined ? {} : { parts: [part] }
  const expected = model.dispute(agent, task, { reason, ...parts })
  const reply = await play.post(agent, `/tasks/${taskId(task)}/dispute`, {
    isKeyed: keyed,
    body: { reason: reason || undefined, assignment_ids: part && [part.id] },
  })
  compareReply('dispute', expected, reply)
  if (reply.status !== 200) return outcome(reply)
  const last = task!.disputes.at(-1)!
  if (task!.status === 'disputed')
    play.expectSameWords(task!, `dispute ${reply.body.dispute.id}`, reply)
  if (task!.disputes.length === before) return '200 repeated'
  return `200 ${last.status === 'held' ? 'held' : last.isWhole ? 'whole' : 'in part'}`
}

function deadlineText(
  deadline: Order['deadline'],
  { isIso, now }: { isIso: boolean; now: number },
): string | undefined {
  if (deadline === null) return undefined
  if (deadline === 'far') return isIso ? new Date(now + 90 * DAY + 1).toISOString() : '91d'
  if (deadline === 'past') return isIso ? new Date(now).toISOString() : '0h'
  return isIso ? new Date(now + deadline).toISOString() : `${deadline / MINUTE}m`
}

function proofBody({
  kind,
  question,
  value,
  isInText,
}: {
  kind: ProofInput['kind']
  question: Question
  value: unknown
  isInText: boolean
}): Record<string, unknown> {
  if (kind === 'not_possible') return { outcome: kind, text: 'There is no such place' }
  if (kind === 'no_reason') return { outcome: 'not_possible' }
  if (kind === 'wrong') return { answer: MISFITS[question] }
  if (question === 'text') return isInText ? { type: 'text', content: value } : { text: value }
  if (!isInText) return { text: 'See the answer', answer: value }
  return { text: typeof value === 'boolean' ? (value ? 'yes' : 'No') : String(value) }
}

/** A body that differs from every request that is sent. */
function otherBody(path: string): Record<string, unknown> {
  if (path === '/tasks') return { description: 'Something else', budget_cents: 123 }
  if (path.endsWith('/proof')) return { text: 'Something else' }
  if (path.endsWith('/dispute')) return { reason: 'Something else again' }
  return { reason: 'Something else', note: 'Something else', tip_cents: 77 }
}

/** Compares the whole market: everyone's money and record, every task, and the events of each. */
export async function compareAll(model: Market, play: Play): Promise<void> {
  await Promise.all([
    ...model.agents.flatMap((agent) => [
      compareList(model, play, agent),
      compareWallet(model, play, agent),
      compareStats(model, play, agent),
    ]),
    ...model.workers.flatMap((worker) => [
      compareEarnings(model, play, worker),
      compareTrust(model, play, worker),
    ]),
    ...model.tasks.map(async (task) =>
      compareTask(model, task, await play.get(task.agent, `/tasks/${task.id}`)),
    ),
  ])
  const told = Map.groupBy(await play.events(), ({ task_id }) => task_id)
  for (const [i, task] of model.tasks.entries())
    compare(
      `events of task ${i}`,
      task.told,
      told.get(task.id)?.map(({ type }) => type),
    )
}

export class Command implements fc.AsyncCommand<Market, Play> {
  readonly name: keyof typeof COMMANDS
  readonly args: unknown
  readonly #choices = new Choices()
  #said = ''

  constructor(name: keyof typeof COMMANDS, args: unknown) {
    this.name = name
    this.args = args
  }

  check = (model: Readonly<Market>) => this.#choices.areIn(model)

  async run(model: Market, play: Play): Promise<void> {
    play.ran.push(this)
    play.choices = this.#choices
    play.choices.again()
    // No two things happen at the same moment.
    play.advance(model, 1)
    const { run } = COMMANDS[this.name] as unknown as Declared<unknown>
    this.#said = 'differs'
    this.#said = await run(model, play, this.args)
    play.count(this.#said.startsWith('→ ') ? this.#said.slice(2) : `${this.name} ${this.#said}`)
  }

  toString(): string {
    return `\n  ${this.name} ${JSON.stringify(this.args)}: ${this.#said}`
  }
}

const command: fc.Arbitrary<Command> = fc.oneof(
  ...Object.entries(COMMANDS).map(([name, { weight, args }]) => ({
    weight,
    arbitrary: (args as fc.Arbitrary<unknown>).map(
      (given) => new Command(name as keyof typeof COMMANDS, given),
    ),
  })),
)

type RanCommand = Play['ran'][number]

/** A sequence of commands, as generated or as shrunk. */
export class History {
  readonly commands: readonly RanCommand[]
  /** The commands that actually ran; the others have no part in the failure. */
  ran: readonly RanCommand[]

  constructor(commands: readonly RanCommand[]) {
    this.commands = commands
    this.ran = commands
  }

  [fc.toStringMethod] = () => this.ran.join(',')
}

interface Shortening {
  /** How many commands to leave out at once, and from which index. */
  size: number
  from: number
  /** Whether any could be left out in the current pass. */
  isShorter: boolean
}

/**
 * Histories of one length. They shrink by leaving out halves, then quarters, and so on down to single commands;
 * fast-check's own shrinking of commands takes several times as many runs.
 */
class Histories extends fc.Arbitrary<History> {
  readonly #length: number

  constructor(length: number) {
    super()
    this.#length = length
  }

  generate(random: fc.Random): fc.Value<History> {
    const drawn = Array.from({ length: this.#length }, () => command.generate(random, undefined))
    return new fc.Value(new History(drawn.map(({ value }) => value)), undefined)
  }

  canShrinkWithoutContext(value: unknown): value is History {
    return value instanceof History
  }

  shrink({ ran }: History, context: unknown): fc.Stream<fc.Value<History>> {
    const start = { size: Math.ceil(ran.length / 2), from: 0, isShorter: false }
    return fc.stream(shorter(ran, (context as Shortening | undefined) ?? start))
  }
}

function* shorter(
  ran: readonly RanCommand[],
  { size, from, isShorter }: Shortening,
): Generator<fc.Value<History>, void> {
  for (;;) {
    for (; from < ran.length; from += size)
      yield new fc.Value(new History(ran.toSpliced(from, size)), { size, from, isShorter: true })
    if (size === 1 && !isShorter) return
    if (size === 1) isShorter = false
    size = Math.ceil(size / 2)
    from = 0
  }
}

export const histories = (length: number): fc.Arbitrary<History> => new Histories(length)
