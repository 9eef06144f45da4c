/** The next timed actions on a test agent's tasks, and how to execute them. */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { concede } from '../disputes/concede-appeals.ts'
import { lapseDisputes } from '../disputes/lapse-held-disputes.ts'
import type { Db, Reader } from '../kit/db.ts'
import { autoApproveTasks } from '../tasks/auto-approve.ts'
import { expireTasks } from '../tasks/expire.ts'
import { noteHalves } from '../tasks/note-half-time.ts'
import { isSeenBy } from '../kit/seen-by.ts'
import { timeOutAssignments } from '../tasks/time-out.ts'
import { UPLOAD_GRACE_MS } from '../tasks/timers.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { settleDisputes } from '../workers/settle-trust.ts'
import { findStep, playStep, readWork } from './play.ts'
import { RULING_AFTER_MS, ruleOnTestAppeals } from './rule.ts'

export interface Moment {
  at: Date
  what: string
  /** The id of the row that is due. */
  id: string
  task_id: string | null
}

interface Stage {
  db: Db
  config: Config
}

/**
 * The next moments, soonest first. At equal times scripts act before timers, like people who are just in time. A
 * pending webhook delivery is a moment only while it is in the future: once due, the deliverer handles it.
 */
export async function nextMoments(
  db: Reader,
  {
    agentId,
    visibleKeyId = null,
    config,
    now,
    limit,
  }: {
    agentId: string
    visibleKeyId?: string | null
    config: Pick<Config, 'APPEAL_HOURS'>
    now: Date
    limit: number
  },
): Promise<Moment[]> {
  const { rows } = await sql<Moment>`
    with mine as materialized (
      select t.* from tasks t
       where t.agent_id = ${agentId} and t.mode = 'test' and t.rehearsal is not null
         and (t.ended_at is null or t.status = 'disputed') and ${isSeenBy(visibleKeyId)}
    ), slots as (
      select a.* from mine m join assignments a on a.task_id = m.id
       where a.status = 'accepted' and m.status = 'in_progress'
    ), moments (at, rank, what, id, task_id) as (
      select rehearse_at, 1, 'rehearsal', id, id from mine where rehearse_at is not null
      union all
      select accepted_at + (expires_at - accepted_at) / 2, 2, 'tasks.half_time', id, task_id
        from slots where revisions = 0 and half_told_at is null
      union all
      select expires_at + case when upload_begun_at is null then interval '0'
                               else ${UPLOAD_GRACE_MS} * interval '1 millisecond' end, 3, 'tasks.time_out', id, task_id
        from slots
      union all
      select deadline, 4, 'tasks.expire', id, id from mine where status in ('pending', 'in_progress')
      union all
      select review_due_at, 5, 'tasks.auto_approve', id, id from mine
       where status = 'proof_submitted' and review_due_at is not null
      union all
      select p.agent_until, 6, 'tasks.concede_appeals', p.id, p.task_id
        from mine m join appeals p on p.task_id = m.id
       where p.ruling is null and p.agent_answer is null
      union all
      select p.answered_at + ${RULING_AFTER_MS} * interval '1 millisecond', 6, 'tasks.rule_appeals', p.id, p.task_id
        from mine m join appeals p on p.task_id = m.id
       where p.ruling is null and p.agent_answer is not null
      union all
      select h.decides_by, 7, 'tasks.lapse_held_dispute', h.id, h.task_id
        from mine m join disputes h on h.task_id = m.id
       where h.status = 'held'
      union all
      select e.pending_since + ${config.APPEAL_HOURS} * interval '1 hour', 8, 'workers.settle_trust', e.worker_id, m.id
        from mine m join assignments a on a.task_id = m.id and a.status = 'disputed'
        join trust_events e on e.worker_id = a.worker_id and e.key = a.id || ':disputed'
       where e.pending_since is not null and not e.is_appealed
      union all
      select d.next_try_at, 9, 'webhooks.retry', d.event_id, e.task_id
        from deliveries d left join events e on e.created_at = d.event_at and e.id = d.event_id
       where d.lane >= ${agentId} and d.lane < ${`${agentId}!`} and d.next_try_at > ${now}
         and (${visibleKeyId}::text is null or e.task_id in (select id from mine))
    )
    select at, what, id, task_id from moments order by at, rank, id limit ${limit}`.execute(db)
  return rows
}

/** Executes a moment that is due. Returns what was done, or undefined if there was nothing to do after all. */
export async function fire(
  { db, config }: Stage,
  { what, id }: Moment,
  now: Date,
): Promise<string | undefined> {
  const done = (count: number) => (count > 0 ? what : undefined)
  switch (what) {
    case 'rehearsal': {
      const step = await playStep({ db, config }, { taskId: id, now })
      return step && `rehearsal.${step}`
    }
    case 'tasks.half_time':
      return done(
        await db.transaction(async (tx) => {
          const works = await noteHalves(tx, { ids: [id], now })
          await requestWork(tx, works, { now })
          return works.length
        }),
      )
    case 'tasks.time_out':
      return done(await db.transaction((tx) => timeOutAssignments(tx, { ids: [id], now })))
    case 'tasks.expire':
      return done(await db.transaction((tx) => expireTasks(tx, { taskIds: [id], config, now })))
    case 'tasks.auto_approve':
      return done(
        await db.transaction((tx) => autoApproveTasks(tx, { taskIds: [id], config, now })),
      )
    case 'tasks.concede_appeals':
      return done(await db.transaction((tx) => concede(tx, { appealIds: [id], config, now })))
    case 'tasks.rule_appeals':
      return done(
        await db.transaction((tx) => ruleOnTestAppeals(tx, { appealIds: [id], config, now })),
      )
    case 'tasks.lapse_held_dispute':
      return done(
        await db.transaction((tx) => lapseDisputes(tx, { disputeIds: [id], config, now })),
      )
    case 'workers.settle_trust':
      return done(
        await db.transaction((tx) => settleDisputes(tx, { workerIds: [id], config, now })),
      )
    // Now that it is due, the deliverer sends it.
    case 'webhooks.retry':
      return what
  }
  throw new Error(`nobody knows how to let ${what} happen`)
}

/** Adds the next step of a script to its moment; undefined if the script has nothing to do yet. */
export async function describe(db: Db, moment: Moment): Promise<Moment | undefined> {
  if (moment.what !== 'rehearsal') return moment
  const work = await readWork(db, moment.id)
  const step = work && (await findStep(db, work))
  return step && { ...moment, at: step.at, what: `rehearsal.${step.do}` }
}
