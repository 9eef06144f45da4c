import { sql } from 'kysely'
import type { Background } from '../kit/job.ts'

/** Sets the metrics for delivery lag and for failing and disabled receivers. */
export async function showWebhookGauges({
  db,
  clock,
  metrics,
}: Pick<Background, 'db' | 'clock' | 'metrics'>): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<{ due_since: Date | null; failing: number; disabled: number }>`
    select (select min(due_at) from webhook_lanes where due_at <= ${now}) as due_since,
           count(*) filter (where disabled_at is null) as failing, count(disabled_at) as disabled
      from webhook_lanes where failing_since is not null or disabled_at is not null`.execute(
    db.reader,
  )
  const { due_since, failing, disabled } = rows[0]!
  const lateMs = due_since === null ? 0 : now.getTime() - due_since.getTime()
  metrics.webhooksLate.set(lateMs / 1000)
  metrics.receivers.set({ state: 'failing' }, failing)
  metrics.receivers.set({ state: 'disabled' }, disabled)
}
