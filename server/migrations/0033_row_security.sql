-- Row-level security: within the transaction of a request, a tenant reaches only its own rows of these tables. The
-- application says who asks by `set local legwork.agent_id` or `legwork.worker_id` (server/src/kit/db.ts). Where neither
-- is set (jobs, timers, operators, processes of the release before) all rows are reached, as until now.
-- lock: each table, access exclusive, for an instant
-- backfill: none

alter table deposits enable row level security;
create policy deposits_of_tenant on deposits to legwork_app
  using (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));

alter table refunds enable row level security;
create policy refunds_of_tenant on refunds to legwork_app
  using (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));

alter table disputes enable row level security;
create policy disputes_of_tenant on disputes to legwork_app
  using (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));

alter table appeals enable row level security;
create policy appeals_of_tenant on appeals to legwork_app
  using (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));

alter table notices enable row level security;
create policy notices_of_tenant on notices to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));

alter table alerts enable row level security;
create policy alerts_of_tenant on alerts to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));

alter table payout_accounts enable row level security;
create policy payout_accounts_of_tenant on payout_accounts to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));

alter table worker_decisions enable row level security;
create policy worker_decisions_of_tenant on worker_decisions to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));

alter table trust_events enable row level security;
create policy trust_events_of_tenant on trust_events to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
