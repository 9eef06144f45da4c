-- The language of a worker's app, in which we write our emails to the worker.
-- lock: workers, access exclusive, for an instant (a constant default rewrites no row; the check is not validated)
-- backfill: none; the app sends its language the next time that it is opened

alter table workers
  -- Unlike `languages`, which the worker speaks and tasks ask for, this is one exact tag.
  add column if not exists app_language text not null default 'en',
  add constraint workers_app_language check (app_language in ('en', 'es', 'ar', 'pt-BR', 'fr', 'de')) not valid;

grant update (app_language) on workers to legwork_app;
