-- Deletes about p_limit rows of a test agent that has ended, and returns how many rows of which table. Repeated calls
-- delete everything, the agent itself last; the last call returns a row for `agents`. The agent's files must be deleted
-- before, because only the caller can delete their bytes.
-- It refuses agents that are live, active or claimed, and deletes only rows of test mode where a row has a mode.
-- home: shard
create or replace function rehearsal_erase_agent(p_agent text, p_limit integer)
returns table (relation text, deleted bigint)
language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_tasks text[];
  v_workers text[];
  v_payouts text[];
  v_keys text[];
begin
  perform 1 from agents a
   where a.id = p_agent and a.mode = 'test' and a.status = 'closed' and a.expires_at is not null and a.email is null
     for update;
  if not found then
    raise exception 'rehearsal_erase_agent: % is not an ended test agent', p_agent
      using errcode = 'insufficient_privilege';
  end if;
  if exists (select 1 from workers w join files f on f.worker_id = w.id where w.agent_id = p_agent) then
    raise exception 'rehearsal_erase_agent: % still has files', p_agent;
  end if;
  perform set_config('legwork.erasing', p_agent, true);

  -- Its counts, before the first task: from here on, nothing keeps them right.
  delete from counted_agents k where k.agent_id = p_agent;
  delete from agent_count_changes c where c.agent_id = p_agent;

  -- Tasks with their dependent rows, including money. A task can have 25 workers.
  v_tasks := array(
    select t.id from tasks t where t.agent_id = p_agent and t.mode = 'test' order by t.id
     limit greatest(1, p_limit / 25));
  if cardinality(v_tasks) > 0 then
    v_payouts := array(select p.id from payouts p where p.task_id = any(v_tasks) and p.mode = 'test');
    return query
      with gone as (
        delete from transfers f using unnest(v_tasks) t(id)
         where f.key >= 'task:' || t.id || ':' and f.key < 'task:' || t.id || ';' and f.mode = 'test'
        returning 1)
      select 'transfers', count(*) from gone;
    return query
      with gone as (
        delete from transfers f using unnest(v_payouts) p(id)
         where f.key >= 'payout:' || p.id || ':' and f.key < 'payout:' || p.id || ';' and f.mode = 'test'
        returning 1)
      select 'transfers', count(*) from gone;
    return query
      with gone as (delete from ledger_transits l where l.ref_id = any(v_payouts) and l.mode = 'test' returning 1)
      select 'ledger_transits', count(*) from gone;
    return query
      with gone as (delete from payouts p where p.id = any(v_payouts) and p.mode = 'test' returning 1)
      select 'payouts', count(*) from gone;
    return query
      with gone as (delete from appeals a where a.task_id = any(v_tasks) returning 1)
      select 'appeals', count(*) from gone;
    return query
      with gone as (delete from disputes d where d.task_id = any(v_tasks) returning 1)
      select 'disputes', count(*) from gone;
    return query
      with gone as (delete from proofs p where p.task_id = any(v_tasks) returning 1)
      select 'proofs', count(*) from gone;
    return query
      with gone as (delete from assignments a where a.task_id = any(v_tasks) returning 1)
      select 'assignments', count(*) from gone;
    return query
      with gone as (delete from task_reports r where r.task_id = any(v_tasks) returning 1)
      select 'task_reports', count(*) from gone;
    return query
      with gone as (delete from tasks t where t.id = any(v_tasks) and t.mode = 'test' returning 1)
      select 'tasks', count(*) from gone;
    return;
  end if;

  -- Events and webhooks to the agent, and the logs of its requests.
  return query
    with gone as (
      delete from events e where e.agent_id = p_agent and (e.created_at, e.id) in (
        select x.created_at, x.id from events x where x.agent_id = p_agent limit p_limit)
      returning 1)
    select 'events', count(*) from gone having count(*) > 0;
  if found then return; end if;
  return query
    with gone as (
      delete from deliveries d where d.event_id = any(array(
        select x.event_id from deliveries x where x.lane >= p_agent and x.lane < p_agent || '!' limit p_limit))
      returning 1)
    select 'deliveries', count(*) from gone having count(*) > 0;
  if found then return; end if;
  return query
    with gone as (
      delete from delivery_attempts d where d.agent_id = p_agent and d.id = any(array(
        select x.id from delivery_attempts x where x.agent_id = p_agent limit p_limit))
      returning 1)
    select 'delivery_attempts', count(*) from gone having count(*) > 0;
  if found then return; end if;
  return query
    with gone as (
      delete from refused_requests r where r.agent_id = p_agent and r.id = any(array(
        select x.id from refused_requests x where x.agent_id = p_agent limit p_limit))
      returning 1)
    select 'refused_requests', count(*) from gone having count(*) > 0;
  if found then return; end if;
  return query
    with gone as (
      delete from idempotency_keys k where k.principal = p_agent and k.key_hash = any(array(
        select x.key_hash from idempotency_keys x where x.principal = p_agent limit p_limit))
      returning 1)
    select 'idempotency_keys', count(*) from gone having count(*) > 0;
  if found then return; end if;
  return query
    with gone as (
      delete from test_advances t where t.agent_id = p_agent and t.key = any(array(
        select x.key from test_advances x where x.agent_id = p_agent limit p_limit))
      returning 1)
    select 'test_advances', count(*) from gone having count(*) > 0;
  if found then return; end if;

  -- The rest of its ledger: test money and deposits.
  v_keys := array(
    select distinct f.key from transfers f where f.agent_id = p_agent and f.agent_statement_no is not null
     limit p_limit);
  if cardinality(v_keys) > 0 then
    return query
      with gone as (delete from transfers f where f.key = any(v_keys) and f.mode = 'test' returning 1)
      select 'transfers', count(*) from gone;
    return;
  end if;
  return query
    with gone as (
      delete from deposits d where d.mode = 'test' and d.id = any(array(
        select x.id from deposits x where x.agent_id = p_agent limit p_limit))
      returning 1)
    select 'deposits', count(*) from gone having count(*) > 0;
  if found then return; end if;

  -- Its workers with their dependent rows, a few at a time.
  v_workers := array(
    select w.id from workers w where w.agent_id = p_agent and w.mode = 'test' limit greatest(1, p_limit / 50));
  if cardinality(v_workers) > 0 then
    return query
      with gone as (delete from idempotency_keys k where k.principal = any(v_workers) returning 1)
      select 'idempotency_keys', count(*) from gone;
    return query
      with gone as (delete from notices n where n.worker_id = any(v_workers) returning 1)
      select 'notices', count(*) from gone;
    return query
      with gone as (delete from trust_events e where e.worker_id = any(v_workers) returning 1)
      select 'trust_events', count(*) from gone;
    delete from alerts a where a.worker_id = any(v_workers);
    delete from push_subscriptions s where s.worker_id = any(v_workers);
    delete from worker_tokens t where t.worker_id = any(v_workers);
    delete from payout_accounts a where a.worker_id = any(v_workers);
    delete from ledger_workers l where l.worker_id = any(v_workers) and l.mode = 'test';
    return query
      with gone as (delete from workers w where w.id = any(v_workers) and w.mode = 'test' returning 1)
      select 'workers', count(*) from gone;
    return;
  end if;

  -- The agent itself.
  delete from webhook_lanes l where l.id >= p_agent and l.id < p_agent || '!';
  delete from gone_callbacks g where g.agent_id = p_agent;
  delete from event_counters c where c.agent_id = p_agent;
  delete from test_clocks c where c.agent_id = p_agent;
  delete from test_usage u where u.subject = p_agent;
  delete from oauth_grants g where g.agent_id = p_agent;
  delete from rotated_keys r using api_keys k where k.agent_id = p_agent and r.key_id = k.id;
  delete from key_limits l using api_keys k where k.agent_id = p_agent and l.key_id = k.id;
  delete from api_keys k where k.agent_id = p_agent;
  delete from ledger_agents l where l.agent_id = p_agent and l.mode = 'test';
  return query
    with gone as (delete from agents a where a.id = p_agent and a.mode = 'test' returning 1)
    select 'agents', count(*) from gone;
end
$$;

revoke execute on function rehearsal_erase_agent from public;
grant execute on function rehearsal_erase_agent to legwork_app;
