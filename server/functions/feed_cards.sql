-- The fields of the cards on a page of the feed, in the order of the ids. open_tasks stores skills and languages as
-- hashes only, so they are compared again here.
-- home: feed
create or replace function feed_cards(p_ids text[], p_skills text[], p_languages text[], p_now timestamptz)
returns table (id text, status task_status, title text, description text, urgency task_urgency,
               proof_required task_proof, budget_cents bigint, auto_approve_after integer, slots_needed integer,
               slots_taken integer, skills text[], languages text[], created_at timestamptz, area text,
               lat double precision, lng double precision, agent_name text, judged integer, approved integer,
               disputes integer, overturned integer, median_review_s double precision)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  return query
    select c.task_id, c.status, c.title, c.description, c.urgency, c.proof_required, c.budget_cents,
           c.auto_approve_after, c.slots_needed, c.slots_taken, c.skills, c.languages, c.created_at, o.area, o.lat,
           o.lng, a.name, a.judged, a.approved, a.disputes, a.overturned, a.median_review_s
      from unnest(p_ids) with ordinality p(id, place)
      join open_tasks o on o.task_id = p.id
      join open_cards c on c.task_id = p.id
      join open_agents a on a.agent_id = o.agent_id
     where o.deadline > p_now and c.skills <@ p_skills and c.languages <@ p_languages
     order by p.place;
end
$$;
