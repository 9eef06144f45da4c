/** Reverse a payout, fully or in part. */
import { reversePayout } from '../decisions/kinds/reverse-payout.ts'
import { centsOf, command, named } from './command.ts'
import { decideNow, reasonOr } from './decide.ts'

export const payoutReverse = command({
  name: 'payout reverse',
  takes: 'PAYOUT [CENTS] [REASON]',
  does: 'reverse a payout, fully or partly; the worker sees the reason',
  right: 'pay',
  async run(background, { words: [payoutId, cents, ...reason], by }) {
    const data = await decideNow(background, reversePayout, {
      subject: named(payoutId, 'a payout'),
      input: cents === undefined ? {} : { amount_cents: centsOf(cents) },
      reason: reasonOr(reason),
      by,
    })
    return { data, isBad: data.outcome !== 'reversed' }
  },
})
