-- Store with which of our keys a device subscribed, so that the pair of push keys can be replaced.
-- lock: push_subscriptions, access exclusive, for an instant (a column without a default)
-- backfill: none; null means the pair in use before this migration

alter table push_subscriptions add column server_key text collate "C"
  constraint push_subscriptions_server_key check (length(server_key) <= 100);
