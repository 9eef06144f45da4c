/**
 * Rule on an appeal, when both sides were heard.
 *
 *   called by   an operator, `ops appeal`
 *   moves       overturned: disputed → completed; else the task stays as it is
 *   money       overturned: protection fund → worker, wallet → protection fund (a shortfall is owed); split: half of
 *               both; upheld: none. A free task costs the agent nothing
 *   event       task.dispute_resolved
 */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { type Appeal, disputeOf, type Ruling } from '../tasks/dispute-view.ts'
import { lockWork } from '../tasks/queries.ts'
import { appealNotAnswered, appealNotFound, appealRuled } from './errors.ts'
import { type Resolution, resolveDispute } from './rulings.ts'

export interface RuleOnAppeal {
  /** The appeal, or its task where only one of its workers waits for a ruling. */
  id: string
  ruling: Ruling
  /** For the worker to read. */
  note: string
  operator: string
  config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>
  now: Date
}

export async function ruleOnAppeal(
  tx: Tx,
  { id, ruling, note, operator, config, now }: RuleOnAppeal,
): Promise<Resolution & { appeal: Appeal }> {
  const known = await findAppeal(tx, id)
  if (known === undefined) throw appealNotFound()
  const { task_id: taskId, agent_id: agentId } = known
  const { task, assignments } = await lockWork(tx, { taskId, agentId })
  // Read again under the lock: another operator, or the agent, may have been faster.
  const appeal = (await findAppeal(tx, known.id))!
  if (appeal.ruling !== null) throw appealRuled({ ruling: appeal.ruling })
  if (appeal.agent_answer === null)
    throw appealNotAnswered({ agent_until: appeal.agent_until.toISOString() })

  const resolution: Resolution = {
    task,
    dispute: await disputeOf(tx, appeal),
    slots: assignments.filter((slot) => slot.id === appeal.assignment_id),
    ruling,
    // Whoever rules is an operator, whatever they are called.
    by: `operator ${operator}`,
    note,
  }
  await resolveDispute(tx, resolution, { config, now })
  return { ...resolution, appeal }
}

/** By its own id; by a task's the one that waits, or where none does the last one; undefined where several wait. */
async function findAppeal(tx: Tx, id: string): Promise<Appeal | undefined> {
  const appeals = await tx
    .selectFrom('appeals')
    .selectAll()
    .where((where) => where.or([where('id', '=', id), where('task_id', '=', id)]))
    .orderBy('id')
    .execute()
  const waiting = appeals.filter(({ ruling }) => ruling === null)
  return waiting.length > 1 ? undefined : (waiting[0] ?? appeals.at(-1))
}
