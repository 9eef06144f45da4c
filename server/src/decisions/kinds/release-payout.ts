/**
 * Release a held payout.
 *
 *   called by   an operator with the right `pay`
 *   moves       a payout: held → requested, or what its account allows
 *   money       none; payouts/send.ts sends it
 *   event       payout.send (ours)
 */
import { z } from 'zod'
import { decideHold } from '../../payouts/decide-hold.ts'
import { payoutNotFound } from '../../payouts/errors.ts'
import { decision } from '../decision.ts'

export const releasePayout = decision({
  kind: 'payout.release',
  right: 'pay',
  title: 'Release a held payout',
  input: z.object({}),

  async preview({ db }, { subject }) {
    const payout = await db.shards
      .at(subject)
      .reader.selectFrom('payouts')
      .select(['amount_cents', 'worker_id'])
      .where('id', '=', subject)
      .executeTakeFirst()
    if (payout === undefined) throw payoutNotFound()
    const { amount_cents, worker_id } = payout
    return {
      amount_cents,
      lines: [{ from: `worker ${worker_id}`, to: 'the worker’s bank account', amount_cents }],
      tells: [{ who: 'worker', id: worker_id, what: 'that the money is on its way: in the app' }],
      changes: ['The hold ends; the payout is sent within minutes'],
      undo: 'Reverse the payout once it was sent',
    }
  },

  async carryOut(background, { subject, reason, operator }) {
    const { id, amount_cents, status } = await decideHold(background, {
      payoutId: subject,
      verdict: 'let_go',
      note: `${operator}: ${reason}`,
    })
    return { id, amount_cents, status }
  },
})
