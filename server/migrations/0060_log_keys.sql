-- Gives the logs of deliveries and of refused requests a primary key, by which logical replication finds their rows.
-- lock: delivery_attempts and refused_requests, access exclusive, while their keys are built
-- backfill: none

-- On a large log, build the keys of all its partitions by hand before the release. This migration takes them over, and
-- locks the log for an instant only:
--   create unique index concurrently refused_requests_20260101_key on refused_requests_20260101
--     (agent_id, id, created_at);
do $$
declare
  part record;
begin
  for part in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent in ('delivery_attempts'::regclass, 'refused_requests'::regclass)
       and to_regclass(format('%I', c.relname || '_key')) is not null
  loop
    execute format('alter table %I add constraint %I primary key using index %I', part.name, part.name || '_pkey',
      part.name || '_key');
  end loop;
end
$$;

-- The key of a partitioned table includes the column that divides it.
-- squawk-ignore constraint-missing-not-valid, adding-serial-primary-key-field
alter table delivery_attempts add primary key (agent_id, id, created_at);
-- squawk-ignore constraint-missing-not-valid, adding-serial-primary-key-field
alter table refused_requests add primary key (agent_id, id, created_at);
