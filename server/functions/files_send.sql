-- Stores the hashes of a photo in the global schema of another database: the process does so after the commit.
-- home: shards outside of main
create or replace function files_remember_photo(
  p_file text, p_worker text, p_task text, p_sha256 text, p_dhash bigint, p_at timestamptz
) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- A bigint is not exact as a JSON number.
  perform shards_send('global', 'files_remember_photo', jsonb_build_object(
    'p_file', p_file, 'p_worker', p_worker, 'p_task', p_task, 'p_sha256', p_sha256, 'p_dhash', p_dhash::text,
    'p_at', p_at));
end
$$;

revoke execute on function files_remember_photo(text, text, text, text, bigint, timestamptz) from public;
grant execute on function files_remember_photo(text, text, text, text, bigint, timestamptz) to legwork_app;
