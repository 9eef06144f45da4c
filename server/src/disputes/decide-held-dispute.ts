/**
 * Decide a held dispute.
 *
 *   called by   an operator, `ops dispute`, while the dispute is held
 *   moves       uphold: proof_submitted → disputed; reject: proof_submitted → completed. If only single proofs of a
 *               consensus task were disputed, it awaits its verdict again with its original review time
 *   money       uphold: escrow → wallet, for a free task → promotional fund; reject: as in tasks/approve.ts
 *   event       uphold: task.disputed; reject: task.completed, task.dispute_resolved
 */
import type { Config } from '../config.ts'
import type { Reader, Tx } from '../kit/db.ts'
import type { Entry } from '../ledger/movements.ts'
import type { Dispute } from '../tasks/dispute-view.ts'
import { lockWork, readWork, type Task } from '../tasks/queries.ts'
import { heldDisputeDecided, heldDisputeLapsed, heldDisputeNotFound } from './errors.ts'
import {
  type DecidedDispute,
  endHeldDispute,
  type PlannedEnd,
  planEnding,
  planUpholding,
  upholdHeldDispute,
} from './held-disputes.ts'

export interface DecideHeldDispute {
  /** The id of the dispute or of its task. */
  id: string
  verdict: 'uphold' | 'reject'
  /** Shown to the worker and the agent. */
  note: string
  operator: string
  config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>
  now: Date
}

export async function decideHeldDispute(
  tx: Tx,
  { id, verdict, note, operator, config, now }: DecideHeldDispute,
): Promise<DecidedDispute> {
  const known = await findHeldDispute(tx, id)
  if (known === undefined) throw heldDisputeNotFound()
  const { task_id: taskId, agent_id: agentId } = known
  const work = await lockWork(tx, { taskId, agentId })
  // Read again under the lock: another operator, the agent or the clock may have decided first.
  const dispute = (await findHeldDispute(tx, known.id))!
  if (dispute.status !== 'held') throw heldDisputeDecided({ status: dispute.status })
  const held = { ...work, dispute }
  if (verdict === 'reject')
    return endHeldDispute(tx, held, {
      status: 'rejected',
      by: `operator ${operator}`,
      note,
      config,
      now,
    })
  // The worker was promised payment by this time, so it is too late to uphold.
  if (now >= dispute.decides_by!)
    throw heldDisputeLapsed({ decides_by: dispute.decides_by!.toISOString() })
  return upholdHeldDispute(tx, held, { operator, note, config, now })
}

interface PlannedDispute extends PlannedEnd {
  task: Task
  entries: Entry[]
}

/** The effect that a decision would have now. */
export async function planHeldDispute(
  reader: Reader,
  { id, verdict, note, operator, config, now }: DecideHeldDispute,
): Promise<PlannedDispute> {
  const dispute = await findHeldDispute(reader, id)
  if (dispute === undefined) throw heldDisputeNotFound()
  if (dispute.status !== 'held') throw heldDisputeDecided({ status: dispute.status })
  if (verdict === 'uphold' && now >= dispute.decides_by!)
    throw heldDisputeLapsed({ decides_by: dispute.decides_by!.toISOString() })
  const { task_id: taskId, agent_id: agentId } = dispute
  const work = await readWork(reader, { taskId, agentId })
  const held = { ...work, dispute }
  const planned =
    verdict === 'reject'
      ? await planEnding(reader, held, { status: 'rejected', by: operator, note, config, now })
      : await planUpholding(reader, held, { operator, note, config, now })
  return { ...planned, task: work.task, entries: planned.move.entries ?? [] }
}

/** Finds a dispute by its id or its task's id: the held one, or otherwise the last one that was held. */
export async function findHeldDispute(reader: Reader, id: string): Promise<Dispute | undefined> {
  const disputes = await reader
    .selectFrom('disputes')
    .selectAll()
    .where((where) => where.or([where('id', '=', id), where('task_id', '=', id)]))
    .where('decides_by', 'is not', null)
    .orderBy('id', 'desc')
    .execute()
  return disputes.find(({ status }) => status === 'held') ?? disputes[0]
}
