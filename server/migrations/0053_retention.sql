-- The end of personal data: what takes the place of an exact location, of a proof's files and of a task's texts.
-- lock: proofs, access exclusive, for an instant (columns without a default)
-- backfill: none; the jobs of docs/retention.md work through old rows in batches

alter table proofs
  -- The region of `location`, which is erased after LOCATION_KEEP_DAYS.
  add column area json,
  -- When the photos and recordings were deleted, PROOF_KEEP_DAYS after the task had ended.
  add column files_removed_at timestamptz;
grant update (location, area, files_removed_at) on proofs to legwork_app;

-- For files.forget-worker.
grant update (sha256) on files to legwork_app;

-- The texts of an appeal end with those of its task. Its ruling never changes.
create or replace function refuse_appeal_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('legwork.removing_texts', true), '') = 'on'
     and (new.ruling, new.ruled_by, new.ruled_at) is not distinct from (old.ruling, old.ruled_by, old.ruled_at) then
    return new;
  end if;
  if old.ruling is not null or old.agent_answer is not null and new.agent_answer is distinct from old.agent_answer then
    raise exception 'an appeal is answered once and ruled on once' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- For questions.remove-old.
grant delete on questions, question_messages to legwork_app;
