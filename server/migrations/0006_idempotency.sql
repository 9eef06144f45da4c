-- Answers kept for Idempotency-Key: what was answered is answered again, to the byte, for seven days.
-- lock: none (new tables)
-- backfill: none

create table idempotency_keys (
  -- The Monday of the week; a partition a week, dropped when its youngest answer is seven days old.
  week                 date not null,
  -- Who asked: an agent's or worker's id, or `anonymous`.
  principal            text collate "C" not null,
  -- SHA-256 of the key: a stored answer that holds a secret is sealed with the key itself.
  key_hash             text collate "C" not null,
  -- SHA-256 over method, path and body: the same key with another request is refused.
  fingerprint          text collate "C" not null,
  status               smallint,
  -- The body as it was sent. Text, because jsonb would reorder it.
  answer               text,
  created_at           timestamptz not null,
  primary key (principal, key_hash, week)
) partition by range (week);
create table idempotency_keys_rest partition of idempotency_keys default;

grant select, insert, update (status, answer) on idempotency_keys to legwork_app;
