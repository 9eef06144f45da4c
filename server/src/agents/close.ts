/**
 * Close unclaimed test agents: their keys have expired, and no more webhooks or mails are sent for them.
 *
 *   called by   end-agents.ts
 *   moves       an agent: active or restricted → closed
 *   money       none; tasks.withdraw returns what unfinished tasks hold
 *   event       agent.closed (ours)
 */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import { requestWork } from '../webhooks/record-event.ts'

/** Closes those of the agents that have expired and returns their ids. */
export async function closeAgents(
  tx: Tx,
  { agentIds, now }: { agentIds: string[]; now: Date },
): Promise<string[]> {
  const closed = await tx
    .updateTable('agents')
    .set({ status: 'closed' })
    .where('id', '=', sql<string>`any(${agentIds})`)
    .where('mode', '=', 'test')
    .where('expires_at', '<=', now)
    .where('status', '<>', 'closed')
    .returning('id')
    .execute()
  const ids = closed.map(({ id }) => id)
  await requestWork(
    tx,
    ids.map((id) => ({ type: 'agent.closed' as const, id })),
    { now },
  )
  return ids
}
