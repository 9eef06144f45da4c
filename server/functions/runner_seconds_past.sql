-- How long a row of that time is past its retention, in seconds; 0 if it is not, or if there is no row.
create or replace function runner_seconds_past(p_oldest timestamptz, p_days integer, p_now timestamptz)
returns double precision
language sql immutable as $$
  select coalesce(greatest(extract(epoch from p_now - p_oldest - make_interval(days => p_days)), 0), 0)::double precision
$$;
revoke execute on function runner_seconds_past from public;
grant execute on function runner_seconds_past to legwork_app;
