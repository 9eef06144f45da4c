import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'

/** Closes the test-mode workers of agents, which ends their sessions at once. */
export async function closeTestWorkers(
  tx: Tx,
  { agentIds, now }: { agentIds: string[]; now: Date },
): Promise<void> {
  await tx
    .updateTable('workers')
    .set((worker) => ({
      status: 'closed',
      session_version: worker('session_version', '+', 1),
      updated_at: now,
    }))
    .where('agent_id', '=', sql<string>`any(${agentIds})`)
    .where('mode', '=', 'test')
    .execute()
}
