-- In test databases with several schemas only: a view in `public` for each table, over all schemas that have it, so that
-- tests can look at everything, and can change rows as the tables' owner. The application's roles have no rights on them.
create function test_change_row() returns trigger language plpgsql as $$
declare
  was jsonb; becomes jsonb; home text; keys text; changed text; found integer; condition text;
begin
  was := to_jsonb(old);
  becomes := to_jsonb(new);
  select string_agg(format('t.%I = ($1).%I', a.attname, a.attname), ' and ') into keys
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
   where i.indrelid = (select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
                        where c.relname = tg_table_name and c.relkind in ('r', 'p') and n.nspname <> 'public' limit 1)
     and i.indisprimary;
  select string_agg(format('%I = ($2).%I', name, name), ', ') into changed
    from jsonb_object_keys(becomes) name where becomes -> name is distinct from was -> name;
  if tg_op = 'UPDATE' and changed is null then return new; end if;
  -- Several schemas may have a row with this key: take the one that looks the same, or else the first.
  <<conditions>>
  foreach condition in array array[keys || ' and to_jsonb(t) = $3', keys] loop
    for home in select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
                 where c.relname = tg_table_name and c.relkind in ('r', 'p') and n.nspname <> 'public' order by 1 loop
      if tg_op = 'DELETE' then
        execute format('delete from %I.%I t where %s', home, tg_table_name, condition) using old, new, was;
      else
        execute format('update %I.%I t set %s where %s', home, tg_table_name, changed, condition) using old, new, was;
      end if;
      get diagnostics found = row_count;
      exit conditions when found > 0;
    end loop;
  end loop;
  return coalesce(new, old);
end
$$;

-- A new row goes to the schema of its id, or of its owner. Columns without a value get their defaults.
create function test_insert_row() returns trigger language plpgsql as $$
declare
  homes text[]; home text; given jsonb; owner text; columns text;
begin
  select array_agg(n.nspname::text order by n.nspname) into homes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relname = tg_table_name and c.relkind in ('r', 'p') and n.nspname <> 'public';
  given := jsonb_strip_nulls(to_jsonb(new));
  home := homes[1];
  if cardinality(homes) > 1 then
    owner := case when given ->> 'id' ~ '^[a-z]+_[0-9a-z]{26}$' then given ->> 'id'
                  when tg_table_name = 'trust_events' then given ->> 'worker_id'
                  else coalesce(given ->> 'task_id', given ->> 'agent_id', given ->> 'worker_id', given ->> 'owner_id') end;
    execute format('select s.schema from public.shards s where %I.shards_number_of($1) between s.first_shard and s.last_shard',
                   (select min(s.schema) from public.shards s)) into home using owner;
  end if;
  if home is null then raise exception 'no schema is known for a row of %: %', tg_table_name, given; end if;
  select string_agg(format('%I', a.attname), ', ') into columns
    from pg_attribute a
   where a.attrelid = format('%I.%I', home, tg_table_name)::regclass and a.attnum > 0 and not a.attisdropped
     and to_jsonb(new) -> a.attname::text <> 'null';
  execute format('insert into %I.%I (%s) select %s from (select ($1).*) r', home, tg_table_name, columns, columns)
    using new;
  return new;
end
$$;

do $$
declare
  name text; homes text[];
begin
  for name, homes in
    select c.relname, array_agg(n.nspname::text order by n.nspname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and (n.nspname in ('global', 'feed') or n.nspname ~ '^s[0-9]+$')
       and c.relname <> 'migrations'
     group by 1
  loop
    execute format('create view public.%I as %s', name,
      (select string_agg(format('select * from %I.%I', home, name), ' union all ') from unnest(homes) home));
    execute format('create trigger test_change_row instead of update or delete on public.%I for each row
                    execute function test_change_row()', name);
    execute format('create trigger test_insert_row instead of insert on public.%I for each row
                    execute function test_insert_row()', name);
  end loop;
end
$$;
