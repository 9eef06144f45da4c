/**
 * A table of every state in which money or a person can wait: where it is in the schema, who can end it, what the clock
 * does, and who is notified. `states.test.ts` compares it with the database, `exits.test.ts` drives each line to its
 * end, and `docs/waiting-states.md` is generated from it.
 */

export type By = 'agent' | 'worker' | 'operator' | 'processor' | 'clock'

export interface Exit {
  by: By
  /**
   * A call (`POST /tasks/:id/cancel`), a command (`ops appeal`), the name of a timer or job, or a description of the
   * processor's action.
   */
  how: string
  does: string
  /**
   * `event TYPE` notifies the agent, `notice KIND` the worker, `mail TEMPLATE` either; empty if the response to the
   * caller says it.
   */
  tells: readonly string[]
  /** The clock alone ends the state, whatever anybody does. */
  isCertain?: true
}

export interface Line {
  id: string
  /** Schema parts that this line covers: `table.column=value`, `table.column`, `table`, or a name of our own. */
  at: readonly string[]
  /** The rows in the state; `key` is the column that identifies one. */
  rows?: { table: string; where: string; key?: string }
  who: 'money' | 'person' | 'nobody'
  waits: string
  /** Notifications sent when the state is entered. */
  tells?: readonly string[]
  exits: readonly Exit[]
  /** The queue in which operators see it. */
  queue?: string
  /** The ops command that reports it when it lasts too long, and a part of its output. */
  alarm?: { command: string; says: string; after: string }
  /** Why no clock ends it, or why nothing waits. */
  why?: string
}

const cancel: Exit = {
  by: 'agent',
  how: 'POST /tasks/:id/cancel',
  does: 'cancels the task; its workers are compensated, and the rest of the budget returns to the wallet',
  tells: ['event task.cancelled'],
}
const withdraw: Exit = {
  by: 'agent',
  how: 'POST /tasks/:id/dispute/withdraw',
  does: 'withdraws the dispute; the worker is paid in full',
  tells: ['event task.dispute_resolved', 'notice decided'],
}
const release: Exit = {
  by: 'operator',
  how: 'ops payout release',
  does: 'ends the hold; the payout is sent',
  tells: ['event payout.paid', 'notice payout_paid'],
}
const retry: Exit = {
  by: 'operator',
  how: 'ops payout retry',
  does: 'sends the money again as a new payout',
  tells: ['event payout.paid', 'notice payout_paid'],
}

const TASKS: Line[] = [
  {
    id: 'task-pending',
    at: ['tasks.status=pending', 'tasks.deadline', 'open_tasks.deadline', 'account liab:escrow'],
    rows: { table: 'tasks', where: `status = 'pending'` },
    who: 'money',
    waits: 'The budget is in escrow until a worker accepts the task',
    exits: [
      {
        by: 'worker',
        how: 'POST /worker/tasks/:id/accept',
        does: 'takes the task',
        tells: ['event task.accepted'],
      },
      cancel,
      {
        by: 'clock',
        how: 'tasks.expire',
        isCertain: true,
        does: 'at the deadline (at most 90 days): the task expires and the whole budget returns',
        tells: ['event task.expired'],
      },
    ],
  },
  {
    id: 'assignment-accepted',
    at: [
      'tasks.status=in_progress',
      'assignments.status=accepted',
      'assignments.expires_at',
      'assignments.deadline',
    ],
    rows: { table: 'assignments', where: `status = 'accepted'` },
    who: 'money',
    waits: 'A worker has the task; the agent waits for proof',
    exits: [
      {
        by: 'worker',
        how: 'POST /worker/tasks/:id/proof',
        does: 'submits proof',
        tells: ['event task.proof_submitted'],
      },
      {
        by: 'worker',
        how: 'POST /worker/tasks/:id/release',
        does: 'releases the slot',
        tells: ['event task.released'],
      },
      {
        by: 'worker',
        how: 'POST /worker/tasks/:id/unsafe',
        does: 'ends the assignment as proof that the task is not possible; paid at once, or with the verdict',
        tells: ['event task.proof_submitted'],
      },
      { ...cancel, tells: ['event task.cancelled', 'notice cancelled'] },
      {
        by: 'clock',
        how: 'tasks.time-out',
        isCertain: true,
        does: 'when the work timer ends (15 minutes to 24 hours): the slot is free again; the worker gets a reminder at half time',
        tells: ['event task.released'],
      },
    ],
  },
  {
    id: 'revision-requested',
    at: ['assignments.revisions'],
    rows: { table: 'assignments', where: `status = 'accepted' and revisions > 0` },
    who: 'money',
    waits: 'The agent has requested a revision; the work timer has restarted',
    tells: ['event task.revision_requested', 'notice revision_requested'],
    exits: [
      {
        by: 'worker',
        how: 'POST /worker/tasks/:id/proof',
        does: 'submits the revised proof',
        tells: ['event task.proof_submitted'],
      },
      {
        by: 'clock',
        how: 'tasks.time-out',
        isCertain: true,
        does: 'when the timer ends: the earlier proof counts again, and the agent’s review period restarts',
        tells: ['event task.approval_due'],
      },
    ],
  },
  {
    id: 'proof-waits-for-others',
    at: ['assignments.status=submitted'],
    rows: {
      table: 'assignments',
      where: `status = 'submitted' and exists (
        select 1 from tasks t where t.id = assignments.task_id and t.status = 'in_progress')`,
    },
    who: 'person',
    waits: 'A worker of a consensus task has submitted proof; others have not',
    exits: [
      { ...cancel, tells: ['event task.cancelled', 'notice cancelled'] },
      {
        by: 'clock',
        how: 'tasks.expire',
        isCertain: true,
        does: 'at the deadline: the task goes to review if more than half of the proofs were submitted; otherwise it expires and each proof is paid 30 % of its share',
        tells: ['event task.expired', 'notice cancelled'],
      },
    ],
  },
  {
    id: 'task-proof-submitted',
    at: ['tasks.status=proof_submitted', 'tasks.review_due_at'],
    rows: { table: 'tasks', where: `status = 'proof_submitted' and status_reason is null` },
    who: 'money',
    waits: 'The worker waits for the agent’s verdict',
    exits: [
      {
        by: 'agent',
        how: 'POST /tasks/:id/approve',
        does: 'pays the worker',
        tells: ['event task.completed', 'notice paid'],
      },
      {
        by: 'agent',
        how: 'POST /tasks/:id/dispute',
        does: 'returns the budget; the worker may appeal',
        tells: ['event task.disputed', 'notice disputed'],
      },
      {
        by: 'agent',
        how: 'POST /tasks/:id/request-revision',
        does: 'lets the worker submit again',
        tells: ['event task.revision_requested', 'notice revision_requested'],
      },
      {
        by: 'clock',
        how: 'tasks.auto-approve',
        isCertain: true,
        does: 'after 24 hours to 7 days without a verdict, depending on the budget: the worker is paid',
        tells: ['event task.completed', 'notice paid'],
      },
    ],
  },
  {
    id: 'consensus-conflict',
    at: ['reason consensus_conflict'],
    rows: {
      table: 'tasks',
      where: `status = 'proof_submitted' and status_reason = 'consensus_conflict'`,
    },
    who: 'money',
    waits: 'The workers disagree; the agent decides with override_result',
    exits: [
      {
        by: 'agent',
        how: 'POST /tasks/:id/approve',
        does: 'pays all workers; `override_result` becomes the result',
        tells: ['event task.completed', 'notice paid'],
      },
      {
        by: 'clock',
        how: 'tasks.auto-approve',
        isCertain: true,
        does: 'without a verdict in time: all workers are paid, and the result is null',
        tells: ['event task.completed', 'notice paid'],
      },
    ],
  },
  {
    id: 'dispute-held',
    queue: 'held_disputes',
    at: [
      'disputes.status=held',
      'disputes.decides_by',
      'disputes.decided_at',
      'disputes.decided_by',
      'tasks.decides_by',
      'reason dispute_held',
    ],
    rows: { table: 'disputes', where: `status = 'held'` },
    who: 'money',
    waits:
      'An agent with many disputes has opened another one; no money moves until an operator decides',
    tells: ['event task.dispute_held', 'notice dispute_held'],
    exits: [
      {
        by: 'operator',
        how: 'ops dispute',
        does: 'upholds it, which opens the dispute, or rejects it, and the worker is paid',
        tells: ['event task.dispute_resolved', 'notice decided'],
      },
      {
        by: 'agent',
        how: 'POST /tasks/:id/approve',
        does: 'approves instead; the worker is paid',
        tells: ['event task.completed', 'notice paid'],
      },
      { ...withdraw, tells: ['event task.dispute_resolved'] },
      {
        by: 'clock',
        how: 'tasks.lapse-held-disputes',
        isCertain: true,
        does: 'after 72 hours without a decision: the worker is paid',
        tells: ['event task.completed', 'event task.dispute_resolved', 'notice decided'],
      },
    ],
    alarm: { command: 'ops disputes', says: 'to decide', after: 'immediately' },
  },
  {
    id: 'dispute-open',
    at: [
      'tasks.status=disputed',
      'assignments.status=disputed',
      'disputes.status=open',
      'reason disputed_by_agent',
    ],
    rows: {
      table: 'disputes',
      where: `status = 'open' and not exists (select 1 from appeals a where a.dispute_id = disputes.id)`,
    },
    who: 'person',
    waits: 'The worker can appeal for 72 hours. The agent already has its money back',
    tells: ['event task.disputed', 'notice disputed'],
    exits: [
      {
        by: 'worker',
        how: 'POST /worker/tasks/:id/appeal',
        does: 'appeals the dispute',
        tells: ['event task.appealed'],
      },
      withdraw,
    ],
    why: 'After 72 hours the dispute is final: no money is due and nobody waits, so no row changes. The agent can withdraw it for 30 days.',
  },
  {
    id: 'appeal-unanswered',
    at: ['appeals.agent_until', 'appeals'],
    rows: { table: 'appeals', where: `ruling is null and agent_answer is null` },
    who: 'money',
    waits: 'The worker has appealed; the agent has 48 hours to reply',
    tells: ['event task.appealed'],
    exits: [
      {
        by: 'agent',
        how: 'POST /tasks/:id/dispute/answer',
        does: 'replies; an operator then rules',
        tells: [],
      },
      withdraw,
      {
        by: 'clock',
        how: 'tasks.concede-appeals',
        isCertain: true,
        does: 'after 48 hours without a reply: the worker wins and is paid',
        tells: ['event task.dispute_resolved', 'notice decided'],
      },
    ],
  },
  {
    id: 'appeal-answered',
    queue: 'appeals',
    at: ['appeals.ruling'],
    rows: { table: 'appeals', where: `ruling is null and agent_answer is not null` },
    who: 'money',
    waits: 'Both sides have given their reasons; the worker waits for a ruling',
    exits: [
      {
        by: 'operator',
        how: 'ops appeal',
        does: 'rules: upheld, overturned or split',
        tells: ['event task.dispute_resolved', 'notice decided'],
      },
      withdraw,
    ],
    alarm: { command: 'ops waiting', says: 'appeals to rule on', after: '2 days' },
    why: 'Neither side is at fault for the wait, so no timer can decide: an operator reads both sides. In test mode the clock rules.',
  },
  {
    id: 'appeal-answered-test',
    at: ['test appeals'],
    rows: {
      table: 'appeals',
      where: `ruling is null and agent_answer is not null and exists (
        select 1 from tasks t where t.id = appeals.task_id and t.mode = 'test')`,
    },
    who: 'person',
    waits: 'In test mode no operator reads appeals',
    exits: [
      {
        by: 'clock',
        how: 'rehearsal.rule',
        isCertain: true,
        does: 'a day after the reply: rules as in `context.sim.ruling`; the default is upheld',
        tells: ['event task.dispute_resolved'],
      },
    ],
  },
  {
    id: 'task-reported',
    queue: 'reports',
    at: ['tasks.reported_at', 'task_reports.verdict', 'task_reports.decided_at', 'task_reports'],
    rows: {
      table: 'tasks',
      where: `reported_at is not null and status in ('pending', 'in_progress')`,
    },
    who: 'money',
    waits:
      'Experienced workers have reported the task; it is hidden until an operator reviews it. Reports by other workers do not hide it, but appear on the same list',
    exits: [
      {
        by: 'operator',
        how: 'ops report',
        does: 'clears the task, or cancels it: its workers are compensated, and the rest of the budget returns',
        tells: ['event task.cancelled'],
      },
      cancel,
      {
        by: 'clock',
        how: 'tasks.expire',
        isCertain: true,
        does: 'at the deadline: the task expires and the budget returns. The report stays on the operators’ list',
        tells: ['event task.expired'],
      },
    ],
    alarm: { command: 'ops reports', says: 'reported', after: 'immediately' },
  },
  {
    id: 'rehearsal-step',
    at: ['tasks.rehearse_at'],
    rows: { table: 'tasks', where: `rehearse_at is not null and status = 'pending'` },
    who: 'nobody',
    waits: 'A scripted worker in test mode has a scheduled step',
    exits: [
      {
        by: 'clock',
        how: 'rehearsal.play',
        does: 'at the time in the script',
        tells: ['event task.accepted'],
      },
    ],
  },
]

