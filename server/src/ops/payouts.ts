/** List the payouts that are waiting. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { addUp, mergeSorted, orderBy, readShards } from '../kit/everywhere.ts'
import type { Payout } from '../payouts/queries.ts'
import { command, Misunderstood } from './command.ts'
import { heldUntil, holdWords, payoutWait } from './payout-waits.ts'

const SHOWN_MAX = 200

export const payouts = command({
  name: 'payouts',
  takes: '[held] [--json]',
  does: 'list waiting payouts, or only held ones: why, since when, until when, what to run',
  right: 'view',
  isLook: true,
  async run({ db, clock }, { words: [which] }) {
    if (which !== undefined && which !== 'held')
      throw new Misunderstood('The only filter is `held`')
    const isHeldOnly = which === 'held'
    const parts = await readShards(db.shards.readers, (shard) =>
      waitingOfShard(shard, { isHeldOnly }),
    )
    const total = addUp(
      ['count', 'amount_cents'],
      parts.map((part) => part.total),
    )
    const rows = mergeSorted(
      FIRST_AVAILABLE_FIRST,
      parts.map((part) => part.rows),
      SHOWN_MAX,
    )
    const listed = rows.map((row) => ({
      id: row.id,
      status: row.status,
      amount_cents: row.amount_cents,
      worker_id: row.worker_id,
      agent_id: row.agent_id,
      task_id: row.task_id,
      why: row.status === 'held' ? holdWords(row) : null,
      since: row.created_at,
      until: row.status === 'held' ? heldUntil(row) : null,
      wait: payoutWait(row) ?? null,
    }))
    return { data: { at: clock.now(), total, payouts: listed } }
  },
})

const FIRST_AVAILABLE_FIRST = orderBy<Payout>(
  ({ available_at }) => available_at,
  ({ id }) => id,
)

async function waitingOfShard(
  shard: Reader,
  { isHeldOnly }: { isHeldOnly: boolean },
): Promise<{ total: { count: number; amount_cents: number }; rows: Payout[] }> {
  const waiting = shard
    .selectFrom('payouts')
    .where(
      'status',
      'in',
      isHeldOnly
        ? ['held']
        : ['held', 'awaiting_account', 'requested', 'submitting', 'awaiting_funds', 'failed'],
    )
    .where('mode', '=', 'live')
  const { count, cents } = await waiting
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.coalesce(fn.sum<number>('amount_cents'), sql<number>`0`).as('cents'),
    ])
    .executeTakeFirstOrThrow()
  const rows = await waiting
    .selectAll()
    // Holds that only a person can end have the latest date and come last.
    .orderBy('available_at')
    .orderBy('id')
    .limit(SHOWN_MAX)
    .execute()
  return { total: { count, amount_cents: Number(cents) }, rows }
}
