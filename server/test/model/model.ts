/**
 * The marketplace as the contract defines it, in memory: no database, no HTTP, no server code. It predicts every
 * response, and what everybody has afterwards.
 *
 * Where the contract is silent, the model follows the server; those rules are marked "Ours:".
 */

export type Status =
  | 'pending'
  | 'in_progress'
  | 'proof_submitted'
  | 'completed'
  | 'disputed'
  | 'expired'
  | 'cancelled'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type Urgency = 'instant' | 'urgent' | 'standard' | 'flex' | 'scheduled'
export type Question = 'text' | 'boolean' | 'scale'

/** The expected response; the model makes no claim about anything not listed here. */
export interface Answer {
  status: number
  code?: string
  body?: Record<string, unknown>
}

export interface Agent {
  id: string
  wallet: number
  freeTasks: number
  /** The wallet's statement. */
  lines: { type: string; cents: number }[]
  disputedAt: number[]
}

export interface Worker {
  id: string
  payable: number
  approvals: number
  hasIdentity: boolean
  /** Entries for and against them, and the time from which each decays. */
  record: Moved[]
  paidTasks: Set<Task>
}

interface Moved {
  cause: string
  at: number
  good: number
  bad: number
  toldAt: number
  /** A dispute that can still be appealed: it does not affect the level yet. */
  isPending?: boolean
}

/** One worker's part in a task. */
export interface Part {
  id: string
  task: Task
  worker: Worker
  status: 'accepted' | 'submitted' | 'approved' | 'disputed' | 'released' | 'expired' | 'cancelled'
  acceptedAt: number
  until: number
  proof: Proof | null
  revisions: number
  net: number | null
  endedAt: number
}

export interface Proof {
  at: number
  outcome: 'done' | 'not_possible'
  answer: unknown
}

export interface Settlement {
  gross_cents: number
  commission_cents: number
  refunded_cents: number
  workers: { worker: Worker; net: number }[]
}

interface Dispute {
  reason: string
  parts: Part[]
  isWhole: boolean
  /** `held`: an operator must decide first. All but `open` end it without effect. */
  status: 'open' | 'held' | 'withdrawn' | 'rejected' | 'lapsed'
  refunded: number
  /** Held disputes only: the operator's time limit, and the review deadline that was running. */
  decidesBy: number | null
  reviewDue: number | null
  touchesTrust: boolean
}

export interface Task {
  id: string
  /** Whatever created it: the model does not look at this. */
  madeBy: unknown
  agent: Agent
  type: string
  locked: number
  slots: number
  funding: 'wallet' | 'free'
  urgency: Urgency
  deadline: number
  windowEnd: number | null
  silenceMs: number
  minLevel: number
  question: Question
  status: Status
  parts: Part[]
  reviewDue: number | null
  override: { value: unknown } | null
  endedInConflict: boolean
  approvedBy: 'agent' | 'auto' | 'operator' | null
  settlement: Settlement | null
  disputes: Dispute[]
  lines: { type: string; cents: number }[]
  endedAt: number
  /** The types of its events, in order. */
  told: string[]
}

export interface Order {
  type: string
  budget: number
  count: number
  perWorker: boolean
  urgency: Urgency
  /** Relative to now; `past` is refused, `far` is capped at 90 days. */
  deadline: number | null | 'past' | 'far'
  silenceMs: number | null
  minLevel: number
  question: Question
  /** For a scheduled task: when its window starts, relative to now, and how long it is. */
  window: { inMs: number; ms: number } | null
}

export interface ProofInput {
  kind: 'done' | 'wrong' | 'not_possible' | 'no_reason'
  answer: unknown
}

const OPEN: Status[] = ['pending', 'in_progress']
const HELD_FOR = 3 * DAY
const JUDGED: Status[] = ['completed', 'disputed']

/** Settings that the model must know. */
export interface Rules {
  disputesTouchingTrust: number
  disputesBeforeReview: number
}

export class Market {
  now: number
  readonly rules: Rules
  readonly agents: Agent[] = []
  readonly workers: Worker[] = []
  readonly tasks: Task[] = []

  constructor(now: number, rules: Rules) {
    this.now = now
    this.rules = rules
  }

  // People.

  addAgent(id: string): Agent {
    const agent = { id, wallet: 0, freeTasks: 3, lines: [], disputedAt: [] }
    this.agents.push(agent)
    return agent
  }

  addWorker(id: string, approvals: number): Worker {
    const worker: Worker = {
      id,
      payable: 0,
      approvals,
      hasIdentity: approvals >= 100,
      record: [{ cause: 'earlier', at: this.now, good: approvals, bad: 0, toldAt: 0 }],
      paidTasks: new Set(),
    }
    this.workers.push(worker)
    return worker
  }

  fund(agent: Agent, cents: number): void {
    agent.wallet += cents
    agent.lines.push({ type: 'deposit', cents })
  }

