-- Creates tasks, many in one round trip, and returns one outcome for each:
--   created       the task exists, its budget is in escrow, its event and its response are stored
--   other_funding a free task pays instead of the wallet, or the wallet instead of a free task; nothing is written
--   insufficient  no free task can pay for it and the wallet holds too little; nothing is written
--   key_cap       a cap of the calling key, or of a key above it, is reached; nothing is written
--   restricted    the agent may not create tasks
--   tier_cap      a cap of the agent's tier is reached (agents_room); nothing is written
--   replayed      the Idempotency-Key was used for this request before: its stored response
--   mismatch      the Idempotency-Key was used for another request
-- Tasks of one agent are decided in order, each with what the ones before it have left.
--
-- Whether the wallet or a free task pays is decided here. The caller assumes one of them, with its ledger line and its
-- response; if it is the other one, the caller tries again with that. Where the switch `free_tasks` is off, nothing is
-- free.
--
-- Locks: the agents' wallets, by id. Everything that moves an agent's money or free tasks takes this lock first, so the
-- Idempotency-Key, the free tasks, the wallet and the caps of keys are one decision. Then the rows of limited keys
-- (agents_charge_key). Calling it again with the same ids after a lost response creates nothing twice.
create or replace function create_tasks(p_now timestamptz, p_creations task_creation[], p_locks ledger_line[],
                                        p_caps bigint[])
returns table (item integer, outcome creation_outcome, funding task_funding, balance_cents bigint,
               free_tasks_remaining integer, cap spending_cap, limit_cents bigint, spent_cents bigint, status smallint,
               answer text)
language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  size integer := cardinality(p_creations);
  -- The creations: fields that decisions need. Then the agents.
  c_id text[]; c_agent text[]; c_key text[]; c_at timestamptz[]; c_cents bigint[]; c_may_be_free boolean[];
  c_funding task_funding[]; c_claim idempotency_claim[];
  a_id text[]; a_mode agent_mode[]; a_active boolean[]; a_free integer[]; a_free_was integer[]; a_wallet bigint[];
  a_tasks_left bigint[]; a_cents_left bigint[];
  -- The limited keys, each with the keys above it as one text.
  k_id text[]; k_path text[];
  -- The outcomes.
  i_outcome creation_outcome[] := array_fill('created'::creation_outcome, array[size]);
  i_path text[] := array_fill(null::text, array[size]); i_answer text[] := array_fill(null::text, array[size]);
  i_balance bigint[] := array_fill(null::bigint, array[size]);
  i_free_left integer[] := array_fill(null::integer, array[size]);
  i_cap key_cap[] := array_fill(null::key_cap, array[size]);
  i_status smallint[] := array_fill(null::smallint, array[size]);
  i_is_charged boolean[] := array_fill(false, array[size]); i_exists boolean[] := array_fill(false, array[size]);
  a integer; r record; is_free boolean; is_free_on boolean; v_balance bigint; v_funding task_funding;
