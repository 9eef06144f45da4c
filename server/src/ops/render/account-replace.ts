import type { accountReplace } from '../account-replace.ts'
import type { DataOf } from '../command.ts'

export const renderAccountReplace = ({ worker_id }: DataOf<typeof accountReplace>): string[] => [
  `${worker_id} can open another payout account; waiting payouts are sent there`,
]
