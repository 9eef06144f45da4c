/** The panels of the four dashboards, as data. `npm run generate` renders them (render.ts). */

export interface Panel {
  title: string
  /** Explains the panel to a new reader, and says when to worry. */
  description: string
  /** A unit of Grafana: https://grafana.com/docs/grafana/latest/panels-visualizations/configure-standard-options */
  unit: string
  /** The runbook in docs/runbooks to read when it looks wrong. */
  runbook: string
  queries: { expr: string; legend: string }[]
  /** A single number instead of lines. */
  isNumber?: boolean
}

export interface DashboardSpec {
  uid: string
  title: string
  description: string
  rows: { title: string; panels: Panel[] }[]
}

const one = (expr: string, legend: string) => [{ expr, legend }]
const rate = (metric: string) => `rate(${metric}[$__rate_interval])`
const CREATE =
  'method="POST", route=~"/tasks|/verify|/call|/gut-check|/field|/escalate|/vibe", mode="live"'
const quantiles = (selector: string) =>
  [0.5, 0.95, 0.99].map((share) => ({
    expr: `histogram_quantile(${share}, sum by (le) (${rate(`legwork_http_request_seconds_bucket{${selector}}`)}))`,
    legend: `p${share * 100}`,
  }))

const overview: DashboardSpec = {
  uid: 'legwork-overview',
  title: 'Legwork overview',
  description: 'Do agents and workers get what we promise? Start here.',
  rows: [
    {
      title: 'Promises',
      panels: [
        {
          title: 'Error budget left',
          description:
            'What is left of each 30-day budget: 1 is all of it, 0 is used up. Needs the rules of deploy/prometheus.',
          unit: 'percentunit',
          runbook: 'requests-fail',
          queries: one('legwork_slo:budget_left', '{{slo}} {{sli}}'),
        },
        {
          title: 'Requests',
          description:
            'Requests per second by status. A growing share of 5xx is our fault; 4xx is the caller’s.',
          unit: 'reqps',
          runbook: 'requests-fail',
          queries: one(
            `sum by (status) (${rate('legwork_http_request_seconds_count{mode="live"}')})`,
            '{{status}}',
          ),
        },
        {
          title: 'Creating a task',
          description:
            'Response time of creations. We promise 99% within 0.5 s. A dot is one request: click it for its trace.',
          unit: 's',
          runbook: 'database-slow',
          queries: quantiles(CREATE),
        },
        {
          title: 'Feed',
          description: 'Response time of the workers’ feed. We promise 99% within 0.5 s.',
          unit: 's',
          runbook: 'database-slow',
          queries: quantiles('route=~"/worker/feed|/worker/feed/:id", mode="live"'),
        },
      ],
    },
    {
      title: 'Tasks',
      panels: [
        {
          title: 'Open tasks',
          description:
            'Live tasks that a worker can take now, by type. If it only grows, workers are missing.',
          unit: 'short',
          runbook: 'jobs-backlog',
          queries: one('max by (type) (legwork_open_tasks)', '{{type}}'),
        },
        {
          title: 'Time to acceptance',
          description: 'How long live tasks waited for a worker. Long waits end in expired tasks.',
          unit: 's',
          runbook: 'jobs-backlog',
          queries: [0.5, 0.9].map((share) => ({
            expr: `histogram_quantile(${share}, sum by (le) (rate(legwork_task_acceptance_seconds_bucket[1h])))`,
            legend: `p${share * 100}`,
          })),
        },
        {
          title: 'What happens to tasks',
          description:
            'Live tasks per hour that were created, accepted, completed, disputed, expired or cancelled.',
          unit: 'short',
          runbook: 'jobs-backlog',
          queries: one('3600 * sum by (type) (rate(legwork_task_events_total[1h]))', '{{type}}'),
        },
        {
          title: 'Disputes per completed task',
          description:
            'The share of decisions that are disputes, over a day. A jump means bad work, or a bad agent.',
          unit: 'percentunit',
          runbook: 'held-disputes',
          queries: one(
            'sum(increase(legwork_task_events_total{type="task.disputed"}[1d])) / sum(increase(legwork_task_events_total{type=~"task.disputed|task.completed"}[1d]))',
            'disputed',
          ),
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Event loop delay',
          description: 'The longest delays of the API’s event loop. Above 0.2 s everyone waits.',
          unit: 's',
          runbook: 'overloaded',
          queries: one(
            `histogram_quantile(0.95, sum by (le, instance) (${rate('legwork_event_loop_delay_seconds_bucket')}))`,
            '{{instance}}',
          ),
        },
        {
          title: 'Refused requests',
          description:
            'Requests refused per second: by rate limits, by policy, and because a process is overloaded.',
          unit: 'reqps',
          runbook: 'too-many-requests',
          queries: [
            {
              expr: `sum by (policy) (${rate('legwork_http_limited_total')})`,
              legend: '429 {{policy}}',
            },
            { expr: `sum(${rate('legwork_http_shed_total')})`, legend: '503 overloaded' },
          ],
        },
        {
          title: 'Waiting for people',
          description:
            'Items that have waited too long for an operator, by kind. `ops waiting` lists them.',
          unit: 'short',
          runbook: 'waiting-for-people',
          queries: one('max by (what) (legwork_waiting_late)', '{{what}}'),
        },
        {
          title: 'Memory',
          description: 'Resident memory of each process. A line that only rises is a leak.',
          unit: 'bytes',
          runbook: 'overloaded',
          queries: one('legwork_process_resident_memory_bytes', '{{instance}}'),
        },
      ],
    },
  ],
}

