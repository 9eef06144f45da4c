/**
 * The steps between which money moves: what was done before one is written down, what comes after it may be cut off.
 * Tests end the process at each of them, in the hardest way, and see that nothing is lost or done twice.
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

/** The process has come to a step; where the setting says so, it dies there. */
export function reached(config: Pick<Config, 'CRASH_AT'>, step: Step): void {
  if (config.CRASH_AT === step) process.kill(process.pid, 'SIGKILL')
}
