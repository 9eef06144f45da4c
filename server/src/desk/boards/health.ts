/** The board of health: queues, delays, failing receivers and requests, and which processes live. */
import { sql } from 'kysely'
import type { Reader } from '../../kit/db.ts'
import { addUp, earliest, readShards } from '../../kit/everywhere.ts'
import type { Background } from '../../kit/job.ts'
import { ROUTE_GROUPS, type RouteGroupName } from '../../kit/route-groups.ts'
import { readWaiting } from '../../ops/waiting.ts'
import { countDead } from '../../processor/events.ts'
import { readBacklog } from '../../webhooks/gauges.ts'
import { reportAudit } from '../../ledger/audit-report.ts'
import { type Board, type Given, type Rows, shareOf, worseThan } from './board.ts'

const HOUR_MS = 3_600_000
/** A process stores its counts a few seconds after each minute. */
const PROCESS_SEEN_MS = 150_000
/** A jobs process beats several times a minute. */
const JOBS_SEEN_MS = 60_000
/** A longer queue of jobs is counted up to here. */
const JOBS_READ = 50_000
const AUDIT_STALE_S = 26 * 3600
const JOBS_SHOWN = 30

interface Requests {
  route_group: RouteGroupName
  requests: number
  refused: number
  failed: number
  slow: number
}

interface JobQueue {
  job: string
  due: number
  running: number
  dead: number
  oldest: Date | null
}

interface HealthData {
  at: Date
  outboxSince: Date | null
  webhooksSince: Date | null
  receivers: { failing: number; disabled: number; paused: number }
  jobs: JobQueue[]
  notificationsDead: number
  waiting: Awaited<ReturnType<typeof readWaiting>>
  requests: Requests[]
  apiProcesses: number
  jobProcesses: number
  databaseSeconds: number
  standbys: { name: string; state: string; lag: number | null }[]
  ledgerBreaks: number
  auditedAt: Date | null
}

async function read(background: Background, given: Given): Promise<HealthData> {
  const { now } = given
  const { shards } = background.db
  const global = shards.global.reader
  const databaseSeconds = await timeOf(global)
  const { outboxSince, dueSince } = await readBacklog(shards, now)
  const receivers = await readShards(shards.readers, (shard) => receiversOf(shard, now))
  const audit = await reportAudit(shards.readers)
  return {
    at: now,
    outboxSince,
    webhooksSince: dueSince,
    receivers: addUp(['failing', 'disabled', 'paused'], receivers),
    jobs: addJobs((await readShards(queuesOf(background), (queue) => jobsOf(queue, now))).flat()),
    notificationsDead: await countDead(global),
    waiting: await readWaiting(shards, { now }),
    requests: await requestsSince(global, given),
    ...(await processesOf(background, now)),
    databaseSeconds,
    standbys: await standbysOf(global),
    ledgerBreaks: audit.breaks.length,
    auditedAt: audit.audited_at,
  }
}

const queuesOf = ({ db }: Background): readonly Reader[] =>
  db.shards.queues.map(({ reader }) => reader)

/** The faster of two round trips: the first one may open a connection. */
async function timeOf(reader: Reader): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < 2; i += 1) {
    const startedMs = performance.now()
    await sql`select 1`.execute(reader)
    took.push(performance.now() - startedMs)
  }
  return Math.min(...took) / 1000
}

/** The same events as `readBacklog` looks at. */
const isLiveEvent = sql`
  (o.agent_id is null
   or not exists (select 1 from agents a where a.id = o.agent_id and a.mode = 'test'))`

async function receiversOf(shard: Reader, now: Date) {
  const { rows } = await sql<HealthData['receivers']>`
    select count(*) filter (where failing_since is not null and disabled_at is null)::integer as failing,
           count(disabled_at)::integer as disabled,
           count(*) filter (where failing_since is null and disabled_at is null)::integer as paused
      from webhook_lanes
     where failing_since is not null or disabled_at is not null or paused_until > ${now}`.execute(
    shard,
  )
  return rows[0]!
}

async function jobsOf(queue: Reader, now: Date): Promise<JobQueue[]> {
  const { rows } = await sql<JobQueue>`
    select task_identifier as job,
           count(*) filter (where attempts < max_attempts and locked_at is null and run_at <= ${now})::integer as due,
           count(*) filter (where locked_at is not null)::integer as running,
           count(*) filter (where attempts >= max_attempts and locked_at is null)::integer as dead,
           min(run_at) filter (where attempts < max_attempts and locked_at is null and run_at <= ${now}) as oldest
      from (select * from graphile_worker.jobs limit ${JOBS_READ}) j group by 1`.execute(queue)
  return rows
}

