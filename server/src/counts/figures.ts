/**
 * The figures of an agent's tasks, assignments and disputes. They are kept as counts, so that reading them costs the
 * same however long the agent's history is: the folded counts plus the changes since, which triggers write with every
 * change of a row (migrations 0057 to 0059). An agent without counts has its rows counted.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import type { AgentCaller } from '../kit/endpoint.ts'
import type { Schema } from '../kit/schema.ts'
import { isSeenBy } from '../kit/seen-by.ts'

export const FIGURES = [
  'tasks',
  'spent_cents',
  'auto_approved',
  'answered',
  'conflicts',
  'approved',
  'disputes',
  'overturned',
] as const
export type Figure = (typeof FIGURES)[number]

/** Type and status are null for the group of the agent's disputes. */
type TaskFigures = {
  [key in 'type' | 'status']: Selectable<Schema['tasks']>[key] | null
} & Record<Figure, number>

/** Figures of the agent's tasks by type and status. A group that is empty now may be among them, with zeros. */
export async function taskFigures(
  db: Reader,
  { id, visibleKeyId }: Pick<AgentCaller, 'id' | 'visibleKeyId'>,
): Promise<TaskFigures[]> {
  const { rows: kept } = await sql<TaskFigures>`
    select type, status, ${SUMS} from (${keptFigures([id])}) f
     where worker_id is null and ${isSeenBy(visibleKeyId)} and ${isCounted(id)} group by type, status`.execute(
    db,
  )
  // No group at all: the agent has no counts, or no tasks, which are quickly counted.
  if (kept.length > 0) return kept
  const { rows } = await sql<TaskFigures>`
    select type, status, ${SUMS} from (
      ${figuresOfTasks([id], visibleKeyId)} union all ${figuresOfDisputes([id], visibleKeyId)}) f
     group by type, status`.execute(db)
  return rows
}

interface Partner {
  worker_id: string
  approved: number
  /** How many partners the agent has in all. */
  partners: number
}

/** The workers with the most approved assignments for the agent. */
export async function topPartners(
  db: Reader,
  { id, visibleKeyId }: Pick<AgentCaller, 'id' | 'visibleKeyId'>,
  limit: number,
): Promise<Partner[]> {
  const topOf = async (figures: RawBuilder<unknown>) => {
    const { rows } = await sql<Partner>`
      select worker_id, sum(approved)::bigint as approved, count(*) over () as partners from (${figures}) f
       where worker_id is not null and ${isSeenBy(visibleKeyId)}
       group by worker_id having sum(approved) > 0 order by 2 desc, worker_id limit ${limit}`.execute(
      db,
    )
    return rows
  }
  const kept = await topOf(sql`select * from (${keptFigures([id])}) k where ${isCounted(id)}`)
  return kept.length > 0 ? kept : topOf(figuresOfPartners([id], visibleKeyId))
}

/** Those of the agents whose kept figures differ from their rows, both read in one snapshot. */
export async function findWrongCounts(reader: Reader, agentIds: string[]): Promise<string[]> {
  const difference = sql.join(FIGURES.map((name) => sql`-${sql.ref(name)}`))
  const isOff = sql.join(
    FIGURES.map((name) => sql`sum(${sql.ref(name)}) <> 0`),
    sql` or `,
  )
  const { rows } = await sql<{ agent_id: string }>`
    select distinct agent_id from (
      select agent_id from (
        ${keptFigures(agentIds)}
         union all
        select ${GROUP}, ${difference} from (${countedFigures(agentIds)}) c) f
       group by ${GROUP} having ${isOff}) wrong`.execute(reader)
  return rows.map(({ agent_id }) => agent_id)
}

export const isCounted = (agentId: string) =>
  sql<boolean>`exists (select 1 from counted_agents where agent_id = ${agentId})`

const GROUP = sql`agent_id, worker_id, key_path, type, status`
const SUMS = sql.join(FIGURES.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))

/** The folded counts and the changes since. */
const keptFigures = (agentIds: string[]): RawBuilder<unknown> => sql`
  select ${GROUP}, ${sql.join(FIGURES.map((name) => sql.ref(name)))}
    from agent_counts where agent_id = any(${agentIds}::text[])
   union all
  select agent_id, worker_id, coalesce(key_path, '{}'), type, status,
         ${sql.join(FIGURES.map((name) => sql`${sql.ref(name)}::bigint`))}
    from agent_count_changes where agent_id = any(${agentIds}::text[])`

/** The same figures, counted from the rows. */
export const countedFigures = (agentIds: string[]): RawBuilder<unknown> => sql`
  ${figuresOfTasks(agentIds)} union all ${figuresOfPartners(agentIds)} union all ${figuresOfDisputes(agentIds)}`

const figuresOfTasks = (agentIds: string[], visibleKeyId: string | null = null) => sql`
  select agent_id, null::text as worker_id, coalesce(key_path, '{}') as key_path, type, status, count(*) as tasks,
         -- The escrow while a task is open, and the amount paid once it is settled.
         coalesce(sum(escrow_cents + coalesce((settlement ->> 'gross_cents')::bigint, 0))
                    filter (where funding = 'wallet'), 0)::bigint as spent_cents,
         count(*) filter (where approved_by = 'auto') as auto_approved,
         count(consensus) filter (where coalesce(consensus_max, consensus_count) > 1) as answered,
         count(*) filter (where coalesce(consensus_max, consensus_count) > 1
           and consensus ->> 'conflict' = 'true') as conflicts,
         0::bigint as approved, 0::bigint as disputes, 0::bigint as overturned
    from tasks where agent_id = any(${agentIds}::text[]) and ${isSeenBy(visibleKeyId)} group by 1, 2, 3, 4, 5`

const figuresOfPartners = (agentIds: string[], visibleKeyId: string | null = null) => sql`
  select a.agent_id, a.worker_id, coalesce(t.key_path, '{}') as key_path, null::task_type as type,
         null::task_status as status, 0::bigint as tasks, 0::bigint as spent_cents, 0::bigint as auto_approved,
         0::bigint as answered, 0::bigint as conflicts, count(*) as approved, 0::bigint as disputes,
         0::bigint as overturned
    from assignments a join tasks t on t.id = a.task_id and t.agent_id = a.agent_id
   where a.agent_id = any(${agentIds}::text[]) and a.status = 'approved' and ${isSeenBy(visibleKeyId)}
   group by 1, 2, 3`

/** Held and lapsed disputes never reached a worker. */
const figuresOfDisputes = (agentIds: string[], visibleKeyId: string | null = null) => sql`
  select d.agent_id, null::text as worker_id, coalesce(t.key_path, '{}') as key_path, null::task_type as type,
         null::task_status as status, 0::bigint as tasks, 0::bigint as spent_cents, 0::bigint as auto_approved,
         0::bigint as answered, 0::bigint as conflicts, 0::bigint as approved, count(*) as disputes,
         count(*) filter (where d.status in ('overturned', 'rejected')) as overturned
    from disputes d join tasks t on t.id = d.task_id and t.agent_id = d.agent_id
   where d.agent_id = any(${agentIds}::text[]) and d.status not in ('held', 'lapsed') and ${isSeenBy(visibleKeyId)}
   group by 1, 2, 3`