const money: DashboardSpec = {
  uid: 'legwork-money',
  title: 'Legwork money',
  description: 'Is every cent where it should be, and do workers get paid?',
  rows: [
    {
      title: 'Books',
      panels: [
        {
          title: 'Broken invariants',
          description:
            'Invariants of the ledger that the last audit found broken. Anything but 0 stops payouts: act now.',
          unit: 'short',
          runbook: 'ledger-does-not-balance',
          queries: one('max(legwork_ledger_breaks)', 'broken'),
          isNumber: true,
        },
        {
          title: 'Time since the last audit',
          description:
            'The ledger is audited every night. More than 26 hours means that the audit does not run.',
          unit: 's',
          runbook: 'ledger-does-not-balance',
          queries: one('time() - max(legwork_ledger_audited_timestamp_seconds)', 'last audit'),
          isNumber: true,
        },
        {
          title: 'Unexplained differences',
          description:
            'Cents by which our books and the processor’s differ, by age. Only the youngest may be above 0 for long.',
          unit: 'short',
          runbook: 'money-unexplained',
          queries: one('max by (age) (legwork_unexplained_cents)', '{{age}}'),
        },
        {
          title: 'Open breaks',
          description: 'Differences that nobody has explained yet.',
          unit: 'short',
          runbook: 'money-unexplained',
          queries: one('max(legwork_money_breaks)', 'breaks'),
          isNumber: true,
        },
      ],
    },
    {
      title: 'Processor',
      panels: [
        {
          title: 'Own funds',
          description:
            'Our own share of the money at the processor, in cents. Below 0 we would pay workers with others’ money.',
          unit: 'short',
          runbook: 'own-funds-negative',
          queries: one('min(legwork_own_funds_cents)', 'cents'),
        },
        {
          title: 'Oldest payout being sent',
          description: 'We promise that a payout reaches the processor within an hour.',
          unit: 's',
          runbook: 'payouts-stuck',
          queries: one('max(legwork_payout_oldest_seconds)', 'oldest'),
        },
        {
          title: 'Time since the last reconciliation',
          description:
            'Our books are compared with the processor’s every few minutes. Above 15 minutes, the processor or the jobs are down.',
          unit: 's',
          runbook: 'processor-down',
          queries: one('time() - max(legwork_reconciled_timestamp_seconds)', 'last reconciliation'),
        },
        {
          title: 'Notifications given up',
          description:
            'Notifications of the processor that we could not handle. Deposits may be missing.',
          unit: 'short',
          runbook: 'deposits-unconfirmed',
          queries: one('max(legwork_processor_events_dead)', 'given up'),
          isNumber: true,
        },
      ],
    },
    {
      title: 'Payout jobs',
      panels: [
        {
          title: 'Jobs of payouts',
          description:
            'Payout jobs per minute, by outcome. Failed jobs are retried; given-up ones need an operator.',
          unit: 'short',
          runbook: 'payouts-stuck',
          queries: one(
            '60 * sum by (job, outcome) (rate(legwork_jobs_total{job=~"payouts.*"}[$__rate_interval]))',
            '{{job}} {{outcome}}',
          ),
        },
        {
          title: 'Held disputes',
          description:
            'Disputes that wait for an operator’s decision. After three days without one, the worker is paid.',
          unit: 'short',
          runbook: 'held-disputes',
          queries: one('max(legwork_held_disputes)', 'held'),
        },
      ],
    },
  ],
}