  // Money.

  commission(gross: number): number {
    return Math.floor((gross * 18) / 100)
  }

  /**
   * Splits in proportion; each leftover cent goes to whoever is furthest below the exact share, the earliest among
   * equals.
   */
  split(cents: number, weights: number[]): number[] {
    const all = weights.reduce((sum, weight) => sum + weight, 0)
    const parts = weights.map((weight) => Math.floor((cents * weight) / all))
    const missing = weights.map((weight, i) => (cents * weight) / all - parts[i]!)
    for (let odd = cents - parts.reduce((a, b) => a + b, 0); odd > 0; odd -= 1) {
      const most = missing.reduce((best, x, i) => (x > missing[best]! + 1e-9 ? i : best), 0)
      parts[most]! += 1
      missing[most] = -1
    }
    return parts
  }

  /** The promised pay of every slot, after the commission. */
  pay({ locked, slots }: Pick<Task, 'locked' | 'slots'>): number {
    return Math.floor((locked - this.commission(locked)) / slots)
  }

  /** Three tenths of the share, at least a dollar, at most the share. */
  trouble({ locked, slots }: Task): number {
    const share = Math.floor(locked / slots)
    return Math.max(Math.floor((share * 3) / 10), Math.min(100, share))
  }

  /** Returns money of the task: to the wallet, or shown as returned to the fund that paid for it. */
  giveBack(task: Task, cents: number): void {
    if (cents === 0) return
    this.#note(task, 'escrow_refund', cents)
    if (task.funding === 'free') this.#note(task, 'free_task_return', -cents)
    else task.agent.wallet += cents
  }

