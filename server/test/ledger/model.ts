/**
 * An independent model of the marketplace's money, and everything that can happen to it. It knows what each event means
 * for the people involved (who has more, who has less, what must be refused), but nothing about the ledger's lines and
 * keys; account names appear only where the two are compared.
 *
 * A world is one random history: two books on one shard with their own agents, workers and tasks, so many worlds can
 * run in one database at the same time.
 */
import { mintId } from '../../src/kit/ids.ts'
import type * as movements from '../../src/ledger/movements.ts'

export type Movement = Exclude<keyof typeof movements, 'EARNINGS' | 'KINDS' | 'taskKeys'>
export type Rules = Pick<typeof movements, Movement>

/** An action, and three numbers that select whom it affects and how much. */
export type Step = [action: string, x: number, y: number, z: number]

type Mode = 'live' | 'test'
const FREE_TASKS = 3

type EndStatus = 'completed' | 'disputed' | 'expired' | 'cancelled'
type Outcome = 'posted' | 'replayed' | 'mismatch' | 'insufficient' | RegExp

export interface Agent {
  id: string
  wallet: number
  debt: number
  freeTasks: number
}
export interface Worker {
  id: string
  payable: number
}
export interface Task {
  id: string
  agent: Agent
  locked: number
  held: number
  funding: 'wallet' | 'free'
  end?: 'released' | 'refunded' | 'compensated'
  paid: Worker[]
}
/** Money on its way out: a payout to a worker or a refund to an agent. */
interface Transit<Owner> {
  id: string
  owner: Owner
  cents: number
  held: number
  end?: 'paid' | 'returned'
}
interface Receipt {
  id: string
  cents: number
}

/** One attempt to move money. */
export interface Attempt {
  movement: Movement
  of: Record<string, unknown>
  /** Identifies an effect that can happen only once, whichever movement causes it. */
  once: string
  /** Moves the model's money, or returns how the ledger must refuse. */
  apply(): 'insufficient' | RegExp | undefined
  /** The task row that the server writes in the same transaction; a new one if there is no status. */
  row?: { book: Book; task: Task; status?: EndStatus }
}

export class Book {
  readonly mode: Mode
  readonly world: World
  readonly agents: Agent[]
  readonly workers: Worker[]
  readonly tasks: Task[] = []
  readonly payouts: Transit<Worker>[] = []
  readonly refunds: Transit<Agent>[] = []
  readonly strays: (Receipt & { isReceipt: boolean })[] = []
  readonly chargebacks: { agent: Agent; cents: number }[] = []
  cash = 0
  suspense = 0
  commission = 0
  fees = 0
  disputeFees = 0
  promo = 0
  badDebt = 0
  goodwill = 0
  funding = 0
  withdrawals = 0

  constructor(world: World, mode: Mode, { agents, workers }: { agents: number; workers: number }) {
    this.world = world
    this.mode = mode
    this.agents = Array.from({ length: agents }, () => ({
      id: mintId('agent', world.at, world.shard),
      wallet: 0,
      debt: 0,
      freeTasks: world.hasRows ? FREE_TASKS : 0,
    }))
    this.workers = Array.from({ length: workers }, () => ({
      id: mintId('worker', world.at, world.shard),
      payable: 0,
    }))
  }

  /** Every account's balance, debits positive. */
  balances(): [account: string, cents: number][] {
    const held = (list: { held: number }[]) => sum(list.map((one) => one.held))
    return [
      ['asset:processor_balance', this.cash],
      ['asset:agent_receivable', sum(this.agents.map(({ debt }) => debt))],
      ['liab:agent_wallet', -sum(this.agents.map(({ wallet }) => wallet))],
      ['liab:escrow', -held(this.tasks)],
      ['liab:worker_payable', -sum(this.workers.map(({ payable }) => payable))],
      ['liab:payout_in_transit', -held(this.payouts)],
      ['liab:refund_in_transit', -held(this.refunds)],
      ['liab:suspense', -this.suspense],
      ['rev:commission', -this.commission],
      ['exp:processor_fees', this.fees],
      ['exp:dispute_fees', this.disputeFees],
      ['exp:promo', this.promo],
      ['exp:bad_debt', this.badDebt],
      ['exp:goodwill', this.goodwill],
      ['eq:operator_funding', -this.funding],
      ['eq:operator_withdrawals', this.withdrawals],
    ]
  }
}