const PAYOUTS: Line[] = [
  {
    id: 'payout-held-for-time',
    at: [
      'payouts.status=held',
      'payouts.hold_reason=new_funds',
      'payouts.hold_reason=free_task',
      'payouts.available_at',
      'account liab:worker_payable',
    ],
    rows: {
      table: 'payouts',
      where: `status = 'held' and hold_reason in ('new_funds', 'free_task')`,
    },
    who: 'money',
    waits:
      'The payout is held until a bank can no longer reverse the deposit, or for 7 days for a free task',
    exits: [
      release,
      {
        by: 'clock',
        how: 'payouts.release',
        isCertain: true,
        does: 'at `available_at`: the payout is sent',
        tells: ['event payout.paid', 'notice payout_paid'],
      },
    ],
  },
  {
    id: 'payout-held-for-person',
    queue: 'payout_holds',
    at: ['payouts.hold_reason=self_dealing', 'payouts.hold_reason=review'],
    rows: {
      table: 'payouts',
      where: `status = 'held' and hold_reason in ('self_dealing', 'review')`,
    },
    who: 'money',
    waits:
      'The agent and the worker seem to be the same person, there are signs of fraud, or the protection fund paid for an agent that owes it money',
    exits: [release],
    alarm: { command: 'ops reconcile', says: 'held until an operator decides', after: '24 hours' },
    why: 'A timer would pay people who post free tasks to themselves. The worker sees that the payout is being reviewed.',
  },
  {
    id: 'payout-held-for-budget',
    at: ['payouts.hold_reason=promo_budget'],
    rows: { table: 'payouts', where: `status = 'held' and hold_reason = 'promo_budget'` },
    who: 'money',
    waits: 'The day’s promotional budget is used up',
    exits: [
      release,
      {
        by: 'clock',
        how: 'payouts.release',
        isCertain: true,
        does: 'on the next day: payouts are sent, oldest first',
        tells: ['event payout.paid', 'notice payout_paid'],
      },
    ],
  },
  {
    id: 'payout-awaiting-account',
    at: [
      'payouts.status=awaiting_account',
      'payout_accounts.status=onboarding',
      'payout_accounts.status=pending_verification',
      'payout_accounts.status=restricted',
      'payout_accounts.check_at',
      'payout_accounts.details_submitted',
      'payout_accounts.requirements_due',
    ],
    rows: { table: 'payouts', where: `status = 'awaiting_account'` },
    who: 'money',
    waits: 'The worker has earned money but has no payout account that can receive it',
    exits: [
      {
        by: 'worker',
        how: 'POST /worker/stripe/connect',
        does: 'opens or completes the account; all payouts that wait for it are sent',
        tells: ['event payout.paid', 'notice payout_paid'],
      },
      {
        by: 'worker',
        how: 'POST /worker/objections/payout-account',
        does: 'a suspended or closed worker opens or completes the account with the emailed link',
        tells: ['event payout.paid'],
      },
    ],
    why: 'The money belongs to the worker alone. It stays available indefinitely.',
  },
  {
    id: 'payout-account-refused',
    queue: 'refused_accounts',
    at: ['payout_accounts.status=closed', 'payout_accounts.status=rejected'],
    rows: {
      table: 'payout_accounts',
      where: `status in ('closed', 'rejected')`,
      key: 'worker_id',
    },
    who: 'money',
    waits: 'The processor has closed or rejected a worker’s payout account',
    exits: [
      {
        by: 'operator',
        how: 'ops account replace',
        does: 'lets the worker open another account; waiting payouts go there',
        tells: [],
      },
    ],
    alarm: {
      command: 'ops waiting',
      says: 'payout accounts that are closed or rejected',
      after: 'listed immediately, without an alert',
    },
    why: 'The app tells the worker to contact support; an operator verifies their identity.',
  },
  {
    id: 'payout-being-sent',
    queue: 'attempts',
    at: [
      'payouts.status=requested',
      'payouts.status=submitting',
      'payouts.check_at',
      'processor_attempts.outcome',
      'processor_attempts',
      'account liab:payout_in_transit',
    ],
    rows: { table: 'payouts', where: `status in ('requested', 'submitting')` },
    who: 'money',
    waits: 'The transfer is in progress, or its outcome is unknown',
    exits: [
      {
        by: 'clock',
        how: 'payouts.send-due',
        does: 'after 30 seconds, later every hour: retries with the same idempotency key, or looks up the transfer',
        tells: ['event payout.paid', 'notice payout_paid'],
      },
    ],
    alarm: { command: 'ops reconcile', says: 'are stuck (being sent)', after: '1 hour' },
  },
  {
    id: 'payout-awaiting-funds',
    at: ['payouts.status=awaiting_funds'],
    rows: { table: 'payouts', where: `status = 'awaiting_funds'` },
    who: 'money',
    waits: 'The available balance at the processor does not cover the payout',
    exits: [
      {
        by: 'clock',
        how: 'payouts.send-due',
        does: 'every hour, and when funds become available at the processor: retries',
        tells: ['event payout.paid', 'notice payout_paid'],
      },
    ],
    alarm: {
      command: 'ops reconcile',
      says: 'are stuck (waiting for funds)',
      after: '24 hours',
    },
  },
  {
    id: 'payout-failed',
    at: ['payouts.status=failed'],
    rows: {
      table: 'payouts',
      where: `status = 'failed' and check_at is not null
        and not exists (select 1 from payouts next where next.previous_id = payouts.id)`,
    },
    who: 'money',
    waits: 'The processor has refused the payout; the money is in the worker’s balance',
    tells: ['notice payout_failed'],
    exits: [
      retry,
      {
        by: 'agent',
        how: 'POST /tasks/:id/payout',
        does: 'sends the money again as a new payout',
        tells: ['event payout.paid', 'notice payout_paid'],
      },
      {
        by: 'clock',
        how: 'payouts.retry-failed',
        does: 'after 1, 2, 4 and 8 days: sends it again as a new payout',
        tells: ['event payout.paid', 'notice payout_paid'],
      },
    ],
  },
  {
    id: 'payout-failed-for-good',
    queue: 'failed_payouts',
    at: ['payouts.previous_id'],
    rows: {
      table: 'payouts',
      where: `status = 'failed' and check_at is null
        and not exists (select 1 from payouts next where next.previous_id = payouts.id)`,
    },
    who: 'money',
    waits: 'The processor has refused the payout five times',
    tells: ['notice payout_failed'],
    exits: [retry],
    alarm: {
      command: 'ops reconcile',
      says: 'failed after the last automatic try',
      after: 'immediately',
    },
    why: 'After five refusals in two weeks an operator must find the cause.',
  },
  {
    id: 'payout-reversed',
    queue: 'reversed_payouts',
    at: ['payouts.status=reversed', 'payouts.status=partially_reversed'],
    rows: {
      table: 'payouts',
      where: `status = 'reversed' and not exists (select 1 from payouts next where next.previous_id = payouts.id)`,
    },
    who: 'money',
    waits: 'An operator has reversed the payout; the money is in the worker’s balance',
    exits: [retry],
    alarm: { command: 'ops reconcile', says: 'taken back and not paid again', after: '30 days' },
    why: 'An operator reversed it for a reason, and an operator decides whether it is paid again.',
  },
  {
    id: 'switch-off',
    queue: 'switches',
    at: [
      'switch payouts',
      'switch free_tasks',
      'switch withdrawals',
      'switch refunds',
      'platform_switches.is_on',
      'platform_switches.name=payouts',
      'platform_switches.name=free_tasks',
      'platform_switches.name=withdrawals',
      'platform_switches.name=refunds',
    ],
    rows: {
      table: 'platform_switches',
      where: `not is_on and name in ('free_tasks', 'payouts', 'refunds', 'withdrawals')`,
      key: 'name',
    },
    who: 'money',
    waits:
      'An operator, a difference in the books, or a restore has stopped payouts, refunds, free tasks or withdrawals',
    exits: [
      { by: 'operator', how: 'ops switch', does: 'turns it on', tells: [] },
      {
        by: 'clock',
        how: 'reconcile.run',
        does: 'every 5 minutes: once the books agree, turns on the switches that reconciliation has turned off',
        tells: [],
      },
    ],
    alarm: { command: 'ops waiting', says: 'switches that are off', after: '24 hours' },
    why:
      'The timer never turns on a switch that an operator has turned off. After a restore from a backup, only ' +
      '`ops restore open` turns them on.',
  },
  {
    id: 'registrations-off',
    queue: 'switches',
    at: ['switch registrations', 'platform_switches.name=registrations'],
    rows: {
      table: 'platform_switches',
      where: `not is_on and name = 'registrations'`,
      key: 'name',
    },
    who: 'person',
    waits: 'An operator has stopped the registration of agents, test agents and workers',
    exits: [{ by: 'operator', how: 'ops switch', does: 'turns it on', tells: [] }],
    alarm: { command: 'ops waiting', says: 'switches that are off', after: '24 hours' },
    why: 'An operator stops it for a reason, such as an attack, and knows when that has ended. A refused caller can try again.',
  },
  {
    id: 'task-type-off',
    queue: 'switches',
    at: [
      'switch tasks_verification',
      'switch tasks_voice_proxy',
      'switch tasks_gut_check',
      'switch tasks_field_mission',
      'switch tasks_empathy_escalation',
      'switch tasks_vibe_reader',
      'switch tasks_custom',
      'platform_switches.name=tasks_verification',
      'platform_switches.name=tasks_voice_proxy',
      'platform_switches.name=tasks_gut_check',
      'platform_switches.name=tasks_field_mission',
      'platform_switches.name=tasks_empathy_escalation',
      'platform_switches.name=tasks_vibe_reader',
      'platform_switches.name=tasks_custom',
    ],
    rows: { table: 'platform_switches', where: `not is_on and name like 'tasks\\_%'`, key: 'name' },
    who: 'nobody',
    waits:
      'An operator has stopped new tasks of a type. Tasks that exist go on: workers accept, do and are paid for them',
    exits: [{ by: 'operator', how: 'ops switch', does: 'turns it on', tells: [] }],
    alarm: { command: 'ops waiting', says: 'switches that are off', after: '24 hours' },
  },
  {
    id: 'read-only',
    queue: 'read_only',
    at: ['switch read_only', 'platform_switches.name=read_only'],
    rows: { table: 'platform_switches', where: `is_on and name = 'read_only'`, key: 'name' },
    who: 'person',
    waits:
      'An operator has made the service read-only: requests that would change something get 503. Timers and jobs go on, ' +
      'so workers are paid, and deadlines pass',
    exits: [{ by: 'operator', how: 'ops switch', does: 'turns it off', tells: [] }],
    alarm: { command: 'ops waiting', says: 'read-only mode', after: '1 hour' },
    why: 'Only the operator knows when the reason has ended.',
  },
]

