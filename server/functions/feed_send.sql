-- The feed's functions for shards of another database: the process writes the feed after the commit, by what the task is
-- then (docs/decisions/0037-the-feed-is-a-store-of-its-own.md).
-- home: shards outside of main
create or replace function feed_leave(p_ids text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if cardinality(p_ids) > 0 then perform shards_send('feed', 'project', to_jsonb(p_ids)); end if;
end
$$;

revoke execute on function feed_leave(text[]) from public;
grant execute on function feed_leave(text[]) to legwork_app;

create or replace function feed_take_slot(p_task text, p_status task_status, p_slots_taken integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform shards_send('feed', 'project', to_jsonb(array[p_task]));
end
$$;

revoke execute on function feed_take_slot(text, task_status, integer) from public;
grant execute on function feed_take_slot(text, task_status, integer) to legwork_app;
