import { waitingHeldDisputes } from '../disputes/waiting-disputes.ts'
import { call } from '../kit/call.ts'
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
  metrics.reportsWaiting.set(await countWaitingReports(db.reader))
  const held = await waitingHeldDisputes(db.reader)
  metrics.heldDisputes.set(held.count)
  const waitedMs = held.oldest === null ? 0 : now.getTime() - held.oldest.getTime()
  metrics.heldDisputeOldest.set(waitedMs / 1000)
  for (const { what, late, hasLimit } of await readWaiting(db.reader, { now }))
    if (hasLimit) metrics.waitingLate.set({ what }, late)
  const overdue = await call(db.reader, 'runner_overdue', {
    p_now: now,
    p_location_days: config.LOCATION_KEEP_DAYS,
    p_text_days: config.TASK_TEXT_KEEP_DAYS,
  })
  for (const { relation, seconds } of overdue)
    metrics.retentionOverdue.set({ table: relation }, seconds)
}
