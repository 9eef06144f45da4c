-- Indexes for the operators' desk: its queues in the order of their deadlines, its search, and linked accounts.
-- lock: each table below, share: nothing is written while an index is built; none when it is there already
-- backfill: none

-- On a large table they are built by hand before the release, concurrently.

-- Queues.
-- squawk-ignore require-concurrent-index-creation
create index if not exists payouts_to_review on payouts (created_at, id)
  where status = 'held' and hold_reason in ('self_dealing', 'review');
-- squawk-ignore require-concurrent-index-creation
create index if not exists payouts_given_up on payouts (updated_at, id) where status = 'failed' and check_at is null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists payouts_reversed on payouts (updated_at, id) where status = 'reversed';
-- squawk-ignore require-concurrent-index-creation
create index if not exists payout_accounts_refused on payout_accounts (updated_at, worker_id)
  where status in ('closed', 'rejected');
-- squawk-ignore require-concurrent-index-creation
create index if not exists refunds_in_progress on refunds (created_at, id)
  where status in ('requested', 'submitting', 'pending');
-- squawk-ignore require-concurrent-index-creation
create index if not exists chargebacks_need_evidence on chargebacks (coalesce(due_by, created_at), id)
  where status in ('needs_response', 'warning_needs_response', 'appeal_needs_response');
-- squawk-ignore require-concurrent-index-creation
create index if not exists deposits_in_suspense on deposits (updated_at, id)
  where status = 'mismatched' and decided_at is null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists agents_to_review on agents (coalesce(review_at, created_at), id) where status = 'restricted';
-- squawk-ignore require-concurrent-index-creation
create index if not exists ledger_agents_in_debt on ledger_agents (coalesce(owes_since, 'epoch'), agent_id)
  where mode = 'live' and receivable_cents > 0;
-- squawk-ignore require-concurrent-index-creation
create index if not exists workers_closed_at on workers (closed_at, id) where closed_at is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists worker_decisions_suspended on worker_decisions (ends_at, worker_id)
  where kind = 'suspended' and objection is null and ended_at is null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists money_breaks_unexplained on money_breaks (opened_at, id)
  where closed_at is null and explanation is null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists webhook_lanes_failing on webhook_lanes (failing_since, id)
  where failing_since is not null and disabled_at is null;

-- Search: by the beginning of a name, and by the number that a worker is to call.
-- squawk-ignore require-concurrent-index-creation
create index if not exists workers_by_name on workers (lower(name) collate "C");
-- squawk-ignore require-concurrent-index-creation
create index if not exists agents_by_name on agents (lower(name) collate "C");
-- squawk-ignore require-concurrent-index-creation
create index if not exists tasks_by_number on tasks ((context ->> 'number')) where type = 'voice_proxy';

-- Linked accounts.
-- squawk-ignore require-concurrent-index-creation
create index if not exists workers_registered_from on workers (registered_from) where registered_from is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists agents_registered_from on agents (registered_from) where registered_from is not null;
