-- Advances one test agent's clock: moves the times of its unfinished tasks and their dependent rows back by p_ms. Ended
-- tasks don't change, except for disputes that can still be appealed or withdrawn.
-- Only this function can change a deadline, so it refuses live agents.
create or replace function tasks_age(p_agent text, p_ms bigint, p_now timestamptz) returns void
language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  v_by interval := p_ms * interval '1 millisecond';
  v_ids text[];
begin
  if p_ms < 0 or not exists (select 1 from agents a where a.id = p_agent and a.mode = 'test') then
    raise exception 'tasks_age: % is not a test agent', p_agent using errcode = 'insufficient_privilege';
  end if;
  v_ids := array(
    select t.id from tasks t
     where t.agent_id = p_agent and t.mode = 'test' and t.rehearsal is not null
       and (t.ended_at is null or t.status = 'disputed' and t.ended_at > p_now - interval '35 days')
     order by t.id for no key update);

  perform set_config('legwork.ageing', 'on', true);
  update tasks t
     set created_at = t.created_at - v_by, updated_at = t.updated_at - v_by, deadline = t.deadline - v_by,
         scheduled_at = t.scheduled_at - v_by, proof_at = t.proof_at - v_by, review_due_at = t.review_due_at - v_by,
         ended_at = t.ended_at - v_by, reported_at = t.reported_at - v_by, rehearse_at = t.rehearse_at - v_by,
         decides_by = t.decides_by - v_by
   where t.id = any(v_ids);
  perform set_config('legwork.ageing', '', true);
  update assignments a
     set deadline = a.deadline - v_by, accepted_at = a.accepted_at - v_by, expires_at = a.expires_at - v_by,
         upload_begun_at = a.upload_begun_at - v_by, submitted_at = a.submitted_at - v_by,
         ended_at = a.ended_at - v_by, half_told_at = a.half_told_at - v_by
   where a.task_id = any(v_ids);
  update proofs p set submitted_at = p.submitted_at - v_by, captured_at = p.captured_at - v_by
   where p.task_id = any(v_ids);
  update disputes d
     set created_at = d.created_at - v_by, resolved_at = d.resolved_at - v_by, decides_by = d.decides_by - v_by,
         decided_at = d.decided_at - v_by
   where d.task_id = any(v_ids);
  -- An appeal can't change after its ruling.
  update appeals a
     set created_at = a.created_at - v_by, agent_until = a.agent_until - v_by, answered_at = a.answered_at - v_by
   where a.task_id = any(v_ids) and a.ruling is null;
end
$$;

revoke execute on function tasks_age from public;
grant execute on function tasks_age to legwork_app;
