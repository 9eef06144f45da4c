/**
 * Send a failed or reversed payout again.
 *
 *   called by   an operator with the right `pay`
 *   moves       a payout: a new one replaces it
 *   money       payable → in transit, unless the payout has to wait
 *   event       payout.send (ours)
 */
import { z } from 'zod'
import { payoutNotInState } from '../../payouts/errors.ts'
import { retryPayout as retry } from '../../payouts/retry.ts'
import { decision } from '../decision.ts'
import { effectOfSending, readPayout } from './payouts.ts'

export const retryPayout = decision({
  kind: 'payout.retry',
  right: 'pay',
  title: 'Retry a payout',
  input: z.object({}),

  async preview({ db }, { subject }) {
    const payout = await readPayout(db.shards, subject)
    if (payout.status !== 'failed' && payout.status !== 'reversed')
      throw payoutNotInState({ status: payout.status })
    return effectOfSending(db.shards, payout)
  },

  async carryOut(background, { subject }) {
    const { id, amount_cents, status } = await retry(background, { payoutId: subject })
    return { id, amount_cents, status }
  },

  findDone: ({ db }, { subject, since }) =>
    db.shards
      .at(subject)
      .reader.selectFrom('payouts')
      .select(['id', 'amount_cents', 'status'])
      .where('previous_id', '=', subject)
      .where('created_at', '>=', since)
      .executeTakeFirst(),
})
