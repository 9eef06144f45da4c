-- Returns what runner_overdue_rows does, and the same for four columns with a shorter retention than their row.
-- home: shard
create or replace function runner_overdue(p_now timestamptz, p_location_days integer, p_text_days integer)
returns table (relation text, seconds double precision)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select * from runner_overdue_rows(p_now);
  return query
    select 'proofs.location', runner_seconds_past(min(p.submitted_at), p_location_days, p_now)
      from proofs p where p.location is not null
    union all
    select 'files.evidence', runner_seconds_past(min(f.created_at), p_location_days, p_now)
      from files f where f.evidence is not null
    union all
    select 'tasks.description', runner_seconds_past(min(t.ended_at), p_text_days, p_now)
      from tasks t where t.ended_at is not null and t.description <> 'Removed: the retention period of this text has ended.'
    union all
    select 'away_tasks.description', runner_seconds_past(min(t.ended_at), p_text_days, p_now)
      from away_tasks t
     where t.ended_at is not null and t.description <> 'Removed: the retention period of this text has ended.';
end
$$;
revoke execute on function runner_overdue from public;
grant execute on function runner_overdue to legwork_app;
