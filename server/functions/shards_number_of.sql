-- The logical shard of an id, same as shardOf in server/src/kit/ids.ts.
create or replace function shards_number_of(p_id text) returns integer language sql immutable as $$
  select ((position(substr(l, 11, 1) in a) - 1 & 1) << 11) | ((position(substr(l, 12, 1) in a) - 1) << 6)
       | ((position(substr(l, 13, 1) in a) - 1) << 1) | ((position(substr(l, 14, 1) in a) - 1) >> 4)
    from (values (split_part(p_id, '_', 2), '0123456789abcdefghjkmnpqrstvwxyz')) v(l, a)
$$;
