/**
 * Notify an agent that a worker was paid for its task.
 *
 *   called by   the event payout.tell, because the payout is on the worker's shard and the agent's event on the agent's
 *   moves       nothing
 *   money       none
 *   event       payout.paid, once
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { countEvent } from '../tasks/event-sequence.ts'
import { lockWork } from '../tasks/queries.ts'
import { TaskView, viewTask } from '../tasks/view.ts'
import { recordEvents, Work } from '../webhooks/record-event.ts'
import { findPayout, type Payout } from './queries.ts'
import { PaidPayout, viewPayout } from './view.ts'

/** `data` of the event. */
export const PayoutPaid = z.object({ task: TaskView, payout: PaidPayout })

export const tell = job({
  name: 'payouts.tell',
  payload: Work,
  attemptsMax: 12,
  events: ['payout.tell'],

  async run({ db, clock, payload }) {
    const payout = await findPayout(db.reader, payload.data.id)
    if (payout === undefined || payout.paid_at === null) return
    await db.shards.at(payout.agent_id).transaction((tx) => tellAgent(tx, payout, clock.now()))
  },
})

async function tellAgent(tx: Tx, payout: Payout, now: Date): Promise<void> {
  const { task_id, agent_id } = payout
  // Lock, so that concurrent runs are serialized.
  const { task } = await lockWork(tx, { taskId: task_id, agentId: agent_id })
  if (await wasTold(tx, payout)) return
  const data = {
    task: viewTask(task),
    payout: { ...viewPayout(payout), task_id, paid_at: payout.paid_at!.toISOString() },
  } satisfies z.output<typeof PayoutPaid>
  await recordEvents(tx, [
    {
      type: 'payout.paid',
      agentId: agent_id,
      task: { id: task_id, sequence: await countEvent(tx, task_id) },
      data,
      now,
    },
  ])
}

/** The job may run twice, before or after the relay moves the event out of the outbox, so check both tables. */
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
