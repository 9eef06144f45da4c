-- Shows on a task's card that a slot was taken, in the transaction that takes it; the last one calls feed_leave.
-- home: feed, for shards
create or replace function feed_take_slot(p_task text, p_status task_status, p_slots_taken integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update open_cards c set status = p_status, slots_taken = p_slots_taken where c.task_id = p_task;
end
$$;

revoke execute on function feed_take_slot(text, task_status, integer) from public;
grant execute on function feed_take_slot(text, task_status, integer) to legwork_app;
