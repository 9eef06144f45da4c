/**
 * Add the changes of figures to the counts of their agents, and count agents that have no counts yet.
 *
 *   called by   the clock, every minute
 *   moves       nothing
 *   money       none
 *   event       none
 *
 * A reader adds what is not folded yet, so a delay costs time and never a figure.
 */
import { sql } from 'kysely'
import { urlOf } from '../kit/databases.ts'
import { z } from 'zod'
import type { Reader, Tx } from '../kit/db.ts'
import { type Background, job } from '../kit/job.ts'
import { withPatientReader } from '../kit/patient-reader.ts'
import { countedFigures, FIGURES, isCounted } from './figures.ts'

const ROWS_TOGETHER = 10_000
/** Agents counted by one run; the next one continues. */
const AGENTS_TOGETHER = 500
/** Counting an agent reads all its rows, once. */
const SLOWEST_MS = 600_000
/** An arbitrary advisory lock key; nothing else in this database may use it. */
const LOCK = 5_640_302_117_421

const COLUMNS = sql.join(FIGURES.map((name) => sql.ref(name)))

export const foldCounts = job({
  name: 'counts.fold',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '* * * * *',

  async run(background) {
    while ((await foldChanges(background)) === ROWS_TOGETHER);
    const agents = await uncountedWithChanges(background.db.reader)
    if (agents.length > 0) await countAgents(background, agents)
  },
})

/** Folds some changes of counted agents, and returns how many. */
export async function foldChanges({ db }: Pick<Background, 'db'>): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await isAlone(tx))) return 0
    const sums = sql.join(FIGURES.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
    const { rows } = await sql<{ folded: number }>`
      with picked as materialized (
        select c.ctid from agent_count_changes c
         where exists (select 1 from counted_agents k where k.agent_id = c.agent_id) limit ${ROWS_TOGETHER}
      ), gone as (
        delete from agent_count_changes c using picked p where c.ctid = p.ctid
        returning agent_id, worker_id, coalesce(key_path, '{}') as key_path, type, status, ${COLUMNS}
      ), folded as (
        insert into agent_counts as n (agent_id, worker_id, key_path, type, status, ${COLUMNS})
          select agent_id, worker_id, key_path, type, status, ${sums} from gone
           group by agent_id, worker_id, key_path, type, status
        on conflict (agent_id, worker_id, key_path, type, status) do update set ${sql.join(
          FIGURES.map(
            (name) => sql`${sql.ref(name)} = n.${sql.ref(name)} + excluded.${sql.ref(name)}`,
          ),
        )}
      )
      select count(*) as folded from gone`.execute(tx)
    return rows[0]!.folded
  })
}

async function uncountedWithChanges(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ agent_id: string }>`
    select distinct agent_id from agent_count_changes c
     where not exists (select 1 from counted_agents k where k.agent_id = c.agent_id)
     limit ${AGENTS_TOGETHER}`.execute(reader)
  return rows.map(({ agent_id }) => agent_id)
}

/** Counts agents of one shard from their rows, each in a transaction of its own, on a connection with time for it. */
export async function countAgents(
  { db, config, clock }: Pick<Background, 'db' | 'config' | 'clock'>,
  agentIds: string[],
): Promise<void> {
  const count = async (reader: Reader) => {
    for (const agentId of agentIds) await countAgent(reader, agentId, clock.now())
  }
  await withPatientReader(urlOf(config, db.schema), SLOWEST_MS, count, db.schema)
}

/**
 * All statements see one snapshot: the rows that are counted include the changes that are deleted, and a change that
 * commits later stays, to be added.
 */
const countAgent = (reader: Reader, agentId: string, now: Date): Promise<void> =>
  reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      if (!(await isAlone(tx))) return
      const { rows } = await sql<{ is_new: boolean; is_kept: boolean }>`
        with marked as (
          insert into counted_agents (agent_id, counted_at, checked_at)
            select id, ${now}, ${now} from agents
             -- A test agent that has ended is being erased.
             where id = ${agentId} and (mode = 'live' or status <> 'closed')
          on conflict do nothing returning agent_id)
        select exists (select 1 from marked) as is_new, ${isCounted(agentId)} as is_kept`.execute(
        tx,
      )
      const { is_new: isNew, is_kept: isKept } = rows[0]!
      // Another run was faster: the changes since are its own to fold.
      if (isKept) return
      await sql`delete from agent_count_changes where agent_id = ${agentId}`.execute(tx)
      if (!isNew) return
      await sql`
        insert into agent_counts (agent_id, worker_id, key_path, type, status, ${COLUMNS})
          select agent_id, worker_id, key_path, type, status, ${COLUMNS}
            from (${countedFigures([agentId])}) f`.execute(tx)
    })

/** One process folds or counts at a time. */
async function isAlone(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ is_alone: boolean }>`
    select pg_try_advisory_xact_lock(${LOCK}) as is_alone`.execute(tx)
  return rows[0]!.is_alone
}
