-- Gives the counts of an agent's tasks and their changes a primary key, by which logical replication finds their rows.
-- lock: agent_counts and agent_count_changes, access exclusive, for an instant (no release has written to them yet)
-- backfill: none

-- A random id rather than a sequence: replication copies no sequences, so a table that has moved to another server
-- would begin with ids that it has already.
-- squawk-ignore adding-field-with-default, adding-serial-primary-key-field
alter table agent_counts add column id uuid not null default gen_random_uuid() primary key;
-- squawk-ignore adding-field-with-default, adding-serial-primary-key-field
alter table agent_count_changes add column id uuid not null default gen_random_uuid() primary key;
