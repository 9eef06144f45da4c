import { z } from 'zod'
import type { Db } from '../kit/db.ts'
import { named } from '../kit/named.ts'
import { RATE_CASES_MIN } from '../kit/rate.ts'
import { countVerdicts, type Reputation, reputationOf, reputationsOf } from './reputations.ts'

const Share = z.number().min(0).max(1).nullable()

/** An agent as workers see it: its name, and how it judges. */
export const AgentView = named(
  'PublicAgent',
  z
    .object({
      id: z.string(),
      name: z.string(),
      verdicts: z.int().describe('0 to 100'),
      disputes: z.int().describe('Since the first of these verdicts'),
      approval_rate: Share,
      overturn_rate: Share.describe('Out of its disputes'),
      median_review_s: z.int().nullable(),
    })
    .describe(
      `Out of its last 100 verdicts. A rate or a time is null while it has fewer than ${RATE_CASES_MIN} cases`,
    ),
)
export type AgentView = z.output<typeof AgentView>

export const viewAgent = (
  agent: Pick<AgentView, 'id' | 'name'>,
  { verdicts, disputes, approval_rate, overturn_rate, median_review_s }: Reputation,
): AgentView => ({
  id: agent.id,
  name: agent.name,
  verdicts,
  disputes,
  approval_rate,
  overturn_rate,
  median_review_s,
})

/** The public views of agents, by id; also of those on other shards whose tasks workers of this shard had. */
export async function agentsOf(
  db: Db,
  agentIds: readonly string[],
  now: Date,
): Promise<Map<string, AgentView>> {
  if (agentIds.length === 0) return new Map()
  const ids = [...new Set(agentIds)]
  const agents = await db.reader
    .selectFrom('worker_agents')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute()
  const { own = [], away = [] } = Object.groupBy(ids, (id) =>
    db.shards.at(id) === db ? 'own' : 'away',
  )
  const reputations = await reputationsOf(db.reader, own, now)
  // A copy may be old, so it isn't cached for those who read the agent's own shard.
  if (away.length > 0)
    for (const row of await countVerdicts(db.reader, away))
      reputations.set(row.agent_id, reputationOf(row))
  return new Map(agents.map((agent) => [agent.id, viewAgent(agent, reputations.get(agent.id)!)]))
}
