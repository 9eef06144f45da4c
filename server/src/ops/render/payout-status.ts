/** Text of a payout that was retried or released. */
import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { payoutRetry } from '../payout-retry.ts'

export const renderPayoutStatus = ({
  id,
  amount_cents,
  status,
}: DataOf<typeof payoutRetry>): string[] => [`${id}: ${formatCents(amount_cents)}, ${status}`]
