/** The types of the tables. Made by `npm run generate` from the migrated database; changes are lost. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface Schema {
  agent_emails: AgentEmailsTable
  agents: AgentsTable
  api_keys: ApiKeysTable
  events: EventsTable
  idempotency_keys: IdempotencyKeysTable
  job_processes: JobProcessesTable
  ledger_agents: LedgerAgentsTable
  ledger_transits: LedgerTransitsTable
  ledger_workers: LedgerWorkersTable
  outbox: OutboxTable
  tasks: TasksTable
  transfers: TransfersTable
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

export interface EventsTable {
  id: string
  type: string
  agent_id: string
  task_id: string | null
  data: ColumnType<unknown, string, string>
  created_at: ColumnType<Date, Date | string, Date | string>
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

export interface OutboxTable {
  position: GeneratedAlways<number>
  id: string
  type: string
  agent_id: string
  task_id: string | null
  data: ColumnType<unknown, string, string>
  created_at: ColumnType<Date, Date | string, Date | string>
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
