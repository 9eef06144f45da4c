-- Stores the hashes of a photo, in the transaction that sends its proof. For a shard of another database, files_send.sql
-- has this function, and the process calls this one after the commit; repeated, it changes nothing.
-- home: global, for shards
create or replace function files_remember_photo(
  p_file text, p_worker text, p_task text, p_sha256 text, p_dhash bigint, p_at timestamptz
) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into photo_hashes (file_id, worker_id, task_id, sha256, dhash, created_at)
    values (p_file, p_worker, p_task, p_sha256, p_dhash, p_at)
  on conflict do nothing;
end
$$;

revoke execute on function files_remember_photo(text, text, text, text, bigint, timestamptz) from public;
grant execute on function files_remember_photo(text, text, text, text, bigint, timestamptz) to legwork_app;
