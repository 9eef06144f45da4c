/**
 * Every way in which money moves, one pure function each. They return what to post; `postEntry` posts it.
 *
 * The key makes a movement unique. All movements that can end a task's escrow share `task:<id>:settle`, so the database
 * allows exactly one of them.
 */
import assert from 'node:assert/strict'
import { commissionCents, splitByWeight } from '../kit/money.ts'
import type { Account, Side } from './accounts.ts'

export interface Line {
  debit: Side
  credit: Side
  amountCents: number
  agentId?: string
  workerId?: string
  taskId?: string
  refId?: string
}

export interface Entry {
  key: string
  mode: 'live' | 'test'
  kind: Kind
  /** The logical shard whose platform accounts (commission, promo …) the lines belong to. */
  shard: number
  lines: Line[]
}

export const KINDS = [
  'deposit',
  'processor_fee',
  'unmatched_receipt',
  'unmatched_payment',
  'suspense_to_agent',
  'suspense_refund',
  'suspense_to_operator',
  'suspense_to_payout',
  'escrow_lock',
  'free_task_lock',
  'escrow_release',
  'escrow_refund',
  'free_task_return',
  'cancel_compensation',
  'tip',
  'goodwill',
  'appeal_debit',
  'payout_requested',
  'payout_paid',
  'payout_failed',
  'payout_reversed',
  'refund_requested',
  'refund',
  'refund_rejected',
  'refund_failed',
  'refund_outside',
  'chargeback',
  'chargeback_reversal',
  'bad_debt',
  'processor_charge',
  'processor_rebate',
  'operator_funding',
  'operator_withdrawal',
] as const
export type Kind = (typeof KINDS)[number]

interface Book {
  mode: 'live' | 'test'
  shard: number
}
interface Amount {
  amountCents: number
}

// Deposits.

/** The processor reports that a deposit was paid. */
export const deposit = (of: Book & Amount & { depositId: string; agentId: string }) =>
  entry(of, `deposit:${of.depositId}:settled`, 'deposit', [
    line('asset:processor_balance', 'agent', of.amountCents, {
      agentId: of.agentId,
      refId: of.depositId,
    }),
  ])

/** The processor's fee for a charge; known later than the charge itself. */
export const processorFee = (of: Book & Amount & { balanceTransactionId: string }) =>
  entry(of, `bt:${of.balanceTransactionId}:fee`, 'processor_fee', [
    line('exp:processor_fees', 'asset:processor_balance', of.amountCents, {
      refId: of.balanceTransactionId,
    }),
  ])

/** Money arrived that matches no deposit, or not its amount: it stays in suspense until an operator resolves it. */
export const unmatchedReceipt = (of: Book & Amount & { balanceTransactionId: string }) =>
  entry(of, `bt:${of.balanceTransactionId}`, 'unmatched_receipt', [
    line('asset:processor_balance', 'liab:suspense', of.amountCents, {
      refId: of.balanceTransactionId,
    }),
  ])

/** Money left for no known reason: suspense goes negative by that amount until an operator resolves it. */
export const unmatchedPayment = (of: Book & Amount & { balanceTransactionId: string }) =>
  entry(of, `bt:${of.balanceTransactionId}`, 'unmatched_payment', [
    line('liab:suspense', 'asset:processor_balance', of.amountCents, {
      refId: of.balanceTransactionId,
    }),
  ])

/** One key for all resolutions, as with escrow: the suspense account has no guard of its own. */
const suspenseKey = (balanceTransactionId: string) => `suspense:${balanceTransactionId}:resolved`
const returnedKey = (balanceTransactionId: string) => `suspense:${balanceTransactionId}:returned`

/** Resolved by an operator: the money belongs to this agent. */
export const suspenseToAgent = (
  of: Book & Amount & { balanceTransactionId: string; agentId: string },
) =>
  entry(of, suspenseKey(of.balanceTransactionId), 'suspense_to_agent', [
    line('liab:suspense', 'agent', of.amountCents, {
      agentId: of.agentId,
      refId: of.balanceTransactionId,
    }),
  ])

