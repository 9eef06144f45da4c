import { type RawBuilder, sql } from 'kysely'

/**
 * The lane of an address, in SQL: the agent's own for its webhook_url, where `url` is null, and one for each host of
 * its callback_urls. What has no host that can be read shares a lane, and fails there.
 */
export const laneOf = (agentId: RawBuilder<unknown>, url: RawBuilder<unknown>) =>
  sql<string>`case when ${url} is null then ${agentId}
    else ${agentId} || ' ' || coalesce(lower(substring(${url} from '^[^:]+://([^/?#]+)')), '') end`

/** The lanes of an agent, which are a range of ids: the letter behind a blank ends it. */
export const isLaneOf = (agentId: string) =>
  sql<boolean>`(id >= ${agentId} and id < ${`${agentId}!`})`
