import type { Db } from '../kit/db.ts'
import { watcher } from '../kit/watch.ts'
import type { Task } from './queries.ts'

type Seen = Pick<Task, 'id' | 'agent_id' | 'status' | 'updated_at'>

const wait = watcher<Seen>(async (db, seen) => {
  const rows = await db.call<Omit<Seen, 'agent_id'>>(
    'watch_tasks',
    'select id, status, updated_at from tasks where id = any($1) and agent_id = any($2)',
    [seen.map(({ id }) => id), seen.map(({ agent_id }) => agent_id)],
  )
  const current = new Map(rows.map((row) => [row.id, row]))
  return seen.map((task) => {
    const is = current.get(task.id)
    if (is === undefined) return false
    return is.status !== task.status || is.updated_at.getTime() !== task.updated_at.getTime()
  })
})

/** Resolves when the task differs from the given snapshot, the time is up, or the caller has disconnected. */
export const untilChanged = (
  db: Db,
  { task, waitMs, signal }: { task: Seen; waitMs: number; signal: AbortSignal },
) => wait(db, { seen: task, waitMs, signal })
