-- Operators suspend and close workers' accounts, and workers object to that.
-- lock: none (new tables)
-- backfill: none

-- One row for each time that an account was suspended or closed. Its end is in the same row.
create table worker_decisions (
  id                   text collate "C" primary key check (id ~ '^wdn_[0-9a-z]{26}$'),
  worker_id            text collate "C" not null,
  kind                 text not null check (kind in ('suspended', 'closed')),
  -- The worker reads it.
  reason               text not null check (length(reason) between 1 and 500),
  -- Tasks in which the worker had an assignment, and which the decision is based on.
  task_ids             text[] not null default '{}' check (cardinality(task_ids) <= 20),
  decided_by           text not null,
  decided_at           timestamptz not null,
  -- A suspension ends by the clock, a closed account does not.
  ends_at              timestamptz check (ends_at > decided_at),
  -- When to look for slots that the worker still holds; null once no request can take another.
  hand_back_at         timestamptz,
  -- When the clock acts: the suspension ends, or nobody has replied to the objection in time.
  due_at               timestamptz,

  -- The worker may object once.
  objection            text check (length(objection) between 1 and 4000),
  objected_at          timestamptz,
  reply_due_at         timestamptz,
  reply                text check (reply in ('upheld', 'reinstated')),
  reply_note           text check (length(reply_note) between 1 and 500),
  replied_by           text,
  replied_at           timestamptz,

  ended_at             timestamptz,
  -- closed_instead: a suspended account was closed, which is the next row.
  ended_for            text check (ended_for in ('time_passed', 'operator', 'objection', 'no_reply', 'closed_instead')),
  ended_by             text,
  end_note             text check (length(end_note) between 1 and 500),

  constraint worker_decisions_clock check ((kind = 'suspended') = (ends_at is not null)),
  constraint worker_decisions_objected check (num_nulls(objection, objected_at, reply_due_at) in (0, 3)),
  constraint worker_decisions_replied
    check (num_nulls(reply, reply_note, replied_by, replied_at) in (0, 4) and (reply is null or objection is not null)),
  constraint worker_decisions_ended check ((ended_at is null) = (ended_for is null)),
  -- Whoever waits for something has a clock: an end of the suspension, or a reply.
  constraint worker_decisions_due check (
    case when ended_at is not null or kind = 'closed' and (objection is null or reply is not null)
         then due_at is null else due_at is not null end)
);
create unique index worker_decisions_in_force on worker_decisions (worker_id) where ended_at is null;
create index worker_decisions_of_worker on worker_decisions (worker_id, id);
create index worker_decisions_clocks on worker_decisions (due_at) where due_at is not null;
create index worker_decisions_hand_back on worker_decisions (hand_back_at) where hand_back_at is not null;
create index worker_decisions_objections on worker_decisions (reply_due_at)
  where objection is not null and reply is null and ended_at is null;

create function refuse_decision_change() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null and new.ended_at is distinct from old.ended_at
     or old.objection is not null and new.objection is distinct from old.objection
     or old.reply is not null and new.reply is distinct from old.reply then
    raise exception 'a decision is objected to once, replied to once and ended once' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger worker_decisions_once before update on worker_decisions
  for each row execute function refuse_decision_change();

-- Links to the page of a decision, in a mail or in the response to a login. Only the SHA-256 of a token is kept.
create table objection_links (
  token_hash           text collate "C" primary key,
  decision_id          text collate "C" not null,
  created_at           timestamptz not null,
  expires_at           timestamptz not null check (expires_at > created_at)
);
create index objection_links_of_decision on objection_links (decision_id, expires_at);

grant select, insert on worker_decisions to legwork_app;
grant update (hand_back_at, due_at, objection, objected_at, reply_due_at, reply, reply_note, replied_by, replied_at,
              ended_at, ended_for, ended_by, end_note) on worker_decisions to legwork_app;
grant select, insert, delete on objection_links to legwork_app;
