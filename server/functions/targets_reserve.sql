-- Counts a task that is about to be created against each of its targets, in a transaction of its own. If a cap of one
-- of them is reached, counts nothing and returns the first such target:
--   item          its place in p_targets
--   cap           how many tasks it may have
--   window_hours  in this time
--   free_at       when the next task is possible
-- For a target on the do-not-contact list, `cap` and `window_hours` are 0.
-- Otherwise returns no row. A cap of 0 is none. Calling it again for the same task counts nothing twice.
--
-- Locks: one advisory lock for each target, in their order, until the end of the transaction. Each statement after them
-- sees what the transactions before it have counted, so a cap is exact however many agents try at once.
-- home: global
create or replace function targets_reserve(
  p_now timestamptz, p_task_id text, p_targets text[], p_kinds target_kind[], p_day_max integer[],
  p_month_max integer[], p_check_at timestamptz
) returns table (item integer, cap integer, window_hours integer, free_at timestamptz)
language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  v_target text; v_at timestamptz; r record;
begin
  for v_target in select distinct t from unnest(p_targets) t order by t loop
    perform pg_advisory_xact_lock(hashtextextended('legwork target ' || v_target, 0));
  end loop;

  for r in
    select u.n, d.due_at
      from unnest(p_targets) with ordinality u(target, n)
      join do_not_contact d on d.target = u.target and d.state = 'confirmed'
     order by u.n limit 1
  loop
    return query select r.n::integer, 0, 0, r.due_at;
    return;
  end loop;

  for r in
    select u.n, u.target, w.hours, w.most
      from unnest(p_targets, p_day_max, p_month_max) with ordinality u(target, day_max, month_max, n)
     cross join lateral (values (24, u.day_max), (720, u.month_max)) w(hours, most)
     where w.most > 0
     order by u.n, w.hours
  loop
    -- The oldest of the last `most` tasks: when it leaves the window, there is room for one.
    select t.reserved_at into v_at
      from target_uses t
     where t.target = r.target and t.reserved_at > p_now - r.hours * interval '1 hour' and t.task_id <> p_task_id
     order by t.reserved_at desc
    offset r.most - 1 limit 1;
    if found then
      return query select r.n::integer, r.most, r.hours, v_at + r.hours * interval '1 hour';
      return;
    end if;
  end loop;

  insert into target_uses (target, task_id, kind, reserved_at, check_at)
    select distinct on (u.target) u.target, p_task_id, u.kind, p_now, p_check_at
      from unnest(p_targets, p_kinds) u(target, kind)
      on conflict (target, task_id) do nothing;
end
$$;

revoke execute on function targets_reserve(timestamptz, text, text[], target_kind[], integer[], integer[], timestamptz)
  from public;
grant execute on function targets_reserve(timestamptz, text, text[], target_kind[], integer[], integer[], timestamptz)
  to legwork_app;
