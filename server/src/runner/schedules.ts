/**
 * Enqueues scheduled jobs when they are due. The queue's own cron uses the wall clock: if it were set back by three
 * days, nothing would be enqueued for three days. This scheduler uses the database's time, and pauses while the clock
 * is in doubt. Each run of a schedule is enqueued once, by whichever process is first.
 */
import { type ParsedCronItem, parseCronItems } from 'graphile-worker'
import { sql } from 'kysely'
import type { Background, Job } from '../kit/job.ts'
import { loop } from './loop.ts'

const MINUTE_MS = 60_000
const LOOK_MS = 1_000
/** After a pause, a missed job runs once if it was due no longer ago than this. */
const CATCH_UP_MINUTES = 24 * 60

export async function startSchedules(background: Background, jobs: readonly Job[]) {
  const { db, clock } = background
  const items = parseCronItems(
    jobs.flatMap(({ name, schedule }) =>
      schedule === undefined ? [] : [{ task: name, match: schedule }],
    ),
  )
  const minuteNow = () => Math.floor(clock.now().getTime() / MINUTE_MS)
  await sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since)
    select identifier, ${clock.now()} from unnest(${items.map(({ identifier }) => identifier)}::text[]) identifier
    on conflict do nothing`.execute(db.reader)

  let done = minuteNow()
  return loop(background, {
    name: 'schedules',
    intervalMs: LOOK_MS,
    async step() {
      if (clock.doubt?.() !== undefined) return 'idle'
      const last = minuteNow()
      const due = dueIn(items, Math.max(done, last - CATCH_UP_MINUTES), last)
      if (due.length > 0) await addJobs(background, due)
      done = Math.max(done, last)
      return 'idle'
    },
  })
}

interface Due {
  identifier: string
  at: Date
}

/** For each schedule due after minute `after` and up to minute `last`, its latest due time. */
function dueIn(items: ParsedCronItem[], after: number, last: number): Due[] {
  const latest = new Map<string, Due>()
  for (let minute = last; minute > after; minute -= 1) {
    const at = new Date(minute * MINUTE_MS)
    for (const { identifier, match } of items)
      if (!latest.has(identifier) && match(digestOf(at))) latest.set(identifier, { identifier, at })
  }
  return [...latest.values()]
}

/**
 * A last execution more than an hour in the future was written by a process with a wrong clock. It is ignored, because
 * the job would not run until then.
 */
async function addJobs({ db }: Background, due: Due[]): Promise<void> {
  await sql`
    with added as (
      insert into graphile_worker._private_known_crontabs as known (identifier, known_since, last_execution)
      select identifier, at, at
        from unnest(${due.map(({ identifier }) => identifier)}::text[], ${due.map(({ at }) => at)}::timestamptz[])
             due (identifier, at)
      on conflict (identifier) do update set last_execution = excluded.last_execution
        where known.last_execution is null or known.last_execution < excluded.last_execution
           or known.last_execution > excluded.last_execution + interval '1 hour'
      returning identifier
    )
    select graphile_worker.add_job(identifier) from added`.execute(db.reader)
}

const digestOf = (at: Date) => ({
  min: at.getUTCMinutes(),
  hour: at.getUTCHours(),
  date: at.getUTCDate(),
  month: at.getUTCMonth() + 1,
  dow: at.getUTCDay(),
})
