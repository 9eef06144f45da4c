-- Removes tasks from the feed, in the transaction after which nobody can accept them. For a shard of another database,
-- feed_send.sql has this function (docs/decisions/0037-the-feed-is-a-store-of-its-own.md).
-- home: feed, for shards
create or replace function feed_leave(p_ids text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from open_tasks o where o.task_id = any(p_ids);
end
$$;

revoke execute on function feed_leave(text[]) from public;
grant execute on function feed_leave(text[]) to legwork_app;
