/**
 * Pause a receiver for some hours, or resume it early. Operators do this when our traffic harms the receiver or its
 * owner asks for it. Waiting deliveries don't use up attempts. A ping by the agent or a new address ends the pause.
 */
import type { Tx } from '../kit/db.ts'
import { wakeLanes } from './lanes.ts'

/** Returns whether the receiver exists. */
export async function pauseReceiver(
  tx: Tx,
  { laneId, until }: { laneId: string; until: Date },
): Promise<boolean> {
  const paused = await tx
    .updateTable('webhook_lanes')
    // The process that holds the lane sees that it lost the lease and starts no more deliveries.
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
