-- The ledger: one row per transfer of cents from one account to another, and running balances only where a
-- decision depends on them (docs/ledger.md).
-- lock: none (new tables)
-- backfill: none

-- An account is a code of the chart (ledger/accounts.ts) and its owner: `liab:escrow` of a task, `liab:agent_wallet`
-- of an agent, `rev:commission` of a shard. The owner of each side stands in the line's own columns.
create table transfers (
  -- What makes the movement unique: `task:<id>:settle`. Approve and dispute share that key, so one of them wins.
  key                  text collate "C" not null,
  line                 smallint not null,
  id                   text collate "C" not null,
  mode                 agent_mode not null,
  kind                 text not null,
  debit                text collate "C" not null,
  credit               text collate "C" not null,
  amount_cents         bigint not null check (amount_cents > 0),
  shard                smallint not null,
  agent_id             text collate "C",
  worker_id            text collate "C",
  task_id              text collate "C",
  ref_id               text collate "C",
  -- On the lines that appear on the agent's or the worker's statement: which line of it this is, counted without
  -- gaps under the lock of the balance, and what the balance (wallet less debt; payable) was after it.
  agent_statement_no   bigint,
  agent_balance_cents  bigint,
  worker_statement_no  bigint,
  worker_balance_cents bigint,
  -- Of the request, not of its lines: the same key with another request is refused.
  request_hash         bigint not null,
  created_at           timestamptz not null,
  primary key (key, line),
  check (debit <> credit),
  -- An escrow moves only under its own task's keys.
  constraint transfers_escrow_of_its_task check (
    not (debit = 'liab:escrow' or credit = 'liab:escrow') or starts_with(key, 'task:' || task_id || ':') is true)
);
create unique index transfers_agent_statement on transfers (agent_id, agent_statement_no)
  where agent_statement_no is not null;
create unique index transfers_worker_statement on transfers (worker_id, worker_statement_no)
  where worker_statement_no is not null;

create table ledger_agents (
  agent_id             text collate "C" primary key,
  mode                 agent_mode not null,
  wallet_cents         bigint not null default 0 constraint agent_wallet_not_negative check (wallet_cents >= 0),
  receivable_cents     bigint not null default 0 constraint agent_receivable_not_negative check (receivable_cents >= 0),
  statement_no         bigint not null default 0,
  -- Not money, but spent under the same lock as the wallet: what the promotional fund still pays for.
  free_tasks_granted   integer not null default 0,
  free_tasks_remaining integer not null default 0,
  constraint agent_free_tasks_left check (free_tasks_remaining between 0 and free_tasks_granted),
  -- Whoever owes has no money: every credit repays the debt first.
  constraint agent_owes_or_owns check (wallet_cents = 0 or receivable_cents = 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

create table ledger_workers (
  worker_id            text collate "C" primary key,
  mode                 agent_mode not null,
  statement_no         bigint not null default 0,
  payable_cents        bigint not null default 0 constraint worker_payable_not_negative check (payable_cents >= 0),
  receivable_cents     bigint not null default 0 constraint worker_receivable_not_negative check (receivable_cents >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Money on its way, one row per payout or refund: zero when it has ended.
create table ledger_transits (
  ref_id               text collate "C" primary key,
  mode                 agent_mode not null,
  in_transit_cents     bigint not null default 0 constraint transit_not_negative check (in_transit_cents >= 0)
) with (fillfactor = 50);

-- The second line of defence behind the missing rights: not even the owner rewrites history by accident.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'table % is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger transfers_append_only before update or delete on transfers
  for each row execute function refuse_change();
create trigger transfers_no_truncate before truncate on transfers
  for each statement execute function refuse_change();

-- Reading is free; writing goes through the function ledger_post alone.
grant select on transfers, ledger_agents, ledger_workers, ledger_transits to legwork_app;
