-- Replaced by open_tasks_cards. Servers of the previous release still call it during a deploy; a later migration drops
-- it.
create or replace function open_tasks_shown(p_ids text[], p_skills text[], p_now timestamptz)
returns table (id text, title text, description text, urgency task_urgency, proof_required task_proof,
               budget_cents bigint, auto_approve_after integer, slots_needed integer, slots_taken integer,
               skills text[], area text, lat double precision, lng double precision, agent_name text)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  return query
    select t.id, t.title, t.description, t.urgency, t.proof_required, t.budget_cents, t.auto_approve_after,
           t.consensus_count + t.slots_extra, t.slots_taken, t.skills, o.area, o.lat, o.lng, a.name
      from unnest(p_ids) with ordinality p(id, place)
      join open_tasks o on o.task_id = p.id
      join tasks t on t.id = p.id
      join agents a on a.id = t.agent_id
     where t.status in ('pending', 'in_progress') and t.slots_taken < t.consensus_count + t.slots_extra
       and t.deadline > p_now and t.reported_at is null and t.skills <@ p_skills
     order by p.place;
end
$$;
