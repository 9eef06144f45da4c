-- A deposit whose payment did not fit keeps its status when an operator has decided on the money; this says when.
-- lock: deposits, access exclusive, for an instant (a column without a default)
-- backfill: none; a deposit that was decided before this migration is shown as pending until it is set by hand

alter table deposits add column if not exists decided_at timestamptz;

grant update (decided_at) on deposits to legwork_app;
