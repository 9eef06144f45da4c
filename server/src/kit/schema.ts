/** The types of the tables. Made by `npm run generate` from the migrated database; changes are lost. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface Schema {
  agent_emails: AgentEmailsTable
  agents: AgentsTable
  api_keys: ApiKeysTable
  assignments: AssignmentsTable
  disputes: DisputesTable
  events: EventsTable
  files: FilesTable
  idempotency_keys: IdempotencyKeysTable
  job_processes: JobProcessesTable
  ledger_agents: LedgerAgentsTable
  ledger_transits: LedgerTransitsTable
  ledger_workers: LedgerWorkersTable
  open_tasks: OpenTasksTable
  outbox: OutboxTable
  photo_hashes: PhotoHashesTable
  proofs: ProofsTable
  tasks: TasksTable
  transfers: TransfersTable
  trust_events: TrustEventsTable
  worker_emails: WorkerEmailsTable
  worker_tokens: WorkerTokensTable
  workers: WorkersTable
}

export interface AgentEmailsTable {
  email: string
  agent_id: string
}

export interface AgentsTable {
  id: string
  mode: 'live' | 'test'
  twin_id: string
  name: string
  email: string
  status: Generated<'active' | 'restricted' | 'closed'>
  webhook_url: string | null
  webhook_secret: string
  events: Generated<string[]>
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface ApiKeysTable {
  key_hash: string
  id: string
  agent_id: string
  mode: 'live' | 'test'
  name: string
  prefix: string
  created_at: ColumnType<Date, Date | string, Date | string>
  last_used_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface AssignmentsTable {
  id: string
  task_id: string
  agent_id: string
  worker_id: string
  status: Generated<
    'accepted' | 'submitted' | 'approved' | 'disputed' | 'released' | 'expired' | 'cancelled'
  >
  pay_cents: number
  net_cents: number | null
  deadline: ColumnType<Date, Date | string, Date | string>
  accepted_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  upload_begun_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  submitted_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  outcome: 'done' | 'not_possible' | null
  reason: string | null
  revision_note: string | null
  revisions: Generated<number>
}

export interface DisputesTable {
  id: string
  task_id: string
  agent_id: string
  assignment_ids: string[]
  reason: string
  category: string | null
  criteria: Generated<string[]>
  status: 'open' | 'held' | 'withdrawn' | 'upheld' | 'overturned' | 'split'
  touches_trust: boolean
  refunded_cents: number
  created_at: ColumnType<Date, Date | string, Date | string>
  resolved_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface EventsTable {
  id: string
  type: string
  agent_id: string
  task_id: string | null
  data: ColumnType<unknown, string, string>
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface FilesTable {
  id: string
  worker_id: string
  task_id: string
  assignment_id: string
  proof_id: string | null
  kind: 'photo' | 'video' | 'audio'
  status: 'begun' | 'received' | 'ready' | 'refused'
  content_type: string
  bytes: number
  received_bytes: Generated<number>
  sha256: string
  stored_sha256: string | null
  store_key: string | null
  width: number | null
  height: number | null
  dhash: string | null
  evidence: ColumnType<unknown, string | null, string | null>
  checks: ColumnType<unknown, string | undefined, string>
  refusal: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
}

export interface IdempotencyKeysTable {
  week: string
  principal: string
  key_hash: string
  fingerprint: string
  status: number | null
  answer: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface JobProcessesTable {
  id: string
  runner_ids: string[]
  started_at: ColumnType<Date, Date | string, Date | string>
  seen_at: ColumnType<Date, Date | string, Date | string>
}

export interface LedgerAgentsTable {
  agent_id: string
  mode: 'live' | 'test'
  wallet_cents: Generated<number>
  receivable_cents: Generated<number>
  statement_no: Generated<number>
  free_tasks_granted: Generated<number>
  free_tasks_remaining: Generated<number>
}

export interface LedgerTransitsTable {
  ref_id: string
  mode: 'live' | 'test'
  in_transit_cents: Generated<number>
}

export interface LedgerWorkersTable {
  worker_id: string
  mode: 'live' | 'test'
  statement_no: Generated<number>
  payable_cents: Generated<number>
  receivable_cents: Generated<number>
}

export interface OpenTasksTable {
  task_id: string
  agent_id: string
  type:
    | 'verification'
    | 'voice_proxy'
    | 'gut_check'
    | 'field_mission'
    | 'empathy_escalation'
    | 'vibe_reader'
    | 'custom'
  pay_cents: number
  level_needed: number
  skill_keys: number[]
  deadline: ColumnType<Date, Date | string, Date | string>
  lat: number | null
  lng: number | null
  cell5: number
  cell6: number
  cell7: number
  area: string | null
  paid_chance: number
  northing: GeneratedAlways<number | null>
}

export interface OutboxTable {
  position: GeneratedAlways<number>
  id: string
  type: string
  agent_id: string | null
  task_id: string | null
  data: ColumnType<unknown, string, string>
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface PhotoHashesTable {
  file_id: string
  worker_id: string
  task_id: string
  sha256: string
  dhash: number | null
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface ProofsTable {
  id: string
  assignment_id: string
  task_id: string
  agent_id: string
  worker_id: string
  text: string | null
  answer: ColumnType<unknown, string | null, string | null>
  outcome: 'done' | 'not_possible'
  location: ColumnType<unknown, string | null, string | null>
  captured_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  checks: ColumnType<unknown, string | undefined, string>
  submitted_at: ColumnType<Date, Date | string, Date | string>
}

export interface TasksTable {
  id: string
  agent_id: string
  mode: 'live' | 'test'
  type:
    | 'verification'
    | 'voice_proxy'
    | 'gut_check'
    | 'field_mission'
    | 'empathy_escalation'
    | 'vibe_reader'
    | 'custom'
  status: Generated<
    | 'pending'
    | 'in_progress'
    | 'proof_submitted'
    | 'completed'
    | 'disputed'
    | 'expired'
    | 'cancelled'
  >
  status_reason: string | null
  title: string | null
  description: string
  budget_cents: number
  budget_basis: 'total' | 'per_worker'
  locked_cents: number
  escrow_cents: number
  funding: 'wallet' | 'free'
  urgency: 'instant' | 'urgent' | 'standard' | 'flex' | 'scheduled'
  proof_required: 'text' | 'photo' | 'video' | 'audio'
  consensus_count: number
  deadline: ColumnType<Date, Date | string, Date | string>
  scheduled_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  window_minutes: number | null
  auto_approve_after: number
  min_worker_level: number
  skills: string[]
  location: ColumnType<unknown, string | null, string | null>
  context: ColumnType<unknown, string, string>
  metadata: ColumnType<unknown, string | null, string | null>
  answer_schema: ColumnType<unknown, string | null, string | null>
  criteria: ColumnType<unknown, string | null, string | null>
  callback_url: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  updated_at: ColumnType<Date, Date | string, Date | string>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  version: Generated<number>
  slots_extra: Generated<number>
  slots_taken: Generated<number>
  proofs_received: Generated<number>
  consensus_max: number | null
  min_confidence: number | null
  proof_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  review_due_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  consensus: ColumnType<unknown, string | null, string | null>
  approved_by: 'agent' | 'auto' | 'operator' | null
  settlement: ColumnType<unknown, string | null, string | null>
}

export interface TransfersTable {
  key: string
  line: number
  id: string
  mode: 'live' | 'test'
  kind: string
  debit: string
  credit: string
  amount_cents: number
  shard: number
  agent_id: string | null
  worker_id: string | null
  task_id: string | null
  ref_id: string | null
  agent_statement_no: number | null
  agent_balance_cents: number | null
  worker_statement_no: number | null
  worker_balance_cents: number | null
  request_hash: number
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface TrustEventsTable {
  worker_id: string
  key: string
  cause: string
  good: number
  bad: number
  weight: number
  task_id: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface WorkerEmailsTable {
  email: string
  worker_id: string
}

export interface WorkerTokensTable {
  token_hash: string
  worker_id: string
  purpose: 'verify' | 'reset'
  created_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  used_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface WorkersTable {
  id: string
  mode: 'live' | 'test'
  name: string
  email: string
  password_hash: string
  status: Generated<'unverified' | 'active' | 'suspended' | 'closed'>
  session_version: Generated<number>
  skills: Generated<string[]>
  languages: Generated<string[]>
  location: ColumnType<unknown, string | null, string | null>
  preferences: ColumnType<unknown, string | undefined, string>
  trust_good: Generated<number>
  trust_bad: Generated<number>
  approved_count: Generated<number>
  disputed_count: Generated<number>
  accuracy: Generated<number>
  identity_done_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  payouts_ready_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  verified_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  created_at: ColumnType<Date, Date | string, Date | string>
  updated_at: ColumnType<Date, Date | string, Date | string>
}
