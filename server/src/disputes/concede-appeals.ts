/**
 * Concede appeals to which the agent didn't reply in time, and pay the workers.
 *
 *   called by   the clock, 48 hours after an appeal whose agent has neither replied nor withdrawn its dispute
 *   moves       disputed → completed; if only single proofs were disputed, the task doesn't change
 *   money       as in rulings.ts for `overturned`
 *   event       task.dispute_resolved
 */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import { type Appeal, disputeOf } from '../tasks/dispute-view.ts'
import { lockFreeWork, lockWork } from '../tasks/queries.ts'
import { resolveDispute } from './rulings.ts'

export const concedeAppeals = sweep({
  name: 'tasks.concede-appeals',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('appeals')
      .select('id')
      .where('ruling', 'is', null)
      .where('agent_answer', 'is', null)
      .where('agent_until', '<=', clock.now())
      .orderBy('agent_until')
      .limit(limit)
      .execute(),

  move: ({ db, clock, config }, rows) =>
    db.transaction((tx) =>
      concede(tx, { appealIds: rows.map(({ id }) => id), config, now: clock.now() }),
    ),
})

export async function concede(
  tx: Tx,
  {
    appealIds,
    config,
    now,
  }: { appealIds: string[]; config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>; now: Date },
): Promise<number> {
  const found = await silentAppeals(tx, { appealIds, now })
  if (found.length === 0) return 0
  const works = await lockFreeWork(tx, [...new Set(found.map(({ task_id }) => task_id))])
  const held = new Set(works.map(({ task }) => task.id))
  // Read again under the lock: the agent may have replied or withdrawn in the meantime.
  const appeals = (await silentAppeals(tx, { appealIds, now })).filter(({ task_id }) =>
    held.has(task_id),
  )
  const byDispute = Map.groupBy(appeals, ({ dispute_id }) => dispute_id)
  for (const together of byDispute.values()) await concedeTogether(tx, together, { config, now })
  return appeals.length
}

/** Concedes all appeals against one dispute. */
async function concedeTogether(
  tx: Tx,
  appeals: Appeal[],
  { config, now }: { config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>; now: Date },
): Promise<void> {
  const first = appeals[0]!
  const { task_id: taskId, agent_id: agentId } = first
  // Read again for each dispute: a task can have several, and conceding one changes the task.
  const { task, assignments } = await lockWork(tx, { taskId, agentId })
  await resolveDispute(
    tx,
    {
      task,
      dispute: await disputeOf(tx, first),
      slots: assignments.filter(({ id }) =>
        appeals.some(({ assignment_id }) => assignment_id === id),
      ),
      ruling: 'overturned',
      by: 'silence',
      note: 'The agent did not reply to your appeal in time.',
    },
    { config, now },
  )
}

const silentAppeals = (
  tx: Tx,
  { appealIds, now }: { appealIds: string[]; now: Date },
): Promise<Appeal[]> =>
  tx
    .selectFrom('appeals')
    .selectAll()
    .where('id', 'in', appealIds)
    .where('ruling', 'is', null)
    .where('agent_answer', 'is', null)
    .where('agent_until', '<=', now)
    .orderBy('id')
    .execute()
