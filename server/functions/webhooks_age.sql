-- Advances the clock of a test agent's webhooks: moves their times back by p_ms, so that retries and the ends of pauses
-- come sooner. Leases belong to processes and don't change.
-- Locks: the lanes in the order of their ids, then their deliveries.
create or replace function webhooks_age(p_agent text, p_ms bigint) returns void
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  v_by interval := p_ms * interval '1 millisecond';
  v_ids text[];
begin
  if p_ms < 0 or not exists (select 1 from agents a where a.id = p_agent and a.mode = 'test') then
    raise exception 'webhooks_age: % is not a test agent', p_agent using errcode = 'insufficient_privilege';
  end if;
  v_ids := array(
    select l.id from webhook_lanes l where l.id >= p_agent and l.id < p_agent || '!' order by l.id for no key update);
  update webhook_lanes l
     set due_at = case when l.due_at is not null then greatest(l.due_at - v_by, l.held_until) end, paused_until = l.paused_until - v_by,
         failing_since = l.failing_since - v_by, warned_at = l.warned_at - v_by
   where l.id = any(v_ids);
  update deliveries d set next_try_at = d.next_try_at - v_by where d.lane = any(v_ids);
end
$$;

revoke execute on function webhooks_age from public;
grant execute on function webhooks_age to legwork_app;
