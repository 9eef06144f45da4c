/**
 * The tables with tenants' rows, and the columns that name their owners.
 *
 * Every table of the schema is in one of the two lists; `tenants.test.ts` fails on one that is in neither. A statement
 * may read or write a tenant's table if a condition ties it to an owner, to an id whose owner the same transaction has
 * checked, or to a secret that only the owner has.
 */
export interface Table {
  name: string
  /** Columns with the id of an agent or a worker that owns the row. */
  owners: readonly string[]
  /** Columns that identify the row or a row of the same owner: they bind once that owner was checked. */
  ids: readonly string[]
  /** Columns with the hash of a secret: presenting the secret grants access to the row. */
  secrets: readonly string[]
  /** Columns that start with the owner's id: a range from that id binds. */
  prefixes: readonly string[]
}

const table = (
  name: string,
  owners: readonly string[],
  ids: readonly string[] = [],
  secrets: readonly string[] = [],
  prefixes: readonly string[] = [],
): Table => ({ name, owners, ids, secrets, prefixes })

const TENANT_TABLES: readonly Table[] = [
  // The agents' side.
  table('agents', ['id', 'twin_id']),
  table('agent_emails', ['agent_id']),
  table('agent_tokens', ['agent_id'], [], ['token_hash']),
  table('api_keys', ['agent_id'], ['id'], ['key_hash']),
  table('key_limits', ['agent_id'], ['key_id']),
  table('rotated_keys', [], ['key_id'], ['key_hash']),
  table('oauth_grants', ['agent_id'], ['id', 'key_id'], ['code_hash', 'family_hash']),
  table('console_sessions', ['agent_id'], ['person_id'], ['token_hash', 'key_hash']),
  table('agent_people', ['agent_id'], ['id']),
  table('agent_person_links', [], ['id', 'person_id'], ['token_hash']),
  table('agent_actions', ['agent_id'], ['id', 'person_id']),
  table('refused_requests', ['agent_id'], ['id', 'key_id']),
  table('ledger_agents', ['agent_id']),
  table('ledger_totals', ['agent_id']),
  table('ledger_proofs', ['owner_id']),
  table('counted_agents', ['agent_id']),
  table('agent_counts', ['agent_id', 'worker_id']),
  table('agent_count_changes', ['agent_id', 'worker_id']),
  table('deposits', ['agent_id'], ['id']),
  table('refunds', ['agent_id'], ['id', 'deposit_id']),
  table('chargebacks', ['agent_id'], ['deposit_id']),
  table('events', ['agent_id'], ['id', 'task_id']),
  table('event_counters', ['agent_id']),
  table('deliveries', ['agent_id'], ['event_id', 'lane']),
  table('delivery_attempts', ['agent_id'], ['id', 'event_id', 'task_id']),
  table('webhook_lanes', ['agent_id'], ['id'], [], ['id']),
  table('gone_callbacks', ['agent_id']),
  table('test_clocks', ['agent_id']),
  table('test_advances', ['agent_id']),
  table('test_usage', ['subject']),
  // Both sides: an agent's task and its parts, each of one worker.
  table('tasks', ['agent_id'], ['id']),
  table('assignments', ['agent_id', 'worker_id'], ['id', 'task_id']),
  table('proofs', ['agent_id', 'worker_id'], ['id', 'task_id', 'assignment_id']),
  table('files', ['worker_id'], ['id', 'task_id', 'assignment_id', 'proof_id']),
  table('disputes', ['agent_id'], ['id', 'task_id']),
  table('appeals', ['agent_id', 'worker_id'], ['id', 'dispute_id', 'task_id', 'assignment_id']),
  table('task_reports', ['worker_id'], ['task_id']),
  table('screenings', [], ['task_id']),
  table('transfers', ['agent_id', 'worker_id'], ['task_id', 'ref_id']),
  table('payouts', ['agent_id', 'worker_id'], ['id', 'task_id', 'previous_id']),
  // The workers' side.
  // Copies of rows of other shards. An agent has one for all workers of the shard, and so has a task.
  table('away_agents', ['id']),
  table('away_tasks', ['agent_id'], ['id']),
  table('away_assignments', ['agent_id', 'worker_id'], ['id', 'task_id']),
  table('away_disputes', ['worker_id'], ['id', 'task_id']),
  table('away_appeals', ['worker_id'], ['id', 'dispute_id', 'task_id', 'assignment_id']),
  table('away_reports', ['worker_id'], ['task_id']),
  table('away_commissions', ['worker_id']),
  table('away_reporters', ['worker_id'], ['task_id']),
  // A test worker belongs to its agent.
  table('workers', ['id', 'agent_id']),
  table('worker_emails', ['worker_id']),
  table('worker_tokens', ['worker_id'], [], ['token_hash']),
  table('worker_sessions', ['worker_id'], ['id']),
  table('worker_email_changes', ['worker_id'], ['id']),
  table('worker_email_links', [], ['change_id'], ['token_hash']),
  table('worker_closings', ['worker_id']),
  table('worker_decisions', ['worker_id'], ['id']),
  table('objection_links', [], ['decision_id'], ['token_hash']),
  table('ledger_workers', ['worker_id']),
  table('ledger_transits', [], ['ref_id']),
  table('trust_events', ['worker_id'], ['task_id']),
  table('payout_accounts', ['worker_id']),
  table('notices', ['worker_id'], ['id', 'task_id']),
  table('alerts', ['worker_id']),
  table('questions', ['agent_id', 'worker_id'], ['id', 'task_id']),
  table('question_messages', ['agent_id', 'worker_id'], ['id', 'question_id']),
  table('question_photos', ['agent_id', 'worker_id'], ['id', 'question_id']),
  table('push_subscriptions', ['worker_id'], ['id']),
  table('unsafe_exits', ['worker_id'], ['assignment_id']),
  table('check_ins', ['worker_id'], ['task_id']),
  // Stored responses belong to the caller that sent the key.
  table('idempotency_keys', ['principal']),
]

