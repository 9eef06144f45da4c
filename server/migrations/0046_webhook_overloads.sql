-- Drops three overloads that no release has called. They had as many parameters as the functions of 0.1.0, whose calls
-- do not name types: PostgreSQL could not choose between the two, and processes of 0.1.0 delivered no webhooks.
-- lock: none
-- backfill: none
--
-- Only databases that ran the code between the releases have them. Their successors have other names.

drop function if exists webhooks_read_due(timestamptz, lane_page[], text[]);
drop function if exists webhooks_release_lanes(text, timestamptz, lane_release[]);
drop function if exists webhooks_record_attempts(text, timestamptz, boolean, ended_attempt[], lane_report[]);