const addJobs = (parts: readonly JobQueue[]): JobQueue[] =>
  [...Map.groupBy(parts, ({ job }) => job)]
    .map(([job, some]) => ({
      job,
      ...addUp(['due', 'running', 'dead'], some),
      oldest: earliest(some.map(({ oldest }) => oldest)),
    }))
    .sort((a, b) => b.dead - a.dead || b.due - a.due || (a.job < b.job ? -1 : 1))

const hourBefore = (now: Date) => new Date(now.getTime() - HOUR_MS)

async function requestsSince(global: Reader, { now }: Given): Promise<Requests[]> {
  const { rows } = await sql<Requests>`
    select route_group, sum(requests)::bigint as requests, sum(refused)::bigint as refused,
           sum(failed)::bigint as failed, sum(slow)::bigint as slow
      from request_minutes where minute >= ${hourBefore(now)} group by 1`.execute(global)
  return rows
}

async function processesOf({ db: { shards } }: Background, now: Date) {
  const api = await sql<{ count: number }>`
    select count(distinct process_id)::integer as count from request_minutes
     where minute >= ${new Date(now.getTime() - PROCESS_SEEN_MS)}`.execute(shards.global.reader)
  // A heartbeat is by the database's clock.
  const jobs = await sql<{ count: number }>`
    select count(*)::integer as count from job_processes
     where seen_at >= now() - make_interval(secs => ${JOBS_SEEN_MS / 1000})`.execute(
    shards.queues[0]!.reader,
  )
  return { apiProcesses: api.rows[0]!.count, jobProcesses: jobs.rows[0]!.count }
}

/** Without the right to read statistics (`pg_monitor`), PostgreSQL shows that a standby exists but not its lag. */
async function standbysOf(global: Reader): Promise<HealthData['standbys']> {
  const { rows } = await sql<HealthData['standbys'][number]>`
    select coalesce(application_name, '') as name, coalesce(state, 'unknown') as state,
           extract(epoch from replay_lag)::double precision as lag
      from pg_stat_replication order by 1`.execute(global)
  return rows
}

const secondsSince = (since: Date | null, now: Date) =>
  since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1000)
const requestsOf = ({ requests }: HealthData) =>
  addUp(['requests', 'refused', 'failed', 'slow'], requests)
const jobSums = ({ jobs }: HealthData) => addUp(['due', 'running', 'dead'], jobs)
const oneBad = worseThan(1, 1)

const text = (name: string) => ({ name, as: 'text' as const })
const count = (name: string) => ({ name, as: 'count' as const })
const id = (name: string) => ({ name, as: 'id' as const })
const time = (name: string) => ({ name, as: 'time' as const })

const receiverRows = (
  condition = sql`failing_since is not null and disabled_at is null`,
): Rows => ({
  in: 'shards',
  makes: { by: 'count' },
  columns: [id('Agent'), text('Receiver'), count('Failures in a row'), text('Disabled for')],
  select: () => sql`
    select coalesce(disabled_at, failing_since) as at, id,
           json_build_array(agent_id, split_part(id, ' ', 2), failures, disabled_for) as cells
      from webhook_lanes where ${condition}`,
})

const jobRows = (
  condition: (now: Date) => unknown,
  makes: Rows['makes'] = { by: 'count' },
): Rows => ({
  in: 'queues',
  makes,
  columns: [text('Job'), count('Attempts'), text('Last error')],
  select: ({ now }) => sql`
    select run_at as at, id::text as id,
           json_build_array(task_identifier, attempts, left(last_error, 200)) as cells
      from graphile_worker.jobs where ${condition(now)}`,
})

const isDue = (now: Date) => sql`attempts < max_attempts and locked_at is null and run_at <= ${now}`

const requestRows = (column: number): Rows => ({
  in: 'global',
  makes: { by: 'sum', column },
  columns: [
    text('Routes'),
    text('Process'),
    count('Requests'),
    count('Refused'),
    count('Failed'),
    count('Slow'),
  ],
  select: ({ now }) => sql`
    select minute as at, process_id || ' ' || route_group as id,
           json_build_array(route_group, left(process_id, 8), requests, refused, failed, slow) as cells
      from request_minutes where minute >= ${hourBefore(now)} and requests > 0`,
})

