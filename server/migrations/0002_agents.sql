-- Agents, their keys, and the small directory that is unique across shards.
-- lock: none (new tables)
-- backfill: none

-- Registering makes two agents of one e-mail: a live one and its test twin. They share a shard and nothing else,
-- so that nothing of test mode can reach the live book.
create type agent_mode as enum ('live', 'test');

create table agents (
  id                   text collate "C" primary key check (id ~ '^agent_[0-9a-z]{26}$'),
  mode                 agent_mode not null,
  twin_id              text collate "C" not null,
  name                 text not null check (length(name) between 1 and 100),
  email                text not null,
  status               text not null default 'active' check (status in ('active', 'restricted', 'closed')),
  webhook_url          text,
  webhook_secret       text not null,
  events               text[] not null default '{}',
  created_at           timestamptz not null,
  check (twin_id <> id)
) with (fillfactor = 80);

-- The directory: e-mail → agent. One row for both twins.
create table agent_emails (
  email                text collate "C" constraint agent_emails_taken primary key check (email = lower(email)),
  agent_id             text collate "C" not null
);

-- The directory: key → agent. Only the SHA-256 of a key is kept.
create table api_keys (
  key_hash             text collate "C" primary key,
  id                   text collate "C" not null unique check (id ~ '^key_[0-9a-z]{26}$'),
  agent_id             text collate "C" not null,
  mode                 agent_mode not null,
  name                 text not null check (length(name) between 1 and 100),
  prefix               text not null,
  created_at           timestamptz not null,
  last_used_at         timestamptz,
  -- A rotated key goes on until here; a revoked one has it in the past.
  expires_at           timestamptz
);
create index api_keys_of_agent on api_keys (agent_id, id);

grant select, insert on agents, agent_emails, api_keys to legwork_app;
grant update (name, status, webhook_url, webhook_secret, events) on agents to legwork_app;
grant update (name, last_used_at, expires_at) on api_keys to legwork_app;
