/**
 * Record that we know who is behind an agent, or take that back.
 *
 *   called by   an operator
 *   moves       the agent's tier: up to `identified`, or down again
 *   money       none
 *   event       none
 */
import type { Tx } from '../kit/db.ts'

/** Returns whether this changed anything. */
export async function identifyAgent(
  tx: Tx,
  { agentId, identified, now }: { agentId: string; identified: boolean; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('agents')
    .set({ identified_at: identified ? now : null })
    .where('id', '=', agentId)
    .where('identified_at', identified ? 'is' : 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
