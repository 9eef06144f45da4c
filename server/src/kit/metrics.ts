import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client'

/** All metrics of the server. Served at GET /metrics on the operators' port. */
// oxlint-disable-next-line eslint/max-lines-per-function -- a flat table, one entry per metric
export function openMetrics() {
  // The format of OpenMetrics, because only that one has exemplars.
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  collectDefaultMetrics({ register: registry, prefix: 'legwork_' })
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name, help, labelNames, registers: [registry] })
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  /** Without a value until it is first measured: its initial 0 would look like a measurement, and raise an alert. */
  const unmeasured = (name: string, help: string) => {
    const made = gauge(name, help)
    made.remove()
    return made
  }

  return {
    registry,
    build: new Gauge({
      name: 'legwork_build_info',
      help: '1, with the release and the version of Node as labels',
      labelNames: ['release', 'node'] as const,
      registers: [registry],
    }),
    requests: new Histogram({
      name: 'legwork_http_request_seconds',
      help: 'Response time, by method, route, status and mode of the caller',
      labelNames: ['method', 'route', 'status', 'mode'] as const,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      enableExemplars: true,
      registers: [registry],
    }),
    limited: counter('legwork_http_limited_total', 'Requests refused with 429', ['policy']),
    eventLoopDelay: new Histogram({
      name: 'legwork_event_loop_delay_seconds',
      help: 'Longest event loop delay in each half second',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    shedding: gauge('legwork_shedding', '1 while new requests are refused because of overload'),
    shed: counter('legwork_http_shed_total', 'Requests refused because of overload', []),
    largeBodies: gauge('legwork_large_bodies', 'Bodies of more than 512 kB held in memory'),
    largeBodiesMax: gauge(
      'legwork_large_bodies_max',
      'How many bodies of more than 512 kB may be held in memory',
    ),
    databaseWaits: new Histogram({
      name: 'legwork_database_wait_seconds',
      help: 'How long a query or transaction waited for a database connection, by pool',
      labelNames: ['pool'] as const,
      buckets: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 4],
      registers: [registry],
    }),
    storeFailures: counter(
      'legwork_files_store_failures_total',
      'Requests refused with 503 because files could not be stored or read',
      ['store'],
    ),
    limiterDown: gauge('legwork_limiter_down', '1 while the shared rate limiter is unreachable'),
    clockOff: gauge(
      'legwork_clock_off_seconds',
      'How far this machine’s clock is ahead of the database’s time',
    ),
    clockDoubted: gauge(
      'legwork_clock_doubted',
      '1 while this process does not trust its clock: it runs no sweeps and is not ready',
    ),
    requestsUnlogged: counter(
      'legwork_requests_unlogged_total',
      'Refused requests missing from their agents’ logs, by reason',
      ['reason'],
    ),
    relayed: counter('legwork_outbox_relayed_total', 'Outbox rows moved by the relay', ['type']),
    outboxAge: gauge('legwork_outbox_oldest_seconds', 'Age of the oldest outbox row of live mode'),
    jobProcesses: unmeasured('legwork_job_processes', 'Jobs processes with a recent heartbeat'),
    gaugesAt: unmeasured(
      'legwork_gauges_timestamp_seconds',
      'When this process last read the gauges that a jobs process exports',
    ),
    taskEvents: counter('legwork_task_events_total', 'Events of live tasks, by type', ['type']),
    acceptance: new Histogram({
      name: 'legwork_task_acceptance_seconds',
      help: 'How long a live task waited until a worker accepted it',
      buckets: [60, 300, 900, 3600, 14_400, 43_200, 86_400, 259_200, 604_800],
      registers: [registry],
    }),
    openTasks: new Gauge({
      name: 'legwork_open_tasks',
      help: 'Live tasks that a worker can take, by type; an estimate beyond 20,000',
      labelNames: ['type'] as const,
      registers: [registry],
    }),
    swept: counter('legwork_timers_swept_total', 'Rows moved by a timer', ['timer']),
    sweepFailures: counter(
      'legwork_timers_failed_total',
      'Attempts to move a due row that failed, by timer',
      ['timer'],
    ),
    sweptAt: new Gauge({
      name: 'legwork_timers_run_timestamp_seconds',
      help: 'When a timer last looked for due rows',
      labelNames: ['timer'] as const,
      registers: [registry],
    }),
    jobs: counter('legwork_jobs_total', 'Background jobs by outcome', ['job', 'outcome']),
    reclaimed: counter(
      'legwork_job_processes_reclaimed_total',
      'Dead jobs processes that were cleaned up',
      [],
    ),
    expiredRows: counter(
      'legwork_retention_deleted_rows_total',
      'Rows deleted by runner.remove-expired, by table',
      ['table'],
    ),
    erasedRows: counter(
      'legwork_test_erased_rows_total',
      'Rows deleted with ended test agents, by table',
      ['table'],
    ),
    erasedBytes: counter(
      'legwork_test_erased_bytes_total',
      'Bytes of files deleted with ended test agents',
      [],
    ),
    auditBreaks: unmeasured(
      'legwork_ledger_breaks',
      'Broken invariants of the ledger that no later check found right',
    ),
    auditedAt: unmeasured(
      'legwork_ledger_audited_timestamp_seconds',
      'When the new lines of the ledger were last audited',
    ),
    auditRoundAt: unmeasured(
      'legwork_ledger_round_timestamp_seconds',
      'When the whole ledger was last audited; before the first time, when that began',
    ),
    unexplained: new Gauge({
      name: 'legwork_unexplained_cents',
      help: 'Differences between our books and the processor’s, by age',
      labelNames: ['age'] as const,
      registers: [registry],
    }),
    ownFunds: unmeasured('legwork_own_funds_cents', 'Our own share of the money at the processor'),
    moneyBreaks: gauge('legwork_money_breaks', 'Open breaks that nobody has explained yet'),
    payoutAge: gauge(
      'legwork_payout_oldest_seconds',
      'Age of the oldest live payout that is being sent; 0 if there is none',
    ),
    reconciledAt: unmeasured(
      'legwork_reconciled_timestamp_seconds',
      'Time of the last reconciliation with the processor',
    ),
    deliveries: counter('legwork_webhook_deliveries_total', 'Delivery attempts, by outcome', [
      'outcome',
    ]),
    deliverySeconds: new Histogram({
      name: 'legwork_webhook_delivery_seconds',
      help: 'Response time of receivers',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      enableExemplars: true,
      registers: [registry],
    }),
    webhooksLate: gauge(
      'legwork_webhook_late_seconds',
      'How long the receiver that is due first has been waiting without being served',
    ),
    receivers: new Gauge({
      name: 'legwork_webhook_receivers',
      help: 'Unhealthy receivers, by state',
      labelNames: ['state'] as const,
      registers: [registry],
    }),
    pushes: counter('legwork_pushes_total', 'Notices sent to push services, by outcome', [
      'outcome',
    ]),
    reportsWaiting: gauge(
      'legwork_reports_waiting',
      'Reported tasks that no operator has reviewed',
    ),
    heldDisputes: gauge('legwork_held_disputes', 'Held disputes that need an operator’s decision'),
    heldDisputeOldest: gauge(
      'legwork_held_dispute_oldest_seconds',
      'Age of the oldest held dispute; 0 if there is none',
    ),
    waitingLate: new Gauge({
      name: 'legwork_waiting_late',
      help: 'Items that have been waiting for a person for too long, by kind',
      labelNames: ['what'] as const,
      registers: [registry],
    }),
    spans: counter('legwork_spans_total', 'Spans of traces, by what became of them', ['outcome']),
    retentionOverdue: new Gauge({
      name: 'legwork_retention_overdue_seconds',
      help: 'How long the oldest row is past its retention, by table; 0 if none is',
      labelNames: ['table'] as const,
      registers: [registry],
    }),
    deadEvents: gauge('legwork_processor_events_dead', 'Notifications that we gave up on'),
  }
}

export type Metrics = ReturnType<typeof openMetrics>

/** Lets a dashboard open a trace from a bar of a histogram. The package's types allow only the metric's own labels. */
export const exemplarOf = (traceId: string | undefined): { exemplarLabels?: object } =>
  traceId === undefined ? {} : { exemplarLabels: { trace_id: traceId } }
