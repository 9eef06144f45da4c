-- Charges a limited key, and all keys above it, with an amount that is about to leave the wallet. p_path is the key,
-- after those above it. Returns null if all their caps allow it. Otherwise charges nothing and returns the cap that is
-- reached, the key's own caps first.
--
-- Days and months are those of the agent's own clock, which a test agent can move.
--
-- The caller holds the lock on the agent's wallet, so caps and wallet are one decision. A change of caps locks only the
-- key's row.
create or replace function agents_charge_key(p_path text[], p_at timestamptz, p_cents bigint) returns key_cap
language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  v_at timestamptz; today date; this_month date; r record;
begin
  perform 1 from (select l.key_id from key_limits l where l.key_id = any(p_path) order by l.key_id for no key update) b;
  v_at := p_at + coalesce((select c.moved_ms from test_clocks c where c.agent_id = (
    select l.agent_id from key_limits l where l.key_id = p_path[1])), 0) * interval '1 millisecond';
  today := (v_at at time zone 'UTC')::date;
  this_month := date_trunc('month', v_at at time zone 'UTC')::date;

  for r in
    select c.cap, c.max_cents, c.spent
      from (select * from key_limits l where l.key_id = any(p_path)) k
     cross join lateral (values
       (1, 'task_max_cents', k.task_max_cents, 0::bigint),
       (2, 'day_max_cents', k.day_max_cents, case when k.day >= today then k.day_cents else 0 end),
       (3, 'month_max_cents', k.month_max_cents, case when k.month >= this_month then k.month_cents else 0 end),
       (4, 'budget_cents', k.budget_cents, k.total_cents)) c(n, cap, max_cents, spent)
     where c.max_cents is not null
     order by array_position(p_path, k.key_id) desc, c.n
  loop
    if r.spent + p_cents > r.max_cents then return (r.cap::spending_cap, r.max_cents, r.spent)::key_cap; end if;
  end loop;

  -- If this process's clock is behind, the charge goes to the day and month that have already begun. The clock may even
  -- be behind the time from which the key counts: then that time moves back, so that a refund still finds the charge.
  update key_limits k
     set since = least(k.since, v_at),
         day_cents = p_cents + case when k.day >= today then k.day_cents else 0 end,
         day = greatest(k.day, today),
         month_cents = p_cents + case when k.month >= this_month then k.month_cents else 0 end,
         month = greatest(k.month, this_month),
         total_cents = k.total_cents + p_cents
   where k.key_id = any(p_path);
  return null;
end
$$;

-- Only functions that move money call it: the application's role can't write what was spent.
revoke execute on function agents_charge_key from public;
