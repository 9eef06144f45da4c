import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { suspense } from '../suspense.ts'

export function renderSuspense(resolved: DataOf<typeof suspense>): string[] {
  switch (resolved.verdict) {
    case 'to': {
      const { agent_id, amount_cents } = resolved
      return [`${formatCents(amount_cents)} are in the wallet of ${agent_id}, or off its debt`]
    }
    case 'ours': {
      const { amount_cents } = resolved
      return [
        `${formatCents(amount_cents)} ${amount_cents > 0 ? 'are our own' : 'were ours to pay'}`,
      ]
    }
    case 'back': {
      const { sent } = resolved
      if (sent.outcome === 'sent') return [`${formatCents(sent.amountCents)} are on their way back`]
      if (sent.outcome === 'refused') return [`The processor refuses: ${sent.message}`]
      return [`Nobody knows yet (${sent.cause}): run the same again, it is done once`]
    }
  }
}
