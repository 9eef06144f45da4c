/**
 * Reverse a payout, fully or in part.
 *
 *   called by   an operator with the right `pay`
 *   moves       a payout: paid → partially_reversed → reversed
 *   money       the processor's balance → payable
 *   event       payout.reversed (ours): tells the worker
 */
import { z } from 'zod'
import { payoutReversed } from '../../ledger/movements.ts'
import { payoutNotInState, reversalTooLarge } from '../../payouts/errors.ts'
import { moneyOf } from '../../payouts/move-on.ts'
import type { Payout } from '../../payouts/queries.ts'
import { reversePayout as reverse, type Reversed } from '../../payouts/reverse.ts'
import { decision } from '../decision.ts'
import { linesOf } from '../lines.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import { readPayout } from './payouts.ts'

type Outcome =
  | Exclude<Reversed, { outcome: 'reversed' }>
  | {
      outcome: 'reversed'
      payout: Pick<Payout, 'id' | 'amount_cents' | 'reversed_cents' | 'status'>
    }

export const reversePayout = decision({
  kind: 'payout.reverse',
  right: 'pay',
  title: 'Reverse a payout',
  /** Without an amount, all that is left. */
  input: z.object({ amount_cents: z.int().min(1).optional() }),

  async preview({ db }, { subject, input }) {
    const payout = await readPayout(db.shards, subject)
    if (payout.transfer_id === null || !['paid', 'partially_reversed'].includes(payout.status))
      throw payoutNotInState({ status: payout.status })
    const left_cents = payout.amount_cents - payout.reversed_cents
    const amount_cents = input.amount_cents ?? left_cents
    if (amount_cents > left_cents) throw reversalTooLarge({ left_cents })
    const entry = payoutReversed({
      ...moneyOf(payout),
      amountCents: amount_cents,
      balanceTransactionId: '',
    })
    return {
      amount_cents,
      lines: await linesOf(db.shards, [entry]),
      tells: [],
      changes: ['The processor takes the money back from the worker’s account, if it is there'],
      undo: amount_cents === left_cents ? 'Retry the payout' : null,
    }
  },

  async carryOut(background, { subject, input, operator }): Promise<Outcome> {
    const reversed = await reverse(background, {
      payoutId: subject,
      amountCents: input.amount_cents,
      requestedBy: operator,
    })
    if (reversed.outcome === 'unknown') throw new OutcomeUnknown(reversed)
    if (reversed.outcome === 'refused') return reversed
    const { id, amount_cents, reversed_cents, status } = reversed.payout
    return {
      outcome: reversed.outcome,
      payout: { id, amount_cents, reversed_cents, status },
    }
  },

  async findDone({ db }, { subject, input, since }) {
    const { id, amount_cents, reversed_cents, status } = await readPayout(db.shards, subject)
    const done = await db.shards
      .at(subject)
      .reader.selectFrom('processor_attempts')
      .select(['subject_id', 'outcome', 'code', 'message'])
      .where('subject_id', 'like', `${subject}r${input.amount_cents ?? '%'}`)
      .where('begun_at', '>=', since)
      .where('outcome', 'in', ['ok', 'refused'])
      .executeTakeFirst()
    if (done === undefined) return undefined
    return done.outcome === 'refused'
      ? { outcome: 'refused' as const, code: done.code ?? '', message: done.message ?? '' }
      : { outcome: 'reversed' as const, payout: { id, amount_cents, reversed_cents, status } }
  },

  undo: ({ subject, input }) =>
    input.amount_cents === undefined ? { kind: 'payout.retry', subject, input: {} } : undefined,
})
