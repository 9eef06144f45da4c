-- A held dispute has a clock and a decision: who decided, when and why.
-- lock: disputes, tasks, access exclusive, for an instant (columns without a default, constraints not validated)
-- backfill: none; held disputes of the release before get 72 hours from now, found by an index, a handful of rows

alter type notice_kind add value if not exists 'dispute_held' after 'disputed';

alter table disputes
  -- Of a dispute that was held: when the worker is paid if nobody has decided.
  add column decides_by    timestamptz,
  add column decided_at    timestamptz,
  -- `agent`, `clock`, or `operator` and a name.
  add column decided_by    text,
  -- The operator's reason. The worker and the agent read it.
  add column decision_note text;
alter table tasks add column decides_by timestamptz;

update disputes set decides_by = now() + interval '72 hours' where status = 'held';
update tasks t set decides_by = d.decides_by
  from disputes d
 where d.status = 'held' and t.id = d.task_id and t.status = 'proof_submitted';

alter table disputes
  -- Replaced by one that also knows `rejected` (an operator) and `lapsed` (the clock).
  drop constraint disputes_status_check,
  add constraint disputes_status_check check (status in (
    'open', 'held', 'rejected', 'lapsed', 'withdrawn', 'upheld', 'overturned', 'split')) not valid,
  add constraint disputes_held_clock check (status <> 'held' or decides_by is not null) not valid,
  add constraint disputes_decided check (
    num_nulls(decided_at, decided_by) in (0, 2)
    and (decided_at is null or decides_by is not null)
    and (decision_note is null or decided_at is not null)
    and (status <> 'held' or decided_at is null)
    and (status not in ('rejected', 'lapsed') or decided_at is not null)) not valid,
  add constraint disputes_decision_note check (length(decision_note) between 1 and 2000) not valid;
alter table tasks
  add constraint tasks_held_clock check (
    (decides_by is not null) = (status_reason is not distinct from 'dispute_held' and status = 'proof_submitted'))
    not valid;

-- Processes of the release before do not know the clock: it gets its default here.
create function keep_held_clock() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'disputes' then
    new.decides_by := new.created_at + interval '72 hours';
  elsif new.decides_by is null then
    new.decides_by := new.updated_at + interval '72 hours';
  else
    new.decides_by := null;
  end if;
  return new;
end
$$;
create trigger disputes_keep_held_clock before insert on disputes
  for each row when (new.status = 'held' and new.decides_by is null) execute function keep_held_clock();
create trigger tasks_keep_held_clock before update on tasks
  for each row when ((new.decides_by is not null)
    <> (new.status_reason is not distinct from 'dispute_held' and new.status = 'proof_submitted'))
  execute function keep_held_clock();

-- A task and its held dispute leave that state together, whichever operation ends it.
create function refuse_held_dispute_left_behind() returns trigger language plpgsql as $$
begin
  if exists (select 1 from disputes d where d.task_id = new.id and d.status = 'held') then
    raise exception 'task % has left dispute_held, but its dispute is still held', new.id
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger tasks_held_dispute after update on tasks deferrable initially deferred
  for each row when (old.decides_by is not null and new.decides_by is null)
  execute function refuse_held_dispute_left_behind();
