-- Say of every column whether it holds personal data: whose it is, what erasure does, how long it is kept, and whether
-- the person's export has it; and of every table how long it keeps its rows. README.md has the grammar. The jobs, the
-- tests and docs/retention.md follow these comments.
-- lock: each table, share update exclusive, for an instant
-- backfill: none


comment on table agent_emails is 'rows: kept: as long as the agent exists';
comment on column agent_emails.email is
  'personal: agent; keep: the contracting party; row; export: no: the agent has the API';
comment on column agent_emails.agent_id is 'not personal';

comment on table agent_tokens is 'rows: 30 days after expires_at; by: runner.remove-expired';
comment on column agent_tokens.token_hash is 'not personal';
comment on column agent_tokens.agent_id is 'not personal';
comment on column agent_tokens.purpose is 'not personal';
comment on column agent_tokens.email is
  'personal: agent; keep: ends with the row; row; export: no: the agent has the API';
comment on column agent_tokens.used_at is
  'personal: agent; keep: ends with the row; row; export: no: the agent has the API';

comment on table agents is 'rows: kept: the contracting party of the books';
comment on column agents.id is 'not personal';
comment on column agents.twin_id is 'not personal';
comment on column agents.status is 'not personal';
comment on column agents.webhook_secret is 'not personal';
comment on column agents.webhook_secret_old is 'not personal';
comment on column agents.events is 'not personal';
comment on column agents.restricted_for is 'not personal';
comment on column agents.name is
  'personal: agent; keep: the contracting party of the books; row; export: no: the agent has the API';
comment on column agents.email is
  'personal: agent; keep: the contracting party of the books; row; export: no: the agent has the API';
comment on column agents.webhook_url is
  'personal: agent; keep: the contracting party of the books; row; export: no: the agent has the API';
comment on column agents.registered_from is
  'personal: agent; keep: payouts between accounts of one person are held; row; export: no: used against fraud only';

comment on table alerts is 'rows: until the worker turns alerts off or closes the account; by: workers_close';
comment on column alerts.worker_id is 'not personal';
comment on column alerts.lat is 'personal: worker; erase; row; export: yes';
comment on column alerts.lng is 'personal: worker; erase; row; export: yes';
comment on column alerts.radius_km is 'personal: worker; erase; row; export: yes';
comment on column alerts.types is 'personal: worker; erase; row; export: yes';
comment on column alerts.seen_at is 'personal: worker; erase; row; export: no: when our clock looked for tasks';

comment on table api_keys is 'rows: kept: tasks name the key that created them';
comment on column api_keys.key_hash is 'not personal';
comment on column api_keys.id is 'not personal';
comment on column api_keys.agent_id is 'not personal';
comment on column api_keys.prefix is 'not personal';
comment on column api_keys.scopes is 'not personal';
comment on column api_keys.types is 'not personal';
comment on column api_keys.ancestors is 'not personal';
comment on column api_keys.sees is 'not personal';
comment on column api_keys.name is
  'personal: agent; keep: the agent names its keys; row; export: no: the agent has the API';
comment on column api_keys.last_used_at is
  'personal: agent; keep: shows whether a key is in use; row; export: no: the agent has the API';

comment on table appeals is 'rows: kept: decisions about money';
comment on column appeals.id is 'not personal';
comment on column appeals.dispute_id is 'not personal';
comment on column appeals.task_id is 'not personal';
comment on column appeals.agent_id is 'not personal';
comment on column appeals.assignment_id is 'not personal';
comment on column appeals.worker_id is 'not personal';
comment on column appeals.ruling is 'not personal';
comment on column appeals.statement is
  'personal: worker; keep: the reason of a decision about money; task texts; export: yes';
comment on column appeals.agent_answer is
  'personal: agent; keep: the reason of a decision about money; task texts; export: no: the agent has the API';
comment on column appeals.ruled_by is
  'personal: operator; keep: who decided; row; export: no: operators are not named to workers';
comment on column appeals.ruling_note is
  'personal: worker; keep: the reason of a decision about money; task texts; export: yes';

comment on table assignments is 'rows: kept: work that was paid for';
comment on column assignments.id is 'not personal';
comment on column assignments.task_id is 'not personal';
comment on column assignments.agent_id is 'not personal';
comment on column assignments.worker_id is 'not personal';
comment on column assignments.reason is
  'personal: worker; keep: why the worker gave the task back, for the agent; task texts; export: yes';
