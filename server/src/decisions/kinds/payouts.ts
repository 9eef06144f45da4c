/** Shared by the kinds of decisions about payouts. */
import type { Shards } from '../../kit/db.ts'
import { payoutPaid, payoutRequested } from '../../ledger/movements.ts'
import { payoutNotFound } from '../../payouts/errors.ts'
import { moneyOf } from '../../payouts/move-on.ts'
import { accountOf, findPayout, type Payout } from '../../payouts/queries.ts'
import type { Effect } from '../decision.ts'
import { linesOf } from '../lines.ts'

export async function readPayout(shards: Shards, id: string): Promise<Payout> {
  const payout = await findPayout(shards.at(id).reader, id)
  if (payout === undefined) throw payoutNotFound()
  return payout
}

/** The effect of sending a payout: at once, or as soon as the worker has an account. */
export async function effectOfSending(shards: Shards, payout: Payout): Promise<Effect> {
  const { amount_cents, worker_id } = payout
  const account = await accountOf(shards.at(worker_id).reader, worker_id)
  const money = moneyOf(payout)
  const isReady = account?.status === 'active'
  return {
    amount_cents,
    lines: isReady ? await linesOf(shards, [payoutRequested(money), payoutPaid(money)]) : [],
    tells: [{ who: 'worker', id: worker_id, what: 'that the money is on its way: in the app' }],
    changes: [
      isReady
        ? 'The payout is sent within minutes'
        : 'The payout waits until the worker has a payout account',
    ],
    undo: 'Reverse the payout once it was sent',
  }
}
