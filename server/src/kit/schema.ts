/** Types of tables and views. Made by `npm run generate` from the migrated database; changes are lost. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface Schema {
  agent_actions: AgentActionsTable
  agent_count_changes: AgentCountChangesTable
  agent_counts: AgentCountsTable
  agent_emails: AgentEmailsTable
  agent_people: AgentPeopleTable
  agent_person_links: AgentPersonLinksTable
  agent_tokens: AgentTokensTable
  agents: AgentsTable
  alerts: AlertsTable
  api_keys: ApiKeysTable
  appeals: AppealsTable
  assignments: AssignmentsTable
  audit_log: AuditLogTable
  audit_words: AuditWordsTable
  away_agents: AwayAgentsTable
  away_appeals: AwayAppealsTable
  away_assignments: AwayAssignmentsTable
  away_commissions: AwayCommissionsTable
  away_disputes: AwayDisputesTable
  away_reporters: AwayReportersTable
  away_reports: AwayReportsTable
  away_tasks: AwayTasksTable
  balance_transactions: BalanceTransactionsTable
  case_assignments: CaseAssignmentsTable
  case_notes: CaseNotesTable
  chargebacks: ChargebacksTable
  check_ins: CheckInsTable
  console_sessions: ConsoleSessionsTable
  counted_agents: CountedAgentsTable
  crossings: CrossingsTable
  crossings_applied: CrossingsAppliedTable
  deliveries: DeliveriesTable
  delivery_attempts: DeliveryAttemptsTable
  deposits: DepositsTable
  disputes: DisputesTable
  do_not_contact: DoNotContactTable
  event_counters: EventCountersTable
  events: EventsTable
  files: FilesTable
  gone_callbacks: GoneCallbacksTable
  idempotency_keys: IdempotencyKeysTable
  job_processes: JobProcessesTable
  key_limits: KeyLimitsTable
  ledger_account_sums: LedgerAccountSumsTable
  ledger_agents: LedgerAgentsTable
  ledger_audits: LedgerAuditsTable
  ledger_breaks: LedgerBreaksTable
  ledger_checksums: LedgerChecksumsTable
  ledger_proofs: LedgerProofsTable
  ledger_sums: LedgerSumsTable
  ledger_totals: LedgerTotalsTable
  ledger_transits: LedgerTransitsTable
  ledger_workers: LedgerWorkersTable
  money_breaks: MoneyBreaksTable
  notices: NoticesTable
  oauth_clients: OauthClientsTable
  oauth_grants: OauthGrantsTable
  objection_links: ObjectionLinksTable
  open_agents: OpenAgentsTable
  open_cards: OpenCardsTable
  open_tasks: OpenTasksTable
  operator_actions: OperatorActionsTable
  operator_challenges: OperatorChallengesTable
  operator_decisions: OperatorDecisionsTable
  operator_links: OperatorLinksTable
  operator_passkeys: OperatorPasskeysTable
  operator_sessions: OperatorSessionsTable
  operators: OperatorsTable
  outbox: OutboxTable
  payout_accounts: PayoutAccountsTable
  payout_signals: PayoutSignalsTable
  payouts: PayoutsTable
  photo_hashes: PhotoHashesTable
  platform_switches: PlatformSwitchesTable
  processor_attempts: ProcessorAttemptsTable
  processor_events: ProcessorEventsTable
  processor_matches: ProcessorMatchesTable
  promo_days: PromoDaysTable
  promo_workers: PromoWorkersTable
  proofs: ProofsTable
  push_subscriptions: PushSubscriptionsTable
  question_messages: QuestionMessagesTable
  question_photos: QuestionPhotosTable
  question_times: QuestionTimesTable
  questions: QuestionsTable
  reconciliations: ReconciliationsTable
  refunds: RefundsTable
  refused_requests: RefusedRequestsTable
  request_minutes: RequestMinutesTable
  restores: RestoresTable
  rotated_keys: RotatedKeysTable
  screenings: ScreeningsTable
  shards: ShardsTable
  target_keys: TargetKeysTable
  target_uses: TargetUsesTable
  task_reports: TaskReportsTable
  tasks: TasksTable
  test_advances: TestAdvancesTable
  test_clocks: TestClocksTable
  test_usage: TestUsageTable
  transfers: TransfersTable
  trust_events: TrustEventsTable
  two_person_limits: TwoPersonLimitsTable
  unsafe_exits: UnsafeExitsTable
  webhook_lanes: WebhookLanesTable
  withdrawals: WithdrawalsTable
  worker_closings: WorkerClosingsTable
  worker_decisions: WorkerDecisionsTable
  worker_email_changes: WorkerEmailChangesTable
  worker_email_links: WorkerEmailLinksTable
  worker_emails: WorkerEmailsTable
  worker_sessions: WorkerSessionsTable
  worker_tokens: WorkerTokensTable
  workers: WorkersTable
  worker_agents: WorkerAgentsTable
  worker_appeals: WorkerAppealsTable
  worker_assignments: WorkerAssignmentsTable
  worker_disputes: WorkerDisputesTable
  worker_reports: WorkerReportsTable
  worker_tasks: WorkerTasksTable
}

export interface AgentActionsTable {
  id: string
  agent_id: string
  person_id: string
  operation: string
  object_id: string | null
  is_done: Generated<boolean>
  at: ColumnType<Date, Date | string, Date | string>
}

export interface AgentCountChangesTable {
  agent_id: string
  worker_id: string | null
  key_path: string[] | null
  type:
    | 'verification'
    | 'voice_proxy'
    | 'gut_check'
    | 'field_mission'
    | 'empathy_escalation'
    | 'vibe_reader'
    | 'custom'
    | null
  status:
    | 'pending'
    | 'in_progress'
    | 'proof_submitted'
    | 'completed'
    | 'disputed'
    | 'expired'
    | 'cancelled'
    | null
  tasks: Generated<number>
  spent_cents: Generated<number>
  auto_approved: Generated<number>
  answered: Generated<number>
  conflicts: Generated<number>
  approved: Generated<number>
  disputes: Generated<number>
  overturned: Generated<number>
  id: Generated<string>
}

export interface AgentCountsTable {
  agent_id: string
  worker_id: string | null
  key_path: string[]
  type:
    | 'verification'
    | 'voice_proxy'
    | 'gut_check'
    | 'field_mission'
    | 'empathy_escalation'
    | 'vibe_reader'
    | 'custom'
    | null
  status:
    | 'pending'
    | 'in_progress'
    | 'proof_submitted'
    | 'completed'
    | 'disputed'
    | 'expired'
    | 'cancelled'
    | null
  tasks: Generated<number>
  spent_cents: Generated<number>
  auto_approved: Generated<number>
  answered: Generated<number>
  conflicts: Generated<number>
  approved: Generated<number>
  disputes: Generated<number>
  overturned: Generated<number>
  id: Generated<string>
}

export interface AgentEmailsTable {
  email: string
  agent_id: string
}

export interface AgentPeopleTable {
  id: string
  agent_id: string
  email: string
  name: string
  role: 'owner' | 'developer' | 'reviewer' | 'finance'
  invited_by: string | null
  invited_at: ColumnType<Date, Date | string, Date | string>
  accepted_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  left_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface AgentPersonLinksTable {
  id: string
  token_hash: string | null
  email: string
  person_id: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  used_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface AgentTokensTable {
  token_hash: string
  agent_id: string
  purpose: 'verify' | 'recover'
  email: string
  created_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  used_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface AgentsTable {
  id: string
  mode: 'live' | 'test'
  twin_id: string
  name: string
  email: string | null
  status: Generated<'active' | 'restricted' | 'closed'>
  webhook_url: string | null
  webhook_secret: string
  events: Generated<string[]>
  created_at: ColumnType<Date, Date | string, Date | string>
  registered_from: string | null
  restricted_for: 'chargeback' | 'fraud_warning' | 'operator' | null
  webhook_secret_old: string | null
  webhook_secret_old_until: ColumnType<Date | null, Date | string | null, Date | string | null>
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  low_balance_cents: number | null
  low_balance_look_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  low_balance_told_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  email_verified_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  restricted_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  review_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  identified_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface AlertsTable {
  worker_id: string
  lat: number | null
  lng: number | null
  radius_km: number | null
  types: string[] | null
  min_pay_cents: number | null
  seen_at: ColumnType<Date, Date | string, Date | string>
  look_at: ColumnType<Date, Date | string, Date | string>
  created_at: ColumnType<Date, Date | string, Date | string>
  updated_at: ColumnType<Date, Date | string, Date | string>
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
  scopes: Generated<string[]>
  types: string[] | null
  is_limited: Generated<boolean>
  ancestors: Generated<string[]>
  sees: string | null
  token_expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface AppealsTable {
  id: string
  dispute_id: string
  task_id: string
  agent_id: string
  assignment_id: string
  worker_id: string
  statement: string
  created_at: ColumnType<Date, Date | string, Date | string>
  agent_until: ColumnType<Date, Date | string, Date | string>
  agent_answer: string | null
  answered_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ruling: 'upheld' | 'overturned' | 'split' | null
  ruled_by: string | null
  ruling_note: string | null
  ruled_at: ColumnType<Date | null, Date | string | null, Date | string | null>
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
  half_told_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  worker_accuracy: number | null
}

export interface AuditLogTable {
  seq: Generated<number>
  at: ColumnType<Date, Date | string, Date | string>
  operator_id: string
  role: string
  action: string
  subject: string
  detail: string
  words_hash: string | null
  previous: Generated<string>
  hash: Generated<string>
}

export interface AuditWordsTable {
  words_hash: string
  salt: string
  words: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface AwayAgentsTable {
  id: string
  name: string
  judged: number
  approved: number
  disputes: number
  overturned: number
  median_review_s: number | null
}

export interface AwayAppealsTable {
  id: string
  dispute_id: string
  task_id: string
  assignment_id: string
  worker_id: string
  statement: string
  created_at: ColumnType<Date, Date | string, Date | string>
  agent_until: ColumnType<Date, Date | string, Date | string>
  agent_answer: string | null
  answered_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ruling: string | null
  ruling_note: string | null
  ruled_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface AwayAssignmentsTable {
  id: string
  task_id: string
  agent_id: string
  worker_id: string
  status: 'accepted' | 'submitted' | 'approved' | 'disputed' | 'released' | 'expired' | 'cancelled'
  pay_cents: number
  net_cents: number | null
  deadline: ColumnType<Date, Date | string, Date | string>
  accepted_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  submitted_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  outcome: 'done' | 'not_possible' | null
  reason: string | null
  revision_note: string | null
  revisions: number
}

export interface AwayCommissionsTable {
  worker_id: string
  key: string
  commission_cents: number
}

export interface AwayDisputesTable {
  id: string
  task_id: string
  worker_id: string
  assignment_ids: string[]
  reason: string
  category: string | null
  criteria: string[]
  status: string
  touches_trust: boolean
  created_at: ColumnType<Date, Date | string, Date | string>
  resolved_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  decides_by: ColumnType<Date | null, Date | string | null, Date | string | null>
  decided_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  is_decided_by_agent: boolean
  decision_note: string | null
}

export interface AwayReportersTable {
  task_id: string
  worker_id: string
  weight: number
  address: string | null
  inbox: string
}

export interface AwayReportsTable {
  task_id: string
  worker_id: string
  kind: string
  note: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  verdict: string | null
  decided_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  weight: number
}

export interface AwayTasksTable {
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
  status:
    | 'pending'
    | 'in_progress'
    | 'proof_submitted'
    | 'completed'
    | 'disputed'
    | 'expired'
    | 'cancelled'
  title: string | null
  description: string
  budget_cents: number
  funding: 'wallet' | 'free'
  urgency: 'instant' | 'urgent' | 'standard' | 'flex' | 'scheduled'
  proof_required: 'text' | 'photo' | 'video' | 'audio'
  consensus_count: number
  deadline: ColumnType<Date, Date | string, Date | string>
  scheduled_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  window_minutes: number | null
  auto_approve_after: number
  location: ColumnType<unknown, string | null, string | null>
  context: ColumnType<unknown, string, string>
  answer_schema: ColumnType<unknown, string | null, string | null>
  criteria: ColumnType<unknown, string | null, string | null>
  review_due_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  decides_by: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  version: number
}

export interface BalanceTransactionsTable {
  id: string
  type: string
  reporting_category: string
  amount_cents: number
  fee_cents: number
  net_cents: number
  currency: string
  source_id: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  available_on: ColumnType<Date, Date | string, Date | string>
  mirrored_at: ColumnType<Date, Date | string, Date | string>
  matched_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  cancelled_by: string | null
  posted_xid: Generated<number | null>
}

export interface CaseAssignmentsTable {
  subject: string
  operator_id: string
  since: ColumnType<Date, Date | string, Date | string>
  handed_by: string | null
  words: string | null
}

export interface CaseNotesTable {
  id: string
  subject: string
  operator_id: string
  text: string
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface ChargebacksTable {
  id: string
  deposit_id: string
  agent_id: string
  amount_cents: number
  reason: string
  status: string
  due_by: ColumnType<Date | null, Date | string | null, Date | string | null>
  check_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  created_at: ColumnType<Date, Date | string, Date | string>
  updated_at: ColumnType<Date, Date | string, Date | string>
}

export interface CheckInsTable {
  worker_id: string
  task_id: string
  at: ColumnType<Date, Date | string, Date | string>
  contact: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  asked_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  missed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  check_at: ColumnType<Date, Date | string, Date | string>
}

export interface ConsoleSessionsTable {
  token_hash: string
  key_hash: string
  agent_id: string
  created_at: ColumnType<Date, Date | string, Date | string>
  last_used_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  person_id: string | null
}

export interface CountedAgentsTable {
  agent_id: string
  counted_at: ColumnType<Date, Date | string, Date | string>
  checked_at: ColumnType<Date, Date | string, Date | string>
}

export interface CrossingsTable {
  id: GeneratedAlways<number>
  home: string
  call: string
  arguments: unknown
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface CrossingsAppliedTable {
  source: string
  id: number
  applied_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface DeliveriesTable {
  event_id: string
  lane: string
  agent_id: string
  url: string | null
  event_at: ColumnType<Date, Date | string, Date | string>
  attempts: Generated<number>
  attempts_max: number
  next_try_at: ColumnType<Date, Date | string, Date | string>
  created_at: ColumnType<Date, Date | string, Date | string>
  traceparent: string | null
}

export interface DeliveryAttemptsTable {
  id: string
  event_id: string
  agent_id: string
  task_id: string | null
  type: string
  url: string
  number: number
  outcome: 'delivered' | 'failed' | 'given_up' | 'disabled'
  status: number | null
  error: string | null
  answer: string | null
  ms: number
  next_try_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface DepositsTable {
  id: string
  agent_id: string
  mode: 'live' | 'test'
  amount_cents: number
  status: Generated<
    | 'creating'
    | 'open'
    | 'processing'
    | 'succeeded'
    | 'failed'
    | 'expired'
    | 'mismatched'
    | 'partially_refunded'
    | 'refunded'
    | 'disputed'
    | 'dispute_won'
    | 'dispute_lost'
  >
  request_key: string | null
  session_id: string | null
  payment_intent_id: string | null
  charge_id: string | null
  balance_transaction_id: string | null
  fee_cents: number | null
  refunded_cents: Generated<number>
  expires_at: ColumnType<Date, Date | string, Date | string>
  check_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  succeeded_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  created_at: ColumnType<Date, Date | string, Date | string>
  updated_at: ColumnType<Date, Date | string, Date | string>
  decided_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  card_fingerprint: string | null
}

export interface DisputesTable {
  id: string
  task_id: string
  agent_id: string
  assignment_ids: string[]
  reason: string
  category: string | null
  criteria: Generated<string[]>
  status: 'open' | 'held' | 'rejected' | 'lapsed' | 'withdrawn' | 'upheld' | 'overturned' | 'split'
  touches_trust: boolean
  refunded_cents: number
  created_at: ColumnType<Date, Date | string, Date | string>
  resolved_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  debited_cents: Generated<number>
  decides_by: ColumnType<Date | null, Date | string | null, Date | string | null>
  decided_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  decided_by: string | null
  decision_note: string | null
}

export interface DoNotContactTable {
  id: string
  kind: 'phone' | 'place' | 'person'
  target: string
  state: Generated<'requested' | 'confirmed' | 'declined' | 'lapsed' | 'ended'>
  value: string | null
  reason: string | null
  email: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  due_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  decided_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  note: string | null
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface EventCountersTable {
  agent_id: string
  last_number: number
}

export interface EventsTable {
  id: string
  type: string
  agent_id: string
  task_id: string | null
  data: ColumnType<unknown, string, string>
  created_at: ColumnType<Date, Date | string, Date | string>
  sequence: number | null
  number: number | null
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

export interface GoneCallbacksTable {
  agent_id: string
  url: string
  gone_at: ColumnType<Date, Date | string, Date | string>
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

export interface KeyLimitsTable {
  key_id: string
  agent_id: string
  since: ColumnType<Date, Date | string, Date | string>
  task_max_cents: number | null
  day_max_cents: number | null
  month_max_cents: number | null
  budget_cents: number | null
  day: Generated<string>
  day_cents: Generated<number>
  month: Generated<string>
  month_cents: Generated<number>
  total_cents: Generated<number>
}

export interface LedgerAccountSumsTable {
  account: string
  sealed_xid: number
  cents: number
}

export interface LedgerAgentsTable {
  agent_id: string
  mode: 'live' | 'test'
  wallet_cents: Generated<number>
  receivable_cents: Generated<number>
  statement_no: Generated<number>
  free_tasks_granted: Generated<number>
  free_tasks_remaining: Generated<number>
  owes_since: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface LedgerAuditsTable {
  id: GeneratedAlways<number>
  kind: 'increment' | 'round'
  started_at: ColumnType<Date, Date | string, Date | string>
  sealed_xid: number
  pass: string | null
  position: string | null
  carry: ColumnType<unknown, string | null, string | null>
  rows_done: Generated<number>
  rows_total: Generated<number>
  busy_ms: Generated<number>
  breaks: Generated<number>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface LedgerBreaksTable {
  invariant: string
  subject: string
  found_at: ColumnType<Date, Date | string, Date | string>
  seen_at: ColumnType<Date, Date | string, Date | string>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface LedgerChecksumsTable {
  audit_id: number
  day: string
  lines: number
  checksum: string
  lines_before: number
  checksum_before: string
}

export interface LedgerProofsTable {
  owner_id: string
  mode: 'live' | 'test'
  statement_no: number
  balance_cents: number
  own_cents: number
  owed_cents: number
  free_tasks_used: Generated<number>
  proven_at: ColumnType<Date, Date | string, Date | string>
}

export interface LedgerSumsTable {
  name: 'processor' | 'clearing' | 'mirror'
  sealed_xid: number
  cents: number
}

export interface LedgerTotalsTable {
  agent_id: string
  kind: string
  credit: string
  cents: number
  lines: number
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

export interface MoneyBreaksTable {
  id: GeneratedAlways<number>
  kind: string
  subject: string
  amount_cents: number
  detail: string
  opened_at: ColumnType<Date, Date | string, Date | string>
  seen_at: ColumnType<Date, Date | string, Date | string>
  explained_by: string | null
  explanation: string | null
  closed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface NoticesTable {
  id: string
  worker_id: string
  kind:
    | 'new_task'
    | 'half_time'
    | 'check_in'
    | 'paid'
    | 'disputed'
    | 'dispute_held'
    | 'decided'
    | 'level_lowered'
    | 'revision_requested'
    | 'cancelled'
    | 'payout_paid'
    | 'payout_failed'
    | 'question_answered'
  cause: string
  task_id: string | null
  title: string | null
  agent_name: string | null
  amount_cents: number | null
  distance_km: number | null
  reason: string | null
  until: ColumnType<Date | null, Date | string | null, Date | string | null>
  created_at: ColumnType<Date, Date | string, Date | string>
  read_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  is_pressing: Generated<boolean>
  push_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  push_attempts: Generated<number>
  pushed_to: Generated<string[]>
  mailed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  tip_cents: number | null
  question_id: string | null
}

export interface OauthClientsTable {
  id: string
  name: string
  redirect_uris: string[]
  created_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
}

export interface OauthGrantsTable {
  id: string
  agent_id: string
  key_id: string
  client_id: string
  client_name: string
  redirect_uri: string
  code_hash: string
  code_challenge: string
  code_expires_at: ColumnType<Date, Date | string, Date | string>
  code_used_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  family_hash: string | null
  refresh_hash: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  allowed_until: ColumnType<Date, Date | string, Date | string>
  ends_at: ColumnType<Date, Date | string, Date | string>
}

export interface ObjectionLinksTable {
  token_hash: string
  decision_id: string
  created_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
}

export interface OpenAgentsTable {
  agent_id: string
  name: string
  judged: number
  approved: number
  disputes: number
  overturned: number
  median_review_s: number | null
  is_stale: Generated<boolean>
}

export interface OpenCardsTable {
  task_id: string
  status:
    | 'pending'
    | 'in_progress'
    | 'proof_submitted'
    | 'completed'
    | 'disputed'
    | 'expired'
    | 'cancelled'
  title: string | null
  description: string
  urgency: 'instant' | 'urgent' | 'standard' | 'flex' | 'scheduled'
  proof_required: 'text' | 'photo' | 'video' | 'audio'
  budget_cents: number
  auto_approve_after: number
  slots_needed: number
  slots_taken: number
  skills: string[]
  languages: string[]
  created_at: ColumnType<Date, Date | string, Date | string>
  risks: Generated<string[]>
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

export interface OperatorActionsTable {
  id: GeneratedAlways<number>
  at: ColumnType<Date, Date | string, Date | string>
  operator: string
  command: string
  words: string[]
  outcome: 'done' | 'refused' | 'failed' | null
  answer: string | null
}

export interface OperatorChallengesTable {
  id_hash: string
  purpose: 'register' | 'sign_in' | 'oidc'
  operator_id: string | null
  challenge: string
  verifier: string | null
  expires_at: ColumnType<Date, Date | string, Date | string>
}

export interface OperatorDecisionsTable {
  id: string
  kind: string
  subject: string
  amount_cents: number | null
  input: unknown
  reason: string
  state: 'waiting' | 'agreed' | 'done' | 'failed' | 'declined' | 'withdrawn' | 'lapsed'
  needs_second: Generated<boolean>
  proposed_by: string
  proposed_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  second_by: string | null
  second_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  spent_cents: Generated<number>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  result: unknown
  request_key: string
  resume_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface OperatorLinksTable {
  token_hash: string
  operator_id: string
  purpose: 'invitation' | 'passkey' | 'sign_in'
  created_by: string
  created_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface OperatorPasskeysTable {
  credential_id: string
  operator_id: string
  name: string
  public_key: Buffer
  counter: number
  transports: Generated<string[]>
  created_at: ColumnType<Date, Date | string, Date | string>
  used_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface OperatorSessionsTable {
  token_hash: string
  operator_id: string
  how: 'passkey' | 'oidc' | 'link'
  device: string
  created_at: ColumnType<Date, Date | string, Date | string>
  seen_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
}

export interface OperatorsTable {
  id: string
  email: string
  name: string
  role: Generated<'viewer' | 'support' | 'trust' | 'finance' | 'admin'>
  status: Generated<'invited' | 'active' | 'disabled'>
  oidc_subject: string | null
  invited_by: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  disabled_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  disabled_by: string | null
}

export interface OutboxTable {
  position: GeneratedAlways<number>
  id: string
  type: string
  agent_id: string | null
  task_id: string | null
  data: ColumnType<unknown, string, string>
  created_at: ColumnType<Date, Date | string, Date | string>
  sequence: number | null
  traceparent: string | null
}

export interface PayoutAccountsTable {
  worker_id: string
  account_id: string | null
  country: string
  email: string
  name: string
  status: Generated<
    'onboarding' | 'pending_verification' | 'active' | 'restricted' | 'rejected' | 'closed'
  >
  requirements_due: Generated<string[]>
  details_submitted: Generated<boolean>
  schedule_set_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  refreshed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  check_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  created_at: ColumnType<Date, Date | string, Date | string>
  updated_at: ColumnType<Date, Date | string, Date | string>
  replaced_count: Generated<number>
  bank_last4: string | null
  bank_fingerprint: string | null
}

export interface PayoutSignalsTable {
  payout_id: string
  sign: string
  score: number
  detail: string
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface PayoutsTable {
  id: string
  worker_id: string
  agent_id: string
  task_id: string
  mode: 'live' | 'test'
  funding: 'wallet' | 'free'
  amount_cents: number
  status:
    | 'held'
    | 'awaiting_account'
    | 'requested'
    | 'submitting'
    | 'awaiting_funds'
    | 'paid'
    | 'failed'
    | 'partially_reversed'
    | 'reversed'
  hold_reason: 'new_funds' | 'free_task' | 'self_dealing' | 'promo_budget' | 'review' | null
  available_at: ColumnType<Date, Date | string, Date | string>
  account_id: string | null
  transfer_id: string | null
  reversed_cents: Generated<number>
  failure_code: string | null
  failure_message: string | null
  previous_id: string | null
  note: string | null
  check_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  paid_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  created_at: ColumnType<Date, Date | string, Date | string>
  updated_at: ColumnType<Date, Date | string, Date | string>
  cleared_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface PhotoHashesTable {
  file_id: string
  worker_id: string
  task_id: string
  sha256: string
  dhash: number | null
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface PlatformSwitchesTable {
  name:
    | 'free_tasks'
    | 'payouts'
    | 'refunds'
    | 'withdrawals'
    | 'registrations'
    | 'tasks_verification'
    | 'tasks_voice_proxy'
    | 'tasks_gut_check'
    | 'tasks_field_mission'
    | 'tasks_empathy_escalation'
    | 'tasks_vibe_reader'
    | 'tasks_custom'
    | 'read_only'
  is_on: Generated<boolean>
  reason: string | null
  set_by: Generated<string>
  changed_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface ProcessorAttemptsTable {
  subject_id: string
  attempt: number
  key: string
  begun_at: ColumnType<Date, Date | string, Date | string>
  sent_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  tries: Generated<number>
  repeats: Generated<number>
  last_cause: string | null
  outcome: 'ok' | 'refused' | 'not_found' | null
  code: string | null
  message: string | null
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface ProcessorEventsTable {
  event_id: string
  source: 'account' | 'connect' | 'v2' | 'list'
  type: string
  object_id: string
  account_id: string | null
  payload: ColumnType<unknown, string, string>
  status: Generated<'pending' | 'handled' | 'ignored' | 'dead'>
  attempts: Generated<number>
  error: string | null
  check_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  created_at: ColumnType<Date, Date | string, Date | string>
  received_at: ColumnType<Date, Date | string, Date | string>
  handled_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface ProcessorMatchesTable {
  key: string
  balance_transaction_id: string
}

export interface PromoDaysTable {
  day: string
  spent_cents: Generated<number>
}

export interface PromoWorkersTable {
  day: string
  worker_id: string
  spent_cents: number
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
  area: ColumnType<unknown, string | null, string | null>
  files_removed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface PushSubscriptionsTable {
  id: string
  worker_id: string
  endpoint: string
  p256dh: string
  auth: string
  label: string | null
  session_version: Generated<number>
  created_at: ColumnType<Date, Date | string, Date | string>
  session_id: string | null
  server_key: string | null
}

export interface QuestionMessagesTable {
  id: string
  question_id: string
  worker_id: Generated<string>
  number: number
  author: 'worker' | 'agent' | 'operator'
  operator: string | null
  text: string
  created_at: ColumnType<Date, Date | string, Date | string>
  agent_id: Generated<string>
  waited_seconds: number | null
}

export interface QuestionPhotosTable {
  id: string
  worker_id: Generated<string>
  agent_id: Generated<string>
  question_id: string | null
  message_number: number | null
  number: number | null
  content_type: string | null
  bytes: number | null
  width: number | null
  height: number | null
  created_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface QuestionTimesTable {
  asker: 'worker' | 'agent'
  answers: number
  median_seconds: number | null
  measured_at: ColumnType<Date, Date | string, Date | string>
}

export interface QuestionsTable {
  id: string
  worker_id: Generated<string>
  subject: 'payment' | 'task' | 'dispute' | 'account' | 'safety' | 'other' | 'billing' | 'webhook'
  task_id: string | null
  task_title: string | null
  status: Generated<'open' | 'answered' | 'closed'>
  message_count: Generated<number>
  created_at: ColumnType<Date, Date | string, Date | string>
  waits_since: ColumnType<Date | null, Date | string | null, Date | string | null>
  due_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  closes_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  closed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_for: 'worker' | 'agent' | 'operator' | 'time_passed' | null
  agent_id: Generated<string>
}

export interface ReconciliationsTable {
  at: ColumnType<Date, Date | string, Date | string>
  processor_cents: number
  mirrored_cents: number
  ledger_cents: number
  own_funds_cents: number
  unexplained_new_cents: number
  unexplained_hour_cents: number
  unexplained_day_cents: number
}

export interface RefundsTable {
  id: string
  deposit_id: string
  agent_id: string
  amount_cents: number
  status: Generated<'requested' | 'submitting' | 'pending' | 'succeeded' | 'rejected' | 'failed'>
  processor_refund_id: string | null
  requested_by: string
  reason: string
  failure_code: string | null
  failure_message: string | null
  check_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  created_at: ColumnType<Date, Date | string, Date | string>
  updated_at: ColumnType<Date, Date | string, Date | string>
}

export interface RefusedRequestsTable {
  id: string
  agent_id: string
  key_id: string
  method: string
  path: string
  status: number
  code: string
  ms: number
  user_agent: string | null
  request_body: string | null
  response_body: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface RequestMinutesTable {
  minute: ColumnType<Date, Date | string, Date | string>
  process_id: string
  route_group: string
  requests: number
  refused: number
  failed: number
  slow: number
}

export interface RestoresTable {
  restored_to: ColumnType<Date, Date | string, Date | string>
  declared_at: ColumnType<Date, Date | string, Date | string>
  declared_by: string
  checked_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  opened_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  opened_by: string | null
}

export interface RotatedKeysTable {
  key_hash: string
  key_id: string
  expires_at: ColumnType<Date, Date | string, Date | string>
}

export interface ScreeningsTable {
  task_id: string
  rules: string[]
  policy: string
  created_at: ColumnType<Date, Date | string, Date | string>
  decides_by: ColumnType<Date, Date | string, Date | string>
  decision: 'cleared' | 'refused' | 'lapsed' | 'ended' | null
  decided_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  opinion: 'allowed' | 'not_allowed' | 'unsure' | null
  classify_at: ColumnType<Date, Date | string | undefined, Date | string>
  classify_tries: Generated<number>
}

export interface ShardsTable {
  schema: string
  first_shard: number
  last_shard: number
  database: Generated<string>
  is_here: Generated<boolean>
}

export interface TargetKeysTable {
  id: number
  key: Buffer
}

export interface TargetUsesTable {
  target: string
  task_id: string
  kind: 'phone' | 'place' | 'person'
  reserved_at: ColumnType<Date, Date | string, Date | string>
  check_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface TaskReportsTable {
  task_id: string
  worker_id: string
  kind: 'illegal' | 'abusive' | 'dangerous' | 'scam' | 'other'
  note: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  verdict: 'cleared' | 'upheld' | null
  decided_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  weight: Generated<number>
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
  event_sequence: Generated<number>
  reported_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  rehearsal: ColumnType<unknown, string | null, string | null>
  rehearse_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  key_path: string[] | null
  languages: Generated<string[]>
  decides_by: ColumnType<Date | null, Date | string | null, Date | string | null>
  share_level: number | null
  is_schema_default: boolean | null
  commission_basis_points: Generated<number>
}

export interface TestAdvancesTable {
  agent_id: string
  key: string
  by_ms: number
  moved_ms: Generated<number>
  fired: ColumnType<unknown, string | undefined, string>
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface TestClocksTable {
  agent_id: string
  moved_ms: Generated<number>
  held_by: string | null
  held_until: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface TestUsageTable {
  day: string
  subject: string
  tasks: Generated<number>
  bytes: Generated<number>
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
  posted_xid: Generated<number | null>
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
  pending_since: ColumnType<Date | null, Date | string | null, Date | string | null>
  is_appealed: Generated<boolean>
}

export interface TwoPersonLimitsTable {
  kind: string
  over_cents: number | null
  changed_by: string | null
  changed_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface UnsafeExitsTable {
  assignment_id: string
  worker_id: string
  is_paid_at_once: boolean
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface WebhookLanesTable {
  id: string
  agent_id: string
  due_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  paused_until: ColumnType<Date | null, Date | string | null, Date | string | null>
  failures: Generated<number>
  held_by: string | null
  held_until: ColumnType<Date | null, Date | string | null, Date | string | null>
  failing_since: ColumnType<Date | null, Date | string | null, Date | string | null>
  warned_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  disabled_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  mailed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  disabled_for: 'gone' | 'failing' | null
  signature_checked_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface WithdrawalsTable {
  id: string
  amount_cents: number
  status: Generated<'requested' | 'sent' | 'failed'>
  processor_payout_id: string | null
  requested_by: string
  failure_message: string | null
  check_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  created_at: ColumnType<Date, Date | string, Date | string>
  updated_at: ColumnType<Date, Date | string, Date | string>
}

export interface WorkerClosingsTable {
  worker_id: string
  look_at: ColumnType<Date, Date | string, Date | string>
  reminded_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface WorkerDecisionsTable {
  id: string
  worker_id: string
  kind: 'suspended' | 'closed'
  reason: string
  task_ids: Generated<string[]>
  decided_by: string
  decided_at: ColumnType<Date, Date | string, Date | string>
  ends_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  hand_back_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  due_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  objection: string | null
  objected_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  reply_due_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  reply: 'upheld' | 'reinstated' | null
  reply_note: string | null
  replied_by: string | null
  replied_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_for: 'time_passed' | 'operator' | 'objection' | 'no_reply' | 'closed_instead' | null
  ended_by: string | null
  end_note: string | null
}

export interface WorkerEmailChangesTable {
  id: string
  worker_id: string
  old_email: string
  new_email: string
  created_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  confirmed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  undo_until: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_for: 'final' | 'cancelled' | 'replaced' | 'undone' | 'expired' | null
}

export interface WorkerEmailLinksTable {
  token_hash: string
  change_id: string
  purpose: 'confirm' | 'undo'
  created_at: ColumnType<Date, Date | string, Date | string>
}

export interface WorkerEmailsTable {
  email: string
  worker_id: string
}

export interface WorkerSessionsTable {
  id: string
  worker_id: string
  session_version: number
  browser: string | null
  system: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  used_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
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
  registered_from: string | null
  agent_id: string | null
  trust_pending: Generated<number>
  app_language: Generated<'en' | 'es' | 'ar' | 'pt-BR' | 'fr' | 'de'>
  closing_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  closes_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  closed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  adult_confirmed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  terms_version: string | null
}

export interface WorkerAgentsTable {
  id: string
  name: string
}

export interface WorkerAppealsTable {
  id: string
  dispute_id: string
  task_id: string
  assignment_id: string
  worker_id: string
  statement: string
  created_at: ColumnType<Date, Date | string, Date | string>
  agent_until: ColumnType<Date, Date | string, Date | string>
  agent_answer: string | null
  answered_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ruling: string | null
  ruling_note: string | null
  ruled_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface WorkerAssignmentsTable {
  id: string
  task_id: string
  agent_id: string
  worker_id: string
  status: 'accepted' | 'submitted' | 'approved' | 'disputed' | 'released' | 'expired' | 'cancelled'
  pay_cents: number
  net_cents: number | null
  deadline: ColumnType<Date, Date | string, Date | string>
  accepted_at: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date, Date | string, Date | string>
  submitted_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  outcome: 'done' | 'not_possible' | null
  reason: string | null
  revision_note: string | null
  revisions: number
}

export interface WorkerDisputesTable {
  id: string
  task_id: string
  assignment_ids: string[]
  reason: string
  category: string | null
  criteria: string[]
  status: string
  touches_trust: boolean
  created_at: ColumnType<Date, Date | string, Date | string>
  resolved_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  decides_by: ColumnType<Date | null, Date | string | null, Date | string | null>
  decided_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  is_decided_by_agent: boolean
  decision_note: string | null
}

export interface WorkerReportsTable {
  task_id: string
  worker_id: string
  kind: string
  note: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  verdict: string | null
  decided_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  weight: number
}

export interface WorkerTasksTable {
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
  status:
    | 'pending'
    | 'in_progress'
    | 'proof_submitted'
    | 'completed'
    | 'disputed'
    | 'expired'
    | 'cancelled'
  title: string | null
  description: string
  budget_cents: number
  funding: 'wallet' | 'free'
  urgency: 'instant' | 'urgent' | 'standard' | 'flex' | 'scheduled'
  proof_required: 'text' | 'photo' | 'video' | 'audio'
  consensus_count: number
  deadline: ColumnType<Date, Date | string, Date | string>
  scheduled_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  window_minutes: number | null
  auto_approve_after: number
  location: ColumnType<unknown, string | null, string | null>
  context: ColumnType<unknown, string, string>
  answer_schema: ColumnType<unknown, string | null, string | null>
  criteria: ColumnType<unknown, string | null, string | null>
  review_due_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  decides_by: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}
