-- Deletes the accounts of workers who never confirmed their email, oldest first, with their dependent rows. Keeps
-- accounts that have a balance, an assignment or an operator's decision. Returns how many were deleted.
create or replace function workers_remove_unverified(p_before timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ids text[];
begin
  select array_agg(w.id) into v_ids from (
    select w.id from workers w join ledger_workers l on l.worker_id = w.id
     where w.status = 'unverified' and w.mode = 'live' and w.created_at < p_before
       -- Required by ledger_forget_workers.
       and l.payable_cents = 0 and l.receivable_cents = 0 and l.statement_no = 0
       and not exists (select 1 from assignments a where a.worker_id = w.id)
       and not exists (select 1 from worker_decisions d where d.worker_id = w.id)
     order by w.created_at limit p_limit for update of w skip locked) w;
  if v_ids is null then
    return 0;
  end if;
  delete from worker_tokens where worker_id = any(v_ids);
  delete from worker_email_links l using worker_email_changes c
   where c.id = l.change_id and c.worker_id = any(v_ids);
  delete from worker_email_changes where worker_id = any(v_ids);
  delete from worker_sessions where worker_id = any(v_ids);
  delete from worker_emails where worker_id = any(v_ids);
  perform ledger_forget_workers(v_ids);
  delete from workers where id = any(v_ids);
  return cardinality(v_ids);
end
$$;
revoke execute on function workers_remove_unverified from public;
grant execute on function workers_remove_unverified to legwork_app;
