-- Returns to a limited key, and to all keys above it, an amount that came back to the wallet and was charged at p_at: to
-- the total, and to the day and the month if they are still those of p_at. A negative amount charges more for that task;
-- no cap applies to it, since it is owed. Days and months are those of the agent's own clock. When a test agent moves its
-- clock, its tasks grow older by as much, so the clock and p_at together give the time of the charge.
--
-- The caller has posted the movement of that money and so holds the lock on the agent's wallet.
create or replace function agents_return_to_key(p_path text[], p_at timestamptz, p_cents bigint) returns void
language sql security definer
set search_path = public, pg_temp set enable_seqscan = off
as $$
  with spent as (
    select p_at + coalesce((select c.moved_ms from test_clocks c where c.agent_id = (
             select l.agent_id from key_limits l where l.key_id = p_path[1])), 0) * interval '1 millisecond' as at
  )
  update key_limits k
     set day_cents = greatest(0, k.day_cents - case
           when k.day = (s.at at time zone 'UTC')::date then p_cents else 0 end),
         month_cents = greatest(0, k.month_cents - case
           when k.month = date_trunc('month', s.at at time zone 'UTC')::date then p_cents else 0 end),
         total_cents = greatest(0, k.total_cents - p_cents)
    from spent s
   where k.key_id = any(p_path) and k.since <= s.at
$$;

-- Only functions that move money call it: the application's role can't write what was spent.
revoke execute on function agents_return_to_key from public;
