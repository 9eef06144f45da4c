/**
 * Advance payouts whose hold has ended, whose worker's account is ready, or for which the budget has room again.
 *
 *   called by   the clock, when the `check_at` of a payout whose money has not moved yet has passed
 *   moves       a payout: held or awaiting_account → requested, or to the next state that it waits in
 *   money       payable → in transit
 *   event       payout.send (ours)
 */
import type { Config } from '../config.ts'
import type { Shards, Tx } from '../kit/db.ts'
import { readByIds } from '../kit/everywhere.ts'
import { sweep } from '../kit/job.ts'
import { reached } from '../kit/crash-points.ts'
import { assess, type Assessment, needsAssessment } from './assess.ts'
import { budgetFor, moveOn } from './move-on.ts'
import { holdAccounts, type Payout } from './queries.ts'

export const release = sweep({
  name: 'payouts.release',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('payouts')
      .select('id')
      .where('check_at', '<=', clock.now())
      .where('status', 'in', ['held', 'awaiting_account'])
      .where('account_id', 'is', null)
      // Oldest first: the daily promotional budget may not cover all.
      .orderBy('check_at')
      .orderBy('id')
      .limit(limit)
      .execute(),

  async move({ db, clock, config }, rows) {
    const payoutIds = rows.map(({ id }) => id)
    const assessments = await assessAll(db.shards, payoutIds)
    const moved = await db.transaction((tx) =>
      releasePayouts(tx, { payoutIds, assessments, config, ...budgetFor(db), now: clock.now() }),
    )
    if (moved.some(({ status }) => status === 'requested')) reached(config, 'payout.requested')
    return moved.length
  },
})

type Assessments = ReadonlyMap<string, Assessment>

export async function assessAll(shards: Shards, payoutIds: string[]): Promise<Assessments> {
  const payouts = await readByIds(shards, payoutIds, (reader, some) =>
    reader.selectFrom('payouts').selectAll().where('id', 'in', some).execute(),
  )
  const found = new Map<string, Assessment>()
  for (const payout of payouts.filter(needsAssessment)) {
    const assessment = await assess(shards, payout)
    if (assessment !== undefined) found.set(payout.id, assessment)
  }
  return found
}

/** Advances the payouts that are still due and not locked by another transaction. */
export async function releasePayouts(
  tx: Tx,
  {
    payoutIds,
    assessments,
    config,
    budgetAt,
    now,
  }: {
    payoutIds: string[]
    assessments: Assessments
    config: Config
    now: Date
  } & ReturnType<typeof budgetFor>,
): Promise<Payout[]> {
  const workers = await tx
    .selectFrom('payouts')
    .select('worker_id')
    .where('id', 'in', payoutIds)
    .execute()
  const accounts = await holdAccounts(
    tx,
    workers.map(({ worker_id }) => worker_id),
  )
  const due = await tx
    .selectFrom('payouts')
    .selectAll()
    .where('id', 'in', payoutIds)
    .where('status', 'in', ['held', 'awaiting_account'])
    .where('account_id', 'is', null)
    .where('check_at', '<=', now)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  // Lock order: always the daily budget before any balance, to prevent deadlocks.
  const [free, others] = [true, false].map((isFree) =>
    due.filter(({ funding }) => (funding === 'free') === isFree),
  )
  const moved: Payout[] = []
  for (const payout of [...free!, ...others!])
    moved.push(
      await moveOn(tx, payout, {
        account: accounts.get(payout.worker_id),
        assessment: assessments.get(payout.id),
        config,
        budgetAt,
        now,
      }),
    )
  return moved
}