comment on column assignments.revision_note is
  'personal: worker; keep: what the agent asked for; task texts; export: yes';

comment on table balance_transactions is 'rows: kept: the books';
comment on column balance_transactions.id is 'not personal';
comment on column balance_transactions.type is 'not personal';
comment on column balance_transactions.reporting_category is 'not personal';
comment on column balance_transactions.currency is 'not personal';
comment on column balance_transactions.source_id is 'not personal';
comment on column balance_transactions.cancelled_by is 'not personal';

comment on table chargebacks is 'rows: kept: the books';
comment on column chargebacks.id is 'not personal';
comment on column chargebacks.deposit_id is 'not personal';
comment on column chargebacks.agent_id is 'not personal';
comment on column chargebacks.reason is 'not personal';
comment on column chargebacks.status is 'not personal';

comment on table console_sessions is 'rows: 0 days after expires_at; by: runner.remove-expired';
comment on column console_sessions.token_hash is 'not personal';
comment on column console_sessions.key_hash is 'not personal';
comment on column console_sessions.agent_id is 'not personal';
comment on column console_sessions.last_used_at is
  'personal: agent; keep: ends with the row; row; export: no: ends within days';

comment on table deliveries is
  'rows: until the event is delivered or given up, after three days; by: webhooks_log_attempts';
comment on column deliveries.event_id is 'not personal';
comment on column deliveries.traceparent is 'not personal';
comment on column deliveries.lane is 'not personal';
comment on column deliveries.agent_id is 'not personal';
comment on column deliveries.url is
  'personal: agent; keep: ends with the row; row; export: no: the agent has the API';

comment on table delivery_attempts is 'rows: 30 days after created_at; by: runner.maintain';
comment on column delivery_attempts.id is 'not personal';
comment on column delivery_attempts.event_id is 'not personal';
comment on column delivery_attempts.agent_id is 'not personal';
comment on column delivery_attempts.task_id is 'not personal';
comment on column delivery_attempts.type is 'not personal';
comment on column delivery_attempts.url is
  'personal: agent; keep: ends with the row; row; export: no: the agent has the API';
comment on column delivery_attempts.error is
  'personal: agent; keep: ends with the row; row; export: no: the agent has the API';
comment on column delivery_attempts.answer is
  'personal: agent; keep: ends with the row; row; export: no: the agent has the API';

comment on table deposits is 'rows: kept: the books';
comment on column deposits.id is 'not personal';
comment on column deposits.agent_id is 'not personal';
comment on column deposits.request_key is 'not personal';
comment on column deposits.session_id is 'not personal';
comment on column deposits.payment_intent_id is 'not personal';
comment on column deposits.charge_id is 'not personal';
comment on column deposits.balance_transaction_id is 'not personal';

comment on table disputes is 'rows: kept: decisions about money';
comment on column disputes.id is 'not personal';
comment on column disputes.task_id is 'not personal';
comment on column disputes.agent_id is 'not personal';
comment on column disputes.assignment_ids is 'not personal';
comment on column disputes.category is 'not personal';
comment on column disputes.criteria is 'not personal';
comment on column disputes.status is 'not personal';
comment on column disputes.reason is
  'personal: worker; keep: the reason of a decision about money; task texts; export: yes';
comment on column disputes.decided_by is
  'personal: operator; keep: who decided; row; export: no: operators are not named to workers';
comment on column disputes.decision_note is
  'personal: worker; keep: the reason of a decision about money; task texts; export: yes';

comment on table event_counters is 'rows: kept: one row per agent';
comment on column event_counters.agent_id is 'not personal';

comment on table events is 'rows: 30 days after created_at; by: runner.maintain';
comment on column events.id is 'not personal';
comment on column events.type is 'not personal';
comment on column events.agent_id is 'not personal';
comment on column events.task_id is 'not personal';
comment on column events.data is
  'personal: worker; keep: what the agent was told; row; export: no: a copy of the proof';

