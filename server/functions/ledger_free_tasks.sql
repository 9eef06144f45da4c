-- Spends (-1) or gives back (+1) free tasks. The caller holds the wallet's lock: by create_tasks, or by having
-- posted the movement that goes with it.
create or replace function ledger_free_tasks(p_agents text[], p_changes integer[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  update ledger_agents b
     set free_tasks_remaining = b.free_tasks_remaining + p_changes[array_position(p_agents, b.agent_id)]
   where b.agent_id = any(p_agents)
$$;

revoke execute on function ledger_free_tasks from public;
grant execute on function ledger_free_tasks to legwork_app;
