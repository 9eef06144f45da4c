/**
 * Rule on an appeal after both sides have been heard.
 *
 *   called by   an operator, `ops appeal`
 *   moves       overturned: disputed → completed; otherwise the task doesn't change
 *   money       overturned: protection fund → worker, wallet → protection fund (a shortfall is owed); split: half of
 *               both; upheld: none. A free task costs the agent nothing
 *   event       task.dispute_resolved
 */
import type { Config } from '../config.ts'
import type { Reader, Tx } from '../kit/db.ts'
import { type Appeal, disputeOf, type Ruling } from '../tasks/dispute-view.ts'
import { lockWork } from '../tasks/queries.ts'
import { appealNotAnswered, appealNotFound, appealRuled } from './errors.ts'
import { type Resolution, resolveDispute } from './rulings.ts'

export interface RuleOnAppeal {
  /** The id of the appeal, or of its task if only one of the task's appeals awaits a ruling. */
  id: string
  ruling: Ruling
  /** Shown to the worker. */
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
  // Read again under the lock: another operator or the agent may have decided first.
  const appeal = (await findAppeal(tx, known.id))!
  if (appeal.ruling !== null) throw appealRuled({ ruling: appeal.ruling })
  if (appeal.agent_answer === null)
    throw appealNotAnswered({ agent_until: appeal.agent_until.toISOString() })

  const resolution: Resolution = {
    task,
    dispute: await disputeOf(tx, appeal),
    slots: assignments.filter((slot) => slot.id === appeal.assignment_id),
    ruling,
    // The prefix keeps an operator named "agent" or "silence" from being mistaken for those.
    by: `operator ${operator}`,
    note,
  }
  await resolveDispute(tx, resolution, { config, now })
  return { ...resolution, appeal }
}

/**
 * Finds an appeal by its id or its task's id. For a task, returns the appeal that awaits a ruling, or the last one if
 * none does; undefined if several do.
 */
export async function findAppeal(reader: Reader, id: string): Promise<Appeal | undefined> {
  const appeals = await reader
    .selectFrom('appeals')
    .selectAll()
    .where((where) => where.or([where('id', '=', id), where('task_id', '=', id)]))
    .orderBy('id')
    .execute()
  const waiting = appeals.filter(({ ruling }) => ruling === null)
  return waiting.length > 1 ? undefined : (waiting[0] ?? appeals.at(-1))
}
