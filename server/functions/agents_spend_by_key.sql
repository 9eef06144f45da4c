-- Charges a limited key, and all above it, with what is about to leave the wallet: p_path is the key, after those above
-- it. Answers null when all their caps allow it; else nothing is charged, and it answers the fields of the refusal, the
-- key's own cap before those above it.
--
-- Days and months are those of the agent's own time, which a test agent can move.
--
-- The caller holds the agent's wallet, so that the caps and the wallet are one decision. A row is also locked by a
-- change of its caps, which holds no other.
create or replace function agents_spend_by_key(p_path text[], p_at timestamptz, p_cents bigint) returns text
language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  v_at timestamptz; today date; this_month date; r record; reached bigint;
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
    reached := r.spent + p_cents;
    if reached > r.max_cents then
      return format('"cap":"%s","limit_cents":%s,"spent_cents":%s,"required_cents":%s',
                    r.cap, r.max_cents, r.spent, p_cents);
    end if;
  end loop;

  -- A clock that is behind charges the window that has begun already. It may even be behind the moment from which the
  -- key counts, as another process saw it: what is charged now must be given back if the task ends without a worker.
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

-- For the functions that move money alone: the application's role can't write what was spent.
revoke execute on function agents_spend_by_key from public;
