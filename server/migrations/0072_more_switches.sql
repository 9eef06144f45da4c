-- Adds switches for registrations, for every type of task, and for read-only mode.
-- lock: platform_switches, access exclusive, for an instant (a constraint that is validated later)
-- backfill: none

alter table platform_switches drop constraint platform_switches_name_check;
alter table platform_switches add constraint platform_switches_name_check
  check (name in ('free_tasks', 'payouts', 'refunds', 'withdrawals', 'registrations', 'tasks_verification',
                  'tasks_voice_proxy', 'tasks_gut_check', 'tasks_field_mission', 'tasks_empathy_escalation',
                  'tasks_vibe_reader', 'tasks_custom', 'read_only')) not valid;

insert into platform_switches (name)
values ('registrations'), ('tasks_verification'), ('tasks_voice_proxy'), ('tasks_gut_check'), ('tasks_field_mission'),
       ('tasks_empathy_escalation'), ('tasks_vibe_reader'), ('tasks_custom');
-- The only switch that stops something while it is on.
insert into platform_switches (name, is_on) values ('read_only', false);
