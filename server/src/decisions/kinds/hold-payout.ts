/**
 * Hold a payout until an operator releases it.
 *
 *   called by   an operator with the right `pay`
 *   moves       a payout: held or awaiting_account → held
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { decideHold } from '../../payouts/decide-hold.ts'
import { payoutNotInState } from '../../payouts/errors.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { readPayout } from './payouts.ts'

export const holdPayout = decision({
  kind: 'payout.hold',
  right: 'pay',
  title: 'Hold a payout',
  input: z.object({}),

  async preview({ db }, { subject }) {
    const { status, account_id } = await readPayout(db.shards, subject)
    if (!['held', 'awaiting_account'].includes(status) || account_id !== null)
      throw payoutNotInState({ status })
    return {
      ...NO_EFFECT,
      changes: [
        'The payout waits until an operator releases it; the worker sees that it is being reviewed',
      ],
      undo: 'Release the payout',
    }
  },

  async carryOut(background, { subject, reason, operator }) {
    const { id, amount_cents, status } = await decideHold(background, {
      payoutId: subject,
      verdict: 'keep',
      note: `${operator}: ${reason}`,
    })
    return { id, amount_cents, status }
  },

  undo: ({ subject }) => ({ kind: 'payout.release', subject, input: {} }),
})
