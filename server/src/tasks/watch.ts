/**
 * Waiting for a task to change. All who wait in this process are asked about in one query, four times a second,
 * and nobody is asked about when nobody waits.
 */
import type { Db } from '../kit/db.ts'
import type { Task } from './queries.ts'

const INTERVAL_MS = 250

type Seen = Pick<Task, 'id' | 'status' | 'updated_at'>

interface Waiter {
  task: Seen
  resolve(): void
}

interface Watch {
  waiters: Set<Waiter>
  isPolling: boolean
}

const watches = new WeakMap<Db, Watch>()

/** Resolves when the task is no longer as it was seen, the time is up, or the caller has gone. */
export async function untilChanged(
  db: Db,
  { task, waitMs, signal }: { task: Seen; waitMs: number; signal: AbortSignal },
): Promise<void> {
  if (signal.aborted) return
  const watch = watches.get(db) ?? { waiters: new Set<Waiter>(), isPolling: false }
  watches.set(db, watch)

  const { promise, resolve } = Promise.withResolvers<void>()
  const waiter = { task, resolve }
  const timer = setTimeout(resolve, waitMs)
  signal.addEventListener('abort', () => resolve(), { once: true })
  watch.waiters.add(waiter)
  // A poll that has not noticed yet that all had gone goes on for the newcomer: there is never a second one.
  if (!watch.isPolling) void poll(db, watch)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    watch.waiters.delete(waiter)
  }
}

async function poll(db: Db, watch: Watch): Promise<void> {
  watch.isPolling = true
  while (watch.waiters.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS))
    const asked = [...watch.waiters]
    // A database that is away for a moment is no reason to end the wait.
    const rows = await db
      .call<Seen>('watch_tasks', 'select id, status, updated_at from tasks where id = any($1)', [
        asked.map(({ task }) => task.id),
      ])
      .catch(() => [])
    const current = new Map(rows.map((row) => [row.id, row]))
    for (const { task, resolve } of asked) {
      const is = current.get(task.id)
      if (is === undefined) continue
      if (is.status !== task.status || is.updated_at.getTime() !== task.updated_at.getTime())
        resolve()
    }
  }
  watch.isPolling = false
}
