-- Sends what changed of a task to the schemas of its workers, at the end of the transaction that changed it: a worker's
-- pages read only the worker's own schema. With one schema there is nobody elsewhere, and no trigger.
-- home: several shards
create or replace function tasks_send_away() returns trigger
language plpgsql security definer
set search_path = public, pg_temp
as $$
declare
  v_task text := to_jsonb(new) ->> tg_argv[0];
  v_sent text := current_setting('legwork.sent_away', true);
  home text;
begin
  -- All of these triggers run at the end of the transaction, so the first one sends the final state of the task.
  if position(v_task in v_sent) > 0 then return null; end if;
  perform set_config('legwork.sent_away', concat(v_sent, v_task), true);
  for home in
    select distinct shards_schema_of(w.worker_id)
      from (select a.worker_id from assignments a where a.task_id = v_task
            union all select r.worker_id from task_reports r where r.task_id = v_task) w
     where not shards_is_here(w.worker_id) order by 1
  loop
    if shards_is_near(home) then
      execute format('select %I.tasks_receive_away($1)', home) using tasks_away(v_task, home);
    else
      perform shards_send(home, 'tasks_receive_away', tasks_away(v_task, home));
    end if;
  end loop;
  return null;
end
$$;

do $$
declare
  change record;
begin
  for change in
    -- A new task has no workers.
    select * from (values ('tasks', 'id', 'update'), ('assignments', 'task_id', 'insert or update'),
                          ('disputes', 'task_id', 'insert or update'), ('appeals', 'task_id', 'insert or update'),
                          ('task_reports', 'task_id', 'insert or update')) v(name, task_column, events)
  loop
    execute format('drop trigger if exists %I on %I', change.name || '_send_away', change.name);
    execute format('create constraint trigger %I after %s on %I deferrable initially deferred
                    for each row execute function tasks_send_away(%L)',
                   change.name || '_send_away', change.events, change.name, change.task_column);
  end loop;
end
$$;