const figures: Board<HealthData>['figures'] = [
  {
    name: 'failed_share',
    title: 'Requests that failed',
    as: 'share',
    definition:
      'Of the requests of live mode of the last hour, the share that got a status of 500 or more; we ' +
      'promise at most 0.1%.',
    value: (data) => shareOf(requestsOf(data).failed, requestsOf(data).requests),
    state: worseThan(0.001, 0.01),
    rows: requestRows(4),
  },
  {
    name: 'requests_hour',
    title: 'Requests',
    as: 'count',
    definition:
      'Requests of live mode that were answered in the last hour, up to the last whole minute.',
    value: (data) => requestsOf(data).requests,
    rows: requestRows(2),
  },
  {
    name: 'slow_share',
    title: 'Slow requests',
    as: 'share',
    definition:
      'Of the requests that did not fail, the share that took longer than the objective of their ' +
      'routes; we promise at most 1%.',
    value: (data) => {
      const { requests, failed, slow } = requestsOf(data)
      return shareOf(slow, requests - failed)
    },
    state: worseThan(0.01, 0.05),
    rows: requestRows(5),
  },
  {
    name: 'outbox_seconds',
    title: 'Relay lag',
    as: 'seconds',
    definition:
      'The age of the oldest event of live mode that no relay has taken; normally below a second.',
    value: ({ outboxSince, at }) => secondsSince(outboxSince, at),
    state: worseThan(10, 60),
    rows: {
      in: 'shards',
      makes: { by: 'count' },
      columns: [id('Event'), text('Type'), id('Task')],
      select: () => sql`
        select o.created_at as at, o.id, json_build_array(o.id, o.type, o.task_id) as cells
          from outbox o where ${isLiveEvent}`,
    },
  },
  {
    name: 'webhooks_late_seconds',
    title: 'Webhook lag',
    as: 'seconds',
    definition:
      'How long the receiver that is due first has been waiting for us; the time that receivers take ' +
      'or are paused is not counted.',
    value: ({ webhooksSince, at }) => secondsSince(webhooksSince, at),
    state: worseThan(5, 60),
    rows: {
      in: 'shards',
      makes: { by: 'count' },
      columns: [id('Agent'), text('Receiver')],
      select: ({ now }) => sql`
        select due_at as at, id, json_build_array(agent_id, split_part(id, ' ', 2)) as cells
          from webhook_lanes l
         where due_at <= ${now} and exists (select 1 from agents a where a.id = l.agent_id and a.mode = 'live')`,
    },
  },
  {
    name: 'receivers_failing',
    title: 'Failing receivers',
    as: 'count',
    definition: 'Agents’ servers whose last delivery failed and that are tried again.',
    value: ({ receivers }) => receivers.failing,
    state: worseThan(1, 50),
    rows: receiverRows(),
  },
  {
    name: 'receivers_disabled',
    title: 'Disabled receivers',
    as: 'count',
    definition:
      'Agents’ servers that get no deliveries until their agent or an operator resumes them.',
    value: ({ receivers }) => receivers.disabled,
    rows: receiverRows(sql`disabled_at is not null`),
  },
  {
    name: 'jobs_due',
    title: 'Jobs that are due',
    as: 'count',
    definition: 'Background jobs that could run now and that no process has begun.',
    value: (data) => jobSums(data).due,
    rows: jobRows(isDue),
  },
  {
    name: 'jobs_oldest_seconds',
    title: 'Oldest job that is due',
    as: 'seconds',
    definition: 'How long the job that is due first has been waiting for a process.',
    value: ({ jobs, at }) => secondsSince(earliest(jobs.map(({ oldest }) => oldest)), at),
    state: worseThan(60, 900),
    rows: jobRows(isDue),
  },
  {
    name: 'jobs_dead',
    title: 'Dead jobs',
    as: 'count',
    definition: 'Jobs that have used up their attempts; an operator retries them.',
    value: (data) => jobSums(data).dead,
    state: oneBad,
    rows: jobRows(() => sql`attempts >= max_attempts and locked_at is null`),
  },
  {
    name: 'notifications_dead',
    title: 'Notifications given up',
    as: 'count',
    definition:
      'Notifications of the payment processor that failed every time; deposits may be missing.',
    value: ({ notificationsDead }) => notificationsDead,
    state: oneBad,
    rows: {
      in: 'global',
      makes: { by: 'count' },
      columns: [text('Notification'), text('Type')],
      select: () => sql`
        select received_at as at, event_id as id, json_build_array(event_id, type) as cells
          from processor_events where status = 'dead'`,
    },
  },
  {
    name: 'waiting_late',
    title: 'Waiting for people too long',
    as: 'count',
    definition: 'Items in the queues of operators that are overdue.',
    value: ({ waiting }) => lateOf(waiting),
    state: worseThan(1, 20),
    link: '/',
  },
  {
    name: 'database_seconds',
    title: 'Database',
    as: 'seconds',
    definition: 'How long the database took to answer the simplest question, from this process.',
    value: ({ databaseSeconds }) => databaseSeconds,
    state: worseThan(0.05, 0.5),
  },
  {
    name: 'standby_seconds',
    title: 'Standby lag',
    as: 'seconds',
    definition:
      'How far the standby that is furthest behind is behind the primary; unknown without a standby, ' +
      'or if the database role may not read pg_stat_replication.',
    value: ({ standbys }) => {
      const known = standbys.flatMap(({ lag }) => (lag === null ? [] : [lag]))
      return known.length === 0 ? null : Math.max(...known)
    },
    state: worseThan(10, 60),
  },
  {
    name: 'api_processes',
    title: 'API processes',
    as: 'count',
    definition: 'Processes that stored their count of requests for one of the last two minutes.',
    value: ({ apiProcesses }) => apiProcesses,
    state: (value) => (value === 0 ? 'bad' : 'ok'),
  },
  {
    name: 'job_processes',
    title: 'Jobs processes',
    as: 'count',
    definition: 'Processes of background work with a heartbeat in the last minute.',
    value: ({ jobProcesses }) => jobProcesses,
    state: (value) => (value === 0 ? 'bad' : 'ok'),
  },
  {
    name: 'ledger_breaks',
    title: 'Broken invariants',
    as: 'count',
    definition:
      'Rules of the ledger that the audit found broken and that no later check found right.',
    value: ({ ledgerBreaks }) => ledgerBreaks,
    state: oneBad,
    rows: {
      in: 'shards',
      makes: { by: 'count' },
      columns: [text('Rule'), text('Subject'), time('Last seen')],
      select: () => sql`
        select found_at as at, invariant || ' ' || subject as id,
               json_build_array(invariant, subject, seen_at) as cells
          from ledger_breaks where ended_at is null`,
    },
  },
  {
    name: 'audited_seconds',
    title: 'Since the last audit',
    as: 'seconds',
    definition:
      'How long ago the new lines of the ledger were last audited; that happens every night.',
    value: ({ auditedAt, at }) => (auditedAt === null ? null : secondsSince(auditedAt, at)),
    state: worseThan(AUDIT_STALE_S, 2 * AUDIT_STALE_S),
  },
]

