/** Refund an agent's unspent money to its cards. */
import { refundAgent } from '../wallet/request-refund.ts'
import { centsOf, command, named, sentenceOf } from './command.ts'

export const refund = command({
  name: 'refund',
  takes: 'AGENT CENTS REASON',
  does: 'refund an agent’s unspent money to its cards',
  right: 'pay',
  async run(background, { words: [agentId, cents, ...reason], operator }) {
    const refunds = await refundAgent(background, {
      agentId: named(agentId, 'an agent'),
      amountCents: centsOf(cents),
      requestedBy: operator,
      reason: sentenceOf(reason, 'a reason'),
    })
    return {
      data: {
        refunds: refunds.map(({ id, amount_cents, deposit_id }) => ({
          id,
          amount_cents,
          deposit_id,
        })),
      },
    }
  },
})