const MONEY: Line[] = [
  {
    id: 'deposit-creating',
    at: ['deposits.status=creating', 'deposits.check_at'],
    rows: { table: 'deposits', where: `status = 'creating'` },
    who: 'nobody',
    waits: 'The processor has not responded to the request for a payment page. No money has moved',
    exits: [
      {
        by: 'clock',
        how: 'wallet.deposits',
        isCertain: true,
        does: 'after 2 minutes: retries; an hour after the page would have expired, the deposit expires',
        tells: [],
      },
    ],
    alarm: {
      command: 'ops reconcile',
      says: 'are stuck (past the end of their page)',
      after: '2 hours',
    },
  },
  {
    id: 'deposit-open',
    at: ['deposits.status=open', 'deposits.expires_at'],
    rows: { table: 'deposits', where: `status = 'open'` },
    who: 'person',
    waits: 'The payment page is open',
    exits: [
      {
        by: 'processor',
        how: 'says that the page was paid',
        does: 'the money is in the wallet',
        tells: ['event deposit.succeeded'],
      },
      {
        by: 'clock',
        how: 'wallet.deposits',
        isCertain: true,
        does: 'when the page expires: the deposit expires',
        tells: [],
      },
    ],
    alarm: {
      command: 'ops reconcile',
      says: 'are stuck (past the end of their page)',
      after: '2 hours',
    },
  },
  {
    id: 'deposit-processing',
    at: ['deposits.status=processing'],
    rows: { table: 'deposits', where: `status = 'processing'` },
    who: 'money',
    waits: 'The bank has not confirmed the payment yet',
    exits: [
      {
        by: 'processor',
        how: 'says that the bank has paid, or has refused',
        does: 'the money is in the wallet, or the deposit fails',
        tells: ['event deposit.succeeded'],
      },
      {
        by: 'clock',
        how: 'wallet.deposits',
        does: 'every hour: checks with the processor, in case its notification was lost',
        tells: ['event deposit.succeeded'],
      },
    ],
    alarm: { command: 'ops reconcile', says: 'are stuck (processing)', after: '7 days' },
  },
  {
    id: 'deposit-mismatched',
    queue: 'suspense',
    at: ['deposits.status=mismatched', 'deposits.decided_at', 'account liab:suspense'],
    rows: { table: 'deposits', where: `status = 'mismatched' and decided_at is null` },
    who: 'money',
    waits: 'The paid amount differs from the requested one; the money is in suspense',
    exits: [
      {
        by: 'operator',
        how: 'ops suspense',
        does: 'credits the agent, sends the money back, or books it as ours',
        tells: [],
      },
    ],
    alarm: { command: 'ops reconcile', says: 'ops suspense', after: 'the next reconciliation' },
    why: 'Only an operator can find out whose money it is.',
  },
  {
    id: 'chargeback-open',
    queue: 'chargebacks',
    at: [
      'deposits.status=disputed',
      'chargebacks.status',
      'chargebacks.due_by',
      'chargebacks.check_at',
      'agents.status=restricted',
      'agents.restricted_for=chargeback',
    ],
    rows: { table: 'deposits', where: `status = 'disputed'` },
    who: 'money',
    waits:
      'A payer has charged back a payment; the agent is restricted, and owes what its wallet can’t cover',
    tells: ['mail agentRestricted'],
    exits: [
      {
        by: 'processor',
        how: 'decides the chargeback',
        does: 'won: the money returns and the restriction ends; lost: the money is gone',
        tells: ['mail agentFreed'],
      },
      {
        by: 'clock',
        how: 'wallet.chargebacks',
        does: 'every day: checks with the processor, in case its notification was lost',
        tells: ['mail agentFreed'],
      },
    ],
    alarm: {
      command: 'ops reconcile',
      says: 'are stuck (waiting for evidence)',
      after: '3 days before the evidence is due',
    },
  },
  {
    id: 'refund-being-sent',
    queue: 'refunds',
    at: [
      'refunds.status=requested',
      'refunds.status=submitting',
      'refunds.check_at',
      'account liab:refund_in_transit',
    ],
    rows: { table: 'refunds', where: `status in ('requested', 'submitting')` },
    who: 'money',
    waits: 'A refund to a card is in progress, or its outcome is unknown',
    exits: [
      {
        by: 'clock',
        how: 'wallet.refunds',
        does: 'after 30 seconds, later every hour: asks again under the same key, or looks it up',
        tells: [],
      },
    ],
    alarm: { command: 'ops reconcile', says: 'are stuck (being sent)', after: '1 hour' },
  },
  {
    id: 'refund-pending',
    queue: 'refunds',
    at: ['refunds.status=pending'],
    rows: { table: 'refunds', where: `status = 'pending'` },
    who: 'money',
    waits: 'The bank is processing the refund',
    exits: [
      {
        by: 'clock',
        how: 'wallet.refunds',
        does: 'every hour: checks with the processor. The money of a failed refund returns to the wallet',
        tells: [],
      },
    ],
    alarm: {
      command: 'ops reconcile',
      says: 'are stuck (pending at the bank)',
      after: '30 days',
    },
  },
  {
    id: 'withdrawal-requested',
    at: ['withdrawals.status=requested', 'withdrawals.check_at'],
    rows: { table: 'withdrawals', where: `status = 'requested'` },
    who: 'money',
    waits: 'Our own money is on its way to our bank',
    exits: [
      {
        by: 'clock',
        how: 'reconcile.withdrawals',
        does: 'after 30 seconds, later every hour: asks again under the same key, or looks it up',
        tells: [],
      },
    ],
    alarm: { command: 'ops reconcile', says: 'are stuck (being sent)', after: '1 hour' },
  },
  {
    id: 'notification-pending',
    at: ['processor_events.status=pending', 'processor_events.check_at'],
    rows: { table: 'processor_events', where: `status = 'pending'`, key: 'event_id' },
    who: 'nobody',
    waits: 'A notification from the processor has not been processed',
    exits: [
      {
        by: 'clock',
        how: 'processor.notifications',
        does: 'after a minute, later every 6 hours: retries; after 12 failures it waits for an operator',
        tells: [],
      },
    ],
    alarm: { command: 'ops reconcile', says: 'not been handled yet', after: '15 minutes' },
  },
  {
    id: 'notification-dead',
    queue: 'notifications',
    at: ['processor_events.status=dead'],
    rows: { table: 'processor_events', where: `status = 'dead'`, key: 'event_id' },
    who: 'money',
    waits: 'A notification from the processor has failed 12 times',
    exits: [
      {
        by: 'operator',
        how: 'ops events retry',
        does: 'processes it again',
        tells: [],
      },
    ],
    alarm: { command: 'ops reconcile', says: 'ops events retry', after: 'immediately' },
    why: 'Twelve failures mean a bug. Each object also has its own timer, which works without notifications.',
  },
  {
    id: 'break-open',
    queue: 'breaks',
    at: [
      'money_breaks.closed_at',
      'money_breaks',
      'balance_transactions.matched_at',
      'balance_transactions',
    ],
    rows: { table: 'money_breaks', where: 'closed_at is null and explanation is null' },
    who: 'money',
    waits: 'Our books and the processor’s differ',
    exits: [
      {
        by: 'operator',
        how: 'ops explain',
        does: 'explains the difference, which ends the alert',
        tells: [],
      },
      {
        by: 'clock',
        how: 'reconcile.run',
        does: 'every 5 minutes: closes differences that no longer exist',
        tells: [],
      },
    ],
    alarm: { command: 'ops money', says: 'Action needed', after: 'immediately' },
  },
]