const lateOf = (waiting: HealthData['waiting']) =>
  waiting.filter(({ hasLimit }) => hasLimit).reduce((sum, { late }) => sum + late, 0)

export const health: Board<HealthData> = {
  title: 'Health',
  hasWindows: false,
  read,
  figures,
  tables: [
    {
      title: 'Requests of the last hour',
      definition:
        'Requests of live mode by groups of routes: refused with a status of 400 to 499, failed with ' +
        '500 or more, and slower than the objective of the group.',
      columns: [
        text('Routes'),
        count('Requests'),
        count('Refused'),
        count('Failed'),
        { name: 'Share failed', as: 'share' },
        count('Slow'),
      ],
      rows: ({ requests }) =>
        Object.entries(ROUTE_GROUPS).map(([name, { title }]) => {
          const found = requests.find(({ route_group }) => route_group === name)
          const { requests: all, refused, failed, slow } = found ?? NO_REQUESTS
          return [title, all, refused, failed, shareOf(failed, all), slow]
        }),
    },
    {
      title: 'Jobs',
      definition: `Jobs in the queue by name: due now, running, and out of attempts; the ${JOBS_SHOWN} longest queues.`,
      columns: [text('Job'), count('Due'), count('Running'), count('Dead'), time('Due since')],
      rows: ({ jobs }) =>
        jobs
          .slice(0, JOBS_SHOWN)
          .map(({ job, due, running, dead, oldest }) => [
            job,
            due,
            running,
            dead,
            oldest?.toISOString() ?? null,
          ]),
    },
    {
      title: 'Waiting for people',
      definition:
        'What waits for an operator: how many, how many of them too long, and since when.',
      columns: [text('What'), count('Waiting'), count('Too long'), time('Oldest since')],
      rows: ({ waiting }) =>
        waiting
          .filter((one) => one.count > 0)
          .map((one) => [one.what, one.count, one.late, one.oldest_at?.toISOString() ?? null]),
    },
    {
      title: 'Standbys',
      definition: 'Machines that copy the database, as the primary sees them.',
      columns: [text('Standby'), text('State'), { name: 'Lag', as: 'seconds' }],
      rows: ({ standbys }) => standbys.map(({ name, state, lag }) => [name, state, lag]),
    },
  ],
}

const NO_REQUESTS = { requests: 0, refused: 0, failed: 0, slow: 0 }
