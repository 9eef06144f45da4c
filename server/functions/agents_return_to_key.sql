-- Gives back to a limited key, and to all above it, what came back to the wallet of what they spent at p_at: to the
-- whole, and to the day and the month if they are still those of p_at. Negative: what is charged for that task after
-- all; no cap stands against it, since it is owed. Days and months are those of the agent's own time: a test agent's
-- tasks grow older when it moves its clock, so that the two together say when a task was made.
--
-- The caller holds the agent's wallet: it has posted the movement that this goes with.
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

-- For the functions that move money alone: the application's role can't write what was spent.
revoke execute on function agents_return_to_key from public;
