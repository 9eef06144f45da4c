-- Processes claim, renew and release lanes. Code that waits for locks on several lanes takes them in the order of their
-- ids. These writes need not survive a crash of the database (synchronous_commit is off): deliveries are then repeated.

-- Claims the lanes that have been due longest. A claimed lane is not due until its lease ends.
create or replace function webhooks_claim_lanes(
  p_holder text, p_now timestamptz, p_until timestamptz, p_limit integer
) returns table (id text, agent_id text, webhook_url text, failures integer, is_failing boolean, is_disabled boolean)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set enable_sort = off set jit = off
as $$
#variable_conflict use_column
begin
  perform set_config('synchronous_commit', 'off', true);
  return query
    with claimed as (
      update webhook_lanes l set held_by = p_holder, held_until = p_until, due_at = p_until
       where l.id = any(array(
         select d.id from webhook_lanes d where d.due_at <= p_now order by d.due_at limit p_limit
            for no key update skip locked))
      returning l.*
    )
    select c.id, c.agent_id, a.webhook_url, c.failures, c.failing_since is not null, c.disabled_at is not null
      from claimed c join agents a on a.id = c.agent_id;
end
$$;

-- Claims lanes of one mode. Test mode has its own deliverer, so that live deliveries never wait for test ones.
create or replace function webhooks_claim_lanes_of(
  p_holder text, p_now timestamptz, p_until timestamptz, p_limit integer, p_mode agent_mode
) returns table (id text, agent_id text, webhook_url text, failures integer, is_failing boolean, is_disabled boolean)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set enable_sort = off set jit = off
as $$
#variable_conflict use_column
begin
  perform set_config('synchronous_commit', 'off', true);
  return query
    with claimed as (
      update webhook_lanes l set held_by = p_holder, held_until = p_until, due_at = p_until
       where l.id = any(array(
         select d.id from webhook_lanes d
          where d.due_at <= p_now
            and (p_mode is null or exists (select 1 from agents o where o.id = d.agent_id and o.mode = p_mode))
          order by d.due_at limit p_limit
            for no key update of d skip locked))
      returning l.*
    )
    select c.id, c.agent_id, a.webhook_url, c.failures, c.failing_since is not null, c.disabled_at is not null
      from claimed c join agents a on a.id = c.agent_id;
end
$$;

-- Renews leases. Returns which lanes p_holder still holds, and which of them were renewed. Locked rows are skipped, so
-- that one of them can't cost us the other lanes; a lease lasts for two more renewals.
create or replace function webhooks_renew_lanes(p_holder text, p_until timestamptz, p_ids text[])
returns table (id text, is_renewed boolean)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  v_ours text[] := array(select l.id from webhook_lanes l where l.id = any(p_ids) and l.held_by = p_holder);
  v_renewed text[];
begin
  perform set_config('synchronous_commit', 'off', true);
  with free as materialized (
    select l.id from webhook_lanes l where l.id = any(v_ours) and l.held_by = p_holder for no key update skip locked
  ), renewed as (
    update webhook_lanes l set held_until = p_until, due_at = greatest(p_until, l.paused_until)
     where l.id = any(array(select f.id from free f)) returning l.id
  )
  select array_agg(r.id) into v_renewed from renewed r;
  return query select o.id, o.id = any(coalesce(v_renewed, '{}')) from unnest(v_ours) o(id);
end
$$;

-- Makes the pending deliveries of a lane due now, because its receiver works again. The caller holds the lane's lock.
create or replace function webhooks_hurry(p_lane text, p_now timestamptz) returns void
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
begin
  update deliveries d set next_try_at = p_now
   where d.event_id = any(array(
     select w.event_id from deliveries w where w.lane = p_lane and w.next_try_at > p_now
      order by w.next_try_at limit 1000));
end
$$;

-- Releases lanes. A lane with more due deliveries stays held unless its time slice has ended (`must`). Returns the
-- lanes that stay held.
create or replace function webhooks_free_lanes(p_holder text, p_now timestamptz, p_lanes lane_release[])
returns table (id text)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set jit = off
as $$
#variable_conflict use_column
declare
  v_ids text[] := array(select x.id from unnest(p_lanes) x);
begin
  perform set_config('synchronous_commit', 'off', true);
  perform 1 from (select l.id from webhook_lanes l where l.id = any(v_ids) order by l.id for no key update) b;
  -- Pending deliveries are read only after locking: a concurrent insert is either visible, or waits for our lock and
  -- makes the lane due again.
  return query
    with looked as materialized (
      select x.id, x.must, x.not_before, (
        select d.next_try_at from deliveries d where d.lane = x.id order by d.next_try_at limit 1) as next_try_at
        from unnest(p_lanes) x
    ), let_go as (
      update webhook_lanes l
         set held_by = null, held_until = null,
             -- Not earlier than now: an old backlog goes behind the lanes that have waited meanwhile.
             due_at = case when w.next_try_at is not null
                           then greatest(w.next_try_at, l.paused_until, w.not_before, p_now) end
        from looked w
       where l.id = w.id and l.held_by = p_holder
         and (w.must or w.next_try_at is null or greatest(w.next_try_at, l.paused_until) > p_now)
      returning l.id
    )
    select l.id from webhook_lanes l
     where l.id = any(v_ids) and l.held_by = p_holder and l.id not in (select g.id from let_go g);

  -- Lanes of callback_url hosts are temporary: delete those that are healthy and empty.
  delete from webhook_lanes l
   where l.id = any(array(select i.id from unnest(v_ids) i(id) where i.id like '% %'))
     and l.due_at is null and l.failing_since is null and l.disabled_at is null and l.mailed_at is null;
end
$$;
