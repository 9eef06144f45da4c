import { type RawBuilder, sql } from 'kysely'

/** SQL expression for the host of a URL; null if it can't be parsed. */
export const hostIn = (url: RawBuilder<unknown>) =>
  sql<string | null>`lower(substring(${url} from '^[^:]+://([^/?#]+)'))`

/**
 * SQL expression for the lane of a URL: the agent's id for its webhook_url (`url` is null), and one lane per host for
 * callback_urls. URLs without a parsable host share one lane and fail there.
 */
export const laneOf = (agentId: RawBuilder<unknown>, url: RawBuilder<unknown>) =>
  sql<string>`case when ${url} is null then ${agentId}
    else ${agentId} || ' ' || coalesce(${hostIn(url)}, '') end`

/** SQL condition: neither the lane nor the callback_url is disabled. */
export const isEnabled = ({
  lane,
  agentId,
  url,
}: Record<'lane' | 'agentId' | 'url', RawBuilder<unknown>>) => sql<boolean>`(
  not exists (select 1 from webhook_lanes l where l.id = ${lane} and l.disabled_at is not null)
  and not exists (select 1 from gone_callbacks g where g.agent_id = ${agentId} and g.url = ${url}))`

/** SQL condition for all lanes of an agent, as a range of ids: `!` is the character after the space separator. */
export const isLaneOf = (agentId: string) =>
  sql<boolean>`(id >= ${agentId} and id < ${`${agentId}!`})`
