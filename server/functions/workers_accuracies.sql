-- The accuracies of a task's workers who live in this database. A consensus is computed in the transaction that has
-- locked the task, and that must not wait for a connection to another schema. The assignments of workers of other
-- databases have their accuracies.
-- home: shard
create or replace function workers_accuracies(p_ids text[]) returns table (id text, accuracy double precision)
language plpgsql stable security definer
set search_path = public, pg_temp
as $$
declare
  home text;
begin
  for home in
    select distinct s.home from unnest(p_ids) u(id) cross join lateral shards_schema_of(u.id) s(home)
     where shards_is_near(s.home)
  loop
    return query execute format('select w.id, w.accuracy from %I.workers w where w.id = any($1)', home) using p_ids;
  end loop;
end
$$;

revoke execute on function workers_accuracies(text[]) from public;
grant execute on function workers_accuracies(text[]) to legwork_app;