const AGENTS: Line[] = [
  {
    id: 'agent-restricted',
    queue: 'restricted_agents',
    at: [
      'agents.restricted_for=fraud_warning',
      'agents.restricted_for=operator',
      'agents.restricted_at',
    ],
    rows: { table: 'agents', where: `status = 'restricted'` },
    who: 'person',
    waits:
      'The agent can’t create tasks or get refunds. Tasks without a worker are refunded; accepted ones are paid',
    tells: ['mail agentRestricted'],
    exits: [
      {
        by: 'operator',
        how: 'ops agent free',
        does: 'lifts the restriction',
        tells: ['mail agentFreed'],
      },
    ],
    alarm: { command: 'ops waiting', says: 'restricted agents', after: '7 days' },
    why: 'An operator decides on suspected fraud, and reviews the restriction after 7 days and then every 30 days. A restriction for a chargeback also ends when the chargeback is won and no debt is left.',
  },
  {
    id: 'agent-owes',
    queue: 'agents_in_debt',
    at: ['account asset:agent_receivable', 'account asset:worker_receivable'],
    rows: { table: 'ledger_agents', where: 'receivable_cents > 0', key: 'agent_id' },
    who: 'money',
    waits:
      'The agent owes money after a chargeback or a lost appeal; its next credit repays the debt first',
    exits: [
      {
        by: 'agent',
        how: 'POST /wallet/deposit',
        does: 'deposits; the debt is repaid first',
        tells: ['event deposit.succeeded'],
      },
      { by: 'operator', how: 'ops write-off', does: 'gives the debt up', tells: [] },
    ],
    alarm: { command: 'ops waiting', says: 'agents that owe', after: '30 days' },
    why: 'A debt does not expire. GET /wallet shows it as a negative balance.',
  },
  {
    id: 'wallet-money',
    at: ['account liab:agent_wallet', 'ledger_agents'],
    who: 'nobody',
    waits:
      'The agent can spend the money in its wallet; an operator refunds it on request (`ops refund`)',
    exits: [],
    why: 'The agent can spend it at any time.',
  },
  {
    id: 'low-balance',
    at: ['agents.low_balance_look_at'],
    rows: {
      table: 'agents',
      where: 'low_balance_cents is not null and low_balance_told_at is null',
    },
    who: 'nobody',
    waits: 'The agent wants an email when its wallet runs low',
    exits: [
      {
        by: 'clock',
        how: 'agents.watch-balance',
        does: 'every 5 minutes: sends one email when the wallet is below the threshold',
        tells: ['mail walletLow'],
      },
    ],
  },
  {
    id: 'test-agent',
    at: ['agents.expires_at', 'test_clocks', 'test_advances', 'test_usage'],
    rows: { table: 'agents', where: `expires_at is not null and status <> 'closed'` },
    who: 'nobody',
    waits: 'A test agent that nobody has claimed lives for seven days',
    exits: [
      {
        by: 'agent',
        how: 'POST /agents/register',
        does: 'claims it with its test key; it becomes the test twin',
        tells: [],
      },
      {
        by: 'clock',
        how: 'rehearsal.end-agents',
        isCertain: true,
        does: 'after 7 days: closes it, its workers and its tasks',
        tells: [],
      },
    ],
  },
  {
    id: 'test-agent-ended',
    at: ['agents.status=closed'],
    rows: { table: 'agents', where: `expires_at is not null and status = 'closed'` },
    who: 'nobody',
    waits: 'A test agent has ended, and its data still exists',
    exits: [
      {
        by: 'clock',
        how: 'rehearsal.erase-agents',
        isCertain: true,
        does: '12 hours after the end: deletes it with all its data',
        tells: [],
      },
    ],
  },
  {
    id: 'delivery-waiting',
    queue: 'receivers',
    at: [
      'deliveries.next_try_at',
      'deliveries',
      'webhook_lanes.due_at',
      'webhook_lanes.failing_since',
    ],
    rows: { table: 'deliveries', where: 'true', key: 'event_id' },
    who: 'person',
    waits: 'A webhook has not been accepted by its receiver',
    exits: [
      {
        by: 'agent',
        how: 'POST /events/:id/redeliver',
        does: 'sends the event again',
        tells: [],
      },
      {
        by: 'clock',
        how: 'webhooks deliverer',
        isCertain: true,
        does: 'makes 8 attempts within 28 hours, then gives up; the event stays in GET /events for 30 days. After 3 days of failures the agent gets an email',
        tells: [],
      },
    ],
  },
  {
    id: 'receiver-paused',
    at: ['webhook_lanes.paused_until'],
    rows: {
      table: 'deliveries',
      where: `exists (select 1 from webhook_lanes l where l.id = deliveries.lane and l.paused_until is not null)`,
      key: 'event_id',
    },
    who: 'person',
    waits: 'A receiver is paused after failures or by an operator',
    exits: [
      {
        by: 'operator',
        how: 'ops receiver resume',
        does: 'sends the pending deliveries',
        tells: [],
      },
      {
        by: 'clock',
        how: 'webhooks deliverer',
        isCertain: true,
        does: 'at `paused_until` (at most 24 hours): sends the pending deliveries',
        tells: [],
      },
    ],
  },
  {
    id: 'receiver-disabled',
    at: [
      'webhook_lanes.disabled_at',
      'webhook_lanes.disabled_for=gone',
      'webhook_lanes.disabled_for=failing',
      'gone_callbacks',
    ],
    rows: { table: 'webhook_lanes', where: 'disabled_at is not null' },
    who: 'person',
    waits: 'A receiver responded with 410, or failed for 5 days; nothing is sent to it',
    tells: ['mail receiverDisabled'],
    exits: [
      {
        by: 'agent',
        how: 'PATCH /agents/me',
        does: 'a new address enables it',
        tells: [],
      },
      {
        by: 'agent',
        how: 'POST /webhooks/ping',
        does: 'a successful ping enables it; POST /events/replay sends missed events',
        tells: [],
      },
    ],
    why: 'Only its owner can repair the receiver. No event is lost: GET /events lists them for 30 days.',
  },
  {
    id: 'receiver-leased',
    at: ['webhook_lanes.held_until', 'webhook_lanes.held_by'],
    who: 'nobody',
    waits: 'A process is sending to this receiver',
    exits: [],
    why: 'The lease ends after seconds, and another process takes it.',
  },
  {
    id: 'test-clock-leased',
    at: ['test_clocks.held_until', 'test_clocks.held_by'],
    who: 'nobody',
    waits: 'A request is advancing the clock of this test agent',
    exits: [],
    why: 'The lease ends after seconds, and another process takes it.',
  },
]

