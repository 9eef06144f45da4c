import type { Selectable } from 'kysely'
import type { Reader, Tx } from '../kit/db.ts'
import { idPattern } from '../kit/ids.ts'
import type { Schema } from '../kit/schema.ts'
import { taskNotFound } from './errors.ts'

export type Task = Selectable<Schema['tasks']>

interface OwnTask {
  taskId: string
  agentId: string
}

const TASK_ID = idPattern('task')

/** The agent's task; one of another agent, and what is no id at all, is as absent as one that never was. */
export async function findTask(db: Reader, own: OwnTask): Promise<Task> {
  const task = await ownTask(db, own)?.executeTakeFirst()
  if (task === undefined) throw taskNotFound()
  return task
}

/** The same, held until the transaction ends. */
export async function lockTask(tx: Tx, own: OwnTask): Promise<Task> {
  const task = await ownTask(tx, own)?.forNoKeyUpdate().executeTakeFirst()
  if (task === undefined) throw taskNotFound()
  return task
}

function ownTask(db: Reader, { taskId, agentId }: OwnTask) {
  if (!TASK_ID.test(taskId)) return undefined
  return db.selectFrom('tasks').selectAll().where('id', '=', taskId).where('agent_id', '=', agentId)
}
