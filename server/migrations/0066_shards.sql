-- Add the table that says which schema holds which logical shards.
-- lock: none
-- backfill: none (the command `migrate` adds the row of a database with one schema)

create table shards (
  schema      text collate "C" primary key,
  first_shard integer not null,
  last_shard  integer not null,
  constraint shards_once exclude using gist (int4range(first_shard, last_shard, '[]') with &&),
  check (first_shard <= last_shard)
);
comment on table shards is 'rows: kept: they say where everything is';
comment on column shards.schema is 'not personal';
-- A process reads it before it has a role.
grant select on shards to public;
