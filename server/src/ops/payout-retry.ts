/** Retry a failed or reversed payout. */
import { retryPayout } from '../payouts/retry.ts'
import { command, named } from './command.ts'

export const payoutRetry = command({
  name: 'payout retry',
  takes: 'PAYOUT',
  does: 'retry a failed or reversed payout',
  right: 'pay',
  async run(background, { words: [payoutId] }) {
    const { id, amount_cents, status } = await retryPayout(background, {
      payoutId: named(payoutId, 'a payout'),
    })
    return { data: { id, amount_cents, status } }
  },
})
