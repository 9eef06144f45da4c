import { formatCents } from '../../kit/money.ts'
import { plain } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { decisions } from '../decisions.ts'

export const renderDecisions = ({ decisions: waiting }: DataOf<typeof decisions>): string[] =>
  waiting.length === 0
    ? ['No decision waits for a second operator']
    : waiting.flatMap(({ id, kind, subject, amount_cents, reason, proposed_by, expires_at }) => [
        `${id}  ${kind} ${subject}${amount_cents === null ? '' : `, ${formatCents(amount_cents)}`}`,
        `    ${plain(proposed_by)}: ${plain(reason)}`,
        `    lapses ${expires_at.toISOString()}: ops agree ${id} | ops decline ${id} REASON`,
      ])