let worlds = 0

export class World {
  readonly number: number
  readonly shard: number
  /** Whether its agents and tasks have rows, so the audit covers those, too. */
  readonly hasRows: boolean
  readonly live: Book
  readonly test: Book
  readonly history: Attempt[] = []
  readonly #happened = new Map<string, string>()
  readonly from: Date
  /** The time of the last step; no two worlds share one. */
  at: Date
  #ids = 0

  constructor({ shard, hasRows }: { shard: number; hasRows: boolean }) {
    worlds += 1
    this.number = worlds
    this.from = new Date(Date.UTC(2025, 0, 1) + worlds * 60_000)
    this.at = this.from
    this.shard = shard
    this.hasRows = hasRows
    this.live = new Book(this, 'live', { agents: 3, workers: 5 })
    this.test = new Book(this, 'test', { agents: 2, workers: 2 })
  }

  get books(): Book[] {
    return [this.live, this.test]
  }

  /** The next attempt, if there is something it can apply to. */
  next([action, x, y, z]: Step): Attempt | undefined {
    const book = x % 4 === 3 ? this.test : this.live
    return ACTIONS[action]![1](book, x >> 2, y, z)
  }

  id(prefix: string): string {
    this.#ids += 1
    return `${prefix}_${this.number}_${this.#ids}`
  }

  /** Moves the model's money, once, and returns what the ledger must respond. */
  decide(attempt: Attempt): Outcome {
    const request = JSON.stringify([attempt.movement, attempt.of])
    const before = this.#happened.get(attempt.once)
    if (before !== undefined) return before === request ? 'replayed' : 'mismatch'
    const refusal = attempt.apply()
    if (refusal !== undefined) return refusal
    this.#happened.set(attempt.once, request)
    this.history.push(attempt)
    return 'posted'
  }
}

function credit(agent: Agent, cents: number): undefined {
  const repaid = Math.min(agent.debt, cents)
  agent.debt -= repaid
  agent.wallet += cents - repaid
}

