import type { Db } from '../kit/db.ts'
import type { Task } from './queries.ts'

/** Schedules the next run of a test task's script (null: never), unless the task has changed since it was read. */
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