/** Resolved by an operator: the money is refunded to its sender. */
export const suspenseRefund = (of: Book & Amount & { balanceTransactionId: string }) =>
  entry(of, suspenseKey(of.balanceTransactionId), 'suspense_refund', [
    line('liab:suspense', 'asset:processor_balance', of.amountCents, {
      refId: of.balanceTransactionId,
    }),
  ])

/** Resolved by an operator: money received is the operator's own, or money that left was the operator's to pay. */
export const suspenseToOperator = (
  of: Book & Amount & { balanceTransactionId: string; isReceipt: boolean },
) =>
  entry(of, suspenseKey(of.balanceTransactionId), 'suspense_to_operator', [
    of.isReceipt
      ? line('liab:suspense', 'eq:operator_funding', of.amountCents, {
          refId: of.balanceTransactionId,
        })
      : line('eq:operator_withdrawals', 'liab:suspense', of.amountCents, {
          refId: of.balanceTransactionId,
        }),
  ])

/**
 * Money that left was a payout that a restore had lost, and that payout is now booked as paid: the movement is booked
 * once. If an operator had accepted it as the operator's to pay, the operator gets it back.
 */
export const suspenseToPayout = (
  of: Book & Amount & { balanceTransactionId: string; isOperators: boolean },
) =>
  entry(
    of,
    of.isOperators ? returnedKey(of.balanceTransactionId) : suspenseKey(of.balanceTransactionId),
    'suspense_to_payout',
    [
      line(
        'asset:processor_balance',
        of.isOperators ? 'eq:operator_withdrawals' : 'liab:suspense',
        of.amountCents,
        { refId: of.balanceTransactionId },
      ),
    ],
  )

// Tasks.

interface TaskMoney extends Book {
  taskId: string
  agentId: string
  /** The locked amount, which is what leaves the escrow. */
  lockedCents: number
  funding: 'wallet' | 'free'
}

const lockKey = (taskId: string) => `task:${taskId}:lock`
const settleKey = (taskId: string) => `task:${taskId}:settle`

/** All keys of a task's movements lie in this range, for reading them back. */
export const taskKeys = (taskId: string) => ({ from: `task:${taskId}:`, before: `task:${taskId};` })

/** A task is created: its budget moves into escrow, from the wallet or, for a free task, from the promotional fund. */
export const escrowLock = (of: TaskMoney) =>
  of.funding === 'wallet'
    ? entry(of, lockKey(of.taskId), 'escrow_lock', [
        line('liab:agent_wallet', 'liab:escrow', of.lockedCents, owners(of)),
      ])
    : entry(of, lockKey(of.taskId), 'free_task_lock', [
        line('exp:promo', 'liab:escrow', of.lockedCents, owners(of)),
      ])

/**
 * A task is approved: the commission is taken once, rounded down. The rest is split among the workers, in the order of
 * their proofs, by the percentage of a full share that each has earned. The part of the budget that was not worked for
 * goes back to its source.
 */
export function escrowRelease(
  of: TaskMoney & {
    workerIds: string[]
    percents?: number[]
    grossCents: number
    /** The task's own rate. */
    commissionBasisPoints: number
  },
) {
  const commission = commissionCents(of.grossCents, of.commissionBasisPoints)
  const percents = of.percents ?? of.workerIds.map(() => 100)
  assert.equal(percents.length, of.workerIds.length)
  const isEarned = percents.some((percent) => percent > 0)
  const nets = isEarned ? splitByWeight(of.grossCents - commission, percents) : percents
  return entry(of, settleKey(of.taskId), 'escrow_release', [
    ...of.workerIds.map((workerId, i) =>
      line('liab:escrow', 'liab:worker_payable', nets[i]!, { ...owners(of), workerId }),
    ),
    line('liab:escrow', 'rev:commission', commission, owners(of)),
    line('liab:escrow', backTo(of), of.lockedCents - of.grossCents, owners(of)),
  ])
}