function charge(agent: Agent, cents: number): undefined {
  const taken = Math.min(agent.wallet, cents)
  agent.wallet -= taken
  agent.debt += cents - taken
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
const pick = <T>(list: T[], number: number): T | undefined => list[number % list.length]
/** 1 to max, with small amounts more often than random, because rounding matters there. */
const upTo = (max: number, number: number) =>
  1 + (number % 7 === 0 ? (number / 7) % Math.min(max, 10) : number % max)

function attempt<M extends Movement>(
  movement: M,
  of: Parameters<Rules[M]>[0],
  once: string,
  apply: Attempt['apply'],
  row?: Attempt['row'],
): Attempt {
  return { movement, of: { ...of }, once, apply, ...(row ? { row } : {}) }
}

// Actions.

type Action = (book: Book, x: number, y: number, z: number) => Attempt | undefined

const deposit: Action = (book, x, y) => {
  const agent = pick(book.agents, x)!
  const depositId = book.world.id('dep')
  const cents = upTo(5000, y)
  return attempt(
    'deposit',
    { ...own(book), depositId, agentId: agent.id, amountCents: cents },
    `deposit ${depositId}`,
    () => {
      book.cash += cents
      credit(agent, cents)
    },
  )
}

const playMoney: Action = (book, x, y) => {
  if (book.mode === 'live') return
  const agent = pick(book.agents, x)!
  const cents = upTo(100_000, y)
  return attempt(
    'playMoney',
    { shard: book.world.shard, agentId: agent.id, amountCents: cents },
    `play money of ${agent.id}`,
    () => {
      book.cash += cents
      credit(agent, cents)
    },
  )
}

/** Unexplained money that comes in or, now and then, leaves. */
const unmatched: Action = (book, x, y) => {
  const isReceipt = y % 3 !== 0
  const stray = { id: book.world.id('txn'), cents: upTo(3000, x), isReceipt }
  const movement = isReceipt ? 'unmatchedReceipt' : 'unmatchedPayment'
  const signed = isReceipt ? stray.cents : -stray.cents
  return attempt(movement, ofBt(book, stray), `bt ${stray.id}`, () => {
    book.cash += signed
    book.suspense += signed
    book.strays.push(stray)
  })
}

const resolveStray: Action = (book, x, y, z) => {
  const stray = pick(book.strays, x)
  const agent = pick(book.agents, y)!
  if (stray === undefined) return
  const { isReceipt, cents } = stray
  const once = `look at ${stray.id}`
  if (!isReceipt && z % 2 === 0)
    return attempt('suspenseToPayout', { ...ofBt(book, stray), isOperators: false }, once, () => {
      book.suspense += cents
      book.cash += cents
    })
  if (!isReceipt || z % 3 === 0)
    return attempt('suspenseToOperator', { ...ofBt(book, stray), isReceipt }, once, () => {
      book.suspense -= isReceipt ? cents : -cents
      if (isReceipt) book.funding += cents
      else book.withdrawals += cents
    })
  if (z % 3 === 1)
    return attempt('suspenseToAgent', { ...ofBt(book, stray), agentId: agent.id }, once, () => {
      book.suspense -= cents
      credit(agent, cents)
    })
  return attempt('suspenseRefund', ofBt(book, stray), once, () => {
    book.suspense -= cents
    book.cash -= cents
  })
}

const lock =
  (funding: 'wallet' | 'free'): Action =>
  (book, x, y, z) => {
    const agent = pick(book.agents, x)!
    if (funding === 'free' && book.world.hasRows && agent.freeTasks === 0) return
    const locked =
      funding === 'free' ? upTo(500, y) : z % 8 === 0 ? agent.wallet + 1 : upTo(3000, y)
    const id = mintId('task', book.world.at, book.world.shard)
    const task: Task = { id, agent, locked, held: 0, funding, paid: [] }
    return attempt(
      'escrowLock',
      ofTask(book, task),
      `lock of ${id}`,
      () => {
        if (funding === 'wallet') {
          if (agent.wallet < locked) return 'insufficient'
          agent.wallet -= locked
        } else {
          book.promo += locked
          if (book.world.hasRows) agent.freeTasks -= 1
        }
        task.held = locked
        book.tasks.push(task)
        return
      },
      { book, task },
    )
  }

/** Pays 1 to 5 workers for the whole budget or a part of it, some of them for half a share. */
function release(book: Book, task: Task, y: number, z: number): Attempt {
  const count = Math.min(upTo(5, y), book.workers.length)
  const paid = Array.from({ length: count }, (_, i) => pick(book.workers, z + i)!)
  const gross = z % 3 === 0 ? Math.floor((task.locked * upTo(5, z)) / 5) : task.locked
  const percents = paid.map((_, i) => ((y >> i) % 2 === 0 ? 100 : 50))
  const hasHalves = y % 4 === 0
  const halves = percents.map((percent) => (hasHalves ? percent / 50 : 2))
  return attempt(
    'escrowRelease',
    {
      ...ofTask(book, task),
      workerIds: paid.map(({ id }) => id),
      grossCents: gross,
      commissionBasisPoints: 1800,
      ...(hasHalves ? { percents } : {}),
    },
    `end of ${task.id}`,
    () => {
      const commission = (gross * 18 - ((gross * 18) % 100)) / 100
      const net = gross - commission
      // Rounded down; the leftover cents go one each to the largest remainders, earliest first.
      const lacks = halves.map((half) => (net * half) % sum(halves))
      paid.forEach((worker, i) => (worker.payable += (net * halves[i]! - lacks[i]!) / sum(halves)))
      for (let odd = sum(lacks) / sum(halves); odd > 0; odd -= 1) {
        const most = lacks.indexOf(Math.max(...lacks))
        paid[most]!.payable += 1
        lacks[most] = -1
      }
      book.commission += commission
      giveBack(book, task, task.locked - gross)
      Object.assign(task, { held: 0, end: 'released', paid })
      return undefined
    },
    { book, task, status: 'completed' },
  )
}

function refund(book: Book, task: Task, y: number): Attempt {
  const status = (['disputed', 'expired', 'cancelled'] as const)[y % 3]!
  return attempt(
    'escrowRefund',
    ofTask(book, task),
    `end of ${task.id}`,
    () => {
      giveBack(book, task, task.locked)
      if (task.funding === 'free' && book.world.hasRows && status !== 'disputed')
        task.agent.freeTasks += 1
      Object.assign(task, { held: 0, end: 'refunded' })
      return undefined
    },
    { book, task, status },
  )
}

/** Canceled while 1 to 3 workers hold it: each gets a part, without a commission. */
function compensate(book: Book, task: Task, y: number, z: number): Attempt {
  const count = Math.min(upTo(3, y), book.workers.length)
  const cents = Math.floor(task.locked / upTo(4, z) / count)
  const paid = Array.from({ length: count }, (_, i) => pick(book.workers, z + i)!)
  return attempt(
    'cancelCompensation',
    { ...ofTask(book, task), holders: paid.map(({ id }) => ({ workerId: id, cents })) },
    `end of ${task.id}`,
    () => {
      for (const worker of paid) worker.payable += cents
      giveBack(book, task, task.locked - count * cents)
      Object.assign(task, { held: 0, end: 'compensated' })
      return undefined
    },
    { book, task, status: 'cancelled' },
  )
}

function giveBack(book: Book, task: Task, cents: number): void {
  if (task.funding === 'wallet') credit(task.agent, cents)
  else book.promo -= cents
}

const open = (book: Book) => book.tasks.filter(({ end }) => end === undefined)
const ended = (book: Book) => book.tasks.filter(({ end }) => end !== undefined)

const approve: Action = (book, x, y, z) => {
  const task = pick(open(book), x)
  return task && release(book, task, y, z)
}

const dispute: Action = (book, x, y) => {
  const task = pick(open(book), x)
  return task && refund(book, task, y)
}

const cancelHeld: Action = (book, x, y, z) => {
  const task = pick(open(book), x)
  return task && compensate(book, task, y, z)
}

/** A task that has ended in one way can't also end in another. */
const endAgain: Action = (book, x, y, z) => {
  const task = pick(ended(book), x)
  if (task === undefined) return
  if (z % 4 === 0 && task.end !== 'compensated') return compensate(book, task, y, z)
  return task.end === 'released' ? refund(book, task, y) : release(book, task, y, z)
}

const overRelease: Action = (book, x, y) => {
  const task = pick(open(book), x)
  return (
    task && {
      ...refund(book, { ...task, locked: task.locked + upTo(100, y) }, y),
      apply: () => /more leaves an escrow than it holds/,
    }
  )
}

const tip: Action = (book, x, y, z) => {
  const task = pick(
    book.tasks.filter(({ paid }) => paid.length > 0),
    x,
  )
  if (task === undefined) return
  const tipped = task.paid.slice(0, 1 + (y % task.paid.length))
  const cents = z % 6 === 0 ? task.agent.wallet + 1 : upTo(300, z)
  const tips = tipped.map(({ id }, i) => ({ workerId: id, cents: cents + i }))
  return attempt(
    'tip',
    { ...own(book), taskId: task.id, agentId: task.agent.id, tips },
    `tip of ${task.id}`,
    () => {
      const given = sum(tips.map((one) => one.cents))
      if (task.agent.wallet < given) return 'insufficient'
      task.agent.wallet -= given
      tipped.forEach((worker, i) => (worker.payable += cents + i))
      return
    },
  )
}

const goodwill: Action = (book, x, y, z) => {
  const task = pick(ended(book), x)
  const worker = pick(book.workers, y)!
  if (task === undefined) return
  const disputeId = book.world.id('dis')
  const cents = upTo(1000, z)
  return attempt(
    'goodwill',
    { ...own(book), disputeId, taskId: task.id, workerId: worker.id, amountCents: cents },
    `goodwill of ${task.id} for ${worker.id}`,
    () => {
      book.goodwill += cents
      worker.payable += cents
      return undefined
    },
  )
}

const appeal: Action = (book, x, y, z) => {
  const task = pick(ended(book), x)
  const worker = pick(book.workers, z)!
  if (task === undefined) return
  const disputeId = book.world.id('dis')
  const cents = upTo(2000, y)
  const owners = { taskId: task.id, agentId: task.agent.id, workerId: worker.id }
  return attempt(
    'appealDebit',
    { ...own(book), disputeId, ...owners, amountCents: cents },
    `appeal of ${task.id} by ${worker.id}`,
    () => {
      charge(task.agent, cents)
      book.goodwill -= cents
    },
  )
}

const requestPayout: Action = (book, x, y, z) => {
  const owner = pick(book.workers, x)!
  const cents = z % 6 === 0 ? owner.payable + 1 : upTo(Math.max(owner.payable, 1), y)
  const payout: Transit<Worker> = { id: book.world.id('pay'), owner, cents, held: 0 }
  return attempt('payoutRequested', ofPayout(book, payout), `request ${payout.id}`, () => {
    if (owner.payable < cents) return 'insufficient'
    owner.payable -= cents
    payout.held = cents
    book.payouts.push(payout)
    return
  })
}

/** Mostly one in transit; now and then one that has arrived or come back. */
const someTransit = <T extends { end?: unknown }>(list: T[], x: number, z: number) =>
  pick(z % 6 === 0 ? list : list.filter(({ end }) => end === undefined), x)

const endPayout: Action = (book, x, y, z) => {
  const payout = someTransit(book.payouts, x, z)
  if (payout === undefined) return
  const end = y % 3 > 0 ? 'paid' : 'returned'
  return attempt(
    end === 'paid' ? 'payoutPaid' : 'payoutFailed',
    ofPayout(book, payout),
    `${end} ${payout.id}`,
    () => {
      if (payout.end !== undefined) return 'insufficient'
      if (end === 'paid') book.cash -= payout.cents
      else payout.owner.payable += payout.cents
      Object.assign(payout, { held: 0, end })
      return
    },
  )
}

const reversePayout: Action = (book, x, y, z) => {
  const payout = pick(
    book.payouts.filter(({ end }) => end === 'paid'),
    x,
  )
  if (payout === undefined) return
  const balanceTransactionId = book.world.id('txn')
  const agent = pick(book.agents, z)!
  const cents = upTo(payout.cents, y)
  const to = (['worker', 'agent', 'losses'] as const)[z % 3]!
  return attempt(
    'payoutReversed',
    {
      ...ofPayout(book, payout),
      amountCents: cents,
      balanceTransactionId,
      ...(to === 'worker' ? {} : { to, agentId: agent.id }),
    },
    `bt ${balanceTransactionId}`,
    () => {
      book.cash += cents
      if (to === 'worker') payout.owner.payable += cents
      else if (to === 'agent') credit(agent, cents)
      else book.badDebt -= cents
      return undefined
    },
  )
}

const requestRefund: Action = (book, x, y, z) => {
  const owner = pick(book.agents, x)!
  const cents = z % 6 === 0 ? owner.wallet + 1 : upTo(Math.max(owner.wallet, 1), y)
  const transit: Transit<Agent> = { id: book.world.id('ref'), owner, cents, held: 0 }
  return attempt('refundRequested', ofRefund(book, transit), `request ${transit.id}`, () => {
    if (owner.wallet < cents) return 'insufficient'
    owner.wallet -= cents
    transit.held = cents
    book.refunds.push(transit)
    return
  })
}

const endRefund: Action = (book, x, y, z) => {
  const transit = someTransit(book.refunds, x, z)
  if (transit === undefined) return
  const end = y % 3 > 0 ? 'paid' : 'returned'
  return attempt(
    end === 'paid' ? 'refundPaid' : 'refundRejected',
    ofRefund(book, transit),
    `${end} ${transit.id}`,
    () => {
      if (transit.end !== undefined) return 'insufficient'
      if (end === 'paid') book.cash -= transit.cents
      else credit(transit.owner, transit.cents)
      Object.assign(transit, { held: 0, end })
      return
    },
  )
}

const failRefund: Action = (book, x) => {
  const transit = pick(
    book.refunds.filter(({ end }) => end === 'paid'),
    x,
  )
  return (
    transit &&
    attempt('refundFailed', ofRefund(book, transit), `failed ${transit.id}`, () => {
      book.cash += transit.cents
      credit(transit.owner, transit.cents)
    })
  )
}

const refundOutside: Action = (book, x, y) => {
  const agent = pick(book.agents, x)!
  const bt = { id: book.world.id('txn'), cents: upTo(1500, y) }
  return attempt('refundOutside', { ...ofBt(book, bt), agentId: agent.id }, `bt ${bt.id}`, () => {
    book.cash -= bt.cents
    charge(agent, bt.cents)
  })
}

const chargeback: Action = (book, x, y, z) => {
  const agent = pick(book.agents, x)!
  const bt = { id: book.world.id('txn'), cents: upTo(4000, y) }
  const feeCents = z % 4 === 0 ? 0 : 1500
  return attempt(
    'chargeback',
    { ...ofBt(book, bt), agentId: agent.id, feeCents },
    `bt ${bt.id}`,
    () => {
      book.cash -= bt.cents + feeCents
      book.disputeFees += feeCents
      charge(agent, bt.cents)
      book.chargebacks.push({ agent, cents: bt.cents })
    },
  )
}

const winChargeback: Action = (book, x) => {
  const lost = pick(book.chargebacks, x)
  if (lost === undefined) return
  const bt = { id: book.world.id('txn'), cents: lost.cents }
  return attempt(
    'chargebackWon',
    { ...ofBt(book, bt), agentId: lost.agent.id },
    `bt ${bt.id}`,
    () => {
      book.cash += lost.cents
      credit(lost.agent, lost.cents)
      book.chargebacks.splice(book.chargebacks.indexOf(lost), 1)
    },
  )
}

const writeOff: Action = (book, x, y, z) => {
  const agent = pick(
    book.agents.filter(({ debt }) => debt > 0),
    x,
  )
  if (agent === undefined) return
  const writeOffId = book.world.id('off')
  const cents = z % 5 === 0 ? agent.debt + 1 : upTo(agent.debt, y)
  return attempt(
    'writeOff',
    { ...own(book), writeOffId, agentId: agent.id, amountCents: cents },
    `write-off ${writeOffId}`,
    () => {
      if (cents > agent.debt) return /agent_receivable_not_negative/
      agent.debt -= cents
      book.badDebt += cents
      return
    },
  )
}

const processorFee: Action = (book, x) => {
  const bt = { id: book.world.id('txn'), cents: upTo(200, x) }
  return attempt('processorFee', ofBt(book, bt), `fee of ${bt.id}`, () => {
    book.cash -= bt.cents
    book.fees += bt.cents
    return undefined
  })
}

const ownMoney: Action = (book, x, y) => {
  const movement = (
    ['processorCharge', 'processorRebate', 'operatorFunding', 'operatorWithdrawal'] as const
  )[x % 4]!
  const bt = { id: book.world.id('txn'), cents: upTo(2000, y) }
  return attempt(movement, ofBt(book, bt), `bt ${bt.id}`, () => {
    const isIn = movement === 'operatorFunding' || movement === 'processorRebate'
    book.cash += isIn ? bt.cents : -bt.cents
    if (movement === 'processorCharge') book.fees += bt.cents
    else if (movement === 'processorRebate') book.fees -= bt.cents
    else if (movement === 'operatorFunding') book.funding += bt.cents
    else book.withdrawals += bt.cents
    return undefined
  })
}

// Actions that must move no money.

const replay: Action = (book, x) => pick(book.world.history, x)

const otherAmount: Action = (book, x) => {
  const before = pick(book.world.history, x)
  if (before === undefined) return
  if (Array.isArray(before.of.tips)) {
    const [first, ...others] = before.of.tips
    const tips = [{ ...first, cents: first.cents + 1 }, ...others]
    return { ...before, of: { ...before.of, tips } }
  }
  const field = 'lockedCents' in before.of ? 'lockedCents' : 'amountCents'
  return { ...before, of: { ...before.of, [field]: Number(before.of[field]) + 1 } }
}

const otherMovement: Action = (book, x, y) => {
  const before = pick(
    book.world.history.filter(({ once }) => once.startsWith('bt ')),
    x,
  )
  if (before === undefined) return
  const bt = { id: String(before.of.balanceTransactionId), cents: upTo(2000, y) }
  return before.movement === 'operatorFunding'
    ? attempt('processorCharge', ofBt(book, bt), before.once, () => undefined)
    : attempt('operatorFunding', ofBt(book, bt), before.once, () => undefined)
}

const otherBook: Action = (book, x, y, z) => {
  const other = book === book.world.live ? book.world.test : book.world.live
  const payout = pick(
    book.payouts.filter(({ end }) => end === undefined),
    x,
  )
  const tries = [
    deposit(other, x, y, z),
    requestPayout(other, x, y, 1),
    payout && attempt('payoutPaid', ofPayout(book, payout), `paid ${payout.id}`, () => undefined),
  ].filter((one) => one !== undefined)
  const crossing = pick(tries, z)!
  const mode: Mode = crossing.of.mode === 'live' ? 'test' : 'live'
  return { ...crossing, of: { ...crossing.of, mode }, apply: () => /crosses books/ }
}

const stranger: Action = (book, x, y, z) => {
  const id = book.world.id('none')
  const unknown = z % 2 === 0 ? deposit(book, x, y, z) : requestRefund(book, x, y, z)
  return (
    unknown && {
      ...unknown,
      of: { ...unknown.of, agentId: id },
      apply: () => /names an unknown owner/,
    }
  )
}

const own = (book: Book) => ({ mode: book.mode, shard: book.world.shard })
const ofBt = (book: Book, { id, cents }: Receipt) => ({
  ...own(book),
  balanceTransactionId: id,
  amountCents: cents,
})
const ofTask = (book: Book, task: Task) => ({
  ...own(book),
  taskId: task.id,
  agentId: task.agent.id,
  lockedCents: task.locked,
  funding: task.funding,
})
const ofPayout = (book: Book, { id, owner, cents }: Transit<Worker>) => ({
  ...own(book),
  payoutId: id,
  workerId: owner.id,
  amountCents: cents,
})
const ofRefund = (book: Book, { id, owner, cents }: Transit<Agent>) => ({
  ...own(book),
  refundId: id,
  agentId: owner.id,
  amountCents: cents,
})

/** Each action and its relative frequency. */
export const ACTIONS: Record<string, [weight: number, action: Action]> = {
  deposit: [13, deposit],
  playMoney: [2, playMoney],
  unmatched: [3, unmatched],
  resolveStray: [3, resolveStray],
  lock: [10, lock('wallet')],
  lockFree: [4, lock('free')],
  approve: [9, approve],
  dispute: [3, dispute],
  cancelHeld: [3, cancelHeld],
  endAgain: [3, endAgain],
  overRelease: [1, overRelease],
  tip: [3, tip],
  goodwill: [2, goodwill],
  appeal: [2, appeal],
  requestPayout: [7, requestPayout],
  endPayout: [7, endPayout],
  reversePayout: [3, reversePayout],
  requestRefund: [4, requestRefund],
  endRefund: [4, endRefund],
  failRefund: [2, failRefund],
  refundOutside: [1, refundOutside],
  chargeback: [3, chargeback],
  winChargeback: [2, winChargeback],
  writeOff: [3, writeOff],
  processorFee: [2, processorFee],
  ownMoney: [4, ownMoney],
  replay: [8, replay],
  otherAmount: [4, otherAmount],
  otherMovement: [2, otherMovement],
  otherBook: [2, otherBook],
  stranger: [1, stranger],
}
