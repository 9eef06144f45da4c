import { sql } from 'kysely'
import type { Background } from '../kit/job.ts'
import { countDead } from '../processor/events.ts'

/** Exports the last run's results as gauges, whichever process ran it. */
export async function showGauges({
  db,
  metrics,
}: Pick<Background, 'db' | 'metrics'>): Promise<void> {
  const last = await db.reader
    .selectFrom('reconciliations')
    .selectAll()
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last !== undefined) {
    metrics.unexplained.set({ age: 'under_an_hour' }, last.unexplained_new_cents)
    metrics.unexplained.set({ age: 'under_a_day' }, last.unexplained_hour_cents)
    metrics.unexplained.set({ age: 'over_a_day' }, last.unexplained_day_cents)
    metrics.ownFunds.set(last.own_funds_cents)
    metrics.reconciledAt.set(last.at.getTime() / 1000)
  }
  const { count } = await db.reader
    .selectFrom('money_breaks')
    .select(sql<number>`count(*)`.as('count'))
    .where('closed_at', 'is', null)
    .where('explanation', 'is', null)
    .executeTakeFirstOrThrow()
  metrics.moneyBreaks.set(count)
  metrics.deadEvents.set(await countDead(db.reader))
}