const PEOPLE: Line[] = [
  {
    id: 'worker-unverified',
    at: ['workers.status=unverified', 'worker_tokens.expires_at', 'worker_tokens.purpose=verify'],
    rows: { table: 'workers', where: `status = 'unverified'` },
    who: 'person',
    waits: 'The worker has not confirmed their email',
    exits: [
      {
        by: 'worker',
        how: 'POST /worker/verify',
        does: 'opens the emailed link, which works for 24 hours; POST /worker/verify/resend sends a new one at any time',
        tells: [],
      },
      {
        by: 'clock',
        how: 'workers.remove-unverified',
        does: 'after 30 days: the account is deleted, and the address can register again',
        tells: [],
      },
    ],
    why: 'No money waits, and the worker can request a new link at any time. Emails that could not be sent are in `ops jobs`.',
  },
  {
    id: 'worker-suspended',
    queue: 'suspended_workers',
    at: [
      'workers.status=suspended',
      'worker_decisions.kind=suspended',
      'worker_decisions.due_at',
      'worker_decisions.reply_due_at',
    ],
    rows: {
      table: 'worker_decisions',
      where: `kind = 'suspended' and ended_at is null and objection is null`,
      key: 'worker_id',
    },
    who: 'person',
    waits:
      'An operator has suspended the worker. Earnings are paid out, and submitted work is reviewed',
    tells: ['mail accountShutOut'],
    exits: [
      {
        by: 'worker',
        how: 'POST /worker/objections',
        does: 'objects with the emailed link; an operator replies within 14 days',
        tells: [],
      },
      {
        by: 'operator',
        how: 'ops worker reinstate',
        does: 'reactivates the account',
        tells: ['mail accountReinstated'],
      },
      {
        by: 'clock',
        how: 'workers.end-decisions',
        isCertain: true,
        does: 'when the suspension ends: the account is active again',
        tells: ['mail accountReinstated'],
      },
    ],
  },
  {
    id: 'objection-waiting',
    queue: 'objections',
    at: ['worker_decisions.reply=upheld', 'worker_decisions.reply=reinstated'],
    rows: {
      table: 'worker_decisions',
      where: `objection is not null and reply is null and ended_at is null`,
      key: 'worker_id',
    },
    who: 'person',
    waits: 'A worker has objected to a suspension or to the closing of their account',
    exits: [
      {
        by: 'operator',
        how: 'ops objection',
        does: 'upholds the decision, or reactivates the account',
        tells: ['mail objectionUpheld'],
      },
      {
        by: 'clock',
        how: 'workers.end-decisions',
        isCertain: true,
        does: 'after 14 days without a reply: the account is active again',
        tells: ['mail accountReinstated'],
      },
    ],
    alarm: { command: 'ops objections', says: 'to reply to', after: 'immediately' },
  },
  {
    id: 'worker-closed',
    at: ['workers.status=closed', 'worker_decisions.kind=closed', 'objection_links.expires_at'],
    rows: {
      table: 'worker_decisions',
      where: `kind = 'closed' and ended_at is null and objection is null`,
      key: 'worker_id',
    },
    who: 'person',
    waits: 'An operator has closed the worker’s account. Earnings are paid out',
    tells: ['mail accountShutOut'],
    exits: [
      {
        by: 'worker',
        how: 'POST /worker/objections',
        does: 'objects with the emailed link or at login; an operator replies within 14 days',
        tells: [],
      },
      {
        by: 'operator',
        how: 'ops worker reinstate',
        does: 'reactivates the account',
        tells: ['mail accountReinstated'],
      },
    ],
    why: 'Closing is permanent. The worker can object once, and the objection has a deadline. Test workers are closed with their agent.',
  },
  {
    id: 'worker-closing',
    at: ['worker_closings.look_at'],
    rows: { table: 'workers', where: `closing_at is not null` },
    who: 'person',
    waits:
      'The worker has asked to close their account. They see no tasks; their work is reviewed and their earnings are ' +
      'paid out first',
    tells: ['mail accountClosing'],
    exits: [
      {
        by: 'worker',
        how: 'DELETE /worker/close',
        does: 'keeps the account',
        tells: [],
      },
      {
        by: 'clock',
        how: 'workers.close-accounts',
        isCertain: true,
        does:
          'after 14 days, once no work, dispute or payout is open: closes the account and erases the person. A ' +
          'balance without a bank account delays that by a year at most, with a mail every month; it stays owed',
        tells: ['mail accountClosed'],
      },
    ],
  },
  {
    id: 'closed-balance',
    queue: 'unclaimed',
    at: ['workers.closed_at'],
    rows: {
      table: 'workers',
      where: `closed_at is not null and exists
                (select 1 from ledger_workers l where l.worker_id = workers.id and l.payable_cents > 0)`,
    },
    who: 'money',
    waits: 'We owe money to a worker who closed their account and never added a bank account',
    exits: [
      {
        by: 'operator',
        how: 'ops worker reopen',
        does: 'reopens the account for its owner, who has written to us: they add a bank account and are paid',
        tells: ['mail passwordReset'],
      },
    ],
    alarm: { command: 'ops unclaimed', says: 'owe money', after: 'immediately' },
    why: 'Only the owner can say where the money goes. We keep owing it, and `ops unclaimed` lists it.',
  },
  {
    id: 'trust-pending',
    at: ['trust_events.pending_since', 'trust_events.is_appealed', 'workers.trust_pending'],
    who: 'nobody',
    waits: 'A dispute that is or can be appealed counts only in the score',
    exits: [],
    why: 'It ends with the dispute; see dispute-open, appeal-unanswered and appeal-answered.',
  },
  {
    id: 'agent-link',
    at: ['agent_tokens.expires_at', 'agent_tokens.purpose=verify', 'agent_tokens.purpose=recover'],
    who: 'nobody',
    waits: 'An agent’s link to confirm its address, or to replace a lost key, was emailed',
    exits: [],
    why: 'The agent’s keys keep working, and it can request another link at any time.',
  },
  {
    id: 'question-open',
    queue: 'questions',
    at: ['questions.status=open', 'questions.due_at'],
    rows: { table: 'questions', where: `status = 'open' and worker_id <> ''` },
    who: 'person',
    waits: 'A worker has asked a question and waits for an answer',
    exits: [
      {
        by: 'operator',
        how: 'ops question answer',
        does: 'answers; the email repeats the answer, because a suspended or closed worker can’t open the app',
        tells: ['notice question_answered', 'mail questionAnswered'],
      },
      {
        by: 'operator',
        how: 'ops question close',
        does: 'answers and closes the question',
        tells: ['notice question_answered', 'mail questionAnswered'],
      },
      {
        by: 'worker',
        how: 'POST /worker/questions/:id/close',
        does: 'closes the question without an answer',
        tells: [],
      },
    ],
    alarm: {
      command: 'ops waiting',
      says: 'questions to answer',
      after: '3 days; safety: 24 hours',
    },
    why: 'Only a person can answer. No clock discards what a worker has asked, except when their account is closed.',
  },
  {
    id: 'question-answered',
    at: ['questions.status=answered', 'question_messages'],
    rows: { table: 'questions', where: `status = 'answered' and worker_id <> ''` },
    who: 'nobody',
    waits: 'A question has an answer, and the worker can write again',
    tells: ['notice question_answered'],
    exits: [
      {
        by: 'worker',
        how: 'POST /worker/questions/:id/replies',
        does: 'writes again; the question is open',
        tells: [],
      },
      {
        by: 'worker',
        how: 'POST /worker/questions/:id/close',
        does: 'closes the question',
        tells: [],
      },
      {
        by: 'clock',
        how: 'questions.close-answered',
        isCertain: true,
        does: '14 days after the last answer: closes the question',
        tells: [],
      },
    ],
  },
  {
    id: 'agent-question-open',
    queue: 'questions',
    at: ['questions.status=open', 'questions.due_at'],
    rows: { table: 'questions', where: `status = 'open' and agent_id <> ''` },
    who: 'person',
    waits: 'An agent has asked a question and waits for an answer',
    exits: [
      {
        by: 'operator',
        how: 'ops question answer',
        does: 'answers',
        tells: ['mail questionAnswered'],
      },
      {
        by: 'operator',
        how: 'ops question close',
        does: 'answers and closes the question',
        tells: ['mail questionAnswered'],
      },
      {
        by: 'agent',
        how: 'POST /agents/questions/:id/close',
        does: 'closes the question without an answer',
        tells: [],
      },
    ],
    alarm: {
      command: 'ops waiting',
      says: 'questions to answer',
      after: '3 days; safety: 24 hours',
    },
    why: 'Only a person can answer. No clock discards what an agent has asked.',
  },
  {
    id: 'agent-question-answered',
    at: ['questions.status=answered', 'question_messages'],
    rows: { table: 'questions', where: `status = 'answered' and agent_id <> ''` },
    who: 'nobody',
    waits: 'A question has an answer, and the agent can write again',
    tells: ['mail questionAnswered'],
    exits: [
      {
        by: 'agent',
        how: 'POST /agents/questions/:id/replies',
        does: 'writes again; the question is open',
        tells: [],
      },
      {
        by: 'agent',
        how: 'POST /agents/questions/:id/close',
        does: 'closes the question',
        tells: [],
      },
      {
        by: 'clock',
        how: 'questions.close-answered',
        isCertain: true,
        does: '14 days after the last answer: closes the question',
        tells: [],
      },
    ],
  },
  {
    id: 'photo-unused',
    at: ['question_photos.expires_at'],
    rows: { table: 'question_photos', where: 'question_id is null' },
    who: 'person',
    waits: 'A photo was sent with a question, but no message has it',
    exits: [
      {
        by: 'clock',
        how: 'questions.sweep-photos',
        isCertain: true,
        does: 'a day after it was sent, or when its question or account is removed: deletes it',
        tells: [],
      },
    ],
  },
  {
    id: 'email-change',
    at: [
      'worker_email_changes.expires_at',
      'worker_email_changes.undo_until',
      'worker_email_links.purpose=confirm',
      'worker_email_links.purpose=undo',
    ],
    rows: { table: 'worker_email_changes', where: 'ended_at is null', key: 'worker_id' },
    who: 'nobody',
    waits: 'A worker has asked to change their email, or has changed it and can undo that',
    tells: ['mail emailChanging'],
    exits: [
      {
        by: 'worker',
        how: 'DELETE /worker/email',
        does: 'cancels a change that is not confirmed; the old address stays',
        tells: [],
      },
      {
        by: 'worker',
        how: 'POST /worker/email/undo',
        does: 'restores the old address, ends every session and the password, with the link mailed there',
        tells: ['mail passwordReset'],
      },
      {
        by: 'clock',
        how: 'workers.end-email-changes',
        isCertain: true,
        does: 'without a confirmation after 24 hours: nothing changes. 14 days after it: the old address is free',
        tells: [],
      },
    ],
  },
  {
    id: 'password-reset',
    at: ['worker_tokens.purpose=reset'],
    rows: {
      table: 'worker_tokens',
      where: `purpose = 'reset' and used_at is null and expires_at > now()`,
      key: 'token_hash',
    },
    who: 'nobody',
    waits: 'A password reset link was emailed',
    exits: [],
    why: 'The old password keeps working, and the worker can request another link at any time.',
  },
  {
    id: 'upload-unused',
    at: [
      'files.status=begun',
      'files.status=received',
      'files.status=ready',
      'files.status=refused',
      'files.expires_at',
    ],
    rows: { table: 'files', where: 'proof_id is null' },
    who: 'person',
    waits: 'A worker has started an upload, or has not used it in a proof',
    exits: [
      {
        by: 'clock',
        how: 'files.sweep-unused',
        isCertain: true,
        does: 'a day after it started: deletes it, unless a proof uses it',
        tells: [],
      },
    ],
  },
  {
    id: 'notice-to-push',
    at: ['notices.push_at', 'notices.until'],
    who: 'nobody',
    waits: 'A notice has not reached a worker’s devices',
    exits: [],
    why: 'It is already in the app’s inbox. The timer `notices.push-due` sends it after the quiet hours, and retries after failures; then it is emailed or given up.',
  },
  {
    id: 'alert-look',
    at: ['alerts.look_at'],
    rows: { table: 'alerts', where: 'true', key: 'worker_id' },
    who: 'nobody',
    waits: 'A worker has an alert for new tasks',
    exits: [],
    why: 'The timer `notices.look-for-tasks` keeps checking as long as the alert exists.',
  },
]

