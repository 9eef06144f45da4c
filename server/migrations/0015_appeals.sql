-- A dispute is not the last word: the worker's appeal, the agent's answer, and the ruling.
-- lock: disputes, access exclusive, for an instant (a column with a constant default)
-- backfill: none

-- What the agent was charged after all, since the dispute was withdrawn or an appeal against it was won.
alter table disputes
  add column debited_cents bigint not null default 0,
  add constraint disputes_debited check (debited_cents >= 0) not valid;

-- A worker's word against a dispute. It lives on the agent's shard, with its task.
create table appeals (
  id                   text collate "C" primary key check (id ~ '^apl_[0-9a-z]{26}$'),
  dispute_id           text collate "C" not null,
  task_id              text collate "C" not null,
  agent_id             text collate "C" not null,
  assignment_id        text collate "C" not null,
  worker_id            text collate "C" not null,
  statement            text not null check (length(statement) between 1 and 2000),
  created_at           timestamptz not null,
  -- Until when the agent can answer; silence concedes.
  agent_until          timestamptz not null,
  agent_answer         text check (length(agent_answer) between 1 and 2000),
  answered_at          timestamptz,
  ruling               text check (ruling in ('upheld', 'overturned', 'split')),
  -- The agent by withdrawing its dispute, its silence, or an operator by name.
  ruled_by             text,
  -- For the worker to read.
  ruling_note          text check (length(ruling_note) between 1 and 2000),
  ruled_at             timestamptz,
  constraint appeals_answered check ((agent_answer is null) = (answered_at is null) and answered_at < agent_until),
  constraint appeals_ruled check (
    num_nulls(ruling, ruled_by, ruling_note, ruled_at) in (0, 4)
    -- Whoever was not heard does not lose.
    and (ruling is null or ruling = 'overturned' or agent_answer is not null))
);
-- Once.
create unique index appeals_one_per_worker on appeals (dispute_id, worker_id);
create index appeals_of_task on appeals (task_id, id);
create index appeals_unanswered on appeals (agent_until) where ruling is null and agent_answer is null;
create index appeals_to_rule on appeals (answered_at) where ruling is null and agent_answer is not null;

-- What was said stays said, and a ruling is the last word.
create function refuse_appeal_change() returns trigger language plpgsql as $$
begin
  if old.ruling is not null or old.agent_answer is not null and new.agent_answer is distinct from old.agent_answer then
    raise exception 'an appeal is answered once and ruled on once' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger appeals_once before update on appeals for each row execute function refuse_appeal_change();

grant select, insert on appeals to legwork_app;
grant update (agent_answer, answered_at, ruling, ruled_by, ruling_note, ruled_at) on appeals to legwork_app;
grant update (status, resolved_at, debited_cents) on disputes to legwork_app;
