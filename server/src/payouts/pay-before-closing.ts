/**
 * Send failed payouts again when their worker asks to close the account, because earned money is paid first. All other
 * payouts are sent automatically, whatever their amount; a hold is not shortened.
 *
 *   called by   the event worker.closing
 *   moves       a payout: a new one replaces the failed one; it is held, awaiting_account or requested
 *   money       payable → in transit, unless the payout has to wait
 *   event       payout.send (ours)
 */
import { job } from '../kit/job.ts'
import { Work } from '../webhooks/record-event.ts'
import { openAgain } from './open.ts'

/** Four days of retries. */
const ATTEMPTS_MAX = 25

export const payBeforeClosing = job({
  name: 'payouts.pay-before-closing',
  payload: Work,
  attemptsMax: ATTEMPTS_MAX,
  events: ['worker.closing'],

  async run({ db, config, clock, payload }) {
    const failed = await db.reader
      .selectFrom('payouts')
      .selectAll()
      .where('worker_id', '=', payload.data.id)
      .where('status', '=', 'failed')
      .orderBy('id')
      .execute()
    // Returns undefined for a payout that was retried before.
    for (const payout of failed)
      await db.transaction((tx) => openAgain(tx, payout, { config, now: clock.now() }))
  },
})
