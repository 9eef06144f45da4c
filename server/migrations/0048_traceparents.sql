-- Keeps the trace of an event on its way through the outbox to the webhook. Written only if the request is sampled.
-- lock: outbox and deliveries, access exclusive, for an instant (columns without a default)
-- backfill: none; the events of earlier requests belong to no trace

alter table outbox
  add column if not exists traceparent text,
  add constraint outbox_traceparent check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-01$') not valid;

alter table deliveries
  add column if not exists traceparent text,
  add constraint deliveries_traceparent check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-01$') not valid;

alter type task_creation add attribute traceparent text;
alter type new_event add attribute traceparent text;