/** A task is disputed, expires or is canceled: the whole budget goes back to its source. */
export const escrowRefund = (of: TaskMoney) =>
  entry(of, settleKey(of.taskId), of.funding === 'wallet' ? 'escrow_refund' : 'free_task_return', [
    line('liab:escrow', backTo(of), of.lockedCents, owners(of)),
  ])

/**
 * A task ends without a verdict while workers are on it: each gets compensation, of which the marketplace keeps
 * nothing. For a proof that is paid in full, it keeps the commission of an approval. The rest goes back to its source.
 */
export function cancelCompensation(
  of: TaskMoney & { holders: { workerId: string; cents: number }[]; commissionCents?: number },
) {
  const { commissionCents: commission = 0 } = of
  const given = of.holders.reduce((sum, { cents }) => sum + cents, commission)
  assert(given <= of.lockedCents)
  return entry(of, settleKey(of.taskId), 'cancel_compensation', [
    ...of.holders.map(({ workerId, cents }) =>
      line('liab:escrow', 'liab:worker_payable', cents, { ...owners(of), workerId }),
    ),
    line('liab:escrow', 'rev:commission', commission, owners(of)),
    line('liab:escrow', backTo(of), of.lockedCents - given, owners(of)),
  ])
}

const backTo = (of: TaskMoney): Side => (of.funding === 'wallet' ? 'agent' : 'exp:promo')
const owners = (of: TaskMoney) => ({ agentId: of.agentId, taskId: of.taskId })

/**
 * An agent tips an approved task; the marketplace keeps nothing of it. The whole tip leaves the wallet in one line,
 * through the task's escrow: the wallet may be short of money, and only the first line of an entry may fail for that
 * reason.
 */
export function tip(
  of: Book & { taskId: string; agentId: string; tips: { workerId: string; cents: number }[] },
) {
  const task = { agentId: of.agentId, taskId: of.taskId }
  const given = of.tips.reduce((sum, { cents }) => sum + cents, 0)
  return entry(of, `task:${of.taskId}:tip`, 'tip', [
    line('liab:agent_wallet', 'liab:escrow', given, task),
    ...of.tips.map(({ workerId, cents }) =>
      line('liab:escrow', 'liab:worker_payable', cents, { ...task, workerId }),
    ),
  ])
}

/** A dispute is withdrawn, or a worker wins an appeal against it: paid from the protection fund, once per task. */
export const goodwill = (
  of: Book & Amount & { disputeId: string; workerId: string; taskId: string },
) =>
  entry(of, `task:${of.taskId}:goodwill:${of.workerId}`, 'goodwill', [
    line('exp:goodwill', 'liab:worker_payable', of.amountCents, {
      workerId: of.workerId,
      taskId: of.taskId,
      refId: of.disputeId,
    }),
  ])

/** The agent then pays the fund what an approval would have cost, or owes it. */
export const appealDebit = (
  of: Book & Amount & { disputeId: string; agentId: string; workerId: string; taskId: string },
) =>
  entry(of, `task:${of.taskId}:appeal:${of.workerId}`, 'appeal_debit', [
    line('agent', 'exp:goodwill', of.amountCents, {
      agentId: of.agentId,
      workerId: of.workerId,
      taskId: of.taskId,
      refId: of.disputeId,
    }),
  ])

// Payouts: a worker's earnings leave through the processor.

type PayoutMoney = Book & Amount & { payoutId: string; workerId: string }
const payoutOwners = (of: PayoutMoney) => ({ workerId: of.workerId, refId: of.payoutId })

export const payoutRequested = (of: PayoutMoney) =>
  entry(of, `payout:${of.payoutId}:requested`, 'payout_requested', [
    line('liab:worker_payable', 'liab:payout_in_transit', of.amountCents, payoutOwners(of)),
  ])

