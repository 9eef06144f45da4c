/**
 * Crash points between money movements: everything before a step is recorded, everything after it may be lost. Tests
 * kill the process (SIGKILL) at each step and check that nothing is lost or done twice.
 */
import type { Config } from '../config.ts'

export const STEPS = [
  'deposit.recorded',
  'deposit.session_made',
  'deposit.opened',
  'notification.stored',
  'deposit.looked_at',
  'deposit.settled',
  'account.made',
  'payout.opened',
  'payout.requested',
  'payout.attempted',
  'payout.sent',
  'payout.recorded',
  'refund.requested',
  'refund.attempted',
  'refund.sent',
  'refund.recorded',
] as const
export type Step = (typeof STEPS)[number]

/** Between the commit on the agent's side, what the worker's side does in another database, and the record of that. */
export const CROSSING_STEPS = ['crossing.committed', 'crossing.applied'] as const

/** Marks that a step was reached; kills the process if `CRASH_AT` names it. */
export function reached(
  config: Pick<Config, 'CRASH_AT'>,
  step: Step | (typeof CROSSING_STEPS)[number],
): void {
  if (config.CRASH_AT === step) process.kill(process.pid, 'SIGKILL')
}
