/**
 * Sums over all history, kept up to a position: a reader adds only what came after. The position is a transaction:
 * everything written before it is in the kept sum, and nothing can be written before it any more. Each sum is kept
 * beside its rows: that of lines in every shard, that of the processor's list with the global tables.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { type Everywhere, readShards } from '../kit/everywhere.ts'

const SUMS = {
  /** The processor's balance, by our live ledger. */
  processor: {
    cents: sql`case debit when 'asset:processor_balance' then amount_cents else -amount_cents end`,
    rows: sql`transfers
      where mode = 'live' and (debit = 'asset:processor_balance' or credit = 'asset:processor_balance')`,
  },
  /** What is on its way to workers of other shards; below zero in the shards where it arrives. */
  clearing: {
    cents: sql`case credit when 'liab:clearing' then amount_cents else -amount_cents end`,
    rows: sql`transfers where mode = 'live' and (debit = 'liab:clearing' or credit = 'liab:clearing')`,
  },
  /** The processor's balance, by our mirror of its own list. */
  mirror: {
    cents: sql`net_cents`,
    rows: sql`balance_transactions where currency = 'usd'`,
  },
} as const
type Name = keyof typeof SUMS

export const SUMS_OF_SHARDS = ['processor', 'clearing'] as const

interface Kept {
  sealed_xid: number
  cents: number
}

/**
 * The sum as an expression, to be read in the same snapshot as others. What is kept up to a position never changes, so
 * the position may be read before.
 */
export async function sumOf(reader: Reader, name: Name): Promise<RawBuilder<number>> {
  const kept = await keptSum(reader, name)
  const { cents, rows } = SUMS[name]
  const since = kept ? sql`and posted_xid >= ${kept.sealed_xid}` : sql``
  return sql<number>`(${kept?.cents ?? 0} + (select coalesce(sum(${cents}), 0) from ${rows} ${since}))::bigint`
}

export async function keepSums({ shards, global }: Everywhere): Promise<void> {
  for (const name of SUMS_OF_SHARDS) await readShards(shards, (shard) => keepSum(shard, name))
  await keepSum(global, 'mirror')
}

/** Moves the position of a sum forward. One that is not kept yet is counted once, by a `patient` connection. */
export async function keepSum(
  reader: Reader,
  name: Name,
  { patient }: { patient?: Reader } = {},
): Promise<void> {
  const { rows } = await sql<{ xid: number }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid`.execute(reader)
  const until = rows[0]!.xid
  const kept = await keptSum(reader, name)
  if (kept) {
    if (kept.sealed_xid === until) return
    const between = sql`and posted_xid >= ${kept.sealed_xid} and posted_xid < ${until}`
    const cents = kept.cents + (await sumUp(reader, name, between))
    // Another process may have moved it meanwhile: then its sum stands.
    await sql`
      update ledger_sums set sealed_xid = ${until}, cents = ${cents}
       where name = ${name} and sealed_xid = ${kept.sealed_xid}`.execute(reader)
  } else if (patient) {
    const before = sql`and coalesce(posted_xid, 0) < ${until}`
    const cents = await sumUp(patient, name, before)
    await sql`
      insert into ledger_sums (name, sealed_xid, cents) values (${name}, ${until}, ${cents})
      on conflict (name) do update set sealed_xid = excluded.sealed_xid, cents = excluded.cents`.execute(
      reader,
    )
  }
}

/** A position after the newest transaction comes from another database, by a logical restore: count anew. */
async function keptSum(reader: Reader, name: Name): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    select sealed_xid, cents from ledger_sums
     where name = ${name} and sealed_xid <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint`.execute(
    reader,
  )
  return rows[0]
}

async function sumUp(reader: Reader, name: Name, condition: RawBuilder<unknown>): Promise<number> {
  const { cents, rows: from } = SUMS[name]
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(${cents}), 0)::bigint as cents from ${from} ${condition}`.execute(reader)
  return rows[0]!.cents
}
