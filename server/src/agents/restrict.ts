/**
 * Restrict an agent, or lift its restriction. A restricted agent can't create tasks and gets no refunds. Tasks that
 * workers have accepted are honored; unclaimed tasks are withdrawn.
 *
 *   called by   a chargeback, a fraud warning, an operator
 *   moves       an agent: active → restricted → active
 *   money       none; tasks.withdraw returns what unclaimed tasks hold
 *   event       agent.restricted, agent.freed (ours): the people behind the agent are notified by email
 */
import type { Tx } from '../kit/db.ts'
import { requestWork } from '../webhooks/record-event.ts'

export type Why = 'chargeback' | 'fraud_warning' | 'operator'

const DAY_MS = 86_400_000
/** By then an operator looks whether the restriction is still right. */
const REVIEW_DAYS = 7
/** An operator who restricts an agent again has looked: the next review is later. */
const NEXT_REVIEW_DAYS = 30

const inDays = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS)

export async function restrictAgent(
  tx: Tx,
  { agentId, why, now }: { agentId: string; why: Why; now: Date },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('agents')
    .set({
      status: 'restricted',
      restricted_for: why,
      restricted_at: now,
      review_at: inDays(now, REVIEW_DAYS),
    })
    .where('id', '=', agentId)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) {
    await requestWork(tx, [{ type: 'agent.restricted', id: agentId }], { now })
    return
  }
  // A more serious reason replaces `chargeback`, so that winning the chargeback doesn't lift the restriction.
  if (why !== 'chargeback')
    await tx
      .updateTable('agents')
      .set({ restricted_for: why })
      .where('id', '=', agentId)
      .where('restricted_for', '=', 'chargeback')
      .execute()
  if (why === 'operator')
    await tx
      .updateTable('agents')
      .set({ review_at: inDays(now, NEXT_REVIEW_DAYS) })
      .where('id', '=', agentId)
      .where('status', '=', 'restricted')
      .execute()
}

/** Lifts the restriction only if it was imposed for the same reason. */
export async function liftRestriction(
  tx: Tx,
  { agentId, why, now }: { agentId: string; why: Why; now: Date },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('agents')
    .set({ status: 'active', restricted_for: null, restricted_at: null, review_at: null })
    .where('id', '=', agentId)
    .where('status', '=', 'restricted')
    .where('restricted_for', '=', why)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await requestWork(tx, [{ type: 'agent.freed', id: agentId }], { now })
}

/** For operators: lifts the restriction whatever its reason. Returns whether the agent was restricted. */
export async function freeAgent(
  tx: Tx,
  { agentId, now }: { agentId: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('agents')
    .set({ status: 'active', restricted_for: null, restricted_at: null, review_at: null })
    .where('id', '=', agentId)
    .where('status', '=', 'restricted')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await requestWork(tx, [{ type: 'agent.freed', id: agentId }], { now })
  return numUpdatedRows > 0n
}
