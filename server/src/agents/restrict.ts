/**
 * Restrict an agent, and let it free again: while it is restricted it creates no tasks and gets no refunds. What
 * workers have accepted is honoured; what nobody has taken is withdrawn.
 *
 *   called by   a chargeback, a warning of fraud, an operator
 *   moves       an agent: active → restricted → active
 *   money       none; tasks.withdraw returns what unclaimed tasks hold
 *   event       agent.restricted, agent.freed (ours): the people behind it are told by mail
 */
import type { Tx } from '../kit/db.ts'
import { requestWork } from '../webhooks/record-event.ts'

export type Why = 'chargeback' | 'fraud_warning' | 'operator'

export async function restrictAgent(
  tx: Tx,
  { agentId, why, now }: { agentId: string; why: Why; now: Date },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('agents')
    .set({ status: 'restricted', restricted_for: why })
    .where('id', '=', agentId)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) {
    await requestWork(tx, [{ type: 'agent.restricted', id: agentId }], { now })
    return
  }
  // A won chargeback lifts only its own restriction: the graver reason stays.
  if (why !== 'chargeback')
    await tx
      .updateTable('agents')
      .set({ restricted_for: why })
      .where('id', '=', agentId)
      .where('restricted_for', '=', 'chargeback')
      .execute()
}

/** Only by whoever has restricted it. */
export async function liftRestriction(
  tx: Tx,
  { agentId, why, now }: { agentId: string; why: Why; now: Date },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('agents')
    .set({ status: 'active', restricted_for: null })
    .where('id', '=', agentId)
    .where('status', '=', 'restricted')
    .where('restricted_for', '=', why)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await requestWork(tx, [{ type: 'agent.freed', id: agentId }], { now })
}

/** By an operator who has looked, whatever the reason was. Answers whether there was anything to lift. */
export async function freeAgent(
  tx: Tx,
  { agentId, now }: { agentId: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('agents')
    .set({ status: 'active', restricted_for: null })
    .where('id', '=', agentId)
    .where('status', '=', 'restricted')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await requestWork(tx, [{ type: 'agent.freed', id: agentId }], { now })
  return numUpdatedRows > 0n
}
