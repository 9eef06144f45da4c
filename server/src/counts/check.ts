/**
 * Check the counts of agents against their rows, those first that were checked longest ago; and count agents that have
 * had no change since counts exist.
 *
 *   called by   the clock, every night
 *   moves       nothing
 *   money       none
 *   event       none; an open break raises the alarm `legwork_ledger_breaks` until a later check finds it right
 *
 * Wrong counts are deleted at once: the agent's rows are counted on every read, until counts.fold has counted
 * them anew.
 */
import { sql } from 'kysely'
import { auditUrlOf } from '../kit/databases.ts'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { type Background, job } from '../kit/job.ts'
import { withPatientReader } from '../kit/patient-reader.ts'
import { closeBreak, openBreaks, recordBreaks } from '../ledger/audit-state.ts'
import { COUNTED } from '../ledger/invariants.ts'
import { findWrongCounts } from './figures.ts'
import { countAgents } from './fold.ts'

/** Checking reads all rows of an agent. After this many tasks, the rest waits for another night. */
const TASKS_TOGETHER = 2_000_000
const AGENTS_TOGETHER = 10_000
const SLOWEST_MS = 600_000

export const checkCounts = job({
  name: 'counts.check',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '29 4 * * *',

  async run(background) {
    await countAgents(background, await uncountedWithTasks(background.db.reader))
    const { config, db } = background
    const url = auditUrlOf(config, db.schema)
    const check = async (patient: Reader) => {
      await recheckBreaks(background, patient)
      await checkOldest(background, patient)
    }
    await withPatientReader(url, SLOWEST_MS, check, db.schema)
  },
})

async function uncountedWithTasks(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from agents a
     where (a.mode = 'live' or a.status <> 'closed')
       and not exists (select 1 from counted_agents k where k.agent_id = a.id)
       and exists (select 1 from tasks t where t.agent_id = a.id)
     limit ${AGENTS_TOGETHER}`.execute(reader)
  return rows.map(({ id }) => id)
}

/** An agent whose counts were deleted for the break is right as well: its rows are counted. */
async function recheckBreaks(background: Background, patient: Reader): Promise<void> {
  for (const open of await openBreaks(background.db.reader))
    if (open.invariant === COUNTED && (await areRight(patient, open.subject)))
      await closeBreak(background, open)
}

async function areRight(patient: Reader, agentId: string): Promise<boolean> {
  const counted = await patient
    .selectFrom('counted_agents')
    .select('agent_id')
    .where('agent_id', '=', agentId)
    .execute()
  return counted.length === 0 || (await findWrongCounts(patient, [agentId])).length === 0
}

async function checkOldest(background: Background, patient: Reader): Promise<void> {
  const { rows } = await sql<{ agent_id: string; tasks: number }>`
    select agent_id, coalesce((select sum(n.tasks) from agent_counts n
                                where n.agent_id = k.agent_id and n.worker_id is null), 0)::bigint as tasks
      from (select agent_id from counted_agents order by checked_at limit ${AGENTS_TOGETHER}) k`.execute(
    background.db.reader,
  )
  let tasks = 0
  for (const agent of rows) {
    if (tasks > TASKS_TOGETHER) return
    tasks += agent.tasks
    await checkAgent(background, patient, agent.agent_id)
  }
}

async function checkAgent(background: Background, patient: Reader, agentId: string): Promise<void> {
  const { db, clock } = background
  if (await areRight(patient, agentId)) {
    await db.transaction((tx) =>
      tx
        .updateTable('counted_agents')
        .set({ checked_at: clock.now() })
        .where('agent_id', '=', agentId)
        .execute(),
    )
    return
  }
  await recordBreaks(background, [{ invariant: COUNTED, subject: agentId }])
  await db.transaction((tx) =>
    tx.deleteFrom('counted_agents').where('agent_id', '=', agentId).execute(),
  )
}
