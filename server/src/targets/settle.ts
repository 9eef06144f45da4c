/**
 * Give back the counts of tasks that were never created, or that ended before a worker took them: those reached nobody.
 *
 *   called by   the clock, every ten minutes
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { readByIds } from '../kit/everywhere.ts'
import { job } from '../kit/job.ts'

const CHECKED_TOGETHER = 500
const CHECK_AGAIN_MS = 3_600_000

export const settle = job({
  name: 'targets.settle',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '*/10 * * * *',
  isGlobal: true,

  async run({ db: { shards }, clock }) {
    const now = clock.now()
    const { reader } = shards.global
    for (;;) {
      const due = await reader
        .selectFrom('target_uses')
        .select('task_id')
        .where('check_at', '<=', now)
        .orderBy('check_at')
        .limit(CHECKED_TOGETHER)
        .execute()
      if (due.length === 0) return
      const ids = [...new Set(due.map(({ task_id: id }) => id))]
      const tasks = new Map(
        (await readByIds(shards, ids, readTasks)).map((task) => [task.id, task]),
      )
      const [open, reached, free]: [string[], string[], string[]] = [[], [], []]
      for (const id of ids) {
        const task = tasks.get(id)
        const hasEnded = task === undefined || ['cancelled', 'expired'].includes(task.status)
        if (task?.is_taken) reached.push(id)
        else (hasEnded ? free : open).push(id)
      }
      await setCheck(reader, open, new Date(now.getTime() + CHECK_AGAIN_MS))
      await setCheck(reader, reached, null)
      if (free.length > 0)
        await reader.deleteFrom('target_uses').where('task_id', 'in', free).execute()
    }
  },
})

const readTasks = (shard: Reader, ids: string[]) =>
  shard
    .selectFrom('tasks')
    .select(({ exists, selectFrom }) => [
      'id',
      'status',
      exists(selectFrom('assignments').select('id').whereRef('task_id', '=', 'tasks.id')).as(
        'is_taken',
      ),
    ])
    .where('id', 'in', ids)
    .execute()

async function setCheck(reader: Reader, ids: string[], check_at: Date | null): Promise<void> {
  if (ids.length === 0) return
  await reader.updateTable('target_uses').set({ check_at }).where('task_id', 'in', ids).execute()
}
