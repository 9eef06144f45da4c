/**
 * Remove the texts of old tasks: descriptions, addresses, phone numbers, answers, and the reasons of disputes. The
 * records of payments stay. An appeal that nobody has ruled on keeps the texts of its task.
 *
 *   called by   the clock, TASK_TEXT_KEEP_DAYS after the task has ended
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { callForValue } from '../kit/call.ts'
import { sweep } from '../kit/job.ts'

const DAY_MS = 86_400_000

export const forgetTexts = sweep({
  name: 'runner.forget-texts',

  // The view has this shard's tasks, and its copies of other shards' tasks: each shard removes its own.
  async due({ db, clock, config }, limit) {
    const { rows } = await sql<{ id: string }>`
      select t.id from worker_tasks t
       where t.ended_at < ${endedBefore(clock.now(), config)}
         and t.description <> 'Removed: the retention period of this text has ended.'
         and not exists (select 1 from worker_appeals a where a.task_id = t.id and a.ruling is null)
       order by t.ended_at limit ${limit}`.execute(db.reader)
    return rows
  },

  move({ db, clock, config }, rows) {
    const now = clock.now()
    return callForValue(db, 'tasks_forget_texts', {
      p_tasks: rows.map(({ id }) => id),
      p_before: endedBefore(now, config),
      p_now: now,
    })
  },
})

const endedBefore = (now: Date, { TASK_TEXT_KEEP_DAYS }: Pick<Config, 'TASK_TEXT_KEEP_DAYS'>) =>
  new Date(now.getTime() - TASK_TEXT_KEEP_DAYS * DAY_MS)