comment on table files is 'rows: 0 days after expires_at; by: files.remove-proof-files, files.sweep-unused';
comment on column files.id is 'not personal';
comment on column files.worker_id is 'not personal';
comment on column files.task_id is 'not personal';
comment on column files.assignment_id is 'not personal';
comment on column files.proof_id is 'not personal';
comment on column files.kind is 'not personal';
comment on column files.status is 'not personal';
comment on column files.content_type is 'not personal';
comment on column files.store_key is 'not personal';
comment on column files.refusal is 'not personal';
comment on column files.sha256 is 'personal: worker; replace; row; export: no: made from the photo';
comment on column files.stored_sha256 is 'personal: worker; erase; row; export: no: made from the photo';
comment on column files.dhash is 'personal: worker; erase; row; export: no: made from the photo';
comment on column files.evidence is
  'personal: worker; erase; LOCATION_KEEP_DAYS days after created_at, by files.forget-evidence; export: yes';
comment on column files.checks is 'personal: worker; keep: what the agent''s verdict was based on; row; export: yes';

comment on table gone_callbacks is 'rows: 30 days after gone_at; by: webhooks.tidy';
comment on column gone_callbacks.agent_id is 'not personal';
comment on column gone_callbacks.url is
  'personal: agent; keep: ends with the row; row; export: no: the agent has the API';

comment on table idempotency_keys is 'rows: 14 days after created_at; by: runner.maintain';
comment on column idempotency_keys.principal is 'not personal';
comment on column idempotency_keys.key_hash is 'not personal';
comment on column idempotency_keys.fingerprint is 'not personal';
comment on column idempotency_keys.answer is
  'personal: worker; erase; row; export: no: a response that the caller has had';

comment on table job_processes is 'rows: until the process ends or is found dead; by: runner';
comment on column job_processes.id is 'not personal';
comment on column job_processes.runner_ids is 'not personal';
comment on column job_processes.seen_at is 'not personal';

comment on table key_limits is 'rows: kept: ends with its key';
comment on column key_limits.key_id is 'not personal';
comment on column key_limits.agent_id is 'not personal';

comment on table ledger_agents is 'rows: kept: the books';
comment on column ledger_agents.agent_id is 'not personal';

comment on table ledger_transits is 'rows: kept: the books';
comment on column ledger_transits.ref_id is 'not personal';

comment on table ledger_workers is 'rows: kept: the books';
comment on column ledger_workers.worker_id is 'not personal';

comment on table money_breaks is 'rows: kept: the books';
comment on column money_breaks.kind is 'not personal';
comment on column money_breaks.subject is 'not personal';
comment on column money_breaks.detail is 'not personal';
comment on column money_breaks.seen_at is 'not personal';
comment on column money_breaks.explained_by is
  'personal: operator; keep: who explained a difference in the books; row; export: no: about an operator';
comment on column money_breaks.explanation is 'not personal';

comment on table notices is 'rows: 90 days after created_at; by: notices.tidy';
comment on column notices.id is 'not personal';
comment on column notices.worker_id is 'not personal';
comment on column notices.cause is 'not personal';
comment on column notices.task_id is 'not personal';
comment on column notices.pushed_to is 'not personal';
comment on column notices.question_id is 'not personal';
comment on column notices.title is 'personal: worker; erase; row; export: yes';
comment on column notices.agent_name is 'personal: worker; erase; row; export: yes';
comment on column notices.reason is 'personal: worker; erase; row; export: yes';
comment on column notices.distance_km is 'personal: worker; erase; row; export: yes';
comment on column notices.read_at is 'personal: worker; erase; row; export: yes';

comment on table objection_links is 'rows: 30 days after expires_at; by: runner.remove-expired';
comment on column objection_links.token_hash is 'not personal';
comment on column objection_links.decision_id is 'not personal';

comment on table open_tasks is 'rows: until the task is taken, hidden or over; by: tasks.project-open';
comment on column open_tasks.task_id is 'not personal';
comment on column open_tasks.agent_id is 'not personal';
comment on column open_tasks.paid_chance is 'not personal';
comment on column open_tasks.northing is 'not personal';
comment on column open_tasks.lat is
  'personal: third person; keep: a copy of an open task; row; export: no: the agent has the API';
comment on column open_tasks.lng is
  'personal: third person; keep: a copy of an open task; row; export: no: the agent has the API';
comment on column open_tasks.area is
  'personal: third person; keep: a copy of an open task; row; export: no: the agent has the API';

comment on table operator_actions is 'rows: 730 days after at; by: runner.remove-expired';
comment on column operator_actions.command is 'not personal';
comment on column operator_actions.outcome is 'not personal';
comment on column operator_actions.operator is
  'personal: operator; keep: the audit log; row; export: no: about an operator';
