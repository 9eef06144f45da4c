-- What developers see of their agent: sessions of the console, refused calls, a warning when the wallet runs low.
-- lock: agents, webhook_lanes, access exclusive, for an instant (columns without a default)
-- backfill: none

-- A browser that has shown an API key. It counts as that key for as long as the key works. Beside the directory of
-- keys, apart from the shards: only the SHA-256 of a token is kept.
create table console_sessions (
  token_hash           text collate "C" primary key,
  key_hash             text collate "C" not null,
  agent_id             text collate "C" not null,
  created_at           timestamptz not null,
  last_used_at         timestamptz not null,
  expires_at           timestamptz not null,
  check (expires_at > created_at)
);
create index console_sessions_by_end on console_sessions (expires_at);

-- Below this its people get one mail, until it was above it again. Looked at every few minutes, off the path of money.
alter table agents
  add column if not exists low_balance_cents bigint constraint agents_low_balance check (low_balance_cents > 0),
  add column if not exists low_balance_look_at timestamptz,
  add column low_balance_told_at timestamptz;

-- Calls of agents that were refused or failed, for their developers; a partition a day, dropped after seven.
create table refused_requests (
  id                   text collate "C" not null,
  agent_id             text collate "C" not null,
  key_id               text collate "C" not null,
  method               text not null,
  path                 text not null check (length(path) <= 2048),
  status               smallint not null,
  code                 text not null,
  ms                   integer not null,
  user_agent           text check (length(user_agent) <= 512),
  -- As text, cut and without secrets; null when nothing was sent.
  request_body         text check (octet_length(request_body) <= 16384),
  response_body        text check (octet_length(response_body) <= 16384),
  created_at           timestamptz not null
) partition by range (created_at);
create table refused_requests_rest partition of refused_requests default;
create index refused_requests_of_agent on refused_requests (agent_id, id);

-- When the receiver last refused a ping that was signed wrongly on purpose: it checks signatures.
alter table webhook_lanes add column signature_checked_at timestamptz;

grant select, insert, delete, update (last_used_at) on console_sessions to legwork_app;
grant select, insert on refused_requests to legwork_app;
grant update (low_balance_cents, low_balance_look_at, low_balance_told_at) on agents to legwork_app;
