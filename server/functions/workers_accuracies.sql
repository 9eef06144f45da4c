-- The accuracies of a task's workers, who may live in other schemas. A consensus is computed in the transaction that has
-- locked the task, and that must not wait for a connection to another schema. All schemas are in this database.
-- home: shard
create or replace function workers_accuracies(p_ids text[]) returns table (id text, accuracy double precision)
language plpgsql stable security definer
set search_path = public, pg_temp
as $$
declare
  home text;
begin
  for home in select distinct shards_schema_of(u.id) from unnest(p_ids) u(id) loop
    return query execute format('select w.id, w.accuracy from %I.workers w where w.id = any($1)', home) using p_ids;
  end loop;
end
$$;

revoke execute on function workers_accuracies(text[]) from public;
grant execute on function workers_accuracies(text[]) to legwork_app;