  #note(task: Task, type: string, cents: number): void {
    task.agent.lines.push({ type, cents })
    task.lines.push({ type, cents })
  }

  #payOut(task: Task, worker: Worker, cents: number): void {
    worker.payable += cents
    if (cents > 0) worker.paidTasks.add(task)
  }

  // Trust.

  trust({ record }: Pick<Worker, 'record'>): number {
    const fade = (at: number) => 0.5 ** ((this.now - at) / (90 * DAY))
    const good = record.reduce((sum, cause) => sum + cause.good * fade(cause.at), 0)
    const bad = record.reduce((sum, cause) => sum + cause.bad * fade(cause.at), 0)
    return Math.round((100 * (7 + good)) / (10 + good + bad))
  }

  level(worker: Worker): number {
    const { approvals, hasIdentity, record } = worker
    const trust = this.trust({ record: record.filter(({ isPending }) => isPending !== true) })
    if (approvals >= 300 && trust >= 90 && hasIdentity) return 5
    if (approvals >= 100 && trust >= 80 && hasIdentity) return 4
    if (approvals >= 25 && trust >= 70) return 3
    return approvals >= 5 && trust >= 60 ? 2 : 1
  }

  levelFor({ locked, slots, minLevel }: Task): number {
    const share = locked / slots
    return Math.max(minLevel, share > 50_000 ? 4 : share > 20_000 ? 3 : share > 5000 ? 2 : 1)
  }

  #touch(worker: Worker, cause: string, good: number, bad: number): void {
    const isPending = cause === 'disputed'
    worker.record.push({ cause, at: this.now, good, bad, toldAt: this.now, isPending })
  }

  // The agent's calls.

  create(agent: Agent, order: Order): { answer: Answer; task?: Task } {
    // Ours: the locked amount counts, also for who pays and for the longest review time.
    const locked = order.budget * (order.perWorker ? order.count : 1)
    const longest = locked <= 2000 ? DAY : locked <= 10_000 ? 3 * DAY : 7 * DAY
    const silenceMs = order.silenceMs ?? longest
    // Ours: a budget that leaves some worker without a cent is refused.
    const isPayable = this.pay({ locked, slots: order.count }) >= 1
    const { window } = order
    const deadline = order.deadline === 'far' ? 90 * DAY : order.deadline
    const windowEnd = window && this.now + window.inMs + window.ms
    // Ours: a deadline before the start of the window is refused.
    const isTimely = deadline !== 'past' && (deadline ?? Infinity) > (window?.inMs ?? 0)
    if (!isPayable || !isTimely || silenceMs > longest) return { answer: refuse(400) }

    const isFree = agent.freeTasks > 0 && locked <= 2000
    if (!isFree && agent.wallet < locked)
      return {
        answer: refuse(402, 'insufficient_funds', {
          error: 'Insufficient funds',
          balance_cents: agent.wallet,
          required_cents: locked,
        }),
      }
    const task: Task = {
      id: '',
      madeBy: null,
      agent,
      type: order.type,
      locked,
      slots: order.count,
      funding: isFree ? 'free' : 'wallet',
      urgency: order.urgency,
      deadline: this.now + (deadline ?? OPEN_FOR[order.urgency]),
      windowEnd,
      silenceMs,
      minLevel: order.minLevel,
      question: order.question,
      status: 'pending',
      parts: [],
      reviewDue: null,
      override: null,
      endedInConflict: false,
      approvedBy: null,
      settlement: null,
      disputes: [],
      lines: [],
      endedAt: 0,
      told: ['task.created'],
    }
    this.tasks.push(task)
    if (isFree) {
      agent.freeTasks -= 1
      this.#note(task, 'free_task_credit', locked)
    } else agent.wallet -= locked
    this.#note(task, 'escrow_lock', -locked)
    return {
      task,
      answer: {
        status: 201,
        body: { task: { ...this.shown(task), auto_approve_after: silenceMs / 1000 } },
      },
    }
  }

  approve(
    agent: Agent,
    task: Task | undefined,
    { override, tip }: { override?: { value: unknown; fits: boolean }; tip: number },
  ): Answer {
    if (task?.agent !== agent) return refuse(404, 'task_not_found')
    if (override?.fits === false) return refuse(400)
    if (task.status === 'completed') return this.#approved(task)
    if (task.status !== 'proof_submitted') return this.#forbidden(task)
    if (override === undefined && this.agreement(task).conflict)
      return refuse(409, 'consensus_conflict')
    if (tip > agent.wallet)
      return refuse(402, 'insufficient_funds', {
        balance_cents: agent.wallet,
        required_cents: tip,
      })
    if (override) task.override = { value: override.value }
    // Ours: approving withdraws the held dispute.
    if (hasHeldDispute(task)) task.disputes.at(-1)!.status = 'withdrawn'
    this.#settle(task, 'agent')
    const earners = byProof(task, 'approved')
    const tips = this.split(
      tip,
      earners.map(() => 1),
    )
    if (tip > 0) {
      agent.wallet -= tip
      this.#note(task, 'tip', -tip)
      for (const [i, { worker }] of earners.entries()) this.#payOut(task, worker, tips[i]!)
    }
    return this.#approved(task)
  }

  /**
   * Each slot has an equal share. A proof earns its share, a proof that the task can't be done earns half of it, and
   * what no slot has earned is returned.
   */
  #settle(task: Task, by: 'agent' | 'auto' | 'operator'): void {
    task.endedInConflict = this.agreement(task).conflict
    const earners = byProof(task, 'submitted')
    const halves = earners.map(({ proof }) => (proof!.outcome === 'done' ? 2 : 1))
    const earned = halves.reduce((sum, half) => sum + half, 0)
    const gross = Math.floor((task.locked * earned) / (2 * task.slots))
    const commission = this.commission(gross)
    const nets = this.split(gross - commission, halves)
    for (const [i, part] of earners.entries()) {
      part.status = 'approved'
      part.net = nets[i]!
      this.#payOut(task, part.worker, nets[i]!)
      part.worker.approvals += 1
      this.#touch(part.worker, 'approved', 1, 0)
    }
    this.giveBack(task, task.locked - gross)
    task.settlement = {
      gross_cents: gross,
      commission_cents: commission,
      refunded_cents: task.locked - gross,
      workers: earners.map(({ worker }, i) => ({ worker, net: nets[i]! })),
    }
    task.approvedBy = by
    this.#end(task, 'completed')
  }

  #approved(task: Task): Answer {
    return {
      status: 200,
      body: { task: this.shown(task), settlement: shownSettlement(task.settlement!) },
    }
  }

  dispute(
    agent: Agent,
    task: Task | undefined,
    { reason, parts }: { reason: string; parts?: Part[] },
  ): Answer {
    if (reason === '') return refuse(400)
    if (task?.agent !== agent) return refuse(404, 'task_not_found')
    const last = task.disputes.at(-1)
    const standing = byProof(task, 'submitted')
    const open = standing.filter((part) => !isCleared(part))
    const meant = parts ?? (task.status === 'disputed' ? last!.parts : open)
    const earlier = task.disputes.find((one) => {
      const isSame = new Set(one.parts).symmetricDifference(new Set(meant)).size === 0
      return one.reason === reason && isSame && ['open', 'held'].includes(one.status)
    })
    if (earlier) return this.repeatDispute(task, earlier)
    if (task.status !== 'proof_submitted' || hasHeldDispute(task)) return this.#forbidden(task)
    if (parts?.some((part) => !open.includes(part))) return refuse(400)

    const hit = parts ?? open
    if (hit.length === 0) return this.#forbidden(task)
    const isWhole = hit.length === standing.length
    // Ours: held disputes count, too, and reviewed work is counted in tasks.
    const recent = agent.disputedAt.filter((at) => at > this.now - DAY).length
    const reviewed = this.tasks.filter(
      (one) => one.agent === agent && JUDGED.includes(one.status) && one.endedAt > this.now - DAY,
    ).length
    const isHeld = recent >= this.rules.disputesBeforeReview && recent / reviewed > 0.2
    agent.disputedAt.push(this.now)
    const dispute: Dispute = {
      reason,
      parts: hit,
      isWhole,
      status: isHeld ? 'held' : 'open',
      refunded: 0,
      decidesBy: isHeld ? this.now + HELD_FOR : null,
      reviewDue: task.reviewDue,
      touchesTrust: recent < this.rules.disputesTouchingTrust,
    }
    task.disputes.push(dispute)
    if (isHeld) {
      // Ours: there is no auto-approval while an operator decides.
      task.reviewDue = null
      task.told.push('task.dispute_held')
    } else this.#takeEffect(task, dispute)
    return { status: 200, body: { task: this.shown(task), refunded_cents: dispute.refunded } }
  }

  #takeEffect(task: Task, dispute: Dispute): void {
    for (const part of dispute.parts) {
      part.status = 'disputed'
      if (dispute.touchesTrust) this.#touch(part.worker, 'disputed', 0, 3)
    }
    task.told.push('task.disputed')
    if (!dispute.isWhole) return
    dispute.refunded = task.funding === 'wallet' ? task.locked : 0
    // The free task stays used up.
    this.giveBack(task, task.locked)
    this.#end(task, 'disputed')
  }

  /** The agent withdraws a held dispute. */
  withdrawHeld(agent: Agent, task: Task): Answer {
    if (task.agent !== agent) return refuse(404, 'task_not_found')
    this.#endHeld(task, 'withdrawn')
    return { status: 200, body: { task: this.shown(task) } }
  }

  /** An operator decides; returns what happened. */
  decideHeld(task: Task, verdict: 'uphold' | 'reject'): 'upheld' | 'rejected' | 'too late' {
    const dispute = task.disputes.at(-1)!
    if (verdict === 'reject') {
      this.#endHeld(task, 'rejected')
      return 'rejected'
    }
    if (this.now >= dispute.decidesBy!) return 'too late'
    dispute.status = 'open'
    this.#takeEffect(task, dispute)
    if (!dispute.isWhole) this.#backToVerdict(task, dispute)
    return 'upheld'
  }

  /** Ends it without effect: the workers are paid. If it was about single proofs, the task goes back to review. */
  #endHeld(task: Task, status: 'withdrawn' | 'rejected' | 'lapsed'): void {
    const dispute = task.disputes.at(-1)!
    dispute.status = status
    const by = { withdrawn: 'agent', rejected: 'operator', lapsed: 'auto' } as const
    if (dispute.isWhole) this.#settle(task, by[status])
    task.told.push('task.dispute_resolved')
    if (!dispute.isWhole) this.#backToVerdict(task, dispute)
  }

  /** Restores the review deadline; if it has passed, the task is settled at once. */
  #backToVerdict(task: Task, { reviewDue }: Dispute): void {
    task.reviewDue = reviewDue
    if (reviewDue! <= this.now) this.#settle(task, 'auto')
  }

  /** The same verdict again gets the same response, and has no other effect. */
  repeatDispute(task: Task, { refunded }: Dispute): Answer {
    return { status: 200, body: { task: this.shown(task), refunded_cents: refunded } }
  }

  requestRevision(agent: Agent, task: Task | undefined, part: Part | undefined): Answer {
    if (task?.agent !== agent) return refuse(404, 'task_not_found')
    // Ours: after the deadline there is no time left for a revision.
    if (task.status !== 'proof_submitted' || hasHeldDispute(task) || task.deadline <= this.now)
      return this.#forbidden(task)
    const standing = byProof(task, 'submitted')
    const asked = part ?? (standing.length === 1 ? standing[0] : undefined)
    if (asked?.status !== 'submitted') return refuse(400)
    if (asked.revisions > 0) return refuse(409, 'revision_used')
    asked.status = 'accepted'
    asked.revisions += 1
    asked.until = this.workUntil(task)
    task.status = 'in_progress'
    task.reviewDue = null
    task.told.push('task.revision_requested')
    return { status: 200, body: { task: this.shown(task) } }
  }

  cancel(agent: Agent, task: Task | undefined): Answer {
    if (task?.agent !== agent) return refuse(404, 'task_not_found')
    if (task.status !== 'cancelled') {
      if (!OPEN.includes(task.status)) return this.#forbidden(task)
      // Ours: a worker who has submitted proof gets the promised pay.
      this.#endWithoutVerdict(task, 'cancelled', (part) =>
        part.proof === null ? this.trouble(task) : this.pay(task),
      )
    }
    const refunded = task.funding === 'wallet' ? task.settlement!.refunded_cents : 0
    return { status: 200, body: { task: this.shown(task), refunded_cents: refunded } }
  }

  #endWithoutVerdict(
    task: Task,
    status: 'cancelled' | 'expired',
    payFor: (part: Part) => number,
  ): void {
    const there = bySubmission(task).filter((part) => {
      return ['accepted', 'submitted'].includes(part.status)
    })
    const paid = there.map((part) => ({ part, cents: payFor(part) }))
    // Ours: a proof that is paid in full also costs its commission.
    const commission = there
      .filter((part) => status === 'cancelled' && part.proof !== null)
      .reduce((sum) => sum + Math.floor(task.locked / task.slots) - this.pay(task), 0)
    const given = paid.reduce((sum, { cents }) => sum + cents, commission)
    for (const { part, cents } of paid) {
      const isLost = status === 'expired' && part.proof === null
      if (isLost) this.#touch(part.worker, 'abandoned', 0, 0.5)
      part.status = isLost ? 'expired' : 'cancelled'
      part.net = isLost ? null : cents
      part.endedAt = this.now
      this.#payOut(task, part.worker, cents)
    }
    this.giveBack(task, task.locked - given)
    // Ours: a free task is given back whenever it has cost nothing.
    if (task.funding === 'free' && given === 0) task.agent.freeTasks += 1
    task.settlement = {
      gross_cents: given,
      commission_cents: commission,
      refunded_cents: task.locked - given,
      workers: paid.map(({ part, cents }) => ({ worker: part.worker, net: cents })),
    }
    this.#end(task, status)
    task.told.push(`task.${status}`)
  }

  // The worker's calls.

  accept(worker: Worker, task: Task | undefined): { answer: Answer; part?: Part } {
    if (task === undefined) return { answer: refuse(404, 'task_not_found') }
    const mine = task.parts.filter((part) => part.worker === worker)
    // Ours: submitted work still counts as one's own, whatever became of it.
    const held = mine.find((part) =>
      ['accepted', 'submitted', 'approved', 'disputed'].includes(part.status),
    )
    if (held) return { part: held, answer: { status: 200, body: shownPart(held) } }
    // Ours: an hour after its end a task is no longer visible to those who had no part in it.
    if (mine.length === 0 && task.endedAt !== 0 && this.now - task.endedAt > HOUR)
      return { answer: refuse(404, 'task_not_found') }
    const required_level = this.levelFor(task)
    const current_level = this.level(worker)
    if (current_level < required_level)
      return {
        answer: refuse(403, 'level_too_low', {
          error: 'Worker level too low',
          required_level,
          current_level,
        }),
      }
    // Ours: a worker who may not retake it yet is told so even if it is full.
    const ranOut = mine.findLast(({ status }) => status === 'expired')
    if (ranOut && ranOut.endedAt + DAY > this.now) return { answer: refuse(409, 'retake_too_soon') }
    if (!this.hasFreeSlot(task) || task.deadline <= this.now)
      return { answer: refuse(409, 'no_slot') }

    const part: Part = {
      id: '',
      task,
      worker,
      status: 'accepted',
      acceptedAt: this.now,
      until: this.workUntil(task),
      proof: null,
      revisions: 0,
      net: null,
      endedAt: 0,
    }
    task.parts.push(part)
    task.status = 'in_progress'
    task.told.push('task.accepted')
    return { part, answer: { status: 200, body: shownPart(part) } }
  }

  hasFreeSlot({ status, parts, slots }: Task): boolean {
    const taken = parts.filter((part) =>
      ['accepted', 'submitted', 'disputed'].includes(part.status),
    )
    return OPEN.includes(status) && taken.length < slots
  }

  workUntil({ urgency, deadline, windowEnd }: Task): number {
    // Ours: when the window is over, the task can wait like any other.
    const end =
      windowEnd !== null && windowEnd > this.now ? windowEnd : this.now + WORK_FOR[urgency]
    return Math.min(end, deadline)
  }

  release(worker: Worker, task: Task | undefined, { isUnsafe }: { isUnsafe: boolean }): Answer {
    const part = latest(worker, task)
    if (part === undefined) return refuse(404, 'assignment_not_found')
    if (part.status === 'accepted') {
      // Ours: a release within five minutes, or because the place is unsafe, does not count.
      const isFree = isUnsafe || this.now - part.acceptedAt <= 5 * MINUTE
      this.#giveUp(part, 'released', !isFree)
    } else if (part.status !== 'released')
      return refuse(409, 'assignment_ended', { status: part.status })
    return { status: 200, body: shownPart(part, { withTask: false }) }
  }

  #giveUp(part: Part, as: 'released' | 'expired', isHeldAgainst: boolean): void {
    const { task } = part
    if (part.proof) {
      // Ours: if a revision does not arrive, the first proof counts.
      part.status = 'submitted'
      this.#ifComplete(task)
      // Ours: no proof event tells the agent that review starts now, so this event does.
      if (task.status === 'proof_submitted') task.told.push('task.approval_due')
      return
    }
    part.status = as
    part.endedAt = this.now
    if (isHeldAgainst) this.#touch(part.worker, 'abandoned', 0, 0.5)
    this.afterGivingUp(task)
    task.told.push('task.released')
  }

  afterGivingUp(task: Task): void {
    const isTaken = task.parts.some((part) => ['accepted', 'submitted'].includes(part.status))
    task.status = isTaken ? 'in_progress' : 'pending'
  }

  submit(worker: Worker, task: Task | undefined, { kind, answer }: ProofInput): Answer {
    const part = latest(worker, task)
    if (part === undefined) return refuse(404, 'assignment_not_found')
    if (kind === 'wrong' || kind === 'no_reason') return refuse(400)
    if (part.status === 'expired') {
      if (!this.hasFreeSlot(part.task)) return refuse(409, 'no_slot')
      this.forgive(worker, part)
      part.endedAt = 0
    } else if (part.status !== 'accepted')
      return refuse(409, 'assignment_ended', { status: part.status })

    part.status = 'submitted'
    part.proof = { at: this.now, outcome: kind, answer: kind === 'done' ? answer : null }
    part.task.status = 'in_progress'
    part.task.told.push('task.proof_submitted')
    if (part.task.slots > 1) part.task.told.push('task.consensus_proof')
    this.#ifComplete(part.task)
    return { status: 201, body: { ...shownPart(part), proof: { outcome: kind } } }
  }

  /** Ours: the proof came after all, so the delay no longer counts. */
  forgive(worker: Worker, { endedAt }: Part): void {
    const since = worker.record.findLast(({ cause, at }) => cause === 'abandoned' && at === endedAt)
    const { at, bad } = since!
    worker.record.push({ cause: 'late_proof', at, good: 0, bad: -bad, toldAt: this.now })
  }

  /** The last proof starts the agent's review time. */
  #ifComplete(task: Task): void {
    const received = task.parts.filter((part) => ['submitted', 'disputed'].includes(part.status))
    if (received.length === task.slots) this.#awaitVerdict(task)
  }

  #awaitVerdict(task: Task): void {
    task.status = 'proof_submitted'
    task.reviewDue = this.now + task.silenceMs
  }

  // The clock.

  /** When the next timer is due. */
  nextDue(): number {
    const due = this.tasks.flatMap((task) => [
      ...(OPEN.includes(task.status) ? [task.deadline] : []),
      ...(task.status === 'proof_submitted' && task.reviewDue !== null ? [task.reviewDue] : []),
      ...(hasHeldDispute(task) ? [task.disputes.at(-1)!.decidesBy!] : []),
      ...task.parts.filter(({ status }) => status === 'accepted').map(({ until }) => until),
    ])
    return Math.min(Infinity, ...due.filter((at) => at > this.now))
  }

  /** All due timers take effect. Ours: in the order deadlines, workers' time, review time, held disputes. */
  sweep(): void {
    for (const task of this.tasks)
      if (OPEN.includes(task.status) && task.deadline <= this.now) this.#passDeadline(task)
    for (const part of this.tasks.flatMap(({ parts }) => parts))
      if (part.status === 'accepted' && part.until <= this.now) this.#giveUp(part, 'expired', true)
    for (const task of this.tasks) {
      const isDue = task.reviewDue !== null && task.reviewDue <= this.now
      if (task.status === 'proof_submitted' && isDue) this.#settle(task, 'auto')
    }
    // The model has no appeals, so each dispute counts toward the level after three days.
    for (const moved of this.workers.flatMap(({ record }) => record))
      if (moved.isPending === true && moved.at + 3 * DAY <= this.now) moved.isPending = false
    for (const task of this.tasks)
      if (hasHeldDispute(task) && task.disputes.at(-1)!.decidesBy! <= this.now)
        this.#endHeld(task, 'lapsed')
  }

  #passDeadline(task: Task): void {
    // Ours: while a proof is being revised, the first one counts.
    const proofs = task.parts.filter(({ proof }) => proof !== null)
    if (proofs.length > task.slots / 2) {
      for (const part of task.parts.filter(({ status }) => status === 'accepted')) {
        part.status = part.proof ? 'submitted' : 'expired'
        part.endedAt = part.proof ? 0 : this.now
        if (!part.proof) this.#touch(part.worker, 'abandoned', 0, 0.5)
      }
      this.#awaitVerdict(task)
      // Ours: no proof event tells the agent that review starts now, so this event does.
      task.told.push('task.approval_due')
    }
    // Ours: too few proofs for a verdict are compensated like a canceled task.
    else this.#endWithoutVerdict(task, 'expired', (part) => (part.proof ? this.trouble(task) : 0))
  }

  #end(task: Task, status: Status): void {
    task.status = status
    task.reviewDue = null
    task.endedAt = this.now
    if (status === 'completed') task.told.push('task.completed')
  }

  #forbidden({ status }: Task): Answer {
    return refuse(409, 'invalid_state', { status })
  }

  // Agreement.

  /** The consensus of the valid proofs. Nobody has a record of being right yet, so all votes have the same weight. */
  agreement(task: Task): { conflict: boolean; result: unknown; received: number } {
    const parts = task.parts
      .filter(({ status }) => status === 'submitted' || status === 'approved')
      .sort((a, b) => a.proof!.at - b.proof!.at)
    const answers = parts.map(({ proof }) =>
      proof!.outcome === 'done' ? proof!.answer : NOT_POSSIBLE,
    )
    const received = parts.length
    if (task.slots === 1) return { conflict: false, result: null, received }
    return { received, ...(task.question === 'scale' ? median(answers) : majority(answers)) }
  }

  isInConflict(task: Task): boolean {
    const isJudged = task.status !== 'proof_submitted' || hasHeldDispute(task)
    return !isJudged && this.agreement(task).conflict
  }

  // Reads.

  shown(task: Task): Record<string, unknown> {
    return {
      status: task.status,
      type: task.type,
      funding: task.funding,
      consensus_count: task.slots,
      escrow_cents: this.escrow(task),
      worker_pay_cents: this.pay(task),
      deadline: new Date(task.deadline).toISOString(),
    }
  }

  escrow({ status, locked }: Task): number {
    return OPEN.includes(status) || status === 'proof_submitted' ? locked : 0
  }

  detail(task: Task): Record<string, unknown> {
    return {
      ...this.shown(task),
      approved_by: task.approvedBy,
      ...(task.settlement && { settlement: shownSettlement(task.settlement) }),
      assignments: bySubmission(task).map((part) => ({
        worker_id: part.worker.id,
        status: part.status,
        net_cents: part.net,
        outcome: part.proof?.outcome ?? null,
        expires_at: new Date(part.until).toISOString(),
      })),
      transactions: task.lines.map(({ type, cents }) => ({ type, amount_cents: cents })),
      ...this.#shownConsensus(task),
      ...this.#shownDispute(task),
    }
  }

  #shownConsensus(task: Task) {
    if (task.override)
      return { consensus: { result: normal(task.override.value), resolved_by: 'agent' } }
    if (task.slots === 1 || ['disputed', 'cancelled', 'expired'].includes(task.status)) return {}
    const { received, conflict, result } = this.agreement(task)
    const isDecided = !OPEN.includes(task.status)
    const complete = received === task.slots
    return {
      consensus: {
        needed: task.slots,
        received,
        complete,
        incomplete: isDecided && !complete,
        conflict: isDecided && conflict,
        result: isDecided ? result : null,
        resolved_by: null,
      },
    }
  }

  #shownDispute({ disputes }: Task) {
    const last = disputes.at(-1)
    if (last === undefined) return { dispute: undefined }
    const { reason, status, refunded } = last
    return { dispute: { reason, status, refunded_cents: refunded } }
  }

  list(agent: Agent): Record<string, unknown> {
    const mine = this.tasks.filter((task) => task.agent === agent).reverse()
    return {
      total: mine.length,
      tasks: mine.map((task) => ({ id: task.id, ...this.shown(task) })),
    }
  }

  wallet(agent: Agent): Record<string, unknown> {
    const types = [...new Set(agent.lines.map(({ type }) => type))]
    const summary = types.map((type) => {
      const of = agent.lines.filter((line) => line.type === type)
      return { type, total_cents: sum(of.map(({ cents }) => cents)), count: of.length }
    })
    return {
      balance_cents: agent.wallet,
      free_tasks_remaining: agent.freeTasks,
      summary: summary.sort((a, b) => (a.type < b.type ? -1 : 1)),
    }
  }

  stats(agent: Agent): Record<string, unknown> {
    const mine = this.tasks.filter((task) => task.agent === agent)
    const count = (status: Status) => mine.filter((task) => task.status === status).length
    const [completed, disputed] = [count('completed'), count('disputed')]
    const partners = mine.flatMap(({ parts }) => parts.filter((part) => part.status === 'approved'))
    const auto = mine.filter(({ approvedBy }) => approvedBy === 'auto').length
    return {
      tasks: {
        total: mine.length,
        by_status: Object.fromEntries(STATUSES.map((status) => [status, count(status)])),
        by_type: Object.fromEntries(
          [...new Set(mine.map(({ type }) => type))].map((type) => [
            type,
            mine.filter((task) => task.type === type).length,
          ]),
        ),
      },
      spend: { total_cents: sum(mine.map((task) => this.spent(task))) },
      quality: {
        dispute_rate: rate(disputed, completed + disputed),
        auto_approved_rate: rate(auto, completed),
      },
      partner_count: new Set(partners.map(({ worker }) => worker)).size,
    }
  }

  /** The agent's own money that is held for the task, plus what was paid. */
  spent(task: Task): number {
    return task.funding === 'free' ? 0 : this.escrow(task) + (task.settlement?.gross_cents ?? 0)
  }

  earnings(worker: Worker): Record<string, unknown> {
    const waiting = this.tasks.flatMap(({ parts }) =>
      parts.filter((part) => part.worker === worker && part.status === 'submitted'),
    )
    return {
      net_cents: worker.payable,
      available_cents: worker.payable,
      pending_cents: sum(waiting.map(({ task }) => this.pay(task))),
      tasks: worker.paidTasks.size,
    }
  }

  /** How often each cause changed a worker's trust in 90 days, not counting their initial record. */
  record(worker: Worker): Record<string, number> {
    const shown = worker.record.filter(({ toldAt }) => toldAt > this.now - 90 * DAY)
    const causes = shown.map(({ cause }) => cause)
    return Object.fromEntries(
      [...new Set(causes)].sort().map((one) => [one, causes.filter((c) => c === one).length]),
    )
  }
}