/** The transfer exists at the processor. */
export const payoutPaid = (of: PayoutMoney) =>
  entry(of, `payout:${of.payoutId}:paid`, 'payout_paid', [
    line('liab:payout_in_transit', 'asset:processor_balance', of.amountCents, payoutOwners(of)),
  ])

/** The processor has refused permanently; an unknown outcome stays in transit. */
export const payoutFailed = (of: PayoutMoney) =>
  entry(of, `payout:${of.payoutId}:failed`, 'payout_failed', [
    line('liab:payout_in_transit', 'liab:worker_payable', of.amountCents, payoutOwners(of)),
  ])

/** A transfer was reversed, fully or partly: to the worker or, after fraud, to the defrauded agent or our losses. */
export const payoutReversed = (
  of: PayoutMoney & {
    balanceTransactionId: string
    to?: 'worker' | 'agent' | 'losses'
    agentId?: string
  },
) =>
  entry(of, `bt:${of.balanceTransactionId}`, 'payout_reversed', [
    line(
      'asset:processor_balance',
      { worker: 'liab:worker_payable', agent: 'agent', losses: 'exp:bad_debt' }[
        of.to ?? 'worker'
      ] as Side,
      of.amountCents,
      { ...payoutOwners(of), ...(of.agentId === undefined ? {} : { agentId: of.agentId }) },
    ),
  ])

// Refunds of deposits.

type RefundMoney = Book & Amount & { refundId: string; agentId: string }
const refundOwners = (of: RefundMoney) => ({ agentId: of.agentId, refId: of.refundId })

export const refundRequested = (of: RefundMoney) =>
  entry(of, `refund:${of.refundId}:requested`, 'refund_requested', [
    line('liab:agent_wallet', 'liab:refund_in_transit', of.amountCents, refundOwners(of)),
  ])

export const refundPaid = (of: RefundMoney) =>
  entry(of, `refund:${of.refundId}:paid`, 'refund', [
    line('liab:refund_in_transit', 'asset:processor_balance', of.amountCents, refundOwners(of)),
  ])

export const refundRejected = (of: RefundMoney) =>
  entry(of, `refund:${of.refundId}:rejected`, 'refund_rejected', [
    line('liab:refund_in_transit', 'agent', of.amountCents, refundOwners(of)),
  ])

/** An accepted refund fails days later: the money is back with us. */
export const refundFailed = (of: RefundMoney) =>
  entry(of, `refund:${of.refundId}:failed`, 'refund_failed', [
    line('asset:processor_balance', 'agent', of.amountCents, refundOwners(of)),
  ])

/** A refund made manually in the processor's own dashboard. */
export const refundOutside = (
  of: Book & Amount & { balanceTransactionId: string; agentId: string },
) =>
  entry(of, `bt:${of.balanceTransactionId}`, 'refund_outside', [
    line('agent', 'asset:processor_balance', of.amountCents, {
      agentId: of.agentId,
      refId: of.balanceTransactionId,
    }),
  ])

// Chargebacks.

type ChargebackMoney = Book & Amount & { balanceTransactionId: string; agentId: string }

/** A card payment was charged back: the agent owes what the wallet can't cover. We pay the processor's fee. */
export const chargeback = (of: ChargebackMoney & { feeCents: number }) =>
  entry(of, `bt:${of.balanceTransactionId}`, 'chargeback', [
    line('agent', 'asset:processor_balance', of.amountCents, {
      agentId: of.agentId,
      refId: of.balanceTransactionId,
    }),
    disputeFee(of),
  ])

/** The chargeback was decided in our favor and the money is back, possibly with the processor's dispute fee. */
export const chargebackWon = (of: ChargebackMoney & { feeCents?: number }) =>
  entry(of, `bt:${of.balanceTransactionId}`, 'chargeback_reversal', [
    line('asset:processor_balance', 'agent', of.amountCents, {
      agentId: of.agentId,
      refId: of.balanceTransactionId,
    }),
    disputeFee({ feeCents: 0, ...of }),
  ])

