/** Reverse a payout, fully or in part. */
import { reversePayout } from '../payouts/reverse.ts'
import { centsOf, command, named } from './command.ts'

export const payoutReverse = command({
  name: 'payout reverse',
  takes: 'PAYOUT [CENTS]',
  does: 'reverse a payout, fully or partly',
  right: 'pay',
  async run(background, { words: [payoutId, cents], operator }) {
    const data = await reversePayout(background, {
      payoutId: named(payoutId, 'a payout'),
      amountCents: cents === undefined ? undefined : centsOf(cents),
      requestedBy: operator,
    })
    return { data, isBad: data.outcome !== 'reversed' }
  },
})