begin
  select array_agg(c.id), array_agg(c.agent_id), array_agg(c.key_id), array_agg(c.created_at),
         array_agg(c.locked_cents), array_agg(c.may_be_free), array_agg(c.funding),
         array_agg((c.ordinality, c.agent_id, c.key_hash, c.fingerprint, null, null)::idempotency_claim)
           filter (where c.key_hash is not null)
    into c_id, c_agent, c_key, c_at, c_cents, c_may_be_free, c_funding, c_claim
    from unnest(p_creations) with ordinality c;

  select array_agg(b.agent_id), array_agg(b.mode), array_agg(b.free_tasks_remaining)
    into a_id, a_mode, a_free
    from (select l.agent_id, l.mode, l.free_tasks_remaining
            from ledger_agents l where l.agent_id = any(c_agent) order by l.agent_id for no key update) b;
  a_free_was := a_free;
  -- A separate statement, after waiting for the lock: its previous holder may have restricted the agent.
  a_active := array(select (select g.status = 'active' from agents g where g.id = u.id)
                      from unnest(a_id) with ordinality u(id, n) order by u.n);
  select array_agg(b.tasks_left order by b.n), array_agg(b.cents_left order by b.n) into a_tasks_left, a_cents_left
    from agents_room(a_id, p_caps) b where p_caps <> '{}';

  select array_agg(k.id), array_agg(array_to_string(k.ancestors || k.id, ' ')) into k_id, k_path
    from api_keys k where k.id = any(c_key) and k.agent_id = any(c_agent) and k.is_limited;
  if k_id is not null then
    a_wallet := array(select (select l.wallet_cents from ledger_agents l where l.agent_id = u.id)
                        from unnest(a_id) with ordinality u(id, n) order by u.n);
  end if;

  for r in select * from idempotency_find(p_now, c_claim) loop
    i_outcome[r.item] := r.outcome::text;
    i_status[r.item] := r.status;
    i_answer[r.item] := r.answer;
  end loop;

  for i in 1 .. size loop
    continue when i_outcome[i] <> 'created';
    a := array_position(a_id, c_agent[i]);
    if a is null then raise exception 'create_tasks: no agent %', c_agent[i]; end if;
    if not a_active[a] then i_outcome[i] := 'restricted'; continue; end if;

    if a_free[a] > 0 and a_mode[a] = 'live' and is_free_on is null then
      select s.is_on into strict is_free_on from platform_switches s where s.name = 'free_tasks';
    end if;
    is_free := a_free[a] > 0 and c_may_be_free[i] and (a_mode[a] = 'test' or is_free_on);
    if is_free <> (c_funding[i] = 'free') then i_outcome[i] := 'other_funding'; continue; end if;
    if (a_tasks_left[a] < 1 or (a_cents_left[a] < c_cents[i] and not is_free)) and not exists (
      select 1 from tasks t where t.id = c_id[i] and t.agent_id = c_agent[i]) then
      i_outcome[i] := 'tier_cap';
      continue;
    end if;
    a_tasks_left[a] := a_tasks_left[a] - 1;
    if is_free then a_free[a] := a_free[a] - 1; else a_cents_left[a] := a_cents_left[a] - c_cents[i]; end if;
    continue when k_id is null;

    i_path[i] := k_path[array_position(k_id, c_key[i])];
    -- A free task costs the agent nothing, so it counts against no cap. A task that exists was charged already.
    continue when is_free or exists (
      select 1 from tasks t where t.id = c_id[i] and t.agent_id = c_agent[i]);
    -- If the wallet can't pay, no cap is charged; ledger_post reports that below.
    continue when a_wallet[a] < c_cents[i];
    if i_path[i] is not null then
      i_cap[i] := agents_charge_key(string_to_array(i_path[i], ' '), c_at[i], c_cents[i]);
      if (i_cap[i]).cap is not null then
        i_outcome[i] := 'key_cap';
        select a_wallet[a] - l.receivable_cents into v_balance from ledger_agents l where l.agent_id = a_id[a];
        i_balance[i] := v_balance;
        continue;
      end if;
      i_is_charged[i] := true;
    end if;
    a_wallet[a] := a_wallet[a] - c_cents[i];
  end loop;

  for r in
    select p.* from ledger_post(p_now, array(select l from unnest(p_locks) l where i_outcome[l.item] = 'created')) p
  loop
    -- The entries are numbered as their creations.
    i_balance[r.entry] := r.balance_cents;
    if i_is_charged[r.entry] and r.outcome <> 'posted' then
      raise exception 'create_tasks: a key was charged for %, which is %', c_id[r.entry], r.outcome;
    end if;
    a := array_position(a_id, c_agent[r.entry]);
    if r.outcome = 'insufficient' then
      i_outcome[r.entry] := 'insufficient';
      -- Free tasks that are left could pay for a smaller budget.
      if a_mode[a] = 'test' or is_free_on then i_free_left[r.entry] := nullif(a_free[a], 0); end if;
    elsif r.outcome <> 'posted' then
      -- An earlier call, whose response was lost, created this task. If it was free, its free task is spent already.
      i_exists[r.entry] := true;
      if c_funding[r.entry] = 'free' then a_free[a] := a_free[a] + 1; end if;
      select t.funding into v_funding from tasks t where t.id = c_id[r.entry] and t.agent_id = c_agent[r.entry];
      c_funding[r.entry] := v_funding;
    end if;
  end loop;

  if a_free is distinct from a_free_was then
    perform ledger_free_tasks(array_agg(n.id), array_agg(n.free - n.was))
       from unnest(a_id, a_free, a_free_was) n(id, free, was) where n.free <> n.was;
  end if;

  with c as materialized (
    select u.*, a_mode[array_position(a_id, u.agent_id)] as mode, i_path[u.ordinality] as path
      from unnest(p_creations) with ordinality u
     where i_outcome[u.ordinality] = 'created' and not i_exists[u.ordinality]
  ), created as (
    insert into tasks (id, agent_id, mode, type, title, description, budget_cents, budget_basis, locked_cents,
                       escrow_cents, funding, urgency, proof_required, consensus_count, deadline, scheduled_at,
                       window_minutes, auto_approve_after, min_worker_level, skills, languages, location, context,
                       metadata, answer_schema, criteria, callback_url, consensus_max, min_confidence, rehearsal,
                       rehearse_at, key_path, share_level, is_schema_default, commission_basis_points, created_at,
                       updated_at, status_reason, reported_at)
      select c.id, c.agent_id, c.mode, c.type, c.title, c.description, c.budget_cents, c.budget_basis, c.locked_cents,
             c.locked_cents, c.funding, c.urgency, c.proof_required, c.consensus_count, c.deadline, c.scheduled_at,
             c.window_minutes, c.auto_approve_after, c.min_worker_level, c.skills, c.languages, c.location, c.context,
             c.metadata, c.answer_schema, c.criteria, c.callback_url, c.consensus_max, c.min_confidence,
             -- Scripted workers do test tasks only.
             case c.mode when 'test' then c.rehearsal end, case c.mode when 'test' then c.rehearse_at end,
             string_to_array(c.path, ' '), c.share_level, c.is_schema_default, c.commission_basis_points, c.created_at,
             c.created_at, case when c.screened_for is not null then 'screening' end,
             case when c.screened_for is not null then c.created_at end
        from c
  ), screened as (
    insert into screenings (task_id, rules, policy, created_at, decides_by)
      select c.id, c.screened_for, c.screening_policy, c.created_at, c.decides_by from c
       -- In test mode the script ends the wait, so no operator is asked.
       where c.screened_for is not null and c.mode = 'live'
  )
  insert into outbox (id, type, agent_id, task_id, data, created_at, traceparent)
    select c.event_id, 'task.created', c.agent_id, c.id, '{}', c.created_at, c.traceparent from c;

  if c_claim is not null then
    perform idempotency_store(p_now, array(
      select (c.ordinality, c.agent_id, c.key_hash, c.fingerprint, 201, c.response)::idempotency_claim
        from unnest(p_creations) with ordinality c
       where c.key_hash is not null and i_outcome[c.ordinality] = 'created'));
  end if;

  return query
    select i, i_outcome[i], c_funding[i], i_balance[i], i_free_left[i], (i_cap[i]).cap, (i_cap[i]).limit_cents,
           (i_cap[i]).spent_cents, i_status[i], i_answer[i]
      from generate_series(1, size) i;
end
$$;

revoke execute on function create_tasks(timestamptz, task_creation[], ledger_line[], bigint[]) from public;
grant execute on function create_tasks(timestamptz, task_creation[], ledger_line[], bigint[]) to legwork_app;
