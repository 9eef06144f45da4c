-- Keeps what another schema says of one of its tasks, unless something newer is known.
-- home: shard
create or replace function tasks_receive_away(p_news jsonb) returns void
language plpgsql security definer
set search_path = public, pg_temp
as $$
declare
  v_task away_tasks := jsonb_populate_record(null::away_tasks, p_news -> 'task');
  v_known integer;
begin
  select t.version into v_known from away_tasks t where t.id = v_task.id for update;
  if v_known > v_task.version then return; end if;

  delete from away_reports r where r.task_id = v_task.id;
  insert into away_reports select * from jsonb_populate_recordset(null::away_reports, p_news -> 'reports');
  -- A worker who only reported a task gets no copy of it.
  if p_news -> 'assignments' = '[]' then return; end if;

  delete from away_tasks t where t.id = v_task.id;
  insert into away_tasks select v_task.*;
  -- Tasks of one agent come here at the same time.
  insert into away_agents as g select * from jsonb_populate_record(null::away_agents, p_news -> 'agent')
    on conflict (id) do update
      set name = excluded.name, judged = excluded.judged, approved = excluded.approved, disputes = excluded.disputes,
          overturned = excluded.overturned, median_review_s = excluded.median_review_s
    where g.* is distinct from excluded.*;
  delete from away_assignments a where a.task_id = v_task.id;
  insert into away_assignments
    select * from jsonb_populate_recordset(null::away_assignments, p_news -> 'assignments');
  delete from away_disputes d where d.task_id = v_task.id;
  insert into away_disputes select * from jsonb_populate_recordset(null::away_disputes, p_news -> 'disputes');
  delete from away_appeals p where p.task_id = v_task.id;
  insert into away_appeals select * from jsonb_populate_recordset(null::away_appeals, p_news -> 'appeals');
  insert into away_commissions
    select * from jsonb_populate_recordset(null::away_commissions, p_news -> 'commissions') on conflict do nothing;
end
$$;

revoke execute on function tasks_receive_away(jsonb) from public;
