-- Tasks keep what was decided at creation: the level that their share asks for, and who wrote their answer_schema.
-- lock: tasks, access exclusive, for an instant (columns without a default)
-- backfill: none; null is an older task, whose level follows from its share, and its schema from its type

alter table tasks
  -- From 1 to 4. It is lower than the share's usual level while few workers have that level.
  add column if not exists share_level smallint,
  -- A shorthand added answer_schema; the agent gave none.
  add column if not exists is_schema_default boolean,
  add constraint tasks_share_level check (share_level between 1 and 5) not valid;
