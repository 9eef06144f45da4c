-- In test databases only: a transaction that writes to the shards of two databases fails. By a crossing that it names
-- with `set local legwork.crossing` it may reach workers wherever they are, and nobody else. So the road to many
-- databases stays open while there is one.
create function test_database_of(id text) returns integer language sql immutable as $$
  select ((((position(substr(l, 11, 1) in a) - 1) & 1) << 11)
       + ((position(substr(l, 12, 1) in a) - 1) << 6)
       + ((position(substr(l, 13, 1) in a) - 1) << 1)
       + ((position(substr(l, 14, 1) in a) - 1) >> 4)) * 16 / 4096
    from (select split_part(id, '_', 2) as l, '0123456789abcdefghjkmnpqrstvwxyz' as a) s
$$;

create function test_one_database() returns trigger language plpgsql as $$
declare
  owner text := to_jsonb(new) ->> tg_argv[0];
  database text;
  before text := current_setting('legwork.database', true);
begin
  -- A worker's claim on an Idempotency-Key is kept beside the effect that it guards, on the task's shard or its own.
  if owner is null or owner = 'anonymous' or tg_table_name like 'idempotency%' and owner like 'worker%' then
    return null;
  end if;
  if owner like 'worker%' and coalesce(current_setting('legwork.crossing', true), '') <> '' then return null; end if;
  database := case when tg_argv[0] = 'shard' then owner::integer * 16 / 4096 else test_database_of(owner) end;
  if coalesce(before, '') = '' then
    perform set_config('legwork.database', database, true);
  elsif before <> database then
    raise exception 'one transaction writes to the shards of two databases (% then % in %)', before, database,
      tg_table_name;
  end if;
  return null;
end
$$;

create trigger test_one_database after insert or update on agents
  for each row execute function test_one_database('id');
create trigger test_one_database after insert or update on ledger_agents
  for each row execute function test_one_database('agent_id');
create trigger test_one_database after insert or update on ledger_workers
  for each row execute function test_one_database('worker_id');
create trigger test_one_database after insert or update on tasks
  for each row execute function test_one_database('id');
create trigger test_one_database after insert on transfers
  for each row execute function test_one_database('shard');
create trigger test_one_database after insert on outbox
  for each row execute function test_one_database('agent_id');
create trigger test_one_database after insert or update on idempotency_keys
  for each row execute function test_one_database('principal');
create trigger test_one_database after insert or update on workers
  for each row execute function test_one_database('id');
create trigger test_one_database after insert or update on trust_events
  for each row execute function test_one_database('worker_id');
create trigger test_one_database after insert or update on assignments
  for each row execute function test_one_database('id');
create trigger test_one_database after insert on proofs
  for each row execute function test_one_database('id');
create trigger test_one_database after insert or update on disputes
  for each row execute function test_one_database('id');
create trigger test_one_database after insert or update on appeals
  for each row execute function test_one_database('id');
create trigger test_one_database after insert or update on task_reports
  for each row execute function test_one_database('task_id');
create trigger test_one_database after insert or update on files
  for each row execute function test_one_database('id');
create trigger test_one_database after insert or update on deposits
  for each row execute function test_one_database('id');
create trigger test_one_database after insert or update on refunds
  for each row execute function test_one_database('id');
create trigger test_one_database after insert or update on payouts
  for each row execute function test_one_database('id');
create trigger test_one_database after insert or update on payout_accounts
  for each row execute function test_one_database('worker_id');
create trigger test_one_database after insert or update on notices
  for each row execute function test_one_database('worker_id');
create trigger test_one_database after insert or update on alerts
  for each row execute function test_one_database('worker_id');
create trigger test_one_database after insert or update on questions
  for each row execute function test_one_database('id');
create trigger test_one_database after insert on question_messages
  for each row execute function test_one_database('id');
create trigger test_one_database after insert or update on question_photos
  for each row execute function test_one_database('id');
create trigger test_one_database after insert on away_assignments
  for each row execute function test_one_database('worker_id');
create trigger test_one_database after insert on away_disputes
  for each row execute function test_one_database('worker_id');
create trigger test_one_database after insert on away_appeals
  for each row execute function test_one_database('worker_id');
create trigger test_one_database after insert on away_reports
  for each row execute function test_one_database('worker_id');
create trigger test_one_database after insert on away_commissions
  for each row execute function test_one_database('worker_id');