const delivery: DashboardSpec = {
  uid: 'legwork-delivery',
  title: 'Legwork delivery',
  description: 'Do agents and workers hear what happened: webhooks, jobs, mails, pushes?',
  rows: [
    {
      title: 'Webhooks',
      panels: [
        {
          title: 'Age of the outbox',
          description:
            'Age of the oldest event that no relay has taken. Above 10 s, no jobs process works.',
          unit: 's',
          runbook: 'jobs-backlog',
          queries: one('max(legwork_outbox_oldest_seconds)', 'oldest'),
        },
        {
          title: 'Lateness of deliveries',
          description:
            'How long the receiver that is due first has been waiting for us. We promise five seconds with the outbox.',
          unit: 's',
          runbook: 'webhooks-backlog',
          queries: one('max(legwork_webhook_late_seconds)', 'late'),
        },
        {
          title: 'Delivery attempts',
          description:
            'Attempts per second, by outcome. Many failures of one agent are its own; of all agents, ours.',
          unit: 'reqps',
          runbook: 'webhooks-backlog',
          queries: one(
            `sum by (outcome) (${rate('legwork_webhook_deliveries_total')})`,
            '{{outcome}}',
          ),
        },
        {
          title: 'Response time of receivers',
          description:
            'How long agents’ servers take. A dot is one attempt: click it for its trace.',
          unit: 's',
          runbook: 'webhooks-backlog',
          queries: [0.5, 0.95].map((share) => ({
            expr: `histogram_quantile(${share}, sum by (le) (${rate('legwork_webhook_delivery_seconds_bucket')}))`,
            legend: `p${share * 100}`,
          })),
        },
        {
          title: 'Unhealthy receivers',
          description:
            'Receivers that fail or are disabled. Ten more within an hour is a problem on our side.',
          unit: 'short',
          runbook: 'webhooks-backlog',
          queries: one('max by (state) (legwork_webhook_receivers)', '{{state}}'),
        },
        {
          title: 'Events relayed',
          description: 'Outbox rows moved per second, by type.',
          unit: 'short',
          runbook: 'jobs-backlog',
          queries: one(`sum by (type) (${rate('legwork_outbox_relayed_total')})`, '{{type}}'),
        },
      ],
    },
    {
      title: 'Jobs and timers',
      panels: [
        {
          title: 'Jobs',
          description: 'Jobs per second, by outcome. Failed ones are retried.',
          unit: 'short',
          runbook: 'jobs-backlog',
          queries: one(`sum by (outcome) (${rate('legwork_jobs_total')})`, '{{outcome}}'),
        },
        {
          title: 'Jobs processes',
          description:
            'Jobs processes with a recent heartbeat. At 0 nothing is sent and no deadline is kept.',
          unit: 'short',
          runbook: 'jobs-backlog',
          queries: one('max(legwork_job_processes)', 'processes'),
          isNumber: true,
        },
        {
          title: 'Time since each timer ran',
          description: 'Timers run every second. Above five minutes, one is stuck.',
          unit: 's',
          runbook: 'jobs-backlog',
          queries: one(
            'time() - max by (timer) (legwork_timers_run_timestamp_seconds)',
            '{{timer}}',
          ),
        },
        {
          title: 'Rows moved by timers',
          description: 'Due rows per second that timers moved, and those that failed.',
          unit: 'short',
          runbook: 'jobs-backlog',
          queries: [
            { expr: `sum by (timer) (${rate('legwork_timers_swept_total')})`, legend: '{{timer}}' },
            {
              expr: `sum by (timer) (${rate('legwork_timers_failed_total')})`,
              legend: '{{timer}} failed',
            },
          ],
        },
      ],
    },
    {
      title: 'Mails, pushes, traces',
      panels: [
        {
          title: 'Mails',
          description: 'Jobs that send mails, per minute, by outcome.',
          unit: 'short',
          runbook: 'mail-not-delivered',
          queries: one(
            '60 * sum by (job, outcome) (rate(legwork_jobs_total{job=~".*mail.*"}[$__rate_interval]))',
            '{{job}} {{outcome}}',
          ),
        },
        {
          title: 'Push messages',
          description: 'Notices sent to push services per minute, by outcome.',
          unit: 'short',
          runbook: 'push-not-delivered',
          queries: one(
            '60 * sum by (outcome) (rate(legwork_pushes_total[$__rate_interval]))',
            '{{outcome}}',
          ),
        },
        {
          title: 'Spans',
          description:
            'Spans of traces per second that reached the collector, and those that were lost.',
          unit: 'short',
          runbook: 'monitoring-silent',
          queries: one(`sum by (outcome) (${rate('legwork_spans_total')})`, '{{outcome}}'),
        },
      ],
    },
  ],
}

