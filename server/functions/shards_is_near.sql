-- Whether a schema is in this database, so that a transaction can include it.
-- home: shard
create or replace function shards_is_near(p_home text) returns boolean language sql stable as $$
  select s.is_here from public.shards s where s.schema = p_home
$$;
