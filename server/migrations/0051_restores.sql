-- Records restores from a backup, and keeps payouts, refunds and withdrawals off until an operator has compared the
-- restored books with the processor's.
-- lock: platform_switches, access exclusive, for an instant (a constraint that is validated later, a trigger)
-- backfill: none

create table restores (
  -- The restored database has everything up to here, and nothing that was written from here to declared_at.
  restored_to timestamptz not null constraint restores_pkey primary key,
  declared_at timestamptz not null,
  declared_by text not null,
  -- The last time that every movement at the processor was found in our books.
  checked_at  timestamptz,
  opened_at   timestamptz,
  opened_by   text,
  constraint restores_order check (restored_to < declared_at),
  constraint restores_opened check
    ((opened_at is null) = (opened_by is null) and (opened_at is null or checked_at is not null))
);
grant select, insert, update (checked_at, opened_at, opened_by) on restores to legwork_app;

alter table platform_switches drop constraint platform_switches_name_check;
alter table platform_switches add constraint platform_switches_name_check
  check (name in ('free_tasks', 'payouts', 'refunds', 'withdrawals')) not valid;
insert into platform_switches (name) values ('refunds');

create function refuse_open_door() returns trigger language plpgsql as $$
begin
  if new.is_on and new.name in ('payouts', 'refunds', 'withdrawals')
     and exists (select 1 from restores where opened_at is null) then
    raise exception 'the database was restored from a backup: % stay off until `ops restore open`', new.name
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger platform_switches_doors before update of is_on on platform_switches
  for each row execute function refuse_open_door();
