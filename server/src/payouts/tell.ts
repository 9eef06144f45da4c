/**
 * Tell an agent that a worker was paid for its task.
 *
 *   called by   the event payout.tell, since a payout lives on the worker's shard and the event on the agent's
 *   moves       nothing
 *   money       none
 *   event       payout.paid, once
 */
import type { Tx } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { recordEvents, Work } from '../webhooks/record-event.ts'
import { findPayout, type Payout } from './queries.ts'
import { viewPayout } from './view.ts'

export const tell = job({
  name: 'payouts.tell',
  payload: Work,
  attemptsMax: 12,
  events: ['payout.tell'],

  async run({ db, clock, payload }) {
    const payout = await findPayout(db.reader, payload.data.id)
    if (payout === undefined || payout.paid_at === null) return
    await db.transaction((tx) => tellAgent(tx, payout, clock.now()))
  },
})

async function tellAgent(tx: Tx, payout: Payout, now: Date): Promise<void> {
  if (await wasTold(tx, payout)) return
  const { task_id, paid_at } = payout
  await recordEvents(tx, [
    {
      type: 'payout.paid',
      agentId: payout.agent_id,
      taskId: task_id,
      data: { payout: { ...viewPayout(payout), task_id, paid_at: paid_at!.toISOString() } },
      now,
    },
  ])
}

/** The job may run twice, before the relay has taken the event and after. */
async function wasTold(tx: Tx, { id, task_id, agent_id }: Payout): Promise<boolean> {
  for (const table of ['outbox', 'events'] as const) {
    const told = await tx
      .selectFrom(table)
      .select('data')
      .where('task_id', '=', task_id)
      .where('agent_id', '=', agent_id)
      .where('type', '=', 'payout.paid')
      .execute()
    if (told.some(({ data }) => (data as { payout: { id: string } }).payout.id === id)) return true
  }
  return false
}
