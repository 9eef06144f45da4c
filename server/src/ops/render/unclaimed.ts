import { formatCents } from '../../kit/money.ts'
import { counted } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { unclaimed } from '../unclaimed.ts'
import { day } from './text.ts'

export const renderUnclaimed = ({ accounts }: DataOf<typeof unclaimed>): string[] =>
  accounts.length === 0
    ? ['We owe no closed account anything.']
    : [
        `${counted(accounts.length, 'closed accounts')} to which we owe money. If an owner writes to us: ops worker ` +
          'reopen WORKER EMAIL REASON',
        ...accounts.map(
          ({ id, closed_at, payable_cents }) =>
            `${id}  ${formatCents(payable_cents)}  closed on ${day(closed_at!)}`,
        ),
      ]
