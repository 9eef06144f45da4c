/**
 * Release a held payout.
 *
 *   called by   an operator with the right `pay`
 *   moves       a payout: held → requested, or what its account allows
 *   money       payable → in transit; payouts/send.ts sends it
 *   event       payout.send (ours)
 */
import { z } from 'zod'
import { decideHold } from '../../payouts/decide-hold.ts'
import { payoutNotInState } from '../../payouts/errors.ts'
import { findPayout } from '../../payouts/queries.ts'
import { decision } from '../decision.ts'
import { effectOfSending, readPayout } from './payouts.ts'

export const releasePayout = decision({
  kind: 'payout.release',
  right: 'pay',
  title: 'Release a held payout',
  input: z.object({}),

  async preview({ db }, { subject }) {
    const payout = await readPayout(db.shards, subject)
    if (!['held', 'awaiting_account'].includes(payout.status))
      throw payoutNotInState({ status: payout.status })
    const effect = await effectOfSending(db.shards, payout)
    return { ...effect, changes: ['The hold ends', ...effect.changes] }
  },

  async carryOut(background, { subject, reason, operator }) {
    const { id, amount_cents, status } = await decideHold(background, {
      payoutId: subject,
      verdict: 'let_go',
      note: noteOf(operator, reason),
    })
    return { id, amount_cents, status }
  },

  async findDone({ db }, { subject, operator, reason }) {
    const payout = await findPayout(db.shards.at(subject).reader, subject)
    if (payout?.note !== noteOf(operator, reason)) return undefined
    const { id, amount_cents, status } = payout
    return { id, amount_cents, status }
  },

  undo: ({ subject }) => ({ kind: 'payout.reverse', subject, input: {} }),
})

const noteOf = (operator: string, reason: string) => `${operator}: ${reason}`
