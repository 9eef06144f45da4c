/** Everything that waits for a person, in one list: items that no timer ends, or that should have ended by now. */
import { sql } from 'kysely'
import type { Reader, Shards } from '../kit/db.ts'
import { addUp, earliest, placesOf, readShards } from '../kit/everywhere.ts'
import { AUTOMATIC } from '../reconcile/switches.ts'
import { command } from './command.ts'

interface Kind {
  what: string
  from: string
  /** When the wait began; null if that is not recorded. */
  since: string | null
  /** After this many hours it is overdue, or at the time in this column; null if there is no limit. */
  late: { hours: number } | { at: string } | null
  next: string
  /** The table belongs to no shard. */
  isGlobal?: true
  /** The shards have this table, and the global schema too. */
  isInBoth?: true
  /** The table belongs to the job queue of each database. */
  isQueue?: true
}

const KINDS: readonly Kind[] = [
  {
    what: 'appeals to rule on',
    from: `appeals join tasks on tasks.id = appeals.task_id and tasks.mode = 'live'
           where appeals.ruling is null and appeals.agent_answer is not null`,
    since: 'appeals.answered_at',
    late: { hours: 48 },
    next: 'ops appeals',
  },
  {
    what: 'workers’ questions',
    from: `questions where status = 'open'`,
    since: 'waits_since',
    late: { at: 'due_at' },
    next: 'ops questions',
  },
  {
    what: 'reported tasks',
    from: `(select task_reports.task_id, min(task_reports.created_at) as since
              from task_reports join tasks on tasks.id = task_reports.task_id and tasks.mode = 'live'
             where verdict is null group by 1) reported`,
    since: 'reported.since',
    late: { hours: 24 },
    next: 'ops reports',
  },
  {
    what: 'payouts held for review',
    from: `payouts where status = 'held' and hold_reason in ('self_dealing', 'review')`,
    since: 'created_at',
    late: { hours: 24 },
    next: 'ops payout release PAYOUT REASON; docs/runbooks/payouts-stuck.md',
  },
  {
    what: 'payouts that failed after the last automatic try',
    from: `payouts where status = 'failed' and check_at is null
           and not exists (select 1 from payouts next where next.previous_id = payouts.id)`,
    since: 'updated_at',
    late: { hours: 0 },
    next: 'ops payout retry PAYOUT; docs/runbooks/payouts-stuck.md',
  },
  {
    what: 'payouts whose account is closed or rejected',
    from: `payouts join payout_accounts using (worker_id)
           where payouts.status = 'awaiting_account' and payout_accounts.status in ('closed', 'rejected')`,
    since: 'payouts.updated_at',
    late: null,
    next: 'the worker contacts support; then ops account replace WORKER REASON',
  },
  {
    what: 'deposits in suspense',
    from: `deposits where status = 'mismatched' and decided_at is null`,
    since: 'updated_at',
    late: { hours: 24 },
    next: 'ops money',
  },
  {
    what: 'switches that are off',
    from: `platform_switches where not is_on and name <> 'read_only' and set_by <> '${AUTOMATIC}'`,
    since: 'changed_at',
    late: { hours: 24 },
    next: 'ops switch NAME on',
    isGlobal: true,
  },
  {
    what: 'read-only mode',
    from: `platform_switches where is_on and name = 'read_only'`,
    since: 'changed_at',
    late: { hours: 1 },
    next: 'ops switch read_only off',
    isGlobal: true,
  },
  {
    what: 'requests to the processor without an outcome',
    from: 'processor_attempts where outcome is null',
    since: 'begun_at',
    late: { hours: 24 },
    next: 'run the same command again; payouts and refunds repeat it automatically',
    isInBoth: true,
  },
  {
    what: 'notifications that were given up',
    from: `processor_events where status = 'dead'`,
    since: 'received_at',
    late: { hours: 0 },
    next: 'ops events retry',
    isGlobal: true,
  },
  {
    what: 'outbox rows',
    from: 'outbox',
    since: 'created_at',
    late: { hours: 0.25 },
    next: 'docs/runbooks/jobs-backlog.md',
    isInBoth: true,
  },
  {
    what: 'changes for a shard in another database',
    from: 'crossings',
    since: 'created_at',
    late: { hours: 0.25 },
    next: 'docs/shards.md#a-database-is-down',
  },
  {
    what: 'jobs out of attempts',
    from: 'graphile_worker.jobs where attempts >= max_attempts',
    since: 'run_at',
    late: { hours: 0 },
    next: 'ops jobs',
    isQueue: true,
  },
  {
    what: 'restricted agents',
    from: `agents where status = 'restricted'`,
    since: null,
    late: null,
    next: 'ops agent free AGENT REASON',
  },
  {
    what: 'agents that owe',
    from: `ledger_agents where mode = 'live' and receivable_cents > 0`,
    since: null,
    late: null,
    next: 'they add money, or ops write-off AGENT CENTS REASON',
  },
]

interface Waiting {
  what: string
  count: number
  late: number
  oldest_at: Date | null
  next: string
}

export async function readWaiting(
  { readers: shards, global: { reader: global }, queues }: Shards,
  { now }: { now: Date },
): Promise<(Waiting & { hasLimit: boolean })[]> {
  const found = []
  const placesFor = ({ isGlobal, isInBoth, isQueue }: Kind): readonly Reader[] => {
    if (isQueue) return queues.map(({ reader }) => reader)
    if (isGlobal) return [global]
    return isInBoth ? placesOf({ shards, global }) : shards
  }
  for (const kind of KINDS) {
    const places = placesFor(kind)
    const sums = addCounts(await readShards(places, (place) => countIn(place, kind, now)))
    found.push({ what: kind.what, ...sums, next: kind.next, hasLimit: kind.late !== null })
  }
  return found
}

type Counts = Pick<Waiting, 'count' | 'late' | 'oldest_at'>

async function countIn(reader: Reader, { from, since, late }: Kind, now: Date): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*)::integer as count, (count(*) filter (where ${isLate(since, late, now)}))::integer as late,
           min(${sql.raw(since ?? 'null::timestamptz')}) as oldest_at
      from ${sql.raw(from)}`.execute(reader)
  return rows[0]!
}

const addCounts = (parts: readonly Counts[]): Counts => ({
  ...addUp(['count', 'late'], parts),
  oldest_at: earliest(parts.map(({ oldest_at }) => oldest_at)),
})

function isLate(since: Kind['since'], late: Kind['late'], now: Date) {
  if (late === null) return sql.lit(false)
  if ('at' in late) return sql`${sql.raw(late.at)} <= ${now}`
  // With a limit of 0 hours every row is overdue, whichever clock wrote it.
  if (late.hours === 0) return sql.lit(true)
  return sql`${sql.raw(since!)} <= ${new Date(now.getTime() - late.hours * 3_600_000)}`
}

export const waiting = command({
  name: 'waiting',
  takes: '[--json]',
  does: 'list everything that is waiting for a person; exit 1 if something has been waiting for too long',
  right: 'view',
  isLook: true,
  async run({ db, clock }) {
    const now = clock.now()
    const all = (await readWaiting(db.shards, { now })).filter(({ count }) => count > 0)
    return { data: { at: now, waiting: all }, isBad: all.some(({ late }) => late > 0) }
  },
})
