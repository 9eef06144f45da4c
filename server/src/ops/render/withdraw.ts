import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { withdraw } from '../withdraw.ts'

export const renderWithdraw = ({ id, amount_cents }: DataOf<typeof withdraw>): string[] => [
  `${id}: ${formatCents(amount_cents)} will be sent to our bank`,
]
