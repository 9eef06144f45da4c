-- Spends (-1) or returns (+1) free tasks. The caller must hold the wallet's lock: create_tasks does, and so does a
-- caller that has posted the related movement.
create or replace function ledger_free_tasks(p_agents text[], p_changes integer[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  update ledger_agents b
     set free_tasks_remaining = b.free_tasks_remaining + n.change
    from unnest(p_agents, p_changes) n(agent_id, change)
   where b.agent_id = any(p_agents) and b.agent_id = n.agent_id
$$;

revoke execute on function ledger_free_tasks from public;
grant execute on function ledger_free_tasks to legwork_app;
