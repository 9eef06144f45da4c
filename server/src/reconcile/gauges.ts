import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { earliest, readShards } from '../kit/everywhere.ts'
import type { Background } from '../kit/job.ts'
import { countDead } from '../processor/events.ts'

/** Exports the last run's results and the payouts being sent as gauges, whichever process handles them. */
export async function showGauges({
  db,
  clock,
  metrics,
}: Pick<Background, 'db' | 'clock' | 'metrics'>): Promise<void> {
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
  const since = earliest(await readShards(db.shards.readers, oldestSentOfShard))
  metrics.payoutAge.set(since === null ? 0 : (clock.now().getTime() - since.getTime()) / 1000)
}

/** When the oldest payout that is being sent was requested. */
async function oldestSentOfShard(shard: Reader): Promise<Date | null> {
  const { rows } = await sql<{ requested_at: Date | null }>`
    select min(f.created_at) as requested_at
      from payouts p join transfers f on f.key = 'payout:' || p.id || ':requested' and f.line = 1
     where p.status in ('requested', 'submitting') and p.mode = 'live'`.execute(shard)
  return rows[0]!.requested_at
}
