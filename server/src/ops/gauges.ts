import { waitingHeldDisputes } from '../disputes/waiting-disputes.ts'
import { call } from '../kit/call.ts'
import { readShards } from '../kit/everywhere.ts'
import type { Background } from '../kit/job.ts'
import { countWaitingReports } from '../moderation/waiting-reports.ts'
import { readWaiting } from './waiting.ts'

/**
 * Exports gauges of the items that wait for operators and how many are overdue, and of rows that should be deleted
 * already, whichever process counts them.
 */
export async function showOpsGauges({
  db,
  clock,
  config,
  metrics,
}: Pick<Background, 'db' | 'clock' | 'config' | 'metrics'>): Promise<void> {
  const now = clock.now()
  const shards = db.shards.readers
  metrics.reportsWaiting.set(await countWaitingReports(shards))
  const held = await waitingHeldDisputes(shards)
  metrics.heldDisputes.set(held.count)
  const waitedMs = held.oldest === null ? 0 : now.getTime() - held.oldest.getTime()
  metrics.heldDisputeOldest.set(waitedMs / 1000)
  for (const { what, late, hasLimit } of await readWaiting(db.shards, { now }))
    if (hasLimit) metrics.waitingLate.set({ what }, late)
  const overdue = await readShards(shards, (shard) =>
    call(shard, 'runner_overdue', {
      p_now: now,
      p_location_days: config.LOCATION_KEEP_DAYS,
      p_text_days: config.TASK_TEXT_KEEP_DAYS,
    }),
  )
  overdue.push(await call(db.shards.global.reader, 'runner_overdue_rows', { p_now: now }))
  // The oldest row of all schemas.
  for (const [table, rows] of Map.groupBy(overdue.flat(), ({ relation }) => relation))
    metrics.retentionOverdue.set({ table }, Math.max(...rows.map(({ seconds }) => seconds)))
}
