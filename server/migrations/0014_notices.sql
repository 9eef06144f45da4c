-- What workers are told: notices, the devices they are pushed to, alerts for new tasks, and a note that half of a
-- worker's time was told of.
-- lock: assignments, access exclusive for an instant (a column without a default), then share while its index is built
-- backfill: none (an index over the assignments that are held now)

create type notice_kind as enum ('new_task', 'half_time', 'paid', 'disputed', 'decided', 'revision_requested',
  'cancelled', 'payout_paid', 'payout_failed');

-- A worker's inbox. It lives on the worker's shard, and says what was so when it was written.
create table notices (
  id                   text collate "C" primary key,
  worker_id            text collate "C" not null,
  kind                 notice_kind not null,
  -- What it tells of, by its id: the same is told once, however often the job runs.
  cause                text collate "C" not null,
  task_id              text collate "C",
  title                text,
  agent_name           text,
  amount_cents         bigint,
  distance_km          double precision,
  reason               text,
  -- Until when it matters.
  until                timestamptz,
  created_at           timestamptz not null,
  read_at              timestamptz,
  -- It comes at any hour, since it is about work that the worker is doing.
  is_pressing          boolean not null default false,
  -- When it is to be pushed, or tried again; null when that is over, or was not asked for.
  push_at              timestamptz,
  push_attempts        smallint not null default 0,
  -- The devices that have it.
  pushed_to            text[] not null default '{}',
  mailed_at            timestamptz,
  constraint notices_told_once unique (worker_id, kind, cause)
) with (fillfactor = 80);
create index notices_of_worker on notices (worker_id, id);
create index notices_unread on notices (worker_id) where read_at is null;
create index notices_to_push on notices (push_at) where push_at is not null;
create index notices_by_age on notices (created_at);

-- A browser on a device of a worker's, as its push service knows it. A directory of its own, apart from the shards:
-- one device is one worker's, whoever was logged in on it before.
create table push_subscriptions (
  id                   text collate "C" primary key,
  worker_id            text collate "C" not null,
  endpoint             text collate "C" not null constraint push_subscriptions_endpoint unique
                         check (length(endpoint) <= 2048),
  p256dh               text not null,
  auth                 text not null,
  label                text,
  -- Of its worker when it was made: one who has logged out everywhere since may have lost the device.
  session_version      integer not null default 1,
  created_at           timestamptz not null
);
create index push_subscriptions_of_worker on push_subscriptions (worker_id, id);

-- What a worker wants to hear of when it comes in; what is null is as in the profile.
create table alerts (
  worker_id            text collate "C" primary key,
  lat                  double precision,
  lng                  double precision,
  radius_km            double precision,
  types                text[] check (types <@ enum_range(null::task_type)::text[]),
  min_pay_cents        bigint,
  -- A task that came in before is no news.
  seen_at              timestamptz not null,
  look_at              timestamptz not null,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  check ((lat is null) = (lng is null))
) with (fillfactor = 70);
create index alerts_due on alerts (look_at);

alter table assignments add column half_told_at timestamptz;
-- When half of the time is over, without a time zone: only then is the sum the same for everybody. Once the work is
-- revised, nobody knows when its second time began. On a large table it is built by hand first, concurrently (README.md).
-- squawk-ignore require-concurrent-index-creation
create index if not exists assignments_half on assignments
  (((accepted_at at time zone 'UTC') + ((expires_at at time zone 'UTC') - (accepted_at at time zone 'UTC')) / 2))
  where status = 'accepted' and revisions = 0 and half_told_at is null;

grant select, insert, delete on notices to legwork_app;
grant update (read_at, push_at, push_attempts, pushed_to, mailed_at) on notices to legwork_app;
grant select, insert, update, delete on push_subscriptions, alerts to legwork_app;
grant update (half_told_at) on assignments to legwork_app;
