-- Lets the audit of this schema begin anew, after the schema was moved to another cluster: it remembers ids of
-- transactions, and each cluster counts its own.
-- home: shard
create or replace function ledger_forget_seals() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from ledger_sums;
  delete from ledger_checksums;
  delete from ledger_audits where kind = 'round' and ended_at is null;
  update ledger_audits set sealed_xid = 0 where kind = 'increment';
end
$$;

revoke execute on function ledger_forget_seals() from public;
