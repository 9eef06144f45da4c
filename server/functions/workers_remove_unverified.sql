-- Deletes these accounts, with their dependent rows, if their email is still unconfirmed. Their addresses are global:
-- remove-unverified.ts has released them. Returns the accounts that were deleted.
-- home: shard
create or replace function workers_remove_unverified(p_workers text[]) returns table (worker_id text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ids text[];
begin
  select array_agg(w.id) into v_ids from (
    select w.id from workers w
     where w.id = any(p_workers) and w.status = 'unverified' and w.mode = 'live'
     order by w.id for update) w;
  delete from worker_tokens t where t.worker_id = any(v_ids);
  delete from worker_email_links l using worker_email_changes c
   where c.id = l.change_id and c.worker_id = any(v_ids);
  delete from worker_email_changes c where c.worker_id = any(v_ids);
  delete from worker_sessions s where s.worker_id = any(v_ids);
  perform ledger_forget_workers(v_ids);
  return query delete from workers w where w.id = any(v_ids) returning w.id;
end
$$;
revoke execute on function workers_remove_unverified(text[]) from public;
grant execute on function workers_remove_unverified(text[]) to legwork_app;
