-- Record when a worker confirmed being 18 or older, and the version of the terms at that time.
-- lock: workers, access exclusive, for an instant (columns without a default)
-- backfill: none; the app asks workers who have not confirmed it

alter table workers add column adult_confirmed_at timestamptz, add column terms_version text collate "C";
grant update (adult_confirmed_at, terms_version) on workers to legwork_app;
comment on column workers.terms_version is 'not personal';
