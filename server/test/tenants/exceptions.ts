/**
 * Statements that read or write tenants' tables across tenants on purpose, each with its reason. `report.ts` fails a
 * run on a statement that is bound to no tenant and not listed here, and a full run also on an exception that no
 * statement needs any more.
 */
export interface Exception {
  /**
   * An operation (`GET /tasks/:id`), a file under server/src that runs the statement, or an SQL function
   * (`ledger_post()`); a trailing `*` matches any suffix.
   */
  where: string
  tables: readonly string[] | 'all'
  reason: string
}

export const EXCEPTIONS: readonly Exception[] = [
  // Outside of requests: background jobs and operators.
  {
    where: 'job *',
    tables: 'all',
    reason:
      'A job works on the row that its event names or on a schedule; no caller chooses the row.',
  },
  {
    where: 'sweep *',
    tables: 'all',
    reason: 'A timer moves the due rows of all tenants.',
  },
  {
    where: 'ops/*',
    tables: 'all',
    reason: 'Operators look up and decide across tenants; each action is in operator_actions.',
  },
  {
    where: 'desk/*',
    tables: 'all',
    reason:
      'Operators read across tenants, with personal data masked; each look at it is in audit_log.',
  },
  {
    where: 'payouts/links.ts',
    tables: 'all',
    reason: 'Looks for other accounts of the same person before a payout; no response shows them.',
  },
  {
    where: 'payouts/assess.ts',
    tables: ['assignments', 'proofs'],
    reason: 'Compares the texts of workers before a payout; no response shows them.',
  },
  {
    where: 'payouts/ring.ts',
    tables: 'all',
    reason: 'Looks for the ring of a worker before a payout; no response shows it.',
  },
  {
    where: 'webhooks/deliver.ts',
    tables: 'all',
    reason:
      "The deliverer sends the due deliveries of all agents, each to its own agent's address.",
  },
  {
    where: 'webhooks/leases.ts',
    tables: ['deliveries'],
    reason: 'A process claims, renews and releases the lanes of all agents.',
  },
  {
    // Named by function: a timer that a request has started claims lanes without a file of ours on the stack.
    where: 'webhooks_claim_lanes_of()',
    tables: ['agents', 'webhook_lanes'],
    reason: 'A process claims the due lanes of all agents.',
  },
  {
    where: 'webhooks/read-pages.ts',
    tables: ['deliveries', 'events', 'gone_callbacks'],
    reason: 'One statement reads the due deliveries of all lanes that a process holds.',
  },
  {
    where: 'webhooks/take-events.ts',
    tables: 'all',
    reason: 'The relay moves the events of all agents from the outbox to their logs.',
  },
  {
    where: 'webhooks_log_attempts()',
    tables: ['delivery_attempts'],
    reason: 'Records attempts of lanes that this process has claimed, for several agents at once.',
  },

  {
    where: 'runner/*',
    tables: 'all',
    reason: 'The relay, the projection of the feed and the gauges work for all tenants.',
  },

  // Before the caller is known.
  {
    where: 'agents/register.ts',
    tables: ['agent_emails'],
    reason: 'Registration asks whether an email is taken: the address is the directory of agents.',
  },
  {
    where: 'agents/recover.ts',
    tables: ['agent_emails'],
    reason: 'Recovery finds the agent by its email, mails the owner, and tells the caller nothing.',
  },
  {
    where: 'agents/people.ts',
    tables: ['agent_people', 'agent_person_links', 'console_sessions'],
    reason:
      'The people of the live agent that the session names, in test mode too; then what one of them has.',
  },
  {
    where: 'agents/begin-person-session.ts',
    tables: ['agent_people'],
    reason: 'The person is named by the invitation, whose token the caller has shown.',
  },
  {
    where: 'agents/list-actions.ts',
    tables: ['agent_people'],
    reason: 'In test mode, too, the people are those of the live agent, which the session names.',
  },
  {
    where: 'agents/list-people.ts',
    tables: ['agent_people'],
    reason: 'In test mode, too, the people are those of the live agent, which the session names.',
  },
  {
    where: 'agents/switch-mode.ts',
    tables: ['agents'],
    reason: 'A person switches between the two modes of the agent that the session names.',
  },
  {
    where: 'agents/person-links.ts',
    tables: ['agent_emails', 'agent_people', 'agent_person_links'],
    reason:
      'A link to log in is for an email, which may belong to people of several agents, or to nobody.',
  },

  {
    where: 'files/read-file.ts',
    tables: ['files', 'question_photos'],
    reason: 'The link is signed by us for this file, and the signature is checked before.',
  },

  {
    where: 'workers/queries.ts',
    tables: ['worker_emails'],
    reason:
      'Login, registration and mailed links find a worker by email: the directory of workers.',
  },
  {
    where: 'notices/subscribe.ts',
    tables: ['push_subscriptions'],
    reason: 'A device belongs to whoever registers it last; the earlier registration is removed.',
  },

  // The market, where agents and workers meet.
  {
    where: 'tasks/accept.ts',
    tables: ['tasks'],
    reason:
      'A worker may accept any open task; the mode and the agent of test workers are checked.',
  },
  {
    where: 'feed/get-open.ts',
    tables: ['tasks', 'agents'],
    reason: 'A worker may look at any open task; one that is not open to them is 404.',
  },
  {
    where: 'stats/market.ts',
    tables: ['tasks', 'workers'],
    reason:
      'Usual prices and the number of workers near a place, over all of them; nobody is named.',
  },
  {
    where: 'feed/test-mode-cards.ts',
    tables: ['tasks', 'agents'],
    reason: 'A test worker sees the open tasks of the test agent that made them.',
  },
  {
    where: 'feed/card.ts',
    tables: ['tasks', 'agents'],
    reason: 'Cards of the feed, of open tasks for which it has none yet: those of all agents.',
  },
  {
    where: 'tasks_reports_hide()',
    tables: ['task_reports'],
    reason: 'The reports of all workers on one task decide together whether it is hidden.',
  },
  {
    where: 'moderation/report.ts',
    tables: ['tasks'],
    reason: 'A worker may report any open task; what they may not see is 404.',
  },
  {
    where: 'workers/crowd.ts',
    tables: ['workers'],
    reason:
      'Counts eligible workers; the response shows a number rounded down to a multiple of five.',
  },

  {
    where: 'workers/get-leaderboard.ts',
    tables: ['workers', 'assignments', 'away_assignments'],
    reason:
      'The ranking counts the work of all workers who take part; names and levels are public.',
  },
  {
    where: 'workers/mail-decision.ts',
    tables: ['tasks', 'away_tasks'],
    reason:
      "Titles of the tasks that the worker's own decision names, by a mailed link or in its mail.",
  },
  {
    where: 'workers/earning-lines.ts',
    tables: ['transfers'],
    reason:
      "The commission of the settlements that paid the worker, by the key of the worker's own line.",
  },
  {
    where: 'workers/get-earnings.ts',
    tables: ['transfers'],
    reason: "What became of the worker's own payouts, by the key made of the payout's id.",
  },

  // Functions on ids that their callers have checked.
  {
    where: 'create_tasks()',
    tables: ['key_limits', 'test_clocks', 'transfers', 'deposits'],
    reason:
      'Caps are those on the path of a key that was read with its agent, transfers by a movement’s key, deposits of ' +
      'the agents of the batch, whose tier depends on them.',
  },
  {
    where: 'move_tasks()',
    tables: ['key_limits', 'test_clocks', 'transfers', 'disputes'],
    reason:
      'Caps by the path of the task’s own key, transfers by a movement’s key; a trigger looks for the held dispute ' +
      'of the task that is written.',
  },
  {
    where: 'ledger_post()',
    tables: ['transfers', 'ledger_transits'],
    reason:
      'Looks up movements by the key that makes them unique, and money in transit by its payout.',
  },
  {
    where: 'webhooks_hurry()',
    tables: ['deliveries'],
    reason: 'The deliveries of one lane, whose id begins with the id of the agent that asks.',
  },
  {
    where: 'tasks_age()',
    tables: ['tasks'],
    reason:
      "Advances an agent's own test clock: the ids are those of its own test tasks, read first.",
  },

  // Test mode: scripted workers act on the tasks of the calling agent.
  {
    where: 'test-mode/play.ts',
    tables: 'all',
    reason: "Scripted workers do the calling agent's own test tasks, found by its id.",
  },
  {
    where: 'test-mode/moments.ts',
    tables: 'all',
    reason: "Finds what happens next in the calling agent's own test tasks.",
  },
  {
    where: 'test-mode/clock-holds.ts',
    tables: ['test_clocks'],
    reason: 'Counts how many clocks move at this moment, of all test agents: so many may.',
  },
  {
    where: 'agents/test-usage.ts',
    tables: ['test_usage'],
    reason:
      'Counts what one test agent, and one address, has stored today; nothing of it is shown.',
  },
  {
    where: 'rehearsal_erase_agent()',
    tables: 'all',
    reason: 'Deletes everything of one ended test agent, which it has locked and checked first.',
  },
]
