-- People of an agent: they log in to its console by email, with a role, and what they change is recorded.
-- lock: console_sessions, access exclusive, for an instant (a column without a default, a check that no row violates)
-- backfill: none

-- An agent account is an organization; these are its people. Beside the sessions and apart from the shards, because a
-- person is found by an email, which can belong to people of several agents. `agent_id` is the live agent.
create table agent_people (
  id            text collate "C" not null constraint agent_people_pkey primary key,
  agent_id      text collate "C" not null,
  -- In lower case.
  email         text not null,
  name          text not null,
  role          text not null constraint agent_people_role_check
                check (role in ('owner', 'developer', 'reviewer', 'finance')),
  -- Null for the first owner, who proved to have the agent's own email.
  invited_by    text collate "C",
  invited_at    timestamptz not null,
  accepted_at   timestamptz,
  left_at       timestamptz,
  -- A person who comes back gets the same row, so that their earlier actions still belong to them.
  constraint agent_people_one_per_email unique (agent_id, email)
);
create index agent_people_by_email on agent_people (email);
create index agent_people_left on agent_people (left_at) where left_at is not null;

-- The last owner can't leave or get another role. The lock on the other owners makes that hold for concurrent changes:
-- each waits for the other, and then sees what it did.
create function agent_people_keep_owner() returns trigger
language plpgsql
as $$
begin
  perform 1 from agent_people p
    where p.agent_id = old.agent_id and p.id <> old.id and p.role = 'owner'
      and p.accepted_at is not null and p.left_at is null
    order by p.id
      for update;
  if not found then
    raise exception 'the agent % would have no owner', old.agent_id
      using errcode = 'check_violation', constraint = 'agent_people_last_owner';
  end if;
  return new;
end
$$;
create trigger agent_people_keep_owner before update on agent_people
  for each row
  when (old.role = 'owner' and old.accepted_at is not null and old.left_at is null
        and (new.role <> 'owner' or new.left_at is not null or new.accepted_at is null
             or new.agent_id <> old.agent_id))
  execute function agent_people_keep_owner();

grant select, insert, update (name, role, invited_by, invited_at, accepted_at, left_at) on agent_people to legwork_app;

-- A link to log in, for an email, or an invitation, for a person. The row exists before the mail, and for emails that
-- nobody has too: the hash is filled in when the mail is written, so the token is nowhere else.
create table agent_person_links (
  id            text collate "C" not null constraint agent_person_links_pkey primary key,
  token_hash    text collate "C" constraint agent_person_links_token unique,
  email         text not null,
  -- Set if the link is an invitation.
  person_id     text collate "C",
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  used_at       timestamptz,
  constraint agent_person_links_expiry check (expires_at > created_at)
);
create index agent_person_links_expired on agent_person_links (expires_at);
create index agent_person_links_of_person on agent_person_links (person_id) where person_id is not null;
grant select, insert, delete, update (token_hash, used_at, expires_at) on agent_person_links to legwork_app;

-- A session belongs to a key, as before, or to a person; then its key_hash is empty, which is the hash of no key.
-- `agent_id` is the agent of the mode that the person works in.
alter table console_sessions
  add column person_id text collate "C",
  add constraint console_sessions_of_key_or_person check ((key_hash = '') = (person_id is not null)) not valid;
grant update (agent_id) on console_sessions to legwork_app;

-- Every call of a person that may change something. Written before the call, so that nothing happens unrecorded;
-- the outcome is filled in after it, or the row is deleted if nothing changed. Without it, nobody knows.
create table agent_actions (
  id            text collate "C" not null constraint agent_actions_pkey primary key,
  agent_id      text collate "C" not null,
  person_id     text collate "C" not null,
  operation     text not null,
  object_id     text collate "C" constraint agent_actions_object_check check (length(object_id) <= 200),
  is_done       boolean not null default false,
  at            timestamptz not null
);
create index agent_actions_of_agent on agent_actions (agent_id, id);
create index agent_actions_at on agent_actions (at);
grant select, insert, delete, update (object_id, is_done) on agent_actions to legwork_app;

comment on table agent_people is 'rows: 400 days after left_at; by: runner.remove-expired';
comment on column agent_people.id is 'not personal';
comment on column agent_people.agent_id is 'not personal';
comment on column agent_people.email is
  'personal: agent; keep: ends after the person has left; row; export: no: the console shows it';
comment on column agent_people.name is
  'personal: agent; keep: ends after the person has left; row; export: no: the console shows it';
comment on column agent_people.role is 'not personal';
comment on column agent_people.invited_by is 'not personal';

comment on table agent_person_links is 'rows: 30 days after expires_at; by: runner.remove-expired';
comment on column agent_person_links.id is 'not personal';
comment on column agent_person_links.token_hash is 'not personal';
comment on column agent_person_links.email is
  'personal: agent; keep: ends with the row; row; export: no: ends within weeks';
comment on column agent_person_links.person_id is 'not personal';
comment on column agent_person_links.used_at is
  'personal: agent; keep: ends with the row; row; export: no: ends within weeks';

comment on column console_sessions.person_id is 'not personal';

comment on table agent_actions is 'rows: 400 days after at; by: runner.remove-expired';
comment on column agent_actions.id is 'not personal';
comment on column agent_actions.agent_id is 'not personal';
comment on column agent_actions.person_id is 'not personal';
comment on column agent_actions.operation is 'not personal';
comment on column agent_actions.object_id is 'not personal';