const OURS: Line[] = [
  {
    id: 'outbox-row',
    queue: 'outbox',
    at: ['outbox'],
    rows: { table: 'outbox', where: 'true', key: 'id' },
    who: 'nobody',
    waits: 'An event has been recorded but not relayed',
    exits: [
      {
        by: 'clock',
        how: 'relay',
        isCertain: true,
        does: 'within a second: moves it to the event log, the deliveries and the jobs',
        tells: [],
      },
    ],
    alarm: { command: 'ops waiting', says: 'outbox rows', after: '15 minutes' },
  },
  {
    id: 'job-dead',
    queue: 'dead_jobs',
    at: ['jobs out of attempts'],
    rows: { table: 'graphile_worker.jobs', where: 'attempts >= max_attempts' },
    who: 'person',
    waits:
      'A background job has used up its attempts, such as an email that the mail server refused 8 times',
    exits: [
      {
        by: 'operator',
        how: 'ops jobs retry',
        does: 'runs it again',
        tells: [],
      },
    ],
    alarm: { command: 'ops jobs', says: 'out of attempts', after: 'immediately' },
    why: 'The retries were the clock. Money has its own timers and does not depend on one job.',
  },
  {
    id: 'operator-action-unfinished',
    at: ['operator_actions.outcome', 'operator_actions'],
    who: 'nobody',
    waits: 'A command was interrupted before its outcome was recorded',
    exits: [],
    why: 'A command is one transaction: run it again.',
  },
  {
    id: 'decision-waiting',
    queue: 'second_persons',
    at: ['operator_decisions.state=waiting', 'operator_decisions.expires_at'],
    who: 'nobody',
    waits: 'A decision above its limit has not been agreed to by a second operator',
    exits: [],
    why: 'What it is about waits, and has its own line. At `expires_at` the timer `decisions.lapse` ends it, and the case is open again.',
  },
  {
    id: 'decision-agreed',
    at: ['operator_decisions.state=agreed'],
    who: 'nobody',
    waits: 'A decision is being carried out',
    exits: [],
    why: 'It takes seconds. After a crash, the timer `decisions.resume` finishes it within 10 minutes.',
  },
  {
    id: 'operator-account',
    at: ['operators.status=invited', 'operators.status=active', 'operators.status=disabled'],
    who: 'nobody',
    waits: 'An operator’s account is invited, active or disabled',
    exits: [],
    why: 'Accounts of our own staff: an administrator changes them, and can send an invitation again.',
  },
  {
    id: 'operator-session',
    at: [
      'operator_sessions.expires_at',
      'operator_links.expires_at',
      'operator_challenges.expires_at',
    ],
    who: 'nobody',
    waits: 'A session, a link or a sign-in of an operator works until it expires',
    exits: [],
    why: 'Nobody waits for that. A new one is available before and after.',
  },
  {
    id: 'idempotency-key',
    at: ['idempotency_keys.status', 'idempotency_keys'],
    who: 'nobody',
    waits: 'A request with an Idempotency-Key is in progress',
    exits: [],
    why: 'The claim and the response are one transaction: a crash leaves neither, and the client retries.',
  },
  {
    id: 'session-or-key',
    at: [
      'api_keys.expires_at',
      'rotated_keys.expires_at',
      'console_sessions.expires_at',
      'worker_sessions.expires_at',
      'agents.webhook_secret_old_until',
    ],
    who: 'nobody',
    waits: 'A key, a session or an old secret works until it expires',
    exits: [],
    why: 'Nobody waits for that. A new one is available before and after.',
  },
]

