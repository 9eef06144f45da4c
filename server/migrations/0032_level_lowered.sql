-- Workers are told when their level falls because a dispute was not appealed in time.
-- lock: none
-- backfill: none

alter type notice_kind add value if not exists 'level_lowered' after 'decided';

-- workers_settle_disputes replaces it, and no release has called it.
drop function if exists workers_settle_trust(text[], timestamptz);
