/** The matches with the processor's list, for the audit: the list is global, and each line is in its own shard. */
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { type Everywhere, readShards } from '../kit/everywhere.ts'
import type { Matched } from './invariants.ts'

/** Selects the subjects of a slice by the column that names them. */
type Slice = (column: string) => RawBuilder<boolean>

export async function readMatches(
  { shards, global }: Everywhere,
  slice: Slice,
): Promise<Matched[]> {
  // The list first: the lines of what is matched in it were posted before, and never change.
  const listed = await matchedInList(global, slice)
  if (listed.length === 0) return []
  return joinMatches(listed, await readShards(shards, (shard) => sumsOfShard(shard, slice)))
}

type Listed = Omit<Matched, 'ledger_cents'>

/** Without pairs that cancel each other out: our ledger has neither. */
async function matchedInList(global: Reader, slice: Slice): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select b.id, b.net_cents from balance_transactions b
     where ${slice('b.id')} and b.matched_at is not null
       and not exists (select 1 from balance_transactions c
                        where c.id = b.cancelled_by and c.cancelled_by = b.id and c.net_cents = -b.net_cents)`.execute(
    global,
  )
  return rows
}

interface Sum {
  id: string
  cents: number
}

async function sumsOfShard(shard: Reader, slice: Slice): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    select m.balance_transaction_id as id, sum(f.cents)::bigint as cents
      from processor_matches m cross join lateral (
        select case f.debit when 'asset:processor_balance' then f.amount_cents else -f.amount_cents end as cents
          from transfers f
         where f.key = m.key and 'asset:processor_balance' in (f.debit, f.credit) offset 0) f
     where ${slice('m.balance_transaction_id')} group by 1`.execute(shard)
  return rows
}

/** Lines of one transaction can be in several shards. */
export function joinMatches(
  listed: readonly Listed[],
  parts: readonly (readonly Sum[])[],
): Matched[] {
  const sums = new Map<string, number>()
  for (const part of parts)
    for (const { id, cents } of part) sums.set(id, (sums.get(id) ?? 0) + cents)
  return listed.map((row) => ({ ...row, ledger_cents: sums.get(row.id) ?? 0 }))
}
