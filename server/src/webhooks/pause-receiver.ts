/**
 * Stop sending to one receiver for some hours, and go on before they are over: for operators, when our traffic harms
 * it or its people ask us to. What waits uses up none of its tries. A ping of the agent's, or a new address, ends it.
 */
import type { Tx } from '../kit/db.ts'
import { wakeLanes } from './lanes.ts'

/** Answers whether there is such a receiver. */
export async function pauseReceiver(
  tx: Tx,
  { laneId, until }: { laneId: string; until: Date },
): Promise<boolean> {
  const paused = await tx
    .updateTable('webhook_lanes')
    // Who holds it finds that it has lost it, and begins nothing more.
    .set({ paused_until: until, due_at: until, held_by: null, held_until: null })
    .where('id', '=', laneId)
    .returning('id')
    .executeTakeFirst()
  return paused !== undefined
}

export async function resumeReceiver(
  tx: Tx,
  { laneId, now }: { laneId: string; now: Date },
): Promise<boolean> {
  const lane = await tx
    .selectFrom('webhook_lanes')
    .select('agent_id')
    .where('id', '=', laneId)
    .executeTakeFirst()
  if (lane === undefined) return false
  await wakeLanes(tx, [{ id: laneId, agentId: lane.agent_id }], { now, isProbe: true })
  return true
}
