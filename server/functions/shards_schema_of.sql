-- The schema of an agent or a worker.
-- home: shard
create or replace function shards_schema_of(p_id text) returns text language sql stable as $$
  select s.schema from public.shards s where shards_number_of(p_id) between s.first_shard and s.last_shard
$$;
