/**
 * Settle disputes whose appeal window has closed without an appeal: from then on they count toward the worker's level.
 *
 *   called by   the clock, 72 hours after a dispute that the worker has not appealed
 *   moves       nothing
 *   money       none
 *   event       worker.level_lowered (ours) if the level fell
 */
import type { Config } from '../config.ts'
import { call } from '../kit/call.ts'
import type { Tx } from '../kit/db.ts'
import type { Functions } from '../kit/functions.ts'
import { sweep } from '../kit/job.ts'
import { requestWork, type WorkRequest } from '../webhooks/record-event.ts'
import { closedIfOpenedBy } from './appeal-window.ts'
import { levelOf } from './trust.ts'

export const settleTrust = sweep({
  name: 'workers.settle-trust',

  // Returns worker ids, because a sweep groups rows by the shard of their ids, and event keys are on the agent's shard.
  async due({ db, config, clock }, limit) {
    const rows = await db.reader
      .selectFrom('trust_events')
      .select('worker_id')
      .where('pending_since', '<=', closedIfOpenedBy(clock.now(), config))
      .where('is_appealed', '=', false)
      .orderBy('pending_since')
      .limit(limit)
      .execute()
    return [...new Set(rows.map(({ worker_id }) => worker_id))].map((id) => ({ id }))
  },

  move: ({ db, config, clock }, rows) =>
    db.transaction((tx) =>
      settleDisputes(tx, { workerIds: rows.map(({ id }) => id), config, now: clock.now() }),
    ),
})

type SettledDispute = Functions['workers_settle_disputes']['row']

/** Returns how many disputes it has settled. */
export async function settleDisputes(
  tx: Tx,
  {
    workerIds,
    config,
    now,
  }: { workerIds: string[]; config: Pick<Config, 'APPEAL_HOURS'>; now: Date },
): Promise<number> {
  const rows = await call(tx, 'workers_settle_disputes', {
    p_workers: workerIds,
    p_opened: closedIfOpenedBy(now, config),
  })
  await requestWork(tx, await findLowered(tx, rows, now), { now })
  return rows.length
}

/** One request for each worker whose level fell, with the newest of the disputes that lowered it. */
async function findLowered(tx: Tx, settled: SettledDispute[], now: Date): Promise<WorkRequest[]> {
  if (settled.length === 0) return []
  const workers = await tx
    .selectFrom('workers')
    .selectAll()
    .where('id', 'in', [...new Set(settled.map(({ worker_id }) => worker_id))])
    .execute()
  return workers.flatMap((worker) => {
    const own = settled.filter(({ worker_id }) => worker_id === worker.id)
    const trust_pending = own.reduce((sum, { bad }) => sum + bad, worker.trust_pending)
    const level = levelOf(worker, now)
    if (level >= levelOf({ ...worker, trust_pending }, now)) return []
    const { key, task_id } = own.at(-1)!
    const data = { worker_id: worker.id, task_id, level }
    return [{ type: 'worker.level_lowered' as const, id: key, data }]
  })
}
