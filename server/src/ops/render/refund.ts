import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { refund } from '../refund.ts'

export const renderRefund = ({ refunds }: DataOf<typeof refund>): string[] =>
  refunds.map(
    ({ id, amount_cents, deposit_id }) =>
      `${id}: ${formatCents(amount_cents)} of ${deposit_id} will be refunded`,
  )
