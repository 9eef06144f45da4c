-- Workers are asked whether they are fine by a notice.
-- lock: none
-- backfill: none

alter type notice_kind add value if not exists 'check_in' after 'half_time';