comment on column operator_actions.words is 'personal: worker; replace; row; export: no: the operators'' audit log';
comment on column operator_actions.answer is 'personal: worker; replace; row; export: no: the operators'' audit log';

comment on table outbox is 'rows: until relayed, within seconds; by: webhooks/take-events.ts';
comment on column outbox.traceparent is 'not personal';
comment on column outbox.id is 'not personal';
comment on column outbox.type is 'not personal';
comment on column outbox.agent_id is 'not personal';
comment on column outbox.task_id is 'not personal';
comment on column outbox.data is
  'personal: worker; keep: becomes a row of events; row; export: no: a copy of the proof';

comment on table payout_accounts is 'rows: kept: payouts name the account that they went to';
comment on column payout_accounts.worker_id is 'not personal';
comment on column payout_accounts.account_id is
  'personal: worker; keep: payments went to this account; row; export: yes';
comment on column payout_accounts.country is 'personal: worker; keep: payments went to this account; row; export: yes';
comment on column payout_accounts.requirements_due is
  'personal: worker; keep: payments went to this account; row; export: yes';
comment on column payout_accounts.email is 'personal: worker; replace; row; export: yes';
comment on column payout_accounts.name is 'personal: worker; replace; row; export: yes';
comment on column payout_accounts.bank_last4 is 'personal: worker; erase; row; export: yes';

comment on table payouts is 'rows: kept: the books';
comment on column payouts.id is 'not personal';
comment on column payouts.worker_id is 'not personal';
comment on column payouts.agent_id is 'not personal';
comment on column payouts.task_id is 'not personal';
comment on column payouts.previous_id is 'not personal';
comment on column payouts.account_id is 'personal: worker; keep: the books; row; export: yes';
comment on column payouts.transfer_id is 'personal: worker; keep: the books; row; export: yes';
comment on column payouts.hold_reason is 'personal: worker; keep: the books; row; export: yes';
comment on column payouts.failure_code is 'personal: worker; keep: the books; row; export: yes';
comment on column payouts.failure_message is 'personal: worker; keep: the books; row; export: yes';
comment on column payouts.note is
  'personal: worker; keep: why an operator released or reversed it; row; export: no: a note of an operator';

comment on table photo_hashes is
  'rows: until the file or the account goes; by: files.remove-proof-files, files.forget-worker';
comment on column photo_hashes.file_id is 'not personal';
comment on column photo_hashes.worker_id is 'not personal';
comment on column photo_hashes.task_id is 'not personal';
comment on column photo_hashes.sha256 is 'personal: worker; erase; row; export: no: made from the photo';
comment on column photo_hashes.dhash is 'personal: worker; erase; row; export: no: made from the photo';

comment on table platform_switches is 'rows: kept: one row per switch';
comment on column platform_switches.name is 'not personal';
comment on column platform_switches.reason is 'not personal';
comment on column platform_switches.set_by is
  'personal: operator; keep: who changed the switch; row; export: no: about an operator';

comment on table processor_attempts is 'rows: kept: the books';
comment on column processor_attempts.subject_id is 'not personal';
comment on column processor_attempts.key is 'not personal';
comment on column processor_attempts.last_cause is 'not personal';
comment on column processor_attempts.outcome is 'not personal';
comment on column processor_attempts.code is 'not personal';
comment on column processor_attempts.message is 'not personal';

comment on table processor_events is 'rows: 90 days after handled_at; by: runner.remove-expired';
comment on column processor_events.event_id is 'not personal';
comment on column processor_events.source is 'not personal';
comment on column processor_events.type is 'not personal';
comment on column processor_events.object_id is 'not personal';
comment on column processor_events.account_id is 'not personal';
comment on column processor_events.payload is 'not personal';
comment on column processor_events.status is 'not personal';
comment on column processor_events.error is 'not personal';

comment on table processor_matches is 'rows: kept: the books';
comment on column processor_matches.key is 'not personal';
comment on column processor_matches.balance_transaction_id is 'not personal';

comment on table promo_days is 'rows: kept: one row per day';

comment on table proofs is 'rows: kept: work that was paid for';
comment on column proofs.id is 'not personal';
comment on column proofs.assignment_id is 'not personal';
comment on column proofs.task_id is 'not personal';
comment on column proofs.agent_id is 'not personal';
comment on column proofs.worker_id is 'not personal';
comment on column proofs.text is 'personal: worker; keep: the agent paid for it; task texts; export: yes';
comment on column proofs.answer is 'personal: worker; keep: the agent paid for it; task texts; export: yes';
comment on column proofs.location is
  'personal: worker; erase; LOCATION_KEEP_DAYS days after submitted_at, by places.coarsen-locations; export: yes';
