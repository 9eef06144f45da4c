/** Maps the processor's account state to our payout status. Pure rules. */
import type { Account } from '../processor/client-objects.ts'
import type { PayoutStatus } from '../workers/profile.ts'

const DAY_MS = 86_400_000
const FRIDAY = 5
const OFTEN_MS = 5 * 60_000

/** The status of an account that exists. */
export type AccountStatus = Exclude<PayoutStatus, 'not_connected'>

/** Only the transfers capability decides whether the account can receive money. */
export function statusOf(
  account: Pick<Account, 'transfers' | 'isClosed'>,
  { detailsSubmitted }: { detailsSubmitted: boolean },
): AccountStatus {
  if (account.isClosed) return 'closed'
  if (account.transfers === 'rejected') return 'rejected'
  if (account.transfers === 'active') return 'active'
  if (!detailsSubmitted) return 'onboarding'
  return account.transfers === 'pending' ? 'pending_verification' : 'restricted'
}

/** Whether the worker has onboarding questions left to answer. */
export function needsOnboarding(status: PayoutStatus, requirementsDue: readonly string[]): boolean {
  if (status === 'restricted') return requirementsDue.length > 0
  return status === 'not_connected' || status === 'onboarding'
}

/**
 * The day of the next payout from the processor to the bank, in UTC. Today's payout doesn't count: what is earned today
 * may miss it.
 */
export function nextBankPayout(now: Date): string {
  const days = (FRIDAY - now.getUTCDay() + 6) % 7
  return new Date(now.getTime() + (days + 1) * DAY_MS).toISOString().slice(0, 10)
}

/**
 * When to poll an account again in case no notification reaches us: often on its first day, while the worker waits to
 * be paid, then daily. A closed account is never polled, because it stays closed.
 */
export function nextAccountLook(
  status: AccountStatus,
  { createdAt, now }: { createdAt: Date; now: Date },
): Date | null {
  if (status === 'closed') return null
  const isFresh = now.getTime() - createdAt.getTime() < DAY_MS
  const isWaiting = status === 'onboarding' || status === 'pending_verification'
  return new Date(now.getTime() + (isFresh && isWaiting ? OFTEN_MS : DAY_MS))
}
