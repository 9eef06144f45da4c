-- Indexes over the times from which retention is counted, for the jobs and for the gauge of overdue rows.
-- lock: each table below, share: nothing is written while an index is built; none when it is there already
-- backfill: none

-- On a large table they are built by hand before the release, concurrently. Add the columns of 0053 by hand as well.
-- 0.1.0 reads whole rows of tasks with a prepared statement, which fails after a column was added: so the text itself says
-- that it was removed.
-- squawk-ignore require-concurrent-index-creation
create index if not exists tasks_with_texts on tasks (ended_at)
  where ended_at is not null and description <> 'Removed: the retention period of this text has ended.';
-- squawk-ignore require-concurrent-index-creation
create index if not exists proofs_located on proofs (submitted_at) where location is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists files_by_end on files (expires_at);
-- squawk-ignore require-concurrent-index-creation
create index if not exists files_with_evidence on files (created_at) where evidence is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists agent_tokens_by_end on agent_tokens (expires_at);
-- squawk-ignore require-concurrent-index-creation
create index if not exists worker_tokens_by_end on worker_tokens (expires_at);
-- squawk-ignore require-concurrent-index-creation
create index if not exists objection_links_by_end on objection_links (expires_at);
-- squawk-ignore require-concurrent-index-creation
create index if not exists rotated_keys_by_end on rotated_keys (expires_at);
-- squawk-ignore require-concurrent-index-creation
create index if not exists worker_email_changes_ended on worker_email_changes (ended_at) where ended_at is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists processor_events_handled on processor_events (handled_at) where handled_at is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists operator_actions_by_age on operator_actions (at);
-- squawk-ignore require-concurrent-index-creation
create index if not exists questions_closed on questions (closed_at) where closed_at is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists gone_callbacks_by_age on gone_callbacks (gone_at);
