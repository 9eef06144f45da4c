/**
 * Withdraw our own money to our bank.
 *
 *   called by   an operator with the right `pay`
 *   moves       a withdrawal: (none) → requested
 *   money       own funds → the processor's balance, once the processor lists it
 *   event       withdrawal.send (ours)
 */
import { z } from 'zod'
import { operatorWithdrawal } from '../../ledger/movements.ts'
import { readWithdrawable, NotOurs, requestWithdrawal } from '../../payouts/withdraw.ts'
import { reconcile } from '../../reconcile/reconcile.ts'
import { decision } from '../decision.ts'
import { decisionRefused } from '../errors.ts'
import { linesOf } from '../lines.ts'

/** There is one account of our own. */
export const OWN_FUNDS = 'own_funds'

export const withdrawOwnFunds = decision({
  kind: 'withdrawal.request',
  right: 'pay',
  title: 'Withdraw our own money',
  input: z.object({ amount_cents: z.int().min(1) }),
  home: () => 'global',

  async preview({ db }, { subject, input: { amount_cents } }) {
    if (subject !== OWN_FUNDS) throw decisionRefused({ why: `The subject must be ${OWN_FUNDS}` })
    const free = await readWithdrawable(db.shards.global)
    const of = { mode: 'live', shard: 0, amountCents: amount_cents } as const
    return {
      amount_cents,
      lines: await linesOf(db.shards, [operatorWithdrawal({ ...of, balanceTransactionId: '' })]),
      tells: [],
      changes: [
        `Of ${free} cents that can be withdrawn, ${free - amount_cents} are left`,
        'The books are reconciled first',
      ],
      undo: null,
    }
  },

  async carryOut(background, { input: { amount_cents }, operator }) {
    // Reconcile first: no withdrawal may rely on outdated books.
    await reconcile(background)
    const { clock } = background
    const db = background.db.shards.global
    const asked = { amountCents: amount_cents, operator, now: clock.now() }
    const id = await db
      .transaction((tx) => requestWithdrawal({ db, tx }, asked))
      .catch((error: unknown) => {
        if (error instanceof NotOurs) throw decisionRefused({ why: error.message })
        throw error
      })
    return { id, amount_cents }
  },

  findDone: ({ db }, { input: { amount_cents }, operator, since }) =>
    db.shards.global.reader
      .selectFrom('withdrawals')
      .select(['id', 'amount_cents'])
      .where('amount_cents', '=', amount_cents)
      .where('requested_by', '=', operator)
      .where('created_at', '>=', since)
      .executeTakeFirst(),
})
