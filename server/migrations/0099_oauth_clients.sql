-- Adds the programs that may ask people for access to the MCP server: OAuth clients that registered themselves.
-- lock: none; a new table
-- backfill: none

-- Anybody can register a client, so nothing in a row is verified. A client has no secret: codes are bound by PKCE.
create table oauth_clients (
  id            text collate "C" not null constraint oauth_clients_pkey primary key,
  -- The client chose this name itself.
  name          text not null constraint oauth_clients_name check (char_length(name) between 1 and 100),
  redirect_uris text[] not null constraint oauth_clients_redirects check (cardinality(redirect_uris) between 1 and 5),
  created_at    timestamptz not null,
  -- Soon, until a person approves it for the first time.
  expires_at    timestamptz not null
);
create index oauth_clients_by_end on oauth_clients (expires_at);
grant select, insert, update (expires_at) on oauth_clients to legwork_app;

comment on table oauth_clients is 'rows: 0 days after expires_at; by: runner.remove-expired';
comment on column oauth_clients.id is 'not personal';
comment on column oauth_clients.name is 'not personal';
comment on column oauth_clients.redirect_uris is 'not personal';
