-- Deletes a batch of the oldest rows past their retention from each table whose comment names the job
-- runner.remove-expired. The comment is the rule: `rows: 30 days after expires_at; by: runner.remove-expired`.
-- home: shard, global
create or replace function runner_remove_expired(p_now timestamptz, p_limit integer)
returns table (relation text, deleted bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rule record;
  v_deleted bigint;
begin
  for rule in
    select c.relname::text as name, m[1]::integer as days, m[2] as counted_from
      from pg_class c,
           regexp_match(obj_description(c.oid, 'pg_class'),
             '^rows: ([0-9]+) days after ([a-z_]+); by: runner\.remove-expired$') m
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and m is not null
     order by c.relname
  loop
    execute format(
      'delete from %1$I where ctid = any(array(select ctid from %1$I where %2$I < $1 order by %2$I limit $2))',
      rule.name, rule.counted_from)
      using p_now - make_interval(days => rule.days), p_limit;
    get diagnostics v_deleted = row_count;
    relation := rule.name;
    deleted := v_deleted;
    return next;
  end loop;
end
$$;
revoke execute on function runner_remove_expired from public;
grant execute on function runner_remove_expired to legwork_app;
