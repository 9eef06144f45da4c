-- Records the outcomes of attempts: logs each one, and updates its delivery and its lane.
--   delivered  the delivery is deleted, even if another process also tried it
--   failed     it is retried
--   given_up   it was the last attempt
--   disabled   the receiver responded with 410: webhook_url, or this callback_url, is not called again
-- p_lanes contains the lanes that are, or may become, unhealthy, with what happened there since the last call.
-- Returns whether each of them is disabled now.
create or replace function webhooks_log_attempts(
  p_holder text, p_now timestamptz, p_is_repeated boolean, p_attempts ended_attempt[], p_lanes lane_report[]
) returns table (id text, is_disabled boolean)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set jit = off
as $$
#variable_conflict use_column
declare
  happened record; l webhook_lanes; v_told text;
begin
  perform set_config('synchronous_commit', 'off', true);

  -- A retry after a lost response: the outcomes are already recorded.
  if p_is_repeated and exists (
    select 1 from delivery_attempts a join unnest(p_attempts) x
        on a.event_id = x.event_id and a.id = x.id) then
    return;
  end if;

  for happened in
    select * from unnest(p_lanes) x order by x.id
  loop
    select w.* into l from webhook_lanes w where w.id = happened.id and w.held_by = p_holder for no key update;
    continue when not found;
    v_told := null;
    if happened.succeeded then
      l.failures := 0; l.failing_since := null; l.warned_at := null; l.paused_until := null;
    end if;
    -- Only a ping enables a lane: another request that was in flight when the lane was disabled must not.
    if happened.is_pinged then
      l.disabled_at := null; l.disabled_for := null;
      perform webhooks_hurry(l.id, p_now);
    end if;
    if happened.failed > 0 then
      l.failures := l.failures + happened.failed;
      l.failing_since := coalesce(l.failing_since, p_now);
      if l.failures >= 5 then
        l.paused_until := p_now + least(interval '1 second' * 2 ^ least(l.failures - 5, 20), interval '5 minutes');
      end if;
      if l.disabled_at is not null then
        null;
      elsif l.warned_at is null and l.failing_since <= p_now - interval '3 days' then
        l.warned_at := p_now; v_told := 'webhook.failing';
      elsif l.failing_since <= p_now - interval '5 days' and l.warned_at <= p_now - interval '2 days' then
        l.disabled_at := p_now; l.disabled_for := 'failing'; v_told := 'webhook.disabled';
      end if;
    end if;
    if happened.is_gone and l.disabled_at is null then
      l.disabled_at := p_now; l.disabled_for := 'gone'; v_told := 'webhook.disabled';
    end if;
    update webhook_lanes w
       set failures = l.failures, failing_since = l.failing_since, warned_at = l.warned_at,
           paused_until = l.paused_until, disabled_at = l.disabled_at, disabled_for = l.disabled_for,
           due_at = greatest(w.due_at, l.paused_until)
     where w.id = l.id;
    if v_told is not null then
      insert into outbox (id, type, data, created_at)
        values (happened.work_id, v_told, json_build_object('id', l.id), p_now);
    end if;
    id := l.id; is_disabled := l.disabled_at is not null;
    return next;
  end loop;

  with attempts as materialized (
    select * from unnest(p_attempts)
  ), logged as (
    insert into delivery_attempts (id, event_id, agent_id, task_id, type, url, number, outcome, status, error, answer,
                                   ms, next_try_at, created_at)
      select a.id, a.event_id, a.agent_id, a.task_id, a.type, a.url, a.number, a.outcome, a.status, a.error, a.answer,
             a.ms, a.next_try_at, a.created_at from attempts a
      -- A call whose response was lost may commit only after the check above.
      on conflict do nothing
  ), put_off as (
    -- If this process had lost its lane, another one may have tried and rescheduled the delivery already.
    update deliveries d set attempts = a.number, next_try_at = a.next_try_at
      from attempts a
     where a.outcome = 'failed' and d.event_id = a.event_id and d.attempts = a.number - 1
  ), gone as (
    insert into gone_callbacks (agent_id, url, gone_at)
      select distinct a.agent_id, a.url, p_now from attempts a where a.outcome = 'disabled' and a.is_callback
      on conflict do nothing
  ), back as (
    delete from gone_callbacks g using attempts a
     where a.outcome = 'delivered' and a.is_callback and a.type = 'webhook.ping'
       and g.agent_id = a.agent_id and g.url = a.url
  )
  delete from deliveries d using attempts a
   where a.outcome <> 'failed' and d.event_id = a.event_id and (a.outcome = 'delivered' or d.attempts = a.number - 1);
end
$$;