const database: DashboardSpec = {
  uid: 'legwork-database',
  title: 'Legwork database',
  description:
    'Is PostgreSQL the bottleneck? Most panels need postgres_exporter and node_exporter.',
  rows: [
    {
      title: 'As the server sees it',
      panels: [
        {
          title: 'Wait for a connection',
          description:
            'How long queries waited for a connection of their process, by pool. Above 0.1 s for the live pool, users feel it.',
          unit: 's',
          runbook: 'database-slow',
          queries: one(
            `histogram_quantile(0.95, sum by (le, pool) (${rate('legwork_database_wait_seconds_bucket')}))`,
            '{{pool}}',
          ),
        },
        {
          title: 'Clock',
          description:
            'How far each machine’s clock is ahead of the database’s. Beyond one second, timers stop.',
          unit: 's',
          runbook: 'clock',
          queries: one('legwork_clock_off_seconds', '{{instance}}'),
        },
      ],
    },
    {
      title: 'As PostgreSQL sees it',
      panels: [
        {
          title: 'Connections',
          description:
            'Connections by state, and the maximum. At 80% of it, add a pooler or processes with fewer connections.',
          unit: 'short',
          runbook: 'database-slow',
          queries: [
            { expr: 'sum by (state) (pg_stat_activity_count)', legend: '{{state}}' },
            { expr: 'max(pg_settings_max_connections)', legend: 'maximum' },
          ],
        },
        {
          title: 'Longest transaction',
          description: 'Age of the longest open transaction. It keeps vacuum from removing rows.',
          unit: 's',
          runbook: 'database-slow',
          queries: one('max(pg_stat_activity_max_tx_duration)', 'longest'),
        },
        {
          title: 'Transactions',
          description: 'Commits and rollbacks per second.',
          unit: 'short',
          runbook: 'database-slow',
          queries: [
            { expr: `sum(${rate('pg_stat_database_xact_commit')})`, legend: 'commits' },
            { expr: `sum(${rate('pg_stat_database_xact_rollback')})`, legend: 'rollbacks' },
          ],
        },
        {
          title: 'Deadlocks',
          description:
            'Deadlocks per minute. The server retries them; many of them are a mistake in the order of locks.',
          unit: 'short',
          runbook: 'database-slow',
          queries: one(`60 * sum(${rate('pg_stat_database_deadlocks')})`, 'deadlocks'),
        },
        {
          title: 'Cache hits',
          description:
            'Share of blocks found in memory. Below 99%, the working set no longer fits.',
          unit: 'percentunit',
          runbook: 'database-slow',
          queries: one(
            `sum(${rate('pg_stat_database_blks_hit')}) / (sum(${rate('pg_stat_database_blks_hit')}) + sum(${rate('pg_stat_database_blks_read')}))`,
            'hits',
          ),
        },
        {
          title: 'Size',
          description: 'Size of each database.',
          unit: 'bytes',
          runbook: 'disk-full',
          queries: one('max by (datname) (pg_database_size_bytes)', '{{datname}}'),
        },
        {
          title: 'Replication lag',
          description: 'How far each standby is behind. A failover loses what it lacks.',
          unit: 's',
          runbook: 'database-slow',
          queries: one('max by (instance) (pg_replication_lag_seconds)', '{{instance}}'),
        },
        {
          title: 'Free disk space',
          description: 'Free share of each disk. Below 5%, PostgreSQL is about to stop.',
          unit: 'percentunit',
          runbook: 'disk-full',
          queries: one(
            'node_filesystem_avail_bytes{fstype!~"tmpfs|overlay"} / node_filesystem_size_bytes{fstype!~"tmpfs|overlay"}',
            '{{instance}} {{mountpoint}}',
          ),
        },
      ],
    },
  ],
}

export const DASHBOARDS: readonly DashboardSpec[] = [overview, money, delivery, database]
