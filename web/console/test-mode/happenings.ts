/** Descriptions of what happens automatically as a test agent's clock advances. */
export const HAPPENINGS: Record<string, string> = {
  'rehearsal.accept': 'A worker accepts',
  'rehearsal.proof': 'A worker sends proof',
  'rehearsal.release': 'A worker hands the task back',
  'rehearsal.appeal': 'A worker appeals',
  'tasks.half_time': 'Half of the worker’s time has passed',
  'tasks.time_out': 'The worker runs out of time',
  'tasks.expire': 'The deadline passes',
  'tasks.auto_approve': 'The proof is approved automatically',
  'tasks.concede_appeals': 'The worker wins the appeal because you didn’t reply',
  'tasks.rule_appeals': 'The appeal is decided',
  'tasks.lapse_held_dispute': 'Nobody decided on the dispute in time, so the worker is paid',
  'workers.settle_trust': 'The worker can no longer appeal',
  'webhooks.retry': 'A webhook is retried',
}
