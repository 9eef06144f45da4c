/** Withdraw our own money to our bank. */
import { requestWithdrawal } from '../payouts/withdraw.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { centsOf, command } from './command.ts'

export const withdraw = command({
  name: 'withdraw',
  takes: 'CENTS',
  does: 'withdraw our own money to our bank',
  right: 'pay',
  async run(background, { words: [cents], operator }) {
    const amountCents = centsOf(cents)
    // Reconcile first: no withdrawal may rely on outdated books.
    await reconcile(background)
    const { db, clock } = background
    const id = await db.transaction((tx) =>
      requestWithdrawal({ db, tx }, { amountCents, operator, now: clock.now() }),
    )
    return { data: { id, amount_cents: amountCents } }
  },
})
