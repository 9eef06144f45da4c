-- Removes the texts of those of the tasks that ended before p_before: what the agent wrote, what workers answered, and
-- the reasons of disputes and reports. Money, times, statuses and ids stay. Copies of tasks of other shards lose their
-- texts in the same way. Returns how many tasks and copies it did.
create or replace function tasks_forget_texts(p_tasks text[], p_before timestamptz, p_now timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_removed constant text := 'Removed: the retention period of this text has ended.';
  v_ids text[];
  v_away text[];
begin
  v_ids := array(
    select t.id from tasks t
     where t.id = any(p_tasks) and t.ended_at < p_before and t.description <> v_removed
     order by t.id for update);
  update tasks t
     set title = null, description = v_removed, location = null, context = '{}',
         metadata = null, criteria = null, consensus = null
   where t.id = any(v_ids);
  update proofs p set text = null, answer = null where p.task_id = any(v_ids);
  -- Other reasons than a worker's are codes, which the audit of the ledger reads.
  update assignments a
     set reason = case when a.status = 'released' then null else a.reason end, revision_note = null
   where a.task_id = any(v_ids) and (a.reason is not null or a.revision_note is not null);
  update disputes d
     set reason = v_removed, decision_note = case when d.decision_note is not null then v_removed end
   where d.task_id = any(v_ids);
  perform set_config('legwork.removing_texts', 'on', true);
  update appeals a
     set statement = v_removed, agent_answer = case when a.agent_answer is not null then v_removed end,
         ruling_note = v_removed
   where a.task_id = any(v_ids);
  perform set_config('legwork.removing_texts', '', true);
  update task_reports r set note = null where r.task_id = any(v_ids) and r.note is not null;

  v_away := array(
    select t.id from away_tasks t
     where t.id = any(p_tasks) and t.ended_at < p_before and t.description <> v_removed
     order by t.id for update);
  if cardinality(v_away) > 0 then
    update away_tasks t set title = null, description = v_removed, location = null, context = '{}', criteria = null
     where t.id = any(v_away);
    update away_assignments a
       set reason = case when a.status = 'released' then null else a.reason end, revision_note = null
     where a.task_id = any(v_away) and (a.reason is not null or a.revision_note is not null);
    update away_disputes d
       set reason = v_removed, decision_note = case when d.decision_note is not null then v_removed end
     where d.task_id = any(v_away);
    update away_appeals a
       set statement = v_removed, agent_answer = case when a.agent_answer is not null then v_removed end,
           ruling_note = v_removed
     where a.task_id = any(v_away);
    update away_reports r set note = null where r.task_id = any(v_away) and r.note is not null;
  end if;
  return cardinality(v_ids) + cardinality(v_away);
end
$$;
revoke execute on function tasks_forget_texts from public;
grant execute on function tasks_forget_texts to legwork_app;
