/** The reports that wait for an operator, by task, for a person to decide on. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { formatCents } from '../kit/money.ts'
import { ageOf, counted, plain } from '../kit/words.ts'
import type { Task } from './queries.ts'

const TASKS_MAX = 50
const DESCRIPTION_MAX = 500

interface ReportedTask
  extends Pick<Task, 'id' | 'agent_id' | 'type' | 'status' | 'title' | 'description'> {
  budget_cents: number
  reported_at: Date | null
  agent_name: string
  agent_email: string
  since: Date
  /** Who work on it at this moment, and whose proof waits. */
  held: number
  submitted: number
  reports: { kind: string; note: string | null }[]
}

/** The one that has waited longest first. Who reported is not among it: a decision needs no name. */
export async function waitingReports(db: Reader): Promise<ReportedTask[]> {
  const { rows } = await sql<ReportedTask>`
    select t.id, t.agent_id, t.type, t.status, t.title, t.description, t.budget_cents, t.reported_at,
           a.name as agent_name, a.email as agent_email, r.since, r.reports, s.held, s.submitted
      from (select task_id, min(created_at) as since,
                   json_agg(json_build_object('kind', kind, 'note', note) order by created_at) as reports
              from task_reports where verdict is null group by task_id) r
      join tasks t on t.id = r.task_id and t.mode = 'live'
      join agents a on a.id = t.agent_id
     cross join lateral (
       select (count(*) filter (where status = 'accepted'))::integer as held,
              (count(*) filter (where status = 'submitted'))::integer as submitted
         from assignments where task_id = t.id) s
     order by r.since, t.id limit ${TASKS_MAX}`.execute(db)
  return rows
}

export async function countWaitingReports(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('task_reports')
    .innerJoin('tasks', 'tasks.id', 'task_reports.task_id')
    .select(({ fn }) => fn.count<number>('task_id').distinct().as('count'))
    .where('verdict', 'is', null)
    // What is played in test mode is nobody's business.
    .where('tasks.mode', '=', 'live')
    .executeTakeFirstOrThrow()
  return count
}

export function renderReports(tasks: ReportedTask[], now: Date): string[] {
  if (tasks.length === 0) return ['No report waits']
  return tasks.flatMap((task) => [
    `${task.id}: ${task.status}, ${formatCents(task.budget_cents)}, ${task.type}, ` +
      `reported ${ageOf(now.getTime() - task.since.getTime())} ago` +
      (task.reported_at === null ? ', still shown' : ', shown to nobody'),
    `  by ${plain(task.agent_name)} (${task.agent_id}, ${plain(task.agent_email)}); ` +
      `${counted(task.held, 'workers')} at it, ${counted(task.submitted, 'proofs')} to be judged`,
    ...(task.title === null ? [] : [`  ${plain(task.title)}`]),
    `  ${plain(task.description).slice(0, DESCRIPTION_MAX)}`,
    ...task.reports.map(
      ({ kind, note }) => `  - ${kind}${note === null ? '' : `: ${plain(note)}`}`,
    ),
    '',
  ])
}
