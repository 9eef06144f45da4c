/** Refund an agent's unspent money to its cards. */
import { refundDeposits } from '../decisions/kinds/refund-deposits.ts'
import { centsOf, command, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const refund = command({
  name: 'refund',
  takes: 'AGENT CENTS REASON',
  does: 'refund an agent’s unspent money to its cards',
  right: 'pay',
  async run(background, { words: [agentId, cents, ...reason], by }) {
    const data = await decideNow(background, refundDeposits, {
      subject: named(agentId, 'an agent'),
      input: { amount_cents: centsOf(cents) },
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})
