/** Typed calls of the SQL functions. Made by `npm run generate` from the migrated database; changes are lost. */

export interface AssignmentChange {
  item: number | null | undefined
  id: string | null | undefined
  status:
    | 'accepted'
    | 'submitted'
    | 'approved'
    | 'disputed'
    | 'released'
    | 'expired'
    | 'cancelled'
    | null
    | undefined
  net_cents: number | null | undefined
  expires_at: Date | null | undefined
  submitted_at: Date | null | undefined
  ended_at: Date | null | undefined
  outcome: 'done' | 'not_possible' | null | undefined
  reason: string | null | undefined
  revision_note: string | null | undefined
  revisions: number | null | undefined
}

export interface DisputeChange {
  item: number | null | undefined
  id: string | null | undefined
  assignment_ids: readonly string[] | null | undefined
  reason: string | null | undefined
  category: string | null | undefined
  criteria: readonly string[] | null | undefined
  status: string | null | undefined
  touches_trust: boolean | null | undefined
  refunded_cents: number | null | undefined
  decides_by: Date | null | undefined
  decided_by: string | null | undefined
  decision_note: string | null | undefined
}

export interface EndedAttempt {
  id: string | null | undefined
  event_id: string | null | undefined
  agent_id: string | null | undefined
  task_id: string | null | undefined
  type: string | null | undefined
  url: string | null | undefined
  is_callback: boolean | null | undefined
  number: number | null | undefined
  outcome: 'delivered' | 'failed' | 'given_up' | 'disabled' | null | undefined
  status: number | null | undefined
  error: string | null | undefined
  answer: string | null | undefined
  ms: number | null | undefined
  next_try_at: Date | null | undefined
  created_at: Date | null | undefined
}

export interface IdempotencyClaim {
  item: number | null | undefined
  principal: string | null | undefined
  key_hash: string | null | undefined
  fingerprint: string | null | undefined
  status: number | null | undefined
  answer: string | null | undefined
}

export interface LanePage {
  id: string | null | undefined
  page: number | null | undefined
}

export interface LaneRelease {
  id: string | null | undefined
  must: boolean | null | undefined
  not_before: Date | null | undefined
}

export interface LaneReport {
  id: string | null | undefined
  succeeded: boolean | null | undefined
  failed: number | null | undefined
  is_gone: boolean | null | undefined
  is_pinged: boolean | null | undefined
  work_id: string | null | undefined
}

export interface LedgerLine {
  item: number | null | undefined
  entry: number | null | undefined
  key: string | null | undefined
  mode: 'live' | 'test' | null | undefined
  kind: string | null | undefined
  shard: number | null | undefined
  id: string | null | undefined
  debit: string | null | undefined
  credit: string | null | undefined
  amount_cents: number | null | undefined
  agent_id: string | null | undefined
  worker_id: string | null | undefined
  task_id: string | null | undefined
  ref_id: string | null | undefined
}

export interface NewEvent {
  item: number | null | undefined
  id: string | null | undefined
  type: string | null | undefined
  sequence: number | null | undefined
  data: unknown
  traceparent: string | null | undefined
}

export interface TaskCreation {
  id: string | null | undefined
  agent_id: string | null | undefined
  key_id: string | null | undefined
  event_id: string | null | undefined
  locked_cents: number | null | undefined
  may_be_free: boolean | null | undefined
  key_hash: string | null | undefined
  fingerprint: string | null | undefined
  funding: 'wallet' | 'free' | null | undefined
  response: string | null | undefined
  type:
    | 'verification'
    | 'voice_proxy'
    | 'gut_check'
    | 'field_mission'
    | 'empathy_escalation'
    | 'vibe_reader'
    | 'custom'
    | null
    | undefined
  title: string | null | undefined
  description: string | null | undefined
  budget_cents: number | null | undefined
  budget_basis: 'total' | 'per_worker' | null | undefined
  urgency: 'instant' | 'urgent' | 'standard' | 'flex' | 'scheduled' | null | undefined
  proof_required: 'text' | 'photo' | 'video' | 'audio' | null | undefined
  consensus_count: number | null | undefined
  consensus_max: number | null | undefined
  min_confidence: number | null | undefined
  deadline: Date | null | undefined
  scheduled_at: Date | null | undefined
  window_minutes: number | null | undefined
  auto_approve_after: number | null | undefined
  min_worker_level: number | null | undefined
  share_level: number | null | undefined
  skills: readonly string[] | null | undefined
  languages: readonly string[] | null | undefined
  location: unknown
  context: unknown
  metadata: unknown
  answer_schema: unknown
  is_schema_default: boolean | null | undefined
  criteria: unknown
  callback_url: string | null | undefined
  rehearsal: unknown
  rehearse_at: Date | null | undefined
  commission_basis_points: number | null | undefined
  created_at: Date | null | undefined
  traceparent: string | null | undefined
  screened_for: readonly string[] | null | undefined
  screening_policy: string | null | undefined
  decides_by: Date | null | undefined
}

