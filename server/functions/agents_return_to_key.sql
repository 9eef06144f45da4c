-- Gives back to a limited key, and to all above it, what came back to the wallet of what they spent at p_at: to the
-- whole, and to the day and the month if they are still those of p_at. Negative: what is charged for that task after
-- all; no cap stands against it, since it is owed.
--
-- The caller holds the agent's wallet: it has posted the movement that this goes with.
create or replace function agents_return_to_key(p_path text[], p_at timestamptz, p_cents bigint) returns void
language sql security definer
set search_path = public, pg_temp set enable_seqscan = off
as $$
  update key_limits k
     set day_cents = greatest(0, k.day_cents - case
           when k.day = (p_at at time zone 'UTC')::date then p_cents else 0 end),
         month_cents = greatest(0, k.month_cents - case
           when k.month = date_trunc('month', p_at at time zone 'UTC')::date then p_cents else 0 end),
         total_cents = greatest(0, k.total_cents - p_cents)
   where k.key_id = any(p_path) and k.since <= p_at
$$;

-- For the functions that move money alone: the application's role can't write what was spent.
revoke execute on function agents_return_to_key from public;