/** Final states: nothing waits in them. */
const ENDS: Line[] = [
  ['tasks.status=completed', 'the workers were paid'],
  ['tasks.status=expired', 'the budget was returned'],
  ['tasks.status=cancelled', 'the budget was returned, less the compensation of workers'],
  ['assignments.status=approved', 'the worker is paid; the payout has its own state'],
  ['assignments.status=released', 'the slot is free for others'],
  ['assignments.status=expired', 'the slot is free for others'],
  ['assignments.status=cancelled', 'the worker was compensated'],
  ['disputes.status=withdrawn', 'the worker is paid'],
  ['disputes.status=upheld', 'the agent keeps the refund'],
  ['disputes.status=rejected', 'the worker is paid'],
  ['disputes.status=lapsed', 'the worker is paid'],
  ['disputes.status=overturned', 'the worker is paid'],
  ['disputes.status=split', 'the worker is paid half'],
  ['appeals.ruling=upheld', 'the appeal is decided'],
  ['appeals.ruling=overturned', 'the appeal is decided'],
  ['appeals.ruling=split', 'the appeal is decided'],
  ['task_reports.verdict=cleared', 'the task is open again'],
  ['task_reports.verdict=upheld', 'the task is cancelled'],
  ['reason cancelled_by_agent', 'the task has ended'],
  ['reason deadline_passed', 'the task has ended, or its proofs are under review'],
  ['reason dispute_withdrawn', 'the task has ended'],
  ['reason dispute_overturned', 'the task has ended'],
  ['reason dispute_upheld', 'the task has ended'],
  ['reason dispute_split', 'the task has ended'],
  ['reason agent_restricted', 'the task has ended'],
  ['reason agent_closed', 'the task has ended'],
  ['reason reported', 'the task has ended'],
  ['payouts.status=paid', 'the money is in the worker’s account at the processor'],
  ['payout_accounts.status=active', 'the worker can be paid'],
  ['deposits.status=succeeded', 'the money is in the wallet'],
  ['deposits.status=failed', 'no money was taken; GET /wallet shows it for a week'],
  ['deposits.status=expired', 'no money was taken; GET /wallet shows it for a week'],
  ['deposits.status=partially_refunded', 'the refund has its own state'],
  ['deposits.status=refunded', 'the money is back on the card'],
  ['deposits.status=dispute_won', 'the money is back'],
  ['deposits.status=dispute_lost', 'the money is gone; what the wallet could not cover is a debt'],
  ['refunds.status=succeeded', 'the money is on the card'],
  ['refunds.status=rejected', 'the money is back in the wallet'],
  ['refunds.status=failed', 'the money is back in the wallet'],
  ['withdrawals.status=sent', 'the money is at our bank'],
  ['withdrawals.status=failed', 'the money is still ours; the command can be run again'],
  ['processor_events.status=handled', 'it was processed'],
  ['processor_events.status=ignored', 'its type is not needed'],
  ['processor_attempts.outcome=ok', 'the request succeeded'],
  [
    'processor_attempts.outcome=refused',
    'the request was refused; the next step depends on its payout, refund or withdrawal',
  ],
  ['processor_attempts.outcome=not_found', 'the request did not happen; a new attempt follows'],
  ['operator_actions.outcome=done', 'the command succeeded'],
  ['operator_actions.outcome=refused', 'the command was refused'],
  ['operator_actions.outcome=failed', 'the command failed; the operator saw it'],
  ['operator_decisions.state=done', 'the decision was carried out'],
  ['operator_decisions.state=failed', 'the decision was refused; the operator saw why'],
  ['operator_decisions.state=declined', 'the case is open again'],
  ['operator_decisions.state=withdrawn', 'the case is open again'],
  ['operator_decisions.state=lapsed', 'the case is open again'],
  ['worker_email_changes.ended_for=final', 'the old address is free'],
  ['worker_email_changes.ended_for=cancelled', 'the old address stays'],
  ['worker_email_changes.ended_for=replaced', 'a newer change has its own link'],
  ['worker_email_changes.ended_for=undone', 'the old address is back'],
  ['worker_email_changes.ended_for=expired', 'the old address stays'],
  ['worker_decisions.ended_for=time_passed', 'the account is active again'],
  ['worker_decisions.ended_for=operator', 'the account is active again'],
  ['worker_decisions.ended_for=objection', 'the account is active again'],
  ['worker_decisions.ended_for=no_reply', 'the account is active again'],
  ['worker_decisions.ended_for=closed_instead', 'the account was closed by a newer decision'],
  ['questions.status=closed', 'the worker or agent can ask a new question'],
  ['questions.ended_for=worker', 'the question is closed'],
  ['questions.ended_for=agent', 'the question is closed'],
  ['questions.ended_for=operator', 'the question is closed'],
  ['questions.ended_for=time_passed', 'the question is closed'],
  ['agents.status=active', 'the agent can create tasks'],
  ['workers.status=active', 'the worker can work'],
].map(([at, why]) => ({
  id: at!,
  at: [at!],
  who: 'nobody' as const,
  waits: '',
  exits: [],
  why: `${why![0]!.toUpperCase()}${why!.slice(1)}.`,
}))

