/**
 * Retry failed payouts automatically, so that a worker does not depend on an agent or operator noticing.
 *
 *   called by   the clock, 1, 2, 4 and 8 days after a failure; then `ops money` reports it to an operator
 *   moves       a payout: a new one replaces the failed one; it is held, awaiting_account or requested
 *   money       payable → in transit, unless the payout has to wait
 *   event       payout.send (ours)
 */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import { openAgain } from './open.ts'
import { holdAccounts } from './queries.ts'

export const retryFailed = sweep({
  name: 'payouts.retry-failed',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('payouts')
      .select('id')
      .where('check_at', '<=', clock.now())
      .where('status', '=', 'failed')
      .orderBy('check_at')
      .limit(limit)
      .execute(),

  move: ({ db, clock, config }, rows) =>
    db.transaction((tx) =>
      retryPayouts(tx, { payoutIds: rows.map(({ id }) => id), config, now: clock.now() }),
    ),
})

/** Retries the payouts that are still due and returns how many there were. */
export async function retryPayouts(
  tx: Tx,
  { payoutIds, config, now }: { payoutIds: string[]; config: Config; now: Date },
): Promise<number> {
  const workers = await tx
    .selectFrom('payouts')
    .select('worker_id')
    .where('id', 'in', payoutIds)
    .execute()
  // Lock order: accounts before payouts.
  await holdAccounts(
    tx,
    workers.map(({ worker_id }) => worker_id),
  )
  const due = await tx
    .selectFrom('payouts')
    .selectAll()
    .where('id', 'in', payoutIds)
    .where('status', '=', 'failed')
    .where('check_at', '<=', now)
    // Free tasks use the daily promotional budget, which is always locked before any balance.
    .orderBy('funding', 'desc')
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  for (const payout of due) {
    await tx.updateTable('payouts').set({ check_at: null }).where('id', '=', payout.id).execute()
    // Undefined if the agent or an operator has retried it since.
    await openAgain(tx, payout, { config, now })
  }
  return due.length
}
