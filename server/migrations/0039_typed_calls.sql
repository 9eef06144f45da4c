-- Row types for the arguments of SQL functions. A caller names each field, so no two columns can be swapped, and
-- server/src/kit/functions.ts is generated from these types.
-- lock: none
-- backfill: none
--
-- A row arrives as a JSON object and is read by json_populate_recordset: a field that a process of the previous release
-- does not send is null. `item` is the number, from 1, of the creation or move that a row belongs to.

create type ledger_line as (
  item integer, entry integer, key text, mode agent_mode, kind text, shard smallint,
  id text, debit text, credit text, amount_cents bigint,
  agent_id text, worker_id text, task_id text, ref_id text);

create type posting_outcome as enum ('posted', 'replayed', 'mismatch', 'insufficient');

create type idempotency_claim as (
  item integer, principal text, key_hash text, fingerprint text, status smallint, answer text);

create type claim_outcome as enum ('replayed', 'mismatch', 'in_progress');

create type spending_cap as enum ('task_max_cents', 'day_max_cents', 'month_max_cents', 'budget_cents');

create type key_cap as (cap spending_cap, limit_cents bigint, spent_cents bigint);

create type task_creation as (
  id text, agent_id text, key_id text, event_id text, locked_cents bigint, may_be_free boolean,
  key_hash text, fingerprint text, funding task_funding, response text,
  type task_type, title text, description text, budget_cents bigint, budget_basis task_budget_basis,
  urgency task_urgency, proof_required task_proof, consensus_count integer, consensus_max integer,
  min_confidence double precision, deadline timestamptz, scheduled_at timestamptz, window_minutes integer,
  auto_approve_after integer, min_worker_level integer, share_level smallint, skills text[], languages text[],
  location json, context json, metadata json, answer_schema json, is_schema_default boolean, criteria json,
  callback_url text, rehearsal json, rehearse_at timestamptz, commission_basis_points integer, created_at timestamptz);

create type creation_outcome as enum (
  'created', 'other_funding', 'insufficient', 'key_cap', 'restricted', 'replayed', 'mismatch');

create type task_move as (
  task_id text, version integer, agent_id text, tip_cents bigint, tip_key_id text, is_open boolean,
  returns_free_task boolean, principal text, key_hash text, fingerprint text, response text,
  status task_status, status_reason text, escrow_cents bigint, slots_taken integer, slots_extra integer,
  proofs_received integer, proof_at timestamptz, review_due_at timestamptz, decides_by timestamptz, consensus json,
  approved_by text, settlement json, ended_at timestamptz, updated_at timestamptz, event_sequence integer);

create type move_outcome as enum ('moved', 'changed', 'insufficient', 'key_cap', 'replayed', 'mismatch');

create type assignment_change as (
  item integer, id text, status assignment_status, net_cents bigint, expires_at timestamptz, submitted_at timestamptz,
  ended_at timestamptz, outcome proof_outcome, reason text, revision_note text, revisions smallint);

-- A new trust event has a cause; a change of an earlier one has `pending`, `appealed` or `settled`.
create type trust_change as (
  item integer, worker_id text, key text, cause text, good double precision, bad double precision,
  weight double precision, pending_since timestamptz, pending text);

-- A new dispute has an id; a row without one decides the task's held dispute.
create type dispute_change as (
  item integer, id text, assignment_ids text[], reason text, category text, criteria text[], status text,
  touches_trust boolean, refunded_cents bigint, decides_by timestamptz, decided_by text, decision_note text);

create type new_event as (item integer, id text, type text, sequence integer, data json);

create type lane_page as (id text, page integer);

create type lane_release as (id text, must boolean, not_before timestamptz);

create type lane_report as (
  id text, succeeded boolean, failed integer, is_gone boolean, is_pinged boolean, work_id text);

create type ended_attempt as (
  id text, event_id text, agent_id text, task_id text, type text, url text, is_callback boolean, number smallint,
  outcome attempt_outcome, status smallint, error text, answer text, ms integer, next_try_at timestamptz,
  created_at timestamptz);
