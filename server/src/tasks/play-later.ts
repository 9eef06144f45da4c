import type { Db } from '../kit/db.ts'
import type { Task } from './queries.ts'

/** Says when a test task's script is looked at next, null for never; not if something has happened to it meanwhile. */
export async function playLater(
  db: Db,
  { id, agent_id, version }: Pick<Task, 'id' | 'agent_id' | 'version'>,
  at: Date | null,
): Promise<void> {
  await db.reader
    .updateTable('tasks')
    .set({ rehearse_at: at })
    .where('id', '=', id)
    .where('agent_id', '=', agent_id)
    .where('version', '=', version)
    .execute()
}
