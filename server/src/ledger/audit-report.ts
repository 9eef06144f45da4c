/** What the audit has found and how far it is, read from its tables by whoever asks. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
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

export async function reportAudit(reader: Reader): Promise<AuditReport> {
  const { rows } = await sql<{
    audited_at: Date | null
    round_ended_at: Date | null
    started_at: Date | null
    pass: string
    rows_done: number
    rows_total: number
    busy_ms: number
  }>`
    select (select max(ended_at) from ledger_audits where kind = 'increment') as audited_at,
           (select max(ended_at) from ledger_audits where kind = 'round') as round_ended_at,
           r.started_at, r.pass, r.rows_done, r.rows_total, r.busy_ms
      from (select 1) one left join ledger_audits r on r.kind = 'round' and r.ended_at is null`.execute(
    reader,
  )
  const { audited_at, round_ended_at, started_at, pass, rows_done, rows_total, busy_ms } = rows[0]!
  const left = Math.max(0, rows_total - rows_done)
  return {
    breaks: await openBreaks(reader),
    audited_at,
    round_ended_at,
    round: started_at && {
      started_at,
      pass,
      // The total is an estimate, so a round may have more rows than that, and is not done before it ends.
      percent: Math.min(99, Math.floor((100 * rows_done) / Math.max(1, rows_total))),
      seconds_left: rows_done === 0 ? null : Math.ceil((left * busy_ms) / rows_done / 1000),
    },
  }
}

/** Exports the audit's results as gauges, whichever process audits: a restart ends no alarm. */
export async function showAudit({
  db,
  metrics,
}: Pick<Background, 'db' | 'metrics'>): Promise<void> {
  const { rows } = await sql<{
    breaks: number
    audited_at: Date | null
    round_at: Date | null
  }>`
    select (select count(*) from ledger_breaks where ended_at is null) as breaks,
           (select max(ended_at) from ledger_audits where kind = 'increment') as audited_at,
           -- Until the first round has ended, its start: a round that never ends must be noticed, too.
           coalesce((select max(ended_at) from ledger_audits where kind = 'round'),
                    (select min(started_at) from ledger_audits where kind = 'round')) as round_at`.execute(
    db.reader,
  )
  const { breaks, audited_at, round_at } = rows[0]!
  metrics.auditBreaks.set(breaks)
  if (audited_at) metrics.auditedAt.set(audited_at.getTime() / 1000)
  if (round_at) metrics.auditRoundAt.set(round_at.getTime() / 1000)
}
