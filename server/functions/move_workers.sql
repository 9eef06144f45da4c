-- Hands the workers' part of moves to the schemas of those workers. In this database it is part of the transaction; in
-- another one it follows the commit (shards_send).
-- home: shard
create or replace function move_workers(
  p_now timestamptz, p_away ledger_line[], p_trust trust_change[], p_tasks text[]
) returns void
language plpgsql security definer
set search_path = public, pg_temp
as $$
declare
  home text; v_lines ledger_line[]; v_trust trust_change[];
begin
  -- Usually all workers live here.
  if cardinality(p_away) = 0 and not exists (select from unnest(p_trust) c where not shards_is_here(c.worker_id)) then
    perform workers_receive_moves(p_now, '{}', p_trust, p_tasks);
    return;
  end if;

  -- In the order of their names, so that two transactions lock in the same order.
  for home in
    select distinct shards_schema_of(w.id)
      from (select l.worker_id as id from unnest(p_away) l union select c.worker_id from unnest(p_trust) c) w order by 1
  loop
    v_lines := array(
      select (l.item, l.entry, l.key, l.mode, l.kind, l.shard, l.id, 'liab:clearing', l.credit, l.amount_cents,
              l.agent_id, l.worker_id, l.task_id, l.ref_id)::ledger_line
        from unnest(p_away) with ordinality l where shards_schema_of(l.worker_id) = home order by l.ordinality);
    v_trust := array(select c from unnest(p_trust) c where shards_schema_of(c.worker_id) = home);
    if shards_is_near(home) then
      execute format('select %I.workers_receive_moves($1, $2, $3, $4)', home) using p_now, v_lines, v_trust, p_tasks;
    else
      perform shards_send(home, 'workers_receive_moves', jsonb_build_object(
        'now', p_now, 'lines', to_jsonb(v_lines), 'trust', to_jsonb(v_trust), 'tasks', to_jsonb(p_tasks)));
    end if;
  end loop;
end
$$;

revoke execute on function move_workers(timestamptz, ledger_line[], trust_change[], text[]) from public;