/** A share of fewer than five cases tells nothing, and is not shown. */
const rate = (part: number, cases: number) => (cases < 5 ? null : part / cases)

const STATUSES: Status[] = [
  'pending',
  'in_progress',
  'proof_submitted',
  'completed',
  'disputed',
  'expired',
  'cancelled',
]

const OPEN_FOR: Record<Urgency, number> = {
  instant: HOUR,
  urgent: DAY,
  standard: 7 * DAY,
  flex: 30 * DAY,
  scheduled: 30 * DAY,
}

/** A scheduled task without a time behaves as flex. */
const WORK_FOR: Record<Urgency, number> = {
  instant: 15 * MINUTE,
  urgent: HOUR,
  standard: 4 * HOUR,
  flex: 24 * HOUR,
  scheduled: 24 * HOUR,
}

const NOT_POSSIBLE = Symbol('not possible')

/** Normalizes text, so the same answer in different spelling counts as equal. */
export const normal = (answer: unknown) =>
  typeof answer === 'string' ? answer.toLowerCase().replaceAll(/[\s!.]/g, '') : answer

/** More than half of the votes. */
function majority(answers: unknown[]) {
  const counts = [...Map.groupBy(answers, normal)].map(([answer, all]) => [answer, all.length])
  const winner = counts.find(([, votes]) => (votes as number) * 2 > answers.length)
  const result = winner === undefined || winner[0] === NOT_POSSIBLE ? null : winner[0]
  return { conflict: answers.length > 0 && winner === undefined, result }
}

