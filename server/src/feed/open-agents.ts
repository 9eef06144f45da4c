/** The feed's own copy of the agents with open tasks: their names, and how they judge. */
import { sql } from 'kysely'
import { countVerdicts, type VerdictCounts } from '../agents/reputations.ts'
import type { Db, Tx } from '../kit/db.ts'
import type { TakenEvent } from '../webhooks/take-events.ts'

/** Events after which an agent's last verdicts differ. */
const VERDICTS = ['task.completed', 'task.disputed', 'task.dispute_resolved']
export const AGENT_EVENTS = [...VERDICTS, 'agent.renamed']

/** A transaction of the agents' shard, and one of the feed: the same one if they are in one schema. */
export interface FeedTx {
  tx: Tx
  feed: Tx
}

/**
 * Adds those of the agents that the feed doesn't know. They count as stale, because a verdict that is relayed at the
 * same time finds no row to mark.
 */
export async function addAgents({ tx, feed }: FeedTx, agentIds: string[]): Promise<void> {
  const known = await feed
    .selectFrom('open_agents')
    .select('agent_id')
    .where('agent_id', '=', sql<string>`any(${agentIds})`)
    .execute()
  const knownIds = new Set(known.map(({ agent_id }) => agent_id))
  const added = agentIds.filter((id) => !knownIds.has(id))
  if (added.length === 0) return
  await feed
    .insertInto('open_agents')
    .values(await readAgents(tx, added))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Follows the events of agents that have open tasks: new names at once, verdicts within a minute. */
export async function followAgents(
  { tx, feed }: FeedTx,
  events: readonly TakenEvent[],
): Promise<void> {
  const judges = events.flatMap(({ type, agent_id, mode }) =>
    mode === 'live' && VERDICTS.includes(type) ? (agent_id ?? []) : [],
  )
  const renamed = events.flatMap(({ type, data }) =>
    type === 'agent.renamed' ? (data as { id: string }).id : [],
  )
  const ids = [...new Set([...judges, ...renamed])]
  // Also those that are stale already: refreshSome may have read them before this verdict, and be about to commit.
  if (ids.length > 0)
    await feed
      .updateTable('open_agents')
      .set({ is_stale: true })
      .where('agent_id', '=', sql<string>`any(${ids})`)
      .execute()
  if (renamed.length > 0) await rename({ tx, feed }, renamed)
}

async function rename({ tx, feed }: FeedTx, agentIds: string[]): Promise<void> {
  for (const { id, name } of await readNames(tx, agentIds))
    await feed.updateTable('open_agents').set({ name }).where('agent_id', '=', id).execute()
}

/** Finds some stale agents, without locking them. */
export async function findStale({ reader }: Db, limit: number): Promise<string[]> {
  const stale = await reader
    .selectFrom('open_agents')
    .select('agent_id')
    .where('is_stale', '=', true)
    .orderBy('agent_id')
    .limit(limit)
    .execute()
  return stale.map(({ agent_id }) => agent_id)
}

/**
 * Reads those of the agents that are still stale again, and returns how many. Their rows stay locked meanwhile, so a
 * verdict that comes after the reading marks its agent after this transaction.
 */
export async function refreshSome({ tx, feed }: FeedTx, agentIds: string[]): Promise<number> {
  const stale = await feed
    .selectFrom('open_agents')
    .select('agent_id')
    .where('agent_id', '=', sql<string>`any(${agentIds})`)
    .where('is_stale', '=', true)
    .orderBy('agent_id')
    .forUpdate()
    .skipLocked()
    .execute()
  if (stale.length === 0) return 0
  const agents = await readAgents(
    tx,
    stale.map(({ agent_id }) => agent_id),
  )
  await sql`
    update open_agents o
       set name = r.name, judged = r.judged, approved = r.approved, disputes = r.disputes, overturned = r.overturned,
           median_review_s = r.median_review_s, is_stale = false
      from json_to_recordset(${JSON.stringify(agents)}::json) r(agent_id text, name text, judged integer,
             approved integer, disputes integer, overturned integer, median_review_s double precision)
     where o.agent_id = r.agent_id`.execute(feed)
  return stale.length
}

/**
 * Removes agents without open tasks. A task that appears at this moment may lose its agent: its card is then read from
 * the task, until the next hourly comparison adds the agent again.
 */
export async function removeIdleAgents({ shards }: Db): Promise<void> {
  await sql`
    delete from open_agents a
     where not exists (select 1 from open_tasks o where o.agent_id = a.agent_id)`.execute(
    shards.feed.reader,
  )
}

async function readAgents(
  tx: Tx,
  agentIds: string[],
): Promise<(VerdictCounts & { name: string })[]> {
  const counts = new Map((await countVerdicts(tx, agentIds)).map((one) => [one.agent_id, one]))
  const names = await readNames(tx, agentIds)
  return names.map(({ id, name }) => ({ ...counts.get(id)!, name }))
}

const readNames = (tx: Tx, agentIds: string[]) =>
  tx
    .selectFrom('agents')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${agentIds})`)
    .orderBy('id')
    .execute()