export const LINES: readonly Line[] = [
  ...TASKS,
  ...PAYOUTS,
  ...MONEY,
  ...AGENTS,
  ...PEOPLE,
  ...OURS,
  ...ENDS,
]

/** Columns and tables that look like states to the schema test, but are not. */
export const PROPERTIES: Readonly<Record<string, string>> = {
  'operators.role': 'what an operator may do',
  'operators.disabled_at': 'when the account was disabled; its status says that it is',
  'operators.disabled_by': 'who disabled the account',
  operator_passkeys: 'how an operator signs in',
  'operator_sessions.how': 'how the operator signed in',
  'operator_links.purpose': 'what the link is for',
  'operator_challenges.purpose': 'what the browser has to prove',
  two_person_limits: 'settings; limit.change changes them',
  'operator_decisions.needs_second': 'computed when the decision is made',
  case_assignments: 'who works on a case; the case itself waits in its queue',
  case_notes: 'words',
  audit_log: 'a log',
  audit_words: 'words',
  restores: 'a record; what waits are the switches that it keeps off',
  mode: 'live or test, for ever',
  'tasks.type': 'what is asked for',
  'workers.app_language': 'the language of emails',
  'tasks.urgency': 'how soon',
  'tasks.proof_required': 'what proves it',
  'tasks.funding': 'who pays',
  'tasks.budget_basis': 'how the budget counts',
  'tasks.approved_by': 'who approved',
  'tasks.status_reason': 'named by its values',
  'tasks.locked_cents': 'an amount',
  'tasks.is_schema_default': 'who wrote the answer schema',
  unsafe_exits: 'a record; what waits is the task’s review',
  'unsafe_exits.is_paid_at_once': 'whether the task waited for its review',
  'appeals.ruling_note': 'words',
  'notices.push_attempts': 'a count',
  'balance_transactions.available_on': 'when money at the processor can be used',
  'refused_requests.status': 'the HTTP status of an answer',
  'worker_decisions.decided_at': 'when an operator decided',
  'worker_decisions.decided_by': 'who decided',
  'payouts.funding': 'who pays',
  'open_tasks.type': 'what is asked for',
  'open_cards.status': 'a copy of the task’s',
  'open_cards.urgency': 'what is asked for',
  'open_cards.proof_required': 'what is asked for',
  'open_agents.is_stale': 'which copies feed.refresh-agents reads again, every minute',
  'agent_counts.type': 'which tasks a row counts',
  'agent_counts.status': 'which tasks a row counts',
  'agent_count_changes.type': 'which tasks a row counts',
  'agent_count_changes.status': 'which tasks a row counts',
  'assignments.outcome': 'what the proof says',
  'proofs.outcome': 'what the proof says',
  'notices.kind': 'what is told',
  'notices.is_pressing': 'whether quiet hours count',
  'files.kind': 'what it is',
  'task_reports.kind': 'what is wrong',
  'questions.subject': 'what it is about',
  'ledger_audits.kind': 'which part of the audit',
  'ledger_sums.name': 'which sum',
  'questions.closed_at': 'when it ended',
  'question_messages.author': 'who wrote it',
  'question_times.asker': 'whose figure it is',
  'api_keys.is_limited': 'what the key may do',
  'shards.is_here': 'in which database the schema is; ops shards move changes it',
  'disputes.touches_trust': 'whether it counts',
  'processor_events.source': 'where it came from',
  'delivery_attempts.outcome': 'a log of tries; the delivery is the state',
  'delivery_attempts.status': 'the HTTP status of the receiver',
  'delivery_attempts.next_try_at': 'a log of tries; the delivery is the state',
  'agents.restricted_for': 'named by its values',
  'account asset:processor_balance': 'the money that all others share',
  'account rev:commission': 'our own',
  'account liab:clearing': 'filled and emptied in one transaction',
  'account exp:processor_fees': 'spent',
  'account exp:dispute_fees': 'spent',
  'account exp:promo': 'spent',
  'account exp:bad_debt': 'spent',
  'account exp:goodwill': 'spent',
  'account eq:operator_funding': 'our own',
  'account eq:operator_withdrawals': 'our own',
  agent_count_changes: 'what counts.fold adds to the counts, every minute',
  agent_counts: 'kept sums',
  agent_emails: 'which addresses are taken',
  counted_agents: 'whose counts are complete',
  worker_emails: 'which addresses are taken',
  crossings:
    'the relay repeats them until they are applied; ops waiting lists them after a quarter of an hour',
  crossings_applied: 'a log',
  delivery_attempts: 'a log',
  event_counters: 'numbers',
  events: 'a log',
  job_processes: 'heartbeats; another process frees what a dead one held',
  key_limits: 'caps and what was spent',
  ledger_audits: 'runs of the audit; the next one resumes a run that was interrupted',
  ledger_breaks: 'an alarm for operators; the audit ends it once it finds the subject right',
  ledger_checksums: 'what the audit compares with',
  ledger_proofs: 'how far the audit has proven each statement',
  ledger_sums: 'kept sums',
  question_times: 'two kept figures',
  ledger_account_sums: 'kept sums',
  request_minutes: 'a log',
  shards: 'which schema holds which logical shards',
  ledger_totals: 'kept sums',
  ledger_transits: 'the money of payouts and refunds that are being sent',
  ledger_workers: 'the pay of workers, which payouts take out',
  photo_hashes: 'photos seen before',
  processor_matches: 'what agrees with the processor',
  promo_days: 'what free tasks have cost in a day',
  proofs: 'what workers sent',
  push_subscriptions: 'devices; one that is gone is forgotten',
  reconciliations: 'a log',
  refused_requests: 'a log',
  transfers: 'the ledger',
  trust_events: 'causes of trust',
  open_tasks: 'a copy of open tasks for the feed',
  open_cards: 'a copy of open tasks for the feed',
  open_agents: 'a copy of agents with open tasks for the feed',
  notices: 'the inbox of a worker',
}
