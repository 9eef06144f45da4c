-- Adds the access that people gave to OAuth clients. Each grant has a limited key; its access tokens are secrets of it.
-- lock: api_keys, access exclusive, for an instant (a column without a default)
-- backfill: none

-- Until when the current secret works, if the key belongs to a grant. Such a secret is accepted at /mcp alone.
alter table api_keys add column token_expires_at timestamptz;
grant update (token_expires_at) on api_keys to legwork_app;

-- Only hashes of codes and refresh tokens are stored.
create table oauth_grants (
  id              text collate "C" not null constraint oauth_grants_pkey primary key,
  agent_id        text collate "C" not null,
  key_id          text collate "C" not null constraint oauth_grants_key unique,
  client_id       text collate "C" not null,
  -- As the person saw it.
  client_name     text not null,
  redirect_uri    text not null,
  code_hash       text collate "C" not null constraint oauth_grants_code unique,
  -- The SHA-256 of the client's verifier (PKCE, S256).
  code_challenge  text collate "C" not null,
  code_expires_at timestamptz not null,
  code_used_at    timestamptz,
  -- Both parts of a refresh token: one stays the same, so that a token that was used before is recognized.
  family_hash     text collate "C" constraint oauth_grants_family unique,
  refresh_hash    text collate "C",
  created_at      timestamptz not null,
  -- Until when the person allows it.
  allowed_until   timestamptz not null,
  -- With the code, as long as it is not used; later as allowed, or when it was revoked.
  ends_at         timestamptz not null,
  constraint oauth_grants_used check ((code_used_at is null) = (refresh_hash is null))
);
create index oauth_grants_of_agent on oauth_grants (agent_id, id);
create index oauth_grants_by_end on oauth_grants (ends_at);
grant select, insert, update (code_used_at, family_hash, refresh_hash, ends_at) on oauth_grants to legwork_app;

comment on table oauth_grants is 'rows: 30 days after ends_at; by: runner.remove-expired';
comment on column oauth_grants.id is 'not personal';
comment on column oauth_grants.agent_id is 'not personal';
comment on column oauth_grants.key_id is 'not personal';
comment on column oauth_grants.client_id is 'not personal';
comment on column oauth_grants.client_name is 'not personal';
comment on column oauth_grants.redirect_uri is 'not personal';
comment on column oauth_grants.code_hash is 'not personal';
comment on column oauth_grants.code_challenge is 'not personal';
comment on column oauth_grants.code_used_at is 'not personal';
comment on column oauth_grants.family_hash is 'not personal';
comment on column oauth_grants.refresh_hash is 'not personal';
