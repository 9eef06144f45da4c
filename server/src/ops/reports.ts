/** Reports that wait for an operator's decision, grouped by task. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { mergeSorted, orderBy, readShards } from '../kit/everywhere.ts'
import type { Task } from '../tasks/queries.ts'
import { command } from './command.ts'

const TASKS_MAX = 50

interface ReportedTask
  extends Pick<Task, 'id' | 'agent_id' | 'type' | 'status' | 'title' | 'description'> {
  budget_cents: number
  reported_at: Date | null
  agent_name: string
  agent_email: string
  since: Date
  /** How many workers are working on it now, and how many proofs wait for a verdict. */
  held: number
  submitted: number
  reports: { kind: string; note: string | null; weight: number }[]
}

export const reports = command({
  name: 'reports',
  takes: '',
  does: 'list reported tasks that nobody has reviewed; exit 1 if there are any',
  right: 'view',
  isLook: true,
  async run({ db, clock }) {
    const tasks = await waitingReports(db.shards.readers)
    return { data: { at: clock.now(), tasks }, isBad: tasks.length > 0 }
  },
})

/**
 * Highest weight first, so that reports from new accounts can't bury the others; then longest wait first. Omits the
 * reporters' names, which a decision does not need.
 */
export async function waitingReports(shards: readonly Reader[]): Promise<ReportedTask[]> {
  const parts = await readShards(shards, reportsOfShard)
  return mergeSorted(HEAVIEST_FIRST, parts, TASKS_MAX).map((task) => {
    const { weight: _, ...shown } = task
    return shown
  })
}

type Weighed = ReportedTask & { weight: number }

const HEAVIEST_FIRST = orderBy<Weighed>(
  ({ weight }) => -weight,
  ({ since }) => since,
  ({ id }) => id,
)

/** Reports are in the shard of their task. */
async function reportsOfShard(shard: Reader): Promise<Weighed[]> {
  const { rows } = await sql<Weighed>`
    select t.id, t.agent_id, t.type, t.status, t.title, t.description, t.budget_cents, t.reported_at,
           a.name as agent_name, a.email as agent_email, r.since, r.weight, r.reports, s.held, s.submitted
      from (select task_id, min(created_at) as since,
                   sum(weight) as weight,
                   json_agg(json_build_object('kind', kind, 'note', note, 'weight', weight)
                            order by created_at) as reports
              from task_reports where verdict is null group by task_id) r
      join tasks t on t.id = r.task_id and t.mode = 'live'
      join agents a on a.id = t.agent_id
     cross join lateral (
       select (count(*) filter (where status = 'accepted'))::integer as held,
              (count(*) filter (where status = 'submitted'))::integer as submitted
         from assignments where task_id = t.id) s
     order by r.weight desc, r.since, t.id limit ${TASKS_MAX}`.execute(shard)
  return rows
}
