-- Returns the due deliveries of these lanes with their addresses, oldest first, except those that the holder already
-- has (p_known).
-- Deletes deliveries that can't be sent any more, and returns them as void without their event: the agent is closed,
-- the receiver is disabled or has no address, the callback_url is gone, or the event is past its retention. A ping is
-- sent even to a disabled receiver or a callback_url that is gone.
-- An event that should be in the log but is not is returned as missing, and retried in an hour.
create or replace function webhooks_find_due(p_now timestamptz, p_lanes lane_page[], p_known text[])
returns table (lane text, webhook_url text, webhook_secret text, webhook_secret_old text,
               webhook_secret_old_until timestamptz, event_id text, url text, attempts smallint, attempts_max smallint,
               is_void boolean, is_missing boolean, type text, task_id text, sequence integer, created_at timestamptz, data json)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_memoize = off set enable_material = off set jit = off
as $$
#variable_conflict use_column
begin
  perform set_config('synchronous_commit', 'off', true);
  return query
    with due as materialized (
      select d.*, a.webhook_url, a.webhook_secret, a.webhook_secret_old, a.webhook_secret_old_until,
             e.type, e.task_id, e.sequence, e.created_at as logged_at, e.data,
             a.status = 'closed' or coalesce(d.url, a.webhook_url) is null or e.id is null and d.event_at < p_now - interval '30 days'
               or e.type is distinct from 'webhook.ping' and (l.disabled_at is not null or g.url is not null) as is_void
        from unnest(p_lanes) x
        join webhook_lanes l on l.id = x.id
        join agents a on a.id = l.agent_id
       cross join lateral (
         select d.event_id, d.lane, d.url, d.attempts, d.attempts_max, d.event_at, d.agent_id from deliveries d
          where d.lane = x.id and d.next_try_at <= p_now
            -- A subquery is hashed once; an array would be scanned for every row.
            and d.event_id not in (select k.id from unnest(p_known) k(id))
          order by d.next_try_at limit x.page) d
        -- A lateral join forces one lookup per row. The planner, which knows these tables only as empty, would
        -- otherwise scan the whole log.
        left join lateral (
          select * from events e where e.created_at = d.event_at and e.id = d.event_id limit 1) e on true
        left join lateral (
          select * from gone_callbacks g where g.agent_id = d.agent_id and g.url = d.url limit 1) g on true
    ), removed as (
      delete from deliveries d where d.event_id = any(array(select v.event_id from due v where v.is_void))
    ), put_off as (
      update deliveries d set next_try_at = p_now + interval '1 hour'
       where d.event_id = any(array(select v.event_id from due v where v.type is null and not v.is_void))
    )
    select d.lane, d.webhook_url, d.webhook_secret, d.webhook_secret_old, d.webhook_secret_old_until, d.event_id, d.url,
           d.attempts, d.attempts_max, d.is_void, d.type is null and not d.is_void, d.type, d.task_id, d.sequence, d.logged_at,
           case when not d.is_void then d.data end
      from due d;
end
$$;
