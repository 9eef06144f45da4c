-- Forgets what this schema had to do in others: it is done there.
-- home: shard
create or replace function shards_crossed(p_ids bigint[]) returns void
language plpgsql security definer
set search_path = public, pg_temp
as $$
begin
  delete from crossings c where c.id = any(p_ids);
end
$$;

revoke execute on function shards_crossed(bigint[]) from public;
grant execute on function shards_crossed(bigint[]) to legwork_app;
