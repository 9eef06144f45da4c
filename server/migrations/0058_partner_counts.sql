-- Counts each worker's approved assignments for an agent, as 0057 counts its tasks.
-- lock: assignments, share row exclusive, for an instant (two triggers)
-- backfill: by counts.fold, with the other counts of the agent

create function count_approval() returns trigger language plpgsql as $$
begin
  insert into agent_count_changes (agent_id, worker_id, key_path, approved)
    select new.agent_id, new.worker_id, t.key_path, case new.status when 'approved' then 1 else -1 end
      from tasks t where t.id = new.task_id and t.agent_id = new.agent_id;
  return null;
end
$$;
create trigger assignments_count_new after insert on assignments for each row
  when (new.status = 'approved') execute function count_approval();
create trigger assignments_count_approval after update on assignments for each row
  when ((old.status = 'approved') <> (new.status = 'approved')) execute function count_approval();