export interface TaskMove {
  task_id: string | null | undefined
  version: number | null | undefined
  agent_id: string | null | undefined
  tip_cents: number | null | undefined
  tip_key_id: string | null | undefined
  is_open: boolean | null | undefined
  returns_free_task: boolean | null | undefined
  principal: string | null | undefined
  key_hash: string | null | undefined
  fingerprint: string | null | undefined
  response: string | null | undefined
  status:
    | 'pending'
    | 'in_progress'
    | 'proof_submitted'
    | 'completed'
    | 'disputed'
    | 'expired'
    | 'cancelled'
    | null
    | undefined
  status_reason: string | null | undefined
  escrow_cents: number | null | undefined
  slots_taken: number | null | undefined
  slots_extra: number | null | undefined
  proofs_received: number | null | undefined
  proof_at: Date | null | undefined
  review_due_at: Date | null | undefined
  decides_by: Date | null | undefined
  consensus: unknown
  approved_by: string | null | undefined
  settlement: unknown
  ended_at: Date | null | undefined
  updated_at: Date | null | undefined
  event_sequence: number | null | undefined
}

export interface TrustChange {
  item: number | null | undefined
  worker_id: string | null | undefined
  key: string | null | undefined
  cause: string | null | undefined
  good: number | null | undefined
  bad: number | null | undefined
  weight: number | null | undefined
  pending_since: Date | null | undefined
  pending: string | null | undefined
}

