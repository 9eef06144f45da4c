import { type RawBuilder, sql } from 'kysely'

/** The host of an address, in SQL; null where none can be read. */
export const hostIn = (url: RawBuilder<unknown>) =>
  sql<string | null>`lower(substring(${url} from '^[^:]+://([^/?#]+)'))`

/**
 * The lane of an address, in SQL: the agent's own for its webhook_url, where `url` is null, and one for each host of
 * its callback_urls. What has no host that can be read shares a lane, and fails there.
 */
export const laneOf = (agentId: RawBuilder<unknown>, url: RawBuilder<unknown>) =>
  sql<string>`case when ${url} is null then ${agentId}
    else ${agentId} || ' ' || coalesce(${hostIn(url)}, '') end`

/** Whether events are sent there, in SQL: neither the lane nor the callback_url is disabled. */
export const isEnabled = ({
  lane,
  agentId,
  url,
}: Record<'lane' | 'agentId' | 'url', RawBuilder<unknown>>) => sql<boolean>`(
  not exists (select 1 from webhook_lanes l where l.id = ${lane} and l.disabled_at is not null)
  and not exists (select 1 from gone_callbacks g where g.agent_id = ${agentId} and g.url = ${url}))`

/** The lanes of an agent, which are a range of ids: the letter behind a blank ends it. */
export const isLaneOf = (agentId: string) =>
  sql<boolean>`(id >= ${agentId} and id < ${`${agentId}!`})`
