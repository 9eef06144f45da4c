import type { Tx } from '../kit/db.ts'
import { mintId, shardOf } from '../kit/ids.ts'

export interface Event {
  type: 'task.created' | 'task.expired' | 'task.cancelled'
  agentId: string
  taskId?: string
  data: Record<string, unknown>
  now: Date
}

/**
 * Records that something happened, in the transaction in which it happened: the relay takes it from there, so an
 * event is never lost when we crash, and never told when the transaction rolls back.
 */
export async function recordEvents(tx: Tx, events: Event[]): Promise<void> {
  if (events.length === 0) return
  await tx
    .insertInto('outbox')
    .values(
      events.map((event) => ({
        id: mintId('evt', event.now, shardOf(event.agentId)),
        type: event.type,
        agent_id: event.agentId,
        task_id: event.taskId ?? null,
        data: JSON.stringify(event.data),
        created_at: event.now,
      })),
    )
    .execute()
}
