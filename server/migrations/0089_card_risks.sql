-- Add the risks of a task to its card in the feed.
-- lock: open_cards, access exclusive, for an instant (a column with a constant default)
-- backfill: none; cards that exist show no risks until their task is taken, the page of a task always does

alter table open_cards add column risks text[] not null default '{}';
comment on column open_cards.risks is 'not personal';
