-- Everything of a test agent that has ended can be deleted, its lines of the test book included.
-- lock: agents and test_clocks, share: nothing is written while an index is built; none when it is there already
-- backfill: none

-- On a large table the index is built by hand before the release, concurrently.
-- squawk-ignore require-concurrent-index-creation
create index if not exists agents_ended on agents (expires_at) where mode = 'test' and status = 'closed';

-- The table has a row for each test agent that has ever moved its clock: the index is built in an instant.
-- squawk-ignore require-concurrent-index-creation
create index if not exists test_clocks_held on test_clocks (held_until) where held_by is not null;

-- The book stays append-only. One exception: rehearsal_erase_agent deletes the whole book of an ended test agent, and
-- says so in its transaction. A line of live money is never deleted, whoever asks.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name = 'transfers' and tg_level = 'ROW' then
    if old.mode = 'test' and coalesce(current_setting('legwork.erasing', true), '') <> '' then return old; end if;
  end if;
  raise exception 'table % is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