/** For a scale from 1 to 5. Ours: a worker who says that it is not possible votes against those who answer. */
function median(answers: unknown[]) {
  const numbers = answers.filter((answer) => typeof answer === 'number').sort((a, b) => a - b)
  const others = answers.length - numbers.length
  if (others >= numbers.length)
    return { conflict: answers.length > 0 && others === numbers.length, result: null }
  const quantile = (part: number) => {
    const at = part * (numbers.length - 1)
    const low = numbers[Math.floor(at)]!
    return low + (numbers[Math.ceil(at)]! - low) * (at % 1)
  }
  const conflict = (quantile(0.75) - quantile(0.25)) * 3 > 5 - 1
  // Ours: half a point is rounded down.
  return { conflict, result: conflict ? null : Math.floor(quantile(0.5)) }
}

const refuse = (status: number, code = 'invalid_request', body = {}): Answer => ({
  status,
  code,
  body,
})

export const hasHeldDispute = ({ disputes }: Task) => disputes.at(-1)?.status === 'held'

/** A held dispute of this proof ended without effect: it can't be disputed again. */
const isCleared = (part: Part) =>
  part.task.disputes.some(
    ({ status, parts }) =>
      ['withdrawn', 'rejected', 'lapsed'].includes(status) && parts.includes(part),
  )

const latest = (worker: Worker, task: Task | undefined) =>
  task?.parts.findLast((part) => part.worker === worker)

export const byProof = ({ parts }: Task, status: Part['status']) =>
  parts
    .filter((part) => part.status === status && part.proof !== null)
    .sort((a, b) => a.proof!.at - b.proof!.at)

/** Those with proof by submission time, then those without in the order in which they accepted. */
const bySubmission = ({ parts }: Task) =>
  parts.toSorted((a, b) => (a.proof?.at ?? Infinity) - (b.proof?.at ?? Infinity) || 0)

const shownSettlement = ({ workers, ...cents }: Settlement) => ({
  ...cents,
  workers: workers.map(({ worker, net }) => ({ worker_id: worker.id, net_cents: net })),
})

export function shownPart(part: Part, { withTask = true } = {}): Record<string, unknown> {
  return {
    assignment: {
      ...(part.id === '' ? {} : { id: part.id }),
      status: part.status,
      net_cents: part.net,
      outcome: part.proof?.outcome ?? null,
      expires_at: new Date(part.until).toISOString(),
    },
    ...(withTask ? { task: { status: part.task.status } } : {}),
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
