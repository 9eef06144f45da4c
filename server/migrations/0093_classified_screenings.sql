-- Adds the classifier's opinion about doubtful tasks, and when it is asked.
-- lock: screenings, access exclusive, for an instant (columns with constant defaults)
-- backfill: none

alter table screenings add column opinion text;
alter table screenings add constraint screenings_opinion
  check (opinion in ('allowed', 'not_allowed', 'unsure')) not valid;
-- Due at once. The calls so far count those that had no answer, too.
alter table screenings add column classify_at timestamptz not null default '1970-01-01 00:00:00+00';
alter table screenings add column classify_tries smallint not null default 0;
grant update (opinion, classify_at, classify_tries) on screenings to legwork_app;

comment on column screenings.opinion is 'not personal';
