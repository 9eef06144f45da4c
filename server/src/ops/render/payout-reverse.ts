import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { payoutReverse } from '../payout-reverse.ts'

export function renderPayoutReverse(reversed: DataOf<typeof payoutReverse>): string[] {
  switch (reversed.outcome) {
    case 'reversed': {
      const { id, reversed_cents, amount_cents } = reversed.payout
      const sums = `${formatCents(reversed_cents)} of ${formatCents(amount_cents)}`
      return [`${id}: ${sums} reversed`]
    }
    case 'refused':
      return [`The processor rejected it: ${reversed.message}`]
    case 'unknown':
      return [
        `The outcome is unknown (${reversed.cause}): run the same command again; it takes effect ` +
          'only once',
      ]
  }
}
