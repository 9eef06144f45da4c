/** Retry a failed or reversed payout. */
import { retryPayout } from '../decisions/kinds/retry-payout.ts'
import { command, named } from './command.ts'
import { decideNow, reasonOr } from './decide.ts'

export const payoutRetry = command({
  name: 'payout retry',
  takes: 'PAYOUT [REASON]',
  does: 'retry a failed or reversed payout',
  right: 'pay',
  async run(background, { words: [payoutId, ...reason], by }) {
    const data = await decideNow(background, retryPayout, {
      subject: named(payoutId, 'a payout'),
      input: {},
      reason: reasonOr(reason),
      by,
    })
    return { data }
  },
})
