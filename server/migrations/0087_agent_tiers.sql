-- Adds the tiers of agents: whether an operator has identified one, and the refusal of a creation above a tier's caps.
-- lock: agents, access exclusive, for an instant (a column without a default)
-- backfill: none

alter table agents add column identified_at timestamptz;
grant update (identified_at) on agents to legwork_app;
alter type creation_outcome add value if not exists 'tier_cap' after 'restricted';
