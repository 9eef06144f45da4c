-- Give restricted agents a date by which an operator reviews them, and debts the time since when they exist.
-- lock: agents and ledger_agents, access exclusive, for an instant (columns without a default, a trigger)
-- backfill: none; an agent without a date is due for its review at once, a debt without a time is shown first

alter table agents add column restricted_at timestamptz, add column review_at timestamptz;
grant update (restricted_at, review_at) on agents to legwork_app;

-- Processes of the previous release restrict agents without a date, and free them without removing it.
create function date_review() returns trigger language plpgsql as $$
begin
  if new.status <> 'restricted' then
    new.restricted_at := null;
    new.review_at := null;
  else
    new.restricted_at := coalesce(new.restricted_at, now());
    new.review_at := coalesce(new.review_at, now() + interval '7 days');
  end if;
  return new;
end
$$;
create trigger agents_review before update of status on agents for each row
  when (old.status is distinct from new.status) execute function date_review();

-- Since when the agent owes; ledger_post sets it.
alter table ledger_agents add column owes_since timestamptz;
