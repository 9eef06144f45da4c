-- Agents confirm their e-mail address and replace lost keys by links in mails.
-- lock: agents, access exclusive, for an instant (a column without a default)
-- backfill: none

alter table agents add column if not exists email_verified_at timestamptz;

-- The links in mails to agents. Only the SHA-256 of a token is kept. A link belongs to the live agent and counts only
-- while that agent still has the address that the link was sent to.
create table agent_tokens (
  token_hash           text collate "C" primary key,
  agent_id             text collate "C" not null,
  purpose              text not null check (purpose in ('verify', 'recover')),
  email                text collate "C" not null check (email = lower(email)),
  created_at           timestamptz not null,
  expires_at           timestamptz not null,
  used_at              timestamptz
);
create index agent_tokens_of_agent on agent_tokens (agent_id, purpose);

grant update (email_verified_at) on agents to legwork_app;
grant select, insert, delete on agent_tokens to legwork_app;
grant update (used_at) on agent_tokens to legwork_app;