comment on column proofs.area is 'personal: worker; keep: about 150 km wide; row; export: yes';
comment on column proofs.checks is 'personal: worker; keep: what the agent''s verdict was based on; row; export: yes';

comment on table push_subscriptions is
  'rows: until logout, push is off or the account is closed; by: notices.tidy, workers_close';
comment on column push_subscriptions.id is 'not personal';
comment on column push_subscriptions.worker_id is 'not personal';
comment on column push_subscriptions.session_id is 'not personal';
comment on column push_subscriptions.server_key is 'not personal';
comment on column push_subscriptions.endpoint is 'personal: worker; erase; row; export: no: keys of the device';
comment on column push_subscriptions.p256dh is 'personal: worker; erase; row; export: no: keys of the device';
comment on column push_subscriptions.auth is 'personal: worker; erase; row; export: no: keys of the device';
comment on column push_subscriptions.label is 'personal: worker; erase; row; export: yes';

comment on table question_messages is 'rows: until its question is removed; by: questions.remove-old';
comment on column question_messages.id is 'not personal';
comment on column question_messages.question_id is 'not personal';
comment on column question_messages.worker_id is 'not personal';
comment on column question_messages.author is 'not personal';
comment on column question_messages.operator is
  'personal: operator; erase; row; export: no: operators are not named to workers';
comment on column question_messages.text is 'personal: worker; erase; row; export: yes';

comment on table questions is 'rows: 730 days after closed_at; by: questions.remove-old';
comment on column questions.id is 'not personal';
comment on column questions.worker_id is 'not personal';
comment on column questions.subject is 'not personal';
comment on column questions.task_id is 'not personal';
comment on column questions.status is 'not personal';
comment on column questions.ended_for is 'not personal';
comment on column questions.task_title is 'personal: worker; erase; row; export: yes';

comment on table reconciliations is 'rows: 730 days after at; by: runner.remove-expired';

comment on table refunds is 'rows: kept: the books';
comment on column refunds.id is 'not personal';
comment on column refunds.deposit_id is 'not personal';
comment on column refunds.agent_id is 'not personal';
comment on column refunds.processor_refund_id is 'not personal';
comment on column refunds.reason is 'not personal';
comment on column refunds.failure_code is 'not personal';
comment on column refunds.failure_message is 'not personal';
comment on column refunds.requested_by is
  'personal: operator; keep: who asked for the refund; row; export: no: about an operator';

comment on table refused_requests is 'rows: 7 days after created_at; by: runner.maintain';
comment on column refused_requests.id is 'not personal';
comment on column refused_requests.agent_id is 'not personal';
comment on column refused_requests.key_id is 'not personal';
comment on column refused_requests.method is 'not personal';
comment on column refused_requests.path is 'not personal';
comment on column refused_requests.code is 'not personal';
comment on column refused_requests.user_agent is
  'personal: agent; keep: ends with the row; row; export: no: the agent has the API';
comment on column refused_requests.request_body is
  'personal: agent; keep: ends with the row; row; export: no: the agent has the API';
comment on column refused_requests.response_body is
  'personal: agent; keep: ends with the row; row; export: no: the agent has the API';

comment on table rotated_keys is 'rows: 0 days after expires_at; by: runner.remove-expired';
comment on column rotated_keys.key_hash is 'not personal';
comment on column rotated_keys.key_id is 'not personal';

comment on table task_reports is 'rows: kept: ends with its task';
comment on column task_reports.task_id is 'not personal';
comment on column task_reports.worker_id is 'not personal';
comment on column task_reports.kind is 'not personal';
comment on column task_reports.verdict is 'not personal';
comment on column task_reports.note is
  'personal: worker; keep: the reason of a decision about a task; task texts; export: yes';

