-- Keeps what this transaction has to do in a schema of another database, and tells the client that there is something
-- to do after the commit (server/src/kit/crossings.ts). Shards and the global schema apply it by shards_receive.
-- home: shard
create or replace function shards_send(p_home text, p_call text, p_arguments jsonb) returns void
language plpgsql security definer
set search_path = public, pg_temp
as $$
begin
  insert into crossings (home, call, arguments) values (p_home, p_call, p_arguments);
  raise notice 'legwork crossing %', p_home;
end
$$;

revoke execute on function shards_send(text, text, jsonb) from public;
