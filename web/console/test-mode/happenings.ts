/** Descriptions of what happens automatically as a test agent's clock advances. */
export const HAPPENINGS: Record<string, string> = {
  'rehearsal.accept': 'A worker accepts',
  'rehearsal.proof': 'A worker sends proof',
  'rehearsal.release': 'A worker gives it back',
  'rehearsal.appeal': 'A worker appeals',
  'tasks.half_time': 'Half of the worker’s time is over',
  'tasks.time_out': 'The worker’s time is over',
  'tasks.expire': 'The deadline passes',
  'tasks.auto_approve': 'Silence approves the proof',
  'tasks.concede_appeals': 'Silence concedes the appeal',
  'tasks.rule_appeals': 'The appeal is decided',
  'tasks.lapse_held_dispute': 'Nobody decided on the held dispute, the worker is paid',
  'workers.settle_trust': 'The worker can no longer appeal',
  'webhooks.retry': 'A webhook is tried again',
}
