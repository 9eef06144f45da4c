import { type RawBuilder, sql } from 'kysely'
import { isEnabled, laneOf } from './lane-id.ts'
import { waking } from './lanes.ts'
import { USUAL_TYPES } from './record-event.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

/**
 * Queues deliveries for the events that the agent subscribes to, if it has an address that is not disabled. Runs in the
 * same statement that writes the events to the log (`events` is the name of the inserted rows there), so timestamps
 * keep their microseconds instead of being rounded to JavaScript dates.
 */
export const addDeliveries = (
  events: RawBuilder<unknown>,
  { now }: { now: Date },
): RawBuilder<unknown> => sql`
  addressed as (
    select t.id, t.created_at, t.agent_id, k.callback_url as url, ${laneOf(sql`a.id`, sql`k.callback_url`)} as lane
      from ${events} t
      join agents a on a.id = t.agent_id
      left join tasks k on k.id = t.task_id
     where coalesce(k.callback_url, a.webhook_url) is not null and a.status <> 'closed'
       and t.type = any(case when a.events = '{}' then ${USUAL_TYPES}::text[] else a.events end)
  ), wanted as materialized (
    select * from addressed w
     where ${isEnabled({ lane: sql`w.lane`, agentId: sql`w.agent_id`, url: sql`w.url` })}
  ), lanes as (
    ${waking(sql`(select lane as id, agent_id from wanted) w`, { now })}
  ), added as (
    insert into deliveries (event_id, lane, agent_id, url, event_at, attempts_max, next_try_at, created_at)
      select id, lane, agent_id, url, created_at, ${ATTEMPTS_MAX}::smallint, ${now}::timestamptz, ${now}::timestamptz
        from wanted
      on conflict (event_id) do nothing
  )`
