-- How many more tasks, and with how much money, each agent may open by the caps of its tier; null means no cap. The
-- tiers are those of server/src/agents/tiers.ts. p_caps has two numbers for each of the first three: tasks and cents
-- that may be open, 0 for no cap. An identified agent and one in test mode have none.
--
-- The caller holds the locks on the agents' wallets, so nothing opens a task of theirs at the same time.
create or replace function agents_room(p_agents text[], p_caps bigint[])
returns table (n integer, tasks_left bigint, cents_left bigint)
language sql stable security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
  select u.n::integer, c.tasks_max - o.tasks, c.cents_max - o.cents
    from unnest(p_agents) with ordinality u(id, n)
    join agents g on g.id = u.id
   cross join lateral (
     select case when g.mode = 'test' or g.identified_at is not null then 4
                 when g.email_verified_at is null then 1
                 when exists (select 1 from deposits d
                               where d.agent_id = g.id and d.succeeded_at is not null
                                 and d.status in ('succeeded', 'partially_refunded', 'dispute_won')) then 3
                 else 2 end as tier) t
   cross join lateral (
     select nullif(p_caps[2 * t.tier - 1], 0) as tasks_max, nullif(p_caps[2 * t.tier], 0) as cents_max) c
    left join lateral (
     select count(*) as tasks, coalesce(sum(s.escrow_cents) filter (where s.funding = 'wallet'), 0)::bigint as cents
       from (select k.escrow_cents, k.funding from tasks k
              where k.agent_id = g.id and k.ended_at is null and (c.tasks_max > 0 or c.cents_max > 0)
              limit c.tasks_max) s) o on true
$$;

-- Only create_tasks calls it.
revoke execute on function agents_room from public;