comment on table tasks is 'rows: kept: work that was paid for';
comment on column tasks.id is 'not personal';
comment on column tasks.agent_id is 'not personal';
comment on column tasks.status_reason is 'not personal';
comment on column tasks.skills is 'not personal';
comment on column tasks.answer_schema is 'not personal';
comment on column tasks.callback_url is 'not personal';
comment on column tasks.min_confidence is 'not personal';
comment on column tasks.approved_by is 'not personal';
comment on column tasks.settlement is 'not personal';
comment on column tasks.rehearsal is 'not personal';
comment on column tasks.key_path is 'not personal';
comment on column tasks.languages is 'not personal';
comment on column tasks.title is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
comment on column tasks.description is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
comment on column tasks.location is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
comment on column tasks.context is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
comment on column tasks.metadata is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
comment on column tasks.criteria is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
comment on column tasks.consensus is
  'personal: worker; keep: the result that the agent paid for; task texts; export: no: made from several answers';

comment on table test_advances is 'rows: until the test agent is erased; by: rehearsal.erase-agents';
comment on column test_advances.agent_id is 'not personal';
comment on column test_advances.key is 'not personal';
comment on column test_advances.fired is 'not personal';

comment on table test_clocks is 'rows: until the test agent is erased; by: rehearsal.erase-agents';
comment on column test_clocks.agent_id is 'not personal';
comment on column test_clocks.held_by is 'not personal';

comment on table test_usage is 'rows: 2 days after day; by: runner.remove-expired';
comment on column test_usage.subject is
  'personal: agent; keep: ends with the row; row; export: no: a quota per network address, ends within days';

comment on table transfers is 'rows: kept: the books';
comment on column transfers.key is 'not personal';
comment on column transfers.id is 'not personal';
comment on column transfers.kind is 'not personal';
comment on column transfers.debit is 'not personal';
comment on column transfers.credit is 'not personal';
comment on column transfers.agent_id is 'not personal';
comment on column transfers.worker_id is 'not personal';
comment on column transfers.task_id is 'not personal';
comment on column transfers.ref_id is 'not personal';

comment on table trust_events is 'rows: kept: the trust score is their sum';
comment on column trust_events.worker_id is 'not personal';
comment on column trust_events.key is 'not personal';
comment on column trust_events.cause is 'not personal';
comment on column trust_events.task_id is 'not personal';
comment on column trust_events.good is 'personal: worker; keep: the trust score is their sum; row; export: yes';
comment on column trust_events.bad is 'personal: worker; keep: the trust score is their sum; row; export: yes';
comment on column trust_events.weight is 'personal: worker; keep: the trust score is their sum; row; export: yes';

comment on table webhook_lanes is 'rows: until a callback host was unused for 30 days; by: webhooks.tidy';
comment on column webhook_lanes.id is 'not personal';
comment on column webhook_lanes.agent_id is 'not personal';
comment on column webhook_lanes.held_by is 'not personal';
comment on column webhook_lanes.disabled_for is 'not personal';

comment on table withdrawals is 'rows: kept: the books';
comment on column withdrawals.id is 'not personal';
comment on column withdrawals.status is 'not personal';
comment on column withdrawals.processor_payout_id is 'not personal';
comment on column withdrawals.failure_message is 'not personal';
comment on column withdrawals.requested_by is
  'personal: operator; keep: who asked for the withdrawal; row; export: no: about an operator';

comment on table worker_closings is 'rows: until the last mail of a closed account; by: workers.close-accounts';
comment on column worker_closings.worker_id is 'not personal';

comment on table worker_decisions is 'rows: kept: decisions about a worker, and their objections';
comment on column worker_decisions.id is 'not personal';
comment on column worker_decisions.worker_id is 'not personal';
comment on column worker_decisions.kind is 'not personal';
comment on column worker_decisions.task_ids is 'not personal';
comment on column worker_decisions.reply is 'not personal';
comment on column worker_decisions.ended_for is 'not personal';
comment on column worker_decisions.reason is
  'personal: worker; keep: the reason of a decision about the worker; row; export: yes';
comment on column worker_decisions.objection is
  'personal: worker; keep: the reason of a decision about the worker; row; export: yes';
comment on column worker_decisions.reply_note is
  'personal: worker; keep: the reason of a decision about the worker; row; export: yes';
comment on column worker_decisions.end_note is
  'personal: worker; keep: the reason of a decision about the worker; row; export: yes';
comment on column worker_decisions.decided_by is
  'personal: operator; keep: who decided; row; export: no: operators are not named to workers';
comment on column worker_decisions.replied_by is
  'personal: operator; keep: who decided; row; export: no: operators are not named to workers';
comment on column worker_decisions.ended_by is
  'personal: operator; keep: who decided; row; export: no: operators are not named to workers';