/** Tables without tenants' rows, or read across tenants by design, with the reason. */
export const SHARED_TABLES: Readonly<Record<string, string>> = {
  open_tasks: 'the feed: every worker reads the open tasks of all agents',
  open_cards: 'the feed: what the cards of open tasks show',
  open_agents: 'the feed: the agents on its cards, as all workers see them',
  photo_hashes: 'compares a photo with all photos there ever were; no endpoint shows a row',
  crossings: 'what a shard has to do in another database; no endpoint shows a row',
  crossings_applied: 'what it has done for others',
  outbox: 'written by operations, read by the relay alone',
  payout_signals: 'signs against fraud, for operators',
  processor_attempts: 'requests to the payment processor; read by jobs alone',
  processor_events: 'notifications of the payment processor; read by jobs alone',
  processor_matches: 'reconciliation of all books with the processor',
  balance_transactions: "the processor's own list of transactions, for reconciliation",
  money_breaks: 'differences between the books, for operators',
  reconciliations: 'runs of the reconciliation, for operators',
  ledger_audits: 'runs of the ledger’s audit, for operators',
  ledger_breaks: 'what the audit found, for operators',
  ledger_checksums: 'checksums of the whole ledger by day',
  ledger_sums: 'sums over the whole ledger',
  ledger_account_sums: 'sums over the whole ledger',
  request_minutes: 'how many requests there were, for operators',
  withdrawals: "the platform's own money",
  promo_days: "the platform's promotional budget by day",
  target_keys: 'the key of the hashes of targets',
  target_uses:
    'how often something was the target of tasks, over all agents; no endpoint shows a row',
  promo_workers: 'the share of each worker in it',
  do_not_contact:
    'people without an account who don’t want to be contacted; read by the desk alone',
  platform_switches: 'switches of the whole platform',
  restores: 'restores of the whole database from a backup',
  oauth_clients: 'programs that registered themselves; they belong to nobody',
  question_times: 'how long everybody waits for an answer, as two figures',
  operator_actions: "the operators' log",
  operators: "operators' accounts",
  operator_passkeys: 'how operators sign in',
  operator_sessions: 'where operators are signed in',
  operator_links: 'links that were emailed to operators',
  operator_challenges: 'what a browser has to prove when an operator signs in',
  two_person_limits: 'above which amount two operators must agree',
  operator_decisions: 'what operators decided; read by the desk alone',
  case_assignments: 'who of the operators works on what',
  case_notes: "the operators' notes",
  audit_log: "the operators' audit log",
  audit_words: 'what operators wrote when they decided',
  job_processes: 'which jobs processes live',
  migrations: 'which migrations were applied',
  shards: 'which schema holds which shards',
}

/** The feed is a store of its own: a statement on these tables touches no tenant's table. */
export const FEED_TABLES: readonly string[] = ['open_tasks', 'open_cards', 'open_agents']

export const tenantTables: ReadonlyMap<string, Table> = new Map(
  TENANT_TABLES.map((one) => [one.name, one]),
)

export const tableOf = (name: string): Table | undefined => tenantTables.get(name)