/** Negative if the processor returns a fee. */
const disputeFee = (of: { feeCents: number; balanceTransactionId: string }) =>
  of.feeCents < 0
    ? line('asset:processor_balance', 'exp:dispute_fees', -of.feeCents, {
        refId: of.balanceTransactionId,
      })
    : line('exp:dispute_fees', 'asset:processor_balance', of.feeCents, {
        refId: of.balanceTransactionId,
      })

/** A debt that will not be paid. */
export const writeOff = (of: Book & Amount & { writeOffId: string; agentId: string }) =>
  entry(of, `writeoff:${of.writeOffId}`, 'bad_debt', [
    line('exp:bad_debt', 'asset:agent_receivable', of.amountCents, {
      agentId: of.agentId,
      refId: of.writeOffId,
    }),
  ])

// The operator's own money.

type OwnMoney = Book & Amount & { balanceTransactionId: string }
const own = (of: OwnMoney, kind: Kind, debit: Account, credit: Account) =>
  entry(of, `bt:${of.balanceTransactionId}`, kind, [
    line(debit, credit, of.amountCents, { refId: of.balanceTransactionId }),
  ])

/** The processor's monthly and per-account fees. */
export const processorCharge = (of: OwnMoney) =>
  own(of, 'processor_charge', 'exp:processor_fees', 'asset:processor_balance')
/** The processor returns such fees, or its fee for one transaction. */
export const processorRebate = (of: OwnMoney & { isFee?: boolean }) =>
  entry(of, `bt:${of.balanceTransactionId}${of.isFee ? ':fee' : ''}`, 'processor_rebate', [
    line('asset:processor_balance', 'exp:processor_fees', of.amountCents, {
      refId: of.balanceTransactionId,
    }),
  ])
export const operatorFunding = (of: OwnMoney) =>
  own(of, 'operator_funding', 'asset:processor_balance', 'eq:operator_funding')
export const operatorWithdrawal = (of: OwnMoney) =>
  own(of, 'operator_withdrawal', 'eq:operator_withdrawals', 'asset:processor_balance')

/** A new agent's play money: a deposit in the test ledger that nobody paid. */
export const playMoney = (of: { shard: number; agentId: string } & Amount) =>
  deposit({ ...of, mode: 'test', depositId: `play_money_${of.agentId}` })

/** What a line of the processor's own list is about, as far as known. */
interface ProcessorLine {
  balanceTransactionId: string
  depositId?: string | undefined
  payoutId?: string | undefined
  refundId?: string | undefined
  /** An accepted refund that failed later. */
  failedRefundId?: string | undefined
  /** The line whose money was in suspense and is returned by this one. */
  suspenseId?: string | undefined
}

/** The keys under which our ledger may record that line; together they must match it to the cent. */
export function processorKeys(of: ProcessorLine): string[] {
  const { balanceTransactionId, depositId, payoutId, refundId, failedRefundId, suspenseId } = of
  return [
    `bt:${balanceTransactionId}`,
    `bt:${balanceTransactionId}:fee`,
    ...(depositId === undefined ? [] : [`deposit:${depositId}:settled`]),
    ...(payoutId === undefined ? [] : [`payout:${payoutId}:paid`]),
    ...(refundId === undefined ? [] : [`refund:${refundId}:paid`]),
    ...(failedRefundId === undefined ? [] : [`refund:${failedRefundId}:failed`]),
    ...(suspenseId === undefined ? [] : [suspenseKey(suspenseId), returnedKey(suspenseId)]),
  ]
}

function entry(book: Book, key: string, kind: Kind, lines: Line[]): Entry {
  return {
    key,
    mode: book.mode,
    kind,
    shard: book.shard,
    lines: lines.filter(({ amountCents }) => amountCents !== 0),
  }
}

function line(
  debit: Side,
  credit: Side,
  amountCents: number,
  of: Pick<Line, 'agentId' | 'workerId' | 'taskId' | 'refId'>,
): Line {
  return { debit, credit, amountCents, ...of }
}