comment on table worker_email_changes is 'rows: 90 days after ended_at; by: runner.remove-expired';
comment on column worker_email_changes.id is 'not personal';
comment on column worker_email_changes.worker_id is 'not personal';
comment on column worker_email_changes.ended_for is 'not personal';
comment on column worker_email_changes.old_email is 'personal: worker; erase; row; export: yes';
comment on column worker_email_changes.new_email is 'personal: worker; erase; row; export: yes';

comment on table worker_email_links is 'rows: until the change ends; by: workers.end-email-changes';
comment on column worker_email_links.token_hash is 'not personal';
comment on column worker_email_links.change_id is 'not personal';
comment on column worker_email_links.purpose is 'not personal';

comment on table worker_emails is 'rows: until the account is closed; by: workers_close';
comment on column worker_emails.worker_id is 'not personal';
comment on column worker_emails.email is 'personal: worker; erase; row; export: no: the same address is in workers';

comment on table worker_sessions is 'rows: 0 days after expires_at; by: workers.tidy-sessions';
comment on column worker_sessions.id is 'not personal';
comment on column worker_sessions.worker_id is 'not personal';
comment on column worker_sessions.browser is 'personal: worker; erase; row; export: yes';
comment on column worker_sessions.system is 'personal: worker; erase; row; export: yes';
comment on column worker_sessions.used_at is 'personal: worker; erase; row; export: yes';

comment on table worker_tokens is 'rows: 30 days after expires_at; by: runner.remove-expired';
comment on column worker_tokens.token_hash is 'not personal';
comment on column worker_tokens.worker_id is 'not personal';
comment on column worker_tokens.purpose is 'not personal';
comment on column worker_tokens.used_at is 'personal: worker; erase; row; export: no: hashes of links';

comment on table workers is 'rows: kept: the ledger names the id, the person is erased';
comment on column workers.id is 'not personal';
comment on column workers.agent_id is 'not personal';
comment on column workers.name is 'personal: worker; replace; row; export: yes';
comment on column workers.email is 'personal: worker; replace; row; export: yes';
comment on column workers.password_hash is 'personal: worker; replace; row; export: no: of no use to the worker';
comment on column workers.skills is 'personal: worker; erase; row; export: yes';
comment on column workers.languages is 'personal: worker; erase; row; export: yes';
comment on column workers.location is 'personal: worker; erase; row; export: yes';
comment on column workers.preferences is 'personal: worker; erase; row; export: yes';
comment on column workers.registered_from is 'personal: worker; erase; row; export: yes';
comment on column workers.app_language is 'personal: worker; replace; row; export: yes';
comment on column workers.trust_good is 'personal: worker; keep: a number without a name; row; export: yes';
comment on column workers.trust_bad is 'personal: worker; keep: a number without a name; row; export: yes';
comment on column workers.trust_pending is 'personal: worker; keep: a number without a name; row; export: yes';
comment on column workers.accuracy is 'personal: worker; keep: a number without a name; row; export: yes';

comment on table ledger_audits is 'rows: kept: when which part of the books was proven';
comment on column ledger_audits.kind is 'not personal';
comment on column ledger_audits.pass is 'not personal';
comment on column ledger_audits.position is 'not personal';
comment on column ledger_audits.carry is 'not personal';

comment on table ledger_breaks is 'rows: kept: faults of the books';
comment on column ledger_breaks.invariant is 'not personal';
comment on column ledger_breaks.subject is 'not personal';
comment on column ledger_breaks.seen_at is 'not personal';

comment on table ledger_proofs is 'rows: kept: as long as the balance that it proves';
comment on column ledger_proofs.owner_id is 'not personal';

comment on table ledger_totals is 'rows: kept: sums of the books';
comment on column ledger_totals.agent_id is 'not personal';
comment on column ledger_totals.kind is 'not personal';
comment on column ledger_totals.credit is 'not personal';

comment on table ledger_checksums is 'rows: kept: until the next round replaces them';

comment on table ledger_sums is 'rows: kept: two rows';
comment on column ledger_sums.name is 'not personal';

comment on table restores is 'rows: kept: which time was lost';
comment on column restores.declared_by is
  'personal: operator; keep: who answers for the restore; row; export: no: an operator has no account';
comment on column restores.opened_by is
  'personal: operator; keep: who answers for the restore; row; export: no: an operator has no account';
