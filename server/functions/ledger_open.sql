-- Creates the balances of a new agent or worker, at zero.
create or replace function ledger_open(p_owner text, p_mode agent_mode, p_free_tasks integer default 0) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_owner like 'agent\_%' then
    insert into ledger_agents (agent_id, mode, free_tasks_granted, free_tasks_remaining)
      values (p_owner, p_mode, p_free_tasks, p_free_tasks);
  elsif p_owner like 'worker\_%' then insert into ledger_workers (worker_id, mode) values (p_owner, p_mode);
  else raise exception 'ledger: % can''t own an account', p_owner;
  end if;
end
$$;

revoke execute on function ledger_open from public;
grant execute on function ledger_open to legwork_app;
