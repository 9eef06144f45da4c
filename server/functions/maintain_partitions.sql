-- Creates the partitions of the log tables, two periods ahead, and drops those past their retention.
-- home: shard, global
create or replace function maintain_partitions() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  log record; start date; part record;
begin
  for log in
    select * from (values
      ('events', 1, 30, (now() at time zone 'UTC')::date),
      ('delivery_attempts', 1, 30, (now() at time zone 'UTC')::date),
      ('refused_requests', 1, 7, (now() at time zone 'UTC')::date),
      ('idempotency_keys', 7, 7, date_trunc('week', now() at time zone 'UTC')::date)) l(name, days, keep_days, current)
  loop
    continue when to_regclass(format('%I.%I', current_schema(), log.name)) is null;
    for start in select log.current + i * log.days from generate_series(0, 2) i loop
      if to_regclass(format('%I', log.name || '_' || to_char(start, 'YYYYMMDD'))) is null then
        begin
          execute format('create table %I partition of %I for values from (%L) to (%L)',
            log.name || '_' || to_char(start, 'YYYYMMDD'), log.name, start, start + log.days);
        exception
          -- The default partition already has rows of that period. They stay there: slower, but correct.
          when check_violation or duplicate_table then null;
        end;
      end if;
    end loop;
    for part in
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = log.name::regclass and c.relname ~ ('^' || log.name || '_[0-9]{8}$')
         and to_date(right(c.relname, 8), 'YYYYMMDD') + log.days + log.keep_days < (now() at time zone 'UTC')::date
    loop
      execute format('drop table %I', part.relname);
    end loop;
    execute format('delete from %I where created_at < now() - make_interval(days => %s)', log.name || '_rest',
      log.keep_days + log.days);
  end loop;
end
$$;

revoke execute on function maintain_partitions from public;
grant execute on function maintain_partitions to legwork_app;
