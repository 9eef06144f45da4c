/**
 * Pure rules for what an approval pays, and what workers get if their task is canceled. The ledger must post the same
 * amounts (`escrowRelease`, `cancelCompensation` in ledger/movements.ts).
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { commissionCents, splitByWeight } from '../kit/money.ts'
import { named } from '../kit/named.ts'

export const Settlement = named(
  'Settlement',
  z.object({
    gross_cents: z.int().describe('The price of the work, before the commission'),
    commission_cents: z.int(),
    refunded_cents: z.int().describe('The part that nobody worked for'),
    workers: z
      .array(z.object({ worker_id: z.string(), net_cents: z.int() }))
      .describe('In the order of their proofs'),
  }),
)
export type Settlement = z.output<typeof Settlement>

export type Outcome = 'done' | 'not_possible'

/** The percentage of a full share that is paid for a proof that the task is not possible. */
export const NOT_POSSIBLE_PERCENT = 50

const COMPENSATION_PERCENT = 30
const COMPENSATION_LEAST_CENTS = 100

export const percentOf = (outcome: Outcome, notPossiblePercent = NOT_POSSIBLE_PERCENT) =>
  outcome === 'done' ? 100 : notPossiblePercent

/**
 * Splits the budget equally among `slots`. Each worker earns one share, in full or in part, and unearned money is
 * refunded. The commission is deducted once from the total; leftover cents go to the workers who proved first.
 */
export function settle({
  lockedCents,
  slots,
  workers,
  commissionBasisPoints,
  notPossiblePercent = NOT_POSSIBLE_PERCENT,
}: {
  lockedCents: number
  /** The task's own rate. */
  commissionBasisPoints: number
  /** The number of workers that the budget covers: `sharesOf` (draft.ts). */
  slots: number
  /** In the order of their proofs. */
  workers: { workerId: string; outcome: Outcome }[]
  notPossiblePercent?: number
}): Settlement {
  assert(workers.length <= slots, 'there are more workers than the budget covers')
  const percents = workers.map(({ outcome }) => percentOf(outcome, notPossiblePercent))
  const earned = percents.reduce((sum, percent) => sum + percent, 0)
  const gross_cents = Math.floor((lockedCents * earned) / (100 * slots))
  const commission_cents = commissionCents(gross_cents, commissionBasisPoints)
  const nets = earned === 0 ? percents : splitByWeight(gross_cents - commission_cents, percents)
  return {
    gross_cents,
    commission_cents,
    refunded_cents: lockedCents - gross_cents,
    workers: workers.map(({ workerId }, i) => ({ worker_id: workerId, net_cents: nets[i]! })),
  }
}

/** Adds a settlement to earlier payments of the task, which exist if the dispute of a single proof was reversed. */
export const paidInAll = (settlement: Settlement, before: Settlement | null): Settlement =>
  before === null
    ? settlement
    : {
        gross_cents: before.gross_cents + settlement.gross_cents,
        commission_cents: before.commission_cents + settlement.commission_cents,
        refunded_cents: settlement.refunded_cents - before.gross_cents,
        workers: [...before.workers, ...settlement.workers],
      }

/** The pay for a worker who held a canceled task: 30% of the share; at least $1, or the whole share if that is less. */
export function cancelCompensationCents(
  shareCents: number,
  percent = COMPENSATION_PERCENT,
): number {
  assert(Number.isSafeInteger(shareCents) && shareCents >= 0)
  return Math.max(
    Math.floor((shareCents * percent) / 100),
    Math.min(COMPENSATION_LEAST_CENTS, shareCents),
  )
}
