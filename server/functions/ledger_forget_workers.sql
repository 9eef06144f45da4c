-- Deletes the balances of workers who never had a movement. Raises an error if one of them had.
create or replace function ledger_forget_workers(p_workers text[]) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select 1 from ledger_workers where worker_id = any(p_workers)
                and (statement_no > 0 or payable_cents <> 0 or receivable_cents <> 0)) then
    raise exception 'ledger: a worker with movements can''t be forgotten';
  end if;
  delete from ledger_workers where worker_id = any(p_workers);
end
$$;

revoke execute on function ledger_forget_workers from public;
