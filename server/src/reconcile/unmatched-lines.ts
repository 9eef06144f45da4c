import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { type Everywhere, mergeSorted, orderBy, readShards } from '../kit/everywhere.ts'
import { openBreaks } from './breaks.ts'
import { signedCents, touchesProcessor } from './match.ts'

/** Unmatched lines older than this at the last run already have a break, so they need not be searched for again. */
const OVERLAP_MS = 86_400_000

export interface UnmatchedLine {
  key: string
  kind: string
  cents: number
  created_at: Date
}

/**
 * Ledger lines on the processor's balance that the processor does not have, oldest first: those since the last run, and
 * those with an open break from an earlier run.
 */
export async function unmatchedLines(
  { shards, global }: Everywhere,
  { lastRunAt }: { lastRunAt: Date | undefined },
): Promise<UnmatchedLine[]> {
  const from = new Date(lastRunAt === undefined ? 0 : lastRunAt.getTime() - OVERLAP_MS)
  const broken = (await openBreaks(global)).filter(({ kind }) => kind === 'unmatched_line')
  const keys = broken.map(({ subject }) => subject)
  const parts = await readShards(shards, (shard) => unmatchedOfShard(shard, { from, keys }))
  return mergeSorted(OLDEST_FIRST, parts)
}

const OLDEST_FIRST = orderBy<UnmatchedLine>(
  ({ created_at }) => created_at,
  ({ key }) => key,
)

/** A match is kept in the shard of its line, so that no line has to leave its shard to be compared. */
async function unmatchedOfShard(
  shard: Reader,
  { from, keys }: { from: Date; keys: string[] },
): Promise<UnmatchedLine[]> {
  const { rows } = await sql<UnmatchedLine>`
    with looked_at as (
      select key from transfers where mode = 'live' and ${touchesProcessor} and created_at >= ${from}
      union
      select unnest(${keys}::text[]))
    select key, kind, ${signedCents} as cents, min(created_at) as created_at
      from looked_at join transfers using (key)
     where mode = 'live' and ${touchesProcessor}
       and not exists (select 1 from processor_matches m where m.key = transfers.key)
     group by key, kind order by 4, 1`.execute(shard)
  return rows
}
