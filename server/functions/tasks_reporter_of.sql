-- Returns the result of tasks_reporter in the schema of a worker, with hashes of the address and the inbox. For a worker
-- of another database, away_reporters has it.
-- home: shard
create or replace function tasks_reporter_of(
  p_task text, p_worker text, p_agent text, p_now timestamptz,
  out weight integer, out address text, out inbox text
)
language plpgsql stable security definer
set search_path = public, pg_temp
as $$
declare
  home text := shards_schema_of(p_worker);
begin
  if shards_is_near(home) then
    execute format(
      $q$select r.weight, encode(sha256(r.address::bytea), 'hex'), encode(sha256(r.inbox::bytea), 'hex')
           from %I.tasks_reporter($1, $2, $3) r$q$, home)
      into weight, address, inbox using p_worker, p_agent, p_now;
  else
    select r.weight, r.address, r.inbox into weight, address, inbox
      from away_reporters r where r.task_id = p_task and r.worker_id = p_worker;
  end if;
end
$$;

revoke execute on function tasks_reporter_of(text, text, text, timestamptz) from public;
