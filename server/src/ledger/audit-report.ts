/** What the audit has found and how far it is, read from its tables by whoever asks. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { addUp, earliest, mergeSorted, orderBy, readShards } from '../kit/everywhere.ts'
import type { Background } from '../kit/job.ts'
import { type OpenBreak, openBreaks } from './audit-state.ts'

export interface AuditReport {
  breaks: OpenBreak[]
  /** When the new lines were last checked; null before the first time. */
  audited_at: Date | null
  /** When the last round over the whole ledger ended. */
  round_ended_at: Date | null
  round: RoundProgress | null
}

interface RoundProgress {
  started_at: Date
  pass: string
  percent: number
  /** At the speed so far, without pauses; null before the first slice. */
  seconds_left: number | null
}

export async function reportAudit(shards: readonly Reader[]): Promise<AuditReport> {
  const found = await readShards(shards, openBreaks)
  return {
    breaks: mergeSorted(OLDEST_FIRST, found),
    ...addRuns(await readShards(shards, runsOfShard)),
  }
}

const OLDEST_FIRST = orderBy<OpenBreak>(
  ({ found_at }) => found_at,
  ({ subject }) => subject,
)

/** The progress of a shard's audits. Without an open round, its fields are null. */
export interface ShardRuns {
  audited_at: Date | null
  round_ended_at: Date | null
  started_at: Date | null
  pass: string | null
  rows_done: number | null
  rows_total: number | null
  busy_ms: number | null
}

async function runsOfShard(shard: Reader): Promise<ShardRuns> {
  const { rows } = await sql<ShardRuns>`
    select (select max(ended_at) from ledger_audits where kind = 'increment') as audited_at,
           (select max(ended_at) from ledger_audits where kind = 'round') as round_ended_at,
           r.started_at, r.pass, r.rows_done, r.rows_total, r.busy_ms
      from (select 1) one left join ledger_audits r on r.kind = 'round' and r.ended_at is null`.execute(
    shard,
  )
  return rows[0]!
}

/** Everything was checked when the last shard was. Of the open rounds, the pass is that of the one with most left. */
export function addRuns(parts: readonly ShardRuns[]): Omit<AuditReport, 'breaks'> {
  const rounds = parts
    .filter(({ started_at }) => started_at !== null)
    .map((part) => ({
      started_at: part.started_at!,
      pass: part.pass!,
      busy_ms: part.busy_ms!,
      rows_done: part.rows_done!,
      rows_total: part.rows_total!,
      rows_left: Math.max(0, part.rows_total! - part.rows_done!),
    }))
  const [slowest] = rounds.toSorted(orderBy(({ rows_left }) => -rows_left))
  const { rows_done, rows_total, rows_left, busy_ms } = addUp(
    ['rows_done', 'rows_total', 'rows_left', 'busy_ms'],
    rounds,
  )
  return {
    audited_at: whenAll(parts.map(({ audited_at }) => audited_at)),
    round_ended_at: whenAll(parts.map(({ round_ended_at }) => round_ended_at)),
    round:
      slowest === undefined
        ? null
        : {
            started_at: earliest(rounds.map(({ started_at }) => started_at))!,
            pass: slowest.pass,
            // The total is an estimate, so a round may have more rows than that, and is not done before it ends.
            percent: Math.min(99, Math.floor((100 * rows_done) / Math.max(1, rows_total))),
            seconds_left:
              rows_done === 0 ? null : Math.ceil((rows_left * busy_ms) / rows_done / 1000),
          },
  }
}

/** Null if a shard has none yet. */
const whenAll = (times: readonly (Date | null)[]): Date | null =>
  times.includes(null) ? null : earliest(times)

/** Exports the audit's results as gauges, whichever process audits: a restart ends no alarm. */
export async function showAudit({
  db,
  metrics,
}: Pick<Background, 'db' | 'metrics'>): Promise<void> {
  const parts = await readShards(db.shards.readers, gaugesOfShard)
  const audited = whenAll(parts.map(({ audited_at }) => audited_at))
  const round = whenAll(parts.map(({ round_at }) => round_at))
  metrics.auditBreaks.set(addUp(['breaks'], parts).breaks)
  if (audited) metrics.auditedAt.set(audited.getTime() / 1000)
  if (round) metrics.auditRoundAt.set(round.getTime() / 1000)
}

interface ShardGauges {
  breaks: number
  audited_at: Date | null
  round_at: Date | null
}

async function gaugesOfShard(shard: Reader): Promise<ShardGauges> {
  const { rows } = await sql<ShardGauges>`
    select (select count(*) from ledger_breaks where ended_at is null) as breaks,
           (select max(ended_at) from ledger_audits where kind = 'increment') as audited_at,
           -- Until the first round has ended, its start: a round that never ends must be noticed, too.
           coalesce((select max(ended_at) from ledger_audits where kind = 'round'),
                    (select min(started_at) from ledger_audits where kind = 'round')) as round_at`.execute(
    shard,
  )
  return rows[0]!
}
