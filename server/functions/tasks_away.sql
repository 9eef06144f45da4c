-- Returns the copy of a task for the schema p_home: the task, its agent, and the assignments, disputes, appeals, reports
-- and commissions of the workers there. server/test/away.ts has the same rules as statements.
-- home: shard
create or replace function tasks_away(p_task text, p_home text) returns jsonb
language sql stable as $$
  with own as materialized (
    select a.* from assignments a where a.task_id = p_task and shards_schema_of(a.worker_id) = p_home
  )
  select jsonb_build_object(
    'task', to_jsonb(t),
    'agent', (select to_jsonb(g) || to_jsonb(r) from agents g cross join lateral tasks_reputations(array[g.id]) r
               where g.id = t.agent_id),
    'assignments', array(select to_jsonb(o) from own o),
    'disputes', array(
      select to_jsonb(d) || jsonb_build_object(
               'worker_id', i.worker_id, 'assignment_ids', i.ids,
               'is_decided_by_agent', d.decided_by is not distinct from 'agent')
        from disputes d
       cross join lateral (select o.worker_id, array_agg(o.id order by o.id) as ids from own o
                            where o.id = any(d.assignment_ids) group by o.worker_id) i
       where d.task_id = p_task),
    'appeals', array(select to_jsonb(p) from appeals p
                      where p.task_id = p_task and shards_schema_of(p.worker_id) = p_home),
    'commissions', array(
      select jsonb_build_object('worker_id', c.worker_id, 'key', c.key, 'commission_cents', c.part)
        from ledger_commission_parts(p_task) c where c.part > 0 and shards_schema_of(c.worker_id) = p_home),
    'reports', array(select to_jsonb(r) from task_reports r
                      where r.task_id = p_task and shards_schema_of(r.worker_id) = p_home))
    from tasks t where t.id = p_task
$$;
