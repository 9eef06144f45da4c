-- A worker's account: sessions by device, changes of the email.
-- lock: push_subscriptions, access exclusive, for an instant (a column without a default)
-- backfill: none; tokens of the previous release have no session row, and work until they expire

-- A token names its session in `sid`. Without the row, the token is invalid.
create table worker_sessions (
  id              text collate "C" not null constraint worker_sessions_pkey primary key,
  worker_id       text collate "C" not null,
  -- Compared with the worker's, which a new password or logging out everywhere raises.
  session_version integer not null,
  -- Words from the User-Agent header, such as Chrome and Android. Neither the header nor an IP address is stored.
  browser         text,
  system          text,
  created_at      timestamptz not null,
  -- Accurate to the hour.
  used_at         timestamptz not null,
  expires_at      timestamptz not null,
  constraint worker_sessions_words check (length(browser) <= 30 and length(system) <= 30)
);
create index worker_sessions_of_worker on worker_sessions (worker_id, used_at);
create index worker_sessions_expiry on worker_sessions (expires_at);
grant select, insert, update (session_version, used_at), delete on worker_sessions to legwork_app;

-- The session in which notifications were turned on: they end with it. Null before this release.
alter table push_subscriptions add column if not exists session_id text collate "C";
create table worker_email_changes (
  id           text collate "C" not null constraint worker_email_changes_pkey primary key,
  worker_id    text collate "C" not null,
  old_email    text not null,
  new_email    text not null,
  created_at   timestamptz not null,
  -- Until when the link to the new address works.
  expires_at   timestamptz not null,
  confirmed_at timestamptz,
  -- Until when the old address can undo the change; it stays reserved as long.
  undo_until   timestamptz,
  ended_at     timestamptz,
  ended_for    text,
  constraint worker_email_changes_ended_for check
    (ended_for in ('final', 'cancelled', 'replaced', 'undone', 'expired')),
  constraint worker_email_changes_end check ((ended_at is null) = (ended_for is null)),
  constraint worker_email_changes_undo check ((confirmed_at is null) = (undo_until is null))
);
create unique index worker_email_changes_pending on worker_email_changes (worker_id)
  where confirmed_at is null and ended_at is null;
create index worker_email_changes_of_worker on worker_email_changes (worker_id, created_at);
create index worker_email_changes_due on worker_email_changes ((coalesce(undo_until, expires_at)))
  where ended_at is null;
grant select, insert, update (confirmed_at, undo_until, ended_at, ended_for), delete
  on worker_email_changes to legwork_app;

create table worker_email_links (
  token_hash text not null constraint worker_email_links_pkey primary key,
  change_id  text collate "C" not null,
  purpose    text not null,
  created_at timestamptz not null,
  constraint worker_email_links_purpose check (purpose in ('confirm', 'undo'))
);
create index worker_email_links_of_change on worker_email_links (change_id);
grant select, insert, delete on worker_email_links to legwork_app;

-- An email is released when its worker changes it.
grant delete on worker_emails to legwork_app;
grant update (email) on workers to legwork_app;

