import type { Text } from '../text/use-text.tsx'
import type { PayoutAccount } from './queries.ts'

/** A day without a time, so it must not move to another one in the phone's time zone. */
const DAY: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
}

/** When the next payout leaves, and to which bank account. Empty while that isn't known. */
export function nextPayoutWords(
  { next_payout_on, bank_last4 }: Pick<PayoutAccount, 'next_payout_on' | 'bank_last4'>,
  text: Text,
): string {
  if (next_payout_on === null) return ''
  const when = text.date(next_payout_on, DAY)
  return bank_last4 === null
    ? text('payout.next', { when })
    : text('payout.nextTo', { when, bank: `••${bank_last4}` })
}
