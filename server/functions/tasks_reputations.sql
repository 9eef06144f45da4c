-- Returns statistics on the last 100 verdicts of each agent; of an agent on another shard, those in its copy.
create or replace function tasks_reputations(p_agents text[])
returns table (agent_id text, judged integer, approved integer, disputes integer, overturned integer,
               median_review_s double precision)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  return query
    select a.id, coalesce(w.judged, v.judged::integer), coalesce(w.approved, v.approved::integer),
           coalesce(w.disputes, d.disputes::integer), coalesce(w.overturned, d.overturned::integer),
           coalesce(w.median_review_s, v.median)
      from unnest(p_agents) a(id)
      left join away_agents w on w.id = a.id
     cross join lateral (
       select count(*) as judged, count(*) filter (where l.status = 'completed') as approved, min(l.ended_at) as since,
              percentile_cont(0.5) within group (order by extract(epoch from l.ended_at - l.proof_at)) as median
         from (select t.status, t.ended_at, t.proof_at from tasks t
                where t.agent_id = a.id and t.status in ('completed', 'disputed')
                order by t.ended_at desc limit 100) l) v
     cross join lateral (
       select count(*) as disputes, count(*) filter (where e.status in ('overturned', 'rejected')) as overturned
         from disputes e
        where e.agent_id = a.id and e.created_at >= v.since and e.status not in ('held', 'lapsed')) d;
end
$$;
