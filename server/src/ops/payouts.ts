/** List the payouts that are waiting. */
import { sql } from 'kysely'
import { command, Misunderstood } from './command.ts'
import { heldUntil, holdWords, payoutWait } from './payout-waits.ts'

const SHOWN_MAX = 200

export const payouts = command({
  name: 'payouts',
  takes: '[held] [--json]',
  does: 'list waiting payouts, or only held ones: why, since when, until when, what to run',
  isLook: true,
  async run({ db, clock }, { words: [which] }) {
    if (which !== undefined && which !== 'held')
      throw new Misunderstood('The only filter is `held`')
    const waiting = db.reader
      .selectFrom('payouts')
      .where(
        'status',
        'in',
        which === 'held'
          ? ['held']
          : ['held', 'awaiting_account', 'requested', 'submitting', 'awaiting_funds', 'failed'],
      )
      .where('mode', '=', 'live')
    const all = await waiting
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
    const total = { count: all.count, amount_cents: Number(all.cents) }
    return { data: { at: clock.now(), total, payouts: listed } }
  },
})
