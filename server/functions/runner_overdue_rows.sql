-- Returns for every table of the schema with a retention rule how long its oldest row is past the end, in seconds: 0 if
-- none is. Of a partitioned table it looks at the start of the oldest partition.
-- home: shard, global
create or replace function runner_overdue_rows(p_now timestamptz)
returns table (relation text, seconds double precision)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  rule record;
  v_oldest timestamptz;
begin
  for rule in
    select c.oid, c.relname::text as name, c.relkind = 'p' as is_partitioned, m[1]::integer as days, m[2] as counted_from
      from pg_class c,
           regexp_match(obj_description(c.oid, 'pg_class'), '^rows: ([0-9]+) days after ([a-z_]+); by: ') m
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and m is not null
     order by c.relname
  loop
    if rule.is_partitioned then
      select min(to_date(right(p.relname, 8), 'YYYYMMDD')) into v_oldest
        from pg_inherits i join pg_class p on p.oid = i.inhrelid
       where i.inhparent = rule.oid and p.relname ~ '_[0-9]{8}$';
    else
      execute format('select min(%I) from %I', rule.counted_from, rule.name) into v_oldest;
    end if;
    relation := rule.name;
    seconds := runner_seconds_past(v_oldest, rule.days, p_now);
    return next;
  end loop;
end
$$;
revoke execute on function runner_overdue_rows from public;
grant execute on function runner_overdue_rows to legwork_app;