export interface Functions {
  create_tasks: {
    args: {
      p_now: Date
      p_creations: readonly TaskCreation[]
      p_locks: readonly LedgerLine[]
      p_caps: readonly number[]
    }
    row: {
      item: number
      outcome:
        | 'created'
        | 'other_funding'
        | 'insufficient'
        | 'key_cap'
        | 'restricted'
        | 'tier_cap'
        | 'replayed'
        | 'mismatch'
      funding: 'wallet' | 'free'
      balance_cents: number | null
      free_tasks_remaining: number | null
      cap: 'task_max_cents' | 'day_max_cents' | 'month_max_cents' | 'budget_cents' | null
      limit_cents: number | null
      spent_cents: number | null
      status: number | null
      answer: string | null
    }
  }
  feed_cards: {
    args: {
      p_ids: readonly string[]
      p_skills: readonly string[]
      p_languages: readonly string[]
      p_now: Date
    }
    row: {
      id: string
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
      created_at: Date
      area: string | null
      lat: number | null
      lng: number | null
      agent_name: string
      judged: number
      approved: number
      disputes: number
      overturned: number
      median_review_s: number | null
    }
  }
  feed_leave: { args: { p_ids: readonly string[] }; row: { value: unknown } }
  feed_take_slot: {
    args: {
      p_task: string
      p_status:
        | 'pending'
        | 'in_progress'
        | 'proof_submitted'
        | 'completed'
        | 'disputed'
        | 'expired'
        | 'cancelled'
      p_slots_taken: number
    }
    row: { value: unknown }
  }
  files_remember_photo: {
    args: {
      p_file: string
      p_worker: string
      p_task: string
      p_sha256: string
      p_dhash: number
      p_at: Date
    }
    row: { value: unknown }
  }
  idempotency_find: {
    args: { p_now: Date; p_claims: readonly IdempotencyClaim[] }
    row: {
      item: number
      outcome: 'replayed' | 'mismatch' | 'in_progress'
      status: number | null
      answer: string | null
    }
  }
  idempotency_store: {
    args: { p_now: Date; p_claims: readonly IdempotencyClaim[] }
    row: { value: number }
  }
  ledger_commission_parts: {
    args: { p_task: string }
    row: { key: string; worker_id: string; part: number }
  }
  ledger_free_tasks: {
    args: { p_agents: readonly string[]; p_changes: readonly number[] }
    row: { value: unknown }
  }
  ledger_open: {
    args: { p_owner: string; p_mode: 'live' | 'test'; p_free_tasks: number }
    row: { value: unknown }
  }
  ledger_post: {
    args: { p_now: Date; p_lines: readonly LedgerLine[] }
    row: {
      entry: number
      outcome: 'posted' | 'replayed' | 'mismatch' | 'insufficient'
      balance_cents: number | null
    }
  }
  maintain_partitions: { args: {}; row: { value: unknown } }
  move_tasks: {
    args: {
      p_now: Date
      p_moves: readonly TaskMove[]
      p_lines: readonly LedgerLine[]
      p_assignments: readonly AssignmentChange[]
      p_trust: readonly TrustChange[]
      p_disputes: readonly DisputeChange[]
      p_events: readonly NewEvent[]
    }
    row: {
      item: number
      outcome: 'moved' | 'changed' | 'insufficient' | 'key_cap' | 'replayed' | 'mismatch'
      cap: 'task_max_cents' | 'day_max_cents' | 'month_max_cents' | 'budget_cents' | null
      limit_cents: number | null
      spent_cents: number | null
      status: number | null
      answer: string | null
    }
  }
  payouts_spend_promo: {
    args: {
      p_day: string
      p_cents: number
      p_max_cents: number
      p_is_decided: boolean
      p_worker: string
      p_ring: readonly string[]
      p_ring_max_cents: number
    }
    row: { value: boolean }
  }
  places_region_of: { args: { p_location: unknown }; row: { value: unknown } }
  rehearsal_erase_agent: {
    args: { p_agent: string; p_limit: number }
    row: { relation: string; deleted: number }
  }
  require_two_persons: {
    args: { p_kind: string; p_subject: string; p_input: unknown }
    row: { value: unknown }
  }
  runner_overdue: {
    args: { p_now: Date; p_location_days: number; p_text_days: number }
    row: { relation: string; seconds: number }
  }
  runner_overdue_rows: { args: { p_now: Date }; row: { relation: string; seconds: number } }
  runner_remove_expired: {
    args: { p_now: Date; p_limit: number }
    row: { relation: string; deleted: number }
  }
  runner_seconds_past: {
    args: { p_oldest: Date; p_days: number; p_now: Date }
    row: { value: number }
  }
  shards_crossed: { args: { p_ids: readonly number[] }; row: { value: unknown } }
  shards_is_here: { args: { p_id: string }; row: { value: boolean } }
  shards_is_near: { args: { p_home: string }; row: { value: boolean } }
  shards_number_of: { args: { p_id: string }; row: { value: number } }
  shards_receive: {
    args: { p_source: string; p_id: number; p_call: string; p_arguments: unknown }
    row: { value: boolean }
  }
  shards_schema_of: { args: { p_id: string }; row: { value: string } }
  spend_decision: {
    args: { p_kind: string; p_subject: string; p_cents: number }
    row: { value: unknown }
  }
  spend_part: {
    args: { p_kind: string; p_subject: string; p_cents: number; p_at: Date }
    row: { value: unknown }
  }
  targets_reserve: {
    args: {
      p_now: Date
      p_task_id: string
      p_targets: readonly string[]
      p_kinds: readonly ('phone' | 'place' | 'person')[]
      p_day_max: readonly number[]
      p_month_max: readonly number[]
      p_check_at: Date
    }
    row: { item: number; cap: number; window_hours: number; free_at: Date }
  }
  tasks_age: { args: { p_agent: string; p_ms: number; p_now: Date }; row: { value: unknown } }
  tasks_away: { args: { p_task: string; p_home: string }; row: { value: unknown } }
  tasks_forget_texts: {
    args: { p_tasks: readonly string[]; p_before: Date; p_now: Date }
    row: { value: number }
  }
  tasks_report_weight: {
    args: { p_task: string; p_worker: string; p_kind: string; p_now: Date }
    row: { value: number }
  }
  tasks_reporter: {
    args: { p_worker: string; p_agent: string; p_now: Date }
    row: { weight: number; address: string; inbox: string }
  }
  tasks_reports_hide: { args: { p_task: string }; row: { value: boolean } }
  tasks_reputations: {
    args: { p_agents: readonly string[] }
    row: {
      agent_id: string
      judged: number
      approved: number
      disputes: number
      overturned: number
      median_review_s: number | null
    }
  }
  webhooks_age: { args: { p_agent: string; p_ms: number }; row: { value: unknown } }
  webhooks_claim_lanes_of: {
    args: {
      p_holder: string
      p_now: Date
      p_until: Date
      p_limit: number
      p_mode: 'live' | 'test' | null
    }
    row: {
      id: string
      agent_id: string
      webhook_url: string | null
      failures: number
      is_failing: boolean
      is_disabled: boolean
    }
  }
  webhooks_find_due: {
    args: { p_now: Date; p_lanes: readonly LanePage[]; p_known: readonly string[] }
    row: {
      lane: string
      webhook_url: string | null
      webhook_secret: string
      webhook_secret_old: string | null
      webhook_secret_old_until: Date | null
      event_id: string
      url: string | null
      attempts: number
      attempts_max: number
      is_void: boolean
      is_missing: boolean
      type: string
      task_id: string | null
      sequence: number | null
      created_at: Date
      data: unknown
    }
  }
  webhooks_free_lanes: {
    args: { p_holder: string; p_now: Date; p_lanes: readonly LaneRelease[] }
    row: { id: string }
  }
  webhooks_hurry: { args: { p_lane: string; p_now: Date }; row: { value: unknown } }
  webhooks_log_attempts: {
    args: {
      p_holder: string
      p_now: Date
      p_is_repeated: boolean
      p_attempts: readonly EndedAttempt[]
      p_lanes: readonly LaneReport[]
    }
    row: { id: string; is_disabled: boolean }
  }
  webhooks_renew_lanes: {
    args: { p_holder: string; p_until: Date; p_ids: readonly string[] }
    row: { id: string; is_renewed: boolean }
  }
  workers_accuracies: { args: { p_ids: readonly string[] }; row: { id: string; accuracy: number } }
  workers_age: { args: { p_agent: string; p_ms: number }; row: { value: unknown } }
  workers_close: {
    args: { p_worker: string; p_now: Date; p_mail_until: Date }
    row: { value: unknown }
  }
  workers_forget_emails: { args: { p_worker: string }; row: { value: unknown } }
  workers_remove_unverified: { args: { p_workers: readonly string[] }; row: { worker_id: string } }
  workers_settle_disputes: {
    args: { p_workers: readonly string[]; p_opened: Date }
    row: { worker_id: string; key: string; task_id: string; bad: number }
  }
}

