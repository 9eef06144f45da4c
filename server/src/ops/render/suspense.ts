import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { suspense } from '../suspense.ts'

export function renderSuspense(resolved: DataOf<typeof suspense>): string[] {
  switch (resolved.verdict) {
    case 'to': {
      const { agent_id, amount_cents } = resolved
      return [
        `${formatCents(amount_cents)} was credited to the wallet of ${agent_id}, or to its debt`,
      ]
    }
    case 'ours': {
      const { amount_cents } = resolved
      return [
        `${formatCents(amount_cents)} ${amount_cents > 0 ? 'is our own' : 'was our own expense'}`,
      ]
    }
    case 'back': {
      const { sent } = resolved
      if (sent.outcome === 'sent') return [`${formatCents(sent.amountCents)} is on its way back`]
      if (sent.outcome === 'refused') return [`The processor rejected it: ${sent.message}`]
      return [
        `The outcome is unknown (${sent.cause}): run the same command again; it takes effect only once`,
      ]
    }
  }
}
