-- Reports hide a task by their weight: a worker without approved paid work hides nothing.
-- lock: task_reports, access exclusive, for an instant (a column); tasks, share row exclusive, for an instant (a trigger)
-- backfill: none; reports from before have no weight, and what they hide stays hidden until an operator has looked

-- What the report counts towards hiding its task, fixed when it is made.
alter table task_reports add column weight smallint not null default 0
  constraint task_reports_weight_check check (weight between 0 and 4);

-- The application can't choose the weight.
create function weigh_report() returns trigger language plpgsql as $$
begin
  -- Reports of one worker that come at once are weighed one after the other.
  perform pg_advisory_xact_lock(hashtextextended(new.worker_id, 6120448903177));
  new.weight := tasks_report_weight(new.task_id, new.worker_id, new.kind, new.created_at);
  return new;
end
$$;
create trigger weigh_report before insert on task_reports for each row execute function weigh_report();

-- Whatever the application asks for, a task is hidden by enough weight only.
create function hide_by_weight() returns trigger language plpgsql as $$
begin
  if not tasks_reports_hide(new.id) then
    new.reported_at := null;
  end if;
  return new;
end
$$;
create trigger hide_by_weight before update of reported_at on tasks for each row
  when (old.reported_at is null and new.reported_at is not null) execute function hide_by_weight();