interface Call {
  /** The arguments; a list of rows has the name of the rows' type. */
  args: Record<string, string | null>
  result: 'rows' | 'value'
}

export const CALLS: { [Name in keyof Functions]: Call } = {
  create_tasks: {
    args: { p_now: null, p_creations: 'task_creation', p_locks: 'ledger_line', p_caps: null },
    result: 'rows',
  },
  feed_cards: {
    args: { p_ids: null, p_skills: null, p_languages: null, p_now: null },
    result: 'rows',
  },
  feed_leave: { args: { p_ids: null }, result: 'value' },
  feed_take_slot: { args: { p_task: null, p_status: null, p_slots_taken: null }, result: 'value' },
  files_remember_photo: {
    args: { p_file: null, p_worker: null, p_task: null, p_sha256: null, p_dhash: null, p_at: null },
    result: 'value',
  },
  idempotency_find: { args: { p_now: null, p_claims: 'idempotency_claim' }, result: 'rows' },
  idempotency_store: { args: { p_now: null, p_claims: 'idempotency_claim' }, result: 'value' },
  ledger_commission_parts: { args: { p_task: null }, result: 'rows' },
  ledger_free_tasks: { args: { p_agents: null, p_changes: null }, result: 'value' },
  ledger_open: { args: { p_owner: null, p_mode: null, p_free_tasks: null }, result: 'value' },
  ledger_post: { args: { p_now: null, p_lines: 'ledger_line' }, result: 'rows' },
  maintain_partitions: { args: {}, result: 'value' },
  move_tasks: {
    args: {
      p_now: null,
      p_moves: 'task_move',
      p_lines: 'ledger_line',
      p_assignments: 'assignment_change',
      p_trust: 'trust_change',
      p_disputes: 'dispute_change',
      p_events: 'new_event',
    },
    result: 'rows',
  },
  payouts_spend_promo: {
    args: {
      p_day: null,
      p_cents: null,
      p_max_cents: null,
      p_is_decided: null,
      p_worker: null,
      p_ring: null,
      p_ring_max_cents: null,
    },
    result: 'value',
  },
  places_region_of: { args: { p_location: null }, result: 'value' },
  rehearsal_erase_agent: { args: { p_agent: null, p_limit: null }, result: 'rows' },
  require_two_persons: { args: { p_kind: null, p_subject: null, p_input: null }, result: 'value' },
  runner_overdue: {
    args: { p_now: null, p_location_days: null, p_text_days: null },
    result: 'rows',
  },
  runner_overdue_rows: { args: { p_now: null }, result: 'rows' },
  runner_remove_expired: { args: { p_now: null, p_limit: null }, result: 'rows' },
  runner_seconds_past: { args: { p_oldest: null, p_days: null, p_now: null }, result: 'value' },
  shards_crossed: { args: { p_ids: null }, result: 'value' },
  shards_is_here: { args: { p_id: null }, result: 'value' },
  shards_is_near: { args: { p_home: null }, result: 'value' },
  shards_number_of: { args: { p_id: null }, result: 'value' },
  shards_receive: {
    args: { p_source: null, p_id: null, p_call: null, p_arguments: null },
    result: 'value',
  },
  shards_schema_of: { args: { p_id: null }, result: 'value' },
  spend_decision: { args: { p_kind: null, p_subject: null, p_cents: null }, result: 'value' },
  spend_part: {
    args: { p_kind: null, p_subject: null, p_cents: null, p_at: null },
    result: 'value',
  },
  targets_reserve: {
    args: {
      p_now: null,
      p_task_id: null,
      p_targets: null,
      p_kinds: null,
      p_day_max: null,
      p_month_max: null,
      p_check_at: null,
    },
    result: 'rows',
  },
  tasks_age: { args: { p_agent: null, p_ms: null, p_now: null }, result: 'value' },
  tasks_away: { args: { p_task: null, p_home: null }, result: 'value' },
  tasks_forget_texts: { args: { p_tasks: null, p_before: null, p_now: null }, result: 'value' },
  tasks_report_weight: {
    args: { p_task: null, p_worker: null, p_kind: null, p_now: null },
    result: 'value',
  },
  tasks_reporter: { args: { p_worker: null, p_agent: null, p_now: null }, result: 'rows' },
  tasks_reports_hide: { args: { p_task: null }, result: 'value' },
  tasks_reputations: { args: { p_agents: null }, result: 'rows' },
  webhooks_age: { args: { p_agent: null, p_ms: null }, result: 'value' },
  webhooks_claim_lanes_of: {
    args: { p_holder: null, p_now: null, p_until: null, p_limit: null, p_mode: null },
    result: 'rows',
  },
  webhooks_find_due: { args: { p_now: null, p_lanes: 'lane_page', p_known: null }, result: 'rows' },
  webhooks_free_lanes: {
    args: { p_holder: null, p_now: null, p_lanes: 'lane_release' },
    result: 'rows',
  },
  webhooks_hurry: { args: { p_lane: null, p_now: null }, result: 'value' },
  webhooks_log_attempts: {
    args: {
      p_holder: null,
      p_now: null,
      p_is_repeated: null,
      p_attempts: 'ended_attempt',
      p_lanes: 'lane_report',
    },
    result: 'rows',
  },
  webhooks_renew_lanes: { args: { p_holder: null, p_until: null, p_ids: null }, result: 'rows' },
  workers_accuracies: { args: { p_ids: null }, result: 'rows' },
  workers_age: { args: { p_agent: null, p_ms: null }, result: 'value' },
  workers_close: { args: { p_worker: null, p_now: null, p_mail_until: null }, result: 'value' },
  workers_forget_emails: { args: { p_worker: null }, result: 'value' },
  workers_remove_unverified: { args: { p_workers: null }, result: 'rows' },
  workers_settle_disputes: { args: { p_workers: null, p_opened: null }, result: 'rows' },
}
