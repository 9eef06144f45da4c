import { waitingHeldDisputes } from '../disputes/waiting-disputes.ts'
import type { Background } from '../kit/job.ts'
import { countWaitingReports } from '../moderation/waiting-reports.ts'
import { readWaiting } from './waiting.ts'

/** Exports gauges of the items that wait for operators and how many are overdue, whichever process counts them. */
export async function showOpsGauges({
  db,
  clock,
  metrics,
}: Pick<Background, 'db' | 'clock' | 'metrics'>): Promise<void> {
  const now = clock.now()
  metrics.reportsWaiting.set(await countWaitingReports(db.reader))
  const held = await waitingHeldDisputes(db.reader)
  metrics.heldDisputes.set(held.count)
  const waitedMs = held.oldest === null ? 0 : now.getTime() - held.oldest.getTime()
  metrics.heldDisputeOldest.set(waitedMs / 1000)
  for (const { what, late, hasLimit } of await readWaiting(db.reader, { now }))
    if (hasLimit) metrics.waitingLate.set({ what }, late)
}
