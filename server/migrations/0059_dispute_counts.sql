-- Counts an agent's disputes, as 0057 counts its tasks. Held and lapsed ones never reached a worker.
-- lock: disputes, share row exclusive, for an instant (two triggers)
-- backfill: by counts.fold, with the other counts of the agent

create function count_dispute() returns trigger language plpgsql as $$
declare
  v_was text := case tg_op when 'UPDATE' then old.status end;
  v_disputes integer := (new.status not in ('held', 'lapsed'))::integer
    - coalesce((v_was not in ('held', 'lapsed'))::integer, 0);
  v_overturned integer := (new.status in ('overturned', 'rejected'))::integer
    - coalesce((v_was in ('overturned', 'rejected'))::integer, 0);
begin
  insert into agent_count_changes (agent_id, key_path, disputes, overturned)
    select new.agent_id, t.key_path, v_disputes, v_overturned
      from tasks t
     where t.id = new.task_id and t.agent_id = new.agent_id and (v_disputes <> 0 or v_overturned <> 0);
  return null;
end
$$;
create trigger disputes_count_new after insert on disputes for each row execute function count_dispute();
create trigger disputes_count_moved after update on disputes for each row
  when (old.status <> new.status) execute function count_dispute();
