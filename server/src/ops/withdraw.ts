/** Withdraw our own money to our bank. */
import { OWN_FUNDS, withdrawOwnFunds } from '../decisions/kinds/withdraw-own-funds.ts'
import { centsOf, command } from './command.ts'
import { decideNow, reasonOr } from './decide.ts'

export const withdraw = command({
  name: 'withdraw',
  takes: 'CENTS [REASON]',
  does: 'withdraw our own money to our bank',
  right: 'pay',
  async run(background, { words: [cents, ...reason], by }) {
    const data = await decideNow(background, withdrawOwnFunds, {
      subject: OWN_FUNDS,
      input: { amount_cents: centsOf(cents) },
      reason: reasonOr(reason),
      by,
    })
    return { data }
  },
})
