/**
 * Previews how a decision moves money: pure rules. They mirror settlement.ts on the server, whose result is
 * authoritative.
 */
import { COMMISSION_BASIS_POINTS } from '../../shared/commission.ts'
import { money, plural } from '../../shared/desk/figures.ts'
import type { TaskDetail } from '../queries.ts'

const NOT_POSSIBLE_PERCENT = 50
const COMPENSATION_PERCENT = 30
const COMPENSATION_LEAST_CENTS = 100

type Work = Pick<
  TaskDetail,
  'escrow_cents' | 'consensus_count' | 'consensus_max' | 'assignments' | 'funding'
>

export interface Effect {
  gross: number
  fee: number
  workers: number
  net: number
  back: number
}

const slotsOf = ({ consensus_count, consensus_max }: Work) => consensus_max ?? consensus_count

export function effectOfApproval(task: Work): Effect {
  const standing = task.assignments.filter(({ status }) => status === 'submitted')
  const earned = standing.reduce(
    (sum, { outcome }) => sum + (outcome === 'not_possible' ? NOT_POSSIBLE_PERCENT : 100),
    0,
  )
  const gross = Math.floor((task.escrow_cents * earned) / (100 * slotsOf(task)))
  const fee = Math.floor((gross * COMMISSION_BASIS_POINTS) / 10_000)
  return { gross, fee, workers: standing.length, net: gross - fee, back: task.escrow_cents - gross }
}

/** `$5.00 → worker $4.10 + fee $0.90`. */
export function approvalSays(task: Work): string {
  const { gross, fee, workers, net, back } = effectOfApproval(task)
  const who = workers === 1 ? 'worker' : plural(workers, 'worker')
  const rest = back > 0 ? `, ${money(back)} → back to ${purseOf(task)}` : ''
  return `${money(gross)} → ${who} ${money(net)} + fee ${money(fee)}${rest}`
}

export const disputeSays = (task: Work): string =>
  `${money(task.escrow_cents)} → back to ${purseOf(task)}. The worker gets nothing.`

const purseOf = ({ funding }: Work) => (funding === 'free' ? 'Legwork (free task)' : 'your wallet')

/** Workers who have already accepted get a compensation. */
export function cancellationSays(task: Work): string {
  const holders = task.assignments.filter(({ status }) => status === 'accepted').length
  const share = Math.floor(task.escrow_cents / slotsOf(task))
  const each = Math.max(
    Math.floor((share * COMPENSATION_PERCENT) / 100),
    Math.min(COMPENSATION_LEAST_CENTS, share),
  )
  if (holders === 0) return `${money(task.escrow_cents)} → back to ${purseOf(task)}`
  const paid = each * holders
  return (
    `${money(paid)} → ${plural(holders, 'worker')} already working on it, ` +
    `${money(task.escrow_cents - paid)} → back to ${purseOf(task)}`
  )
}
