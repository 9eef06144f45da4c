import { type RawBuilder, sql } from 'kysely'
import { laneOf } from './lane-id.ts'
import { USUAL_TYPES } from './record-event.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

/**
 * Puts events where deliveries wait: those that the agent wants, if there is an address that has not been disabled.
 * It is a part of the statement that writes them to the log (`events` is there what was written), so that a time of
 * theirs is never rounded on its way through this process.
 *
 * The lane is locked even if nothing of it changes: whoever finds it empty and lets go of it comes before us, or sees
 * what we add.
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
     where coalesce(k.callback_url, a.webhook_url) is not null
       and t.type = any(case when a.events = '{}' then ${USUAL_TYPES}::text[] else a.events end)
  ), wanted as materialized (
    select * from addressed w
     where not exists (select 1 from webhook_lanes l where l.id = w.lane and l.disabled_at is not null)
       and not exists (select 1 from gone_callbacks g where g.agent_id = w.agent_id and g.url = w.url)
  ), lanes as (
    insert into webhook_lanes as l (id, agent_id, due_at)
      select distinct lane, agent_id, ${now}::timestamptz from wanted order by lane
      on conflict (id) do update
        set due_at = greatest(least(l.due_at, excluded.due_at), l.paused_until, l.held_until)
        where l.due_at is distinct from greatest(least(l.due_at, excluded.due_at), l.paused_until, l.held_until)
  ), added as (
    insert into deliveries (event_id, lane, agent_id, url, event_at, attempts_max, next_try_at, created_at)
      select id, lane, agent_id, url, created_at, ${ATTEMPTS_MAX}::smallint, ${now}::timestamptz, ${now}::timestamptz
        from wanted
      on conflict (event_id) do nothing
  )`
