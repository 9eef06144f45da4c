/**
 * Recomputes the audit log's chain: every row's number, link and hash, and the hash of what the operator wrote. It
 * doesn't ask the database for a hash, so a replaced function or a dropped trigger can't hide a change.
 */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Reader } from '../kit/db.ts'
import { hashOfWords } from './audit.ts'

const READ_TOGETHER = 5000
const FIRST_PREVIOUS = '0'.repeat(64)
const DAY_MS = 86_400_000
/** The comment on the table audit_words: rows that are older may be gone. */
const WORDS_KEPT_DAYS = 1825

export interface AuditRow {
  seq: number
  /** In UTC, with microseconds, as it was hashed. */
  at: string
  operator_id: string
  role: string
  action: string
  subject: string
  detail: string
  words_hash: string | null
  previous: string
  hash: string
  salt: string | null
  words: string | null
}

export interface Head {
  seq: number
  hash: string
}

export interface ChainCheck {
  rows: number
  /** The last row. Null if the log is empty. */
  head: Head | null
  /** The first row that was changed or is missing; null if the chain is whole. */
  first_wrong: { seq: number; problem: string } | null
}

/** Rows after `after`, oldest first. */
export const readAuditRows = async (
  db: Reader,
  { after, limit = READ_TOGETHER }: { after: number; limit?: number },
): Promise<AuditRow[]> => {
  const { rows } = await sql<AuditRow>`
    select l.seq, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, l.operator_id, l.role,
           l.action, l.subject, l.detail, l.words_hash, l.previous, l.hash, w.salt, w.words
      from audit_log l left join audit_words w on w.words_hash = l.words_hash
     where l.seq > ${after}
     order by l.seq
     limit ${limit}`.execute(db)
  return rows
}

/** All rows, read in batches. */
export async function* auditRows(db: Reader): AsyncGenerator<AuditRow> {
  for (let after = 0; ; ) {
    const rows = await readAuditRows(db, { after })
    yield* rows
    if (rows.length < READ_TOGETHER) return
    after = rows.at(-1)!.seq
  }
}

/** `known` is a head that was noted earlier: without it, nobody sees that the last rows were deleted. */
export async function checkChain(
  db: Db,
  { known, now }: { known?: Head | undefined; now: Date },
): Promise<ChainCheck> {
  let previous: AuditRow | undefined
  let rows = 0
  const headOf = (row: AuditRow | undefined) => (row ? { seq: row.seq, hash: row.hash } : null)
  for await (const row of auditRows(db.reader)) {
    const problem = problemOf(row, { previous, known, now })
    if (problem !== undefined) return { rows, head: headOf(previous), first_wrong: problem }
    previous = row
    rows += 1
  }
  const isCut = known !== undefined && known.seq > (previous?.seq ?? 0)
  const first_wrong = isCut
    ? { seq: (previous?.seq ?? 0) + 1, problem: `it and all rows up to ${known.seq} are missing` }
    : null
  return { rows, head: headOf(previous), first_wrong }
}

function problemOf(
  row: AuditRow,
  { previous, known, now }: { previous: AuditRow | undefined; known: Head | undefined; now: Date },
): ChainCheck['first_wrong'] | undefined {
  const expected = (previous?.seq ?? 0) + 1
  const wrong = (problem: string, seq = row.seq) => ({ seq, problem })
  if (row.seq !== expected) return wrong('it is missing', expected)
  if (row.previous !== (previous?.hash ?? FIRST_PREVIOUS))
    return wrong('it is not chained to the row before it')
  if (row.hash !== hashOfRow(row)) return wrong('it was changed after it was written')
  if (row.seq === known?.seq && row.hash !== known.hash)
    return wrong('it isn’t the row that was the head')
  if (row.words_hash === null) return undefined
  // Words that were erased are null; after five years their row is gone.
  if (row.salt === null)
    return Date.parse(row.at) < now.getTime() - WORDS_KEPT_DAYS * DAY_MS
      ? undefined
      : wrong('the words that the operator wrote are missing')
  if (row.words !== null && hashOfWords(row.salt, row.words) !== row.words_hash)
    return wrong('the words that the operator wrote were changed')
  return undefined
}

/** Computes the hash in the same way as the trigger `audit_log_chain`. */
const hashOfRow = (row: AuditRow): string =>
  hash(
    'sha256',
    [
      row.seq,
      row.at,
      row.operator_id,
      row.role,
      row.action,
      row.subject,
      row.detail,
      row.words_hash ?? '',
      row.previous,
    ].join('\n'),
    'hex',
  )
