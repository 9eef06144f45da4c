/**
 * Try failed payouts again, so that a worker does not depend on an agent or an operator who looks.
 *
 *   called by   the clock, 1, 2, 4 and 8 days after a failure; then `ops money` reports it to an operator
 *   moves       a payout: failed ones get a new one, which is held, awaiting_account or requested
 *   money       payable → in transit, where nothing holds it up
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

/** Tries those of the payouts again that are still due, and answers how many there were. */
export async function retryPayouts(
  tx: Tx,
  { payoutIds, config, now }: { payoutIds: string[]; config: Config; now: Date },
): Promise<number> {
  const workers = await tx
    .selectFrom('payouts')
    .select('worker_id')
    .where('id', 'in', payoutIds)
    .execute()
  // Accounts are locked before payouts, as everywhere.
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
    // Free tasks take the day's promotional budget, and everyone takes that before any balance.
    .orderBy('funding', 'desc')
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  for (const payout of due) {
    await tx.updateTable('payouts').set({ check_at: null }).where('id', '=', payout.id).execute()
    // Undefined where the agent or an operator has done so since.
    await openAgain(tx, payout, { config, now })
  }
  return due.length
}
