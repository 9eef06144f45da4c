-- Counts what free tasks pay each worker on a day, so that all workers of a ring together have a daily bound.
-- lock: none (a new table)
-- backfill: none

create table promo_workers (
  day         date not null,
  worker_id   text collate "C" not null,
  spent_cents bigint not null check (spent_cents >= 0),
  primary key (day, worker_id)
);
comment on table promo_workers is 'rows: kept: the books';
comment on column promo_workers.worker_id is 'not personal';
grant select on promo_workers to legwork_app;
