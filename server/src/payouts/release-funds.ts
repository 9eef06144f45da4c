import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { databaseOf, shardOf } from '../kit/ids.ts'
import type { Background } from '../kit/job.ts'
import { processorOf } from '../processor/client.ts'
import { requestWork } from '../webhooks/record-event.ts'

const FOUND_MAX = 1000

/**
 * Money has arrived at the processor: send the payouts that waited for it, oldest first, as many as the funds cover.
 * The others wait for the next arrival or for their own timer.
 */
export async function releaseAwaitingFunds({ db, clock, config }: Background): Promise<number> {
  const processor = processorOf(config)
  if (processor === undefined) return 0
  const { shards } = db
  const waiting = (await Promise.all(shards.readers.map(findWaiting))).flat()
  waiting.sort((a, b) => (a.id < b.id ? -1 : 1))
  if (waiting.length === 0) return 0
  const balance = await processor.getBalance()
  if (balance.kind !== 'ok') return 0

  let left = balance.value.availableCents
  const payoutIds: string[] = []
  for (const { id, amount_cents } of waiting.slice(0, FOUND_MAX)) {
    if (amount_cents > left) break
    left -= amount_cents
    payoutIds.push(id)
  }
  const byDatabase = Map.groupBy(payoutIds, (id) => databaseOf(shardOf(id), config.SHARD_DATABASES))
  const now = clock.now()
  for (const [shard, ids] of [...byDatabase.values()].flatMap((ids) => [
    ...Map.groupBy(ids, shards.at),
  ]))
    await shard.transaction(async (tx) => {
      const released = await tx
        .updateTable('payouts')
        .set({ check_at: sql`${now}::timestamptz + interval '5 minutes'` })
        .where('id', 'in', ids)
        .where('status', '=', 'awaiting_funds')
        .returning('id')
        .execute()
      const works = released.map(({ id }) => ({ type: 'payout.send' as const, id }))
      await requestWork(tx, works, { now })
    })
  return payoutIds.length
}

const findWaiting = (reader: Reader) =>
  reader
    .selectFrom('payouts')
    .select(['id', 'amount_cents'])
    .where('status', '=', 'awaiting_funds')
    .where('check_at', 'is not', null)
    .orderBy('id')
    .limit(FOUND_MAX)
    .execute()
