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
import type { Tx } from '../kit/db.ts'
import type { Dispute } from '../tasks/dispute-view.ts'
import { lockWork } from '../tasks/queries.ts'
import { heldDisputeDecided, heldDisputeLapsed, heldDisputeNotFound } from './errors.ts'
import { type DecidedDispute, endHeldDispute, upholdHeldDispute } from './held-disputes.ts'

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

/** Finds a dispute by its id or its task's id: the held one, or otherwise the last one that was held. */
async function findHeldDispute(tx: Tx, id: string): Promise<Dispute | undefined> {
  const disputes = await tx
    .selectFrom('disputes')
    .selectAll()
    .where((where) => where.or([where('id', '=', id), where('task_id', '=', id)]))
    .where('decides_by', 'is not', null)
    .orderBy('id', 'desc')
    .execute()
  return disputes.find(({ status }) => status === 'held') ?? disputes[0]
}
