-- Whether an agent or a worker lives in this schema. With several schemas, the numbers are those of its own shards.
-- home: shard
create or replace function shards_is_here(p_id text) returns boolean language sql immutable as $$
  select shards_number_of(p_id) between 0 and 4095
$$;
