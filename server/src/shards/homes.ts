/**
 * Which schema holds which table. With one schema all tables are there; with several, a table that is missing in this
 * list fails the migration.
 *
 *   shard    rows of an agent or a worker, in the schema of their logical shard
 *   global   what belongs to nobody, or must be unique among everybody: one schema
 *   feed     what workers search: one schema
 *   types    in `public`, beside the types
 *   both     in every schema of a shard and in the global one
 */
export const TABLE_HOMES: Readonly<Record<string, 'types' | 'shard' | 'global' | 'feed' | 'both'>> =
  {
    shards: 'types',
    job_processes: 'types',
    // The agents' side.
    agents: 'shard',
    agent_tokens: 'shard',
    api_keys: 'shard',
    key_limits: 'shard',
    rotated_keys: 'shard',

    refused_requests: 'shard',
    ledger_agents: 'shard',
    counted_agents: 'shard',
    agent_counts: 'shard',
    agent_count_changes: 'shard',
    deposits: 'shard',
    refunds: 'shard',
    chargebacks: 'shard',
    events: 'shard',
    event_counters: 'shard',
    deliveries: 'shard',
    delivery_attempts: 'shard',
    webhook_lanes: 'shard',
    gone_callbacks: 'shard',
    test_clocks: 'shard',
    test_advances: 'shard',
    test_usage: 'shard',
    // Tasks, with the agent that posted them.
    tasks: 'shard',
    assignments: 'shard',
    proofs: 'shard',
    files: 'shard',
    disputes: 'shard',
    appeals: 'shard',
    task_reports: 'shard',
    screenings: 'shard',
    // The workers' side.
    workers: 'shard',
    worker_tokens: 'shard',
    worker_sessions: 'shard',
    worker_email_changes: 'shard',
    worker_email_links: 'shard',
    worker_closings: 'shard',
    worker_decisions: 'shard',
    objection_links: 'shard',
    ledger_workers: 'shard',
    ledger_transits: 'shard',
    trust_events: 'shard',
    payout_accounts: 'shard',
    payouts: 'shard',
    payout_signals: 'shard',
    notices: 'shard',
    alerts: 'shard',
    questions: 'shard',
    question_messages: 'shard',
    question_photos: 'shard',
    push_subscriptions: 'shard',
    unsafe_exits: 'shard',
    check_ins: 'shard',
    // Of both sides.
    transfers: 'shard',
    outbox: 'both',
    idempotency_keys: 'both',
    processor_attempts: 'both',
    processor_matches: 'shard',
    ledger_audits: 'shard',
    ledger_breaks: 'shard',
    ledger_proofs: 'shard',
    ledger_totals: 'shard',
    ledger_checksums: 'shard',
    ledger_sums: 'both',
    ledger_account_sums: 'shard',
    // Directories, and what the platform itself has.
    agent_emails: 'global',
    console_sessions: 'global',
    worker_emails: 'global',
    photo_hashes: 'global',
    processor_events: 'global',
    balance_transactions: 'global',
    money_breaks: 'global',
    reconciliations: 'global',
    request_minutes: 'global',
    withdrawals: 'global',
    promo_days: 'global',
    target_keys: 'global',
    target_uses: 'global',
    do_not_contact: 'global',
    promo_workers: 'global',
    question_times: 'global',
    operator_actions: 'global',
    operators: 'global',
    operator_passkeys: 'global',
    operator_sessions: 'global',
    operator_links: 'global',
    operator_challenges: 'global',
    two_person_limits: 'both',
    // At its subject: with its shard, or global.
    operator_decisions: 'both',
    case_assignments: 'global',
    case_notes: 'global',
    audit_log: 'global',
    audit_words: 'global',
    restores: 'global',
    platform_switches: 'both',
    // Copies of other shards' tasks, and the views over both.
    away_agents: 'shard',
    away_tasks: 'shard',
    away_assignments: 'shard',
    away_disputes: 'shard',
    away_appeals: 'shard',
    away_reports: 'shard',
    away_commissions: 'shard',
    away_reporters: 'shard',
    crossings: 'shard',
    crossings_applied: 'shard',
    worker_agents: 'shard',
    worker_tasks: 'shard',
    worker_assignments: 'shard',
    worker_disputes: 'shard',
    worker_appeals: 'shard',
    worker_reports: 'shard',
    // The feed.
    open_tasks: 'feed',
    open_cards: 'feed',
    open_agents: 'feed',
  }

/**
 * Triggers that look at a table of this home, so they exist only there. The other schemas have copies of what they
 * guard, and only the guarded rows are copied.
 */
export const TRIGGER_HOMES: Readonly<Record<string, 'shard' | 'global' | 'feed'>> = {
  platform_switches_doors: 'global',
}
