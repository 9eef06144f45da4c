-- Lets the server end the deadline of a notice: after an appeal, there is nothing left to do by then.
-- lock: none
-- backfill: none; an old notice keeps its deadline until it has passed

grant update (until) on notices to legwork_app;
