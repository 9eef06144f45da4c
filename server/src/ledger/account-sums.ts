/**
 * The sum of every account over all history, of live mode, kept up to a position like the sums of `sums.ts`. Beside it
 * the same money as its owners' rows have it: both must agree, and all accounts together must be zero.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { addUp, readShards } from '../kit/everywhere.ts'
import { type Account, ACCOUNTS } from './accounts.ts'

const NAMES = Object.keys(ACCOUNTS) as Account[]

/** A ledger with fewer lines is added up at once if its sums are not kept yet. */
const LINES_ADDED_UP = 300_000

export interface AccountSum {
  account: Account
  /** Debits minus credits, of the ledger's lines. */
  lines_cents: number
  /** The same by the rows of the owners; null for an account that has none. */
  rows_cents: number | null
}

type Cents = Partial<Record<Account, number>>
interface Kept {
  sealed_xid: number
  cents: Cents
}

/** Null if the ledger is large and its sums are not kept yet: the next audit counts them. */
export async function readAccounts(shards: readonly Reader[]): Promise<AccountSum[] | null> {
  const parts = await readShards(shards, accountsOfShard)
  const known = parts.filter((part) => part !== null)
  if (known.length < parts.length) return null
  const lines = addUp(
    NAMES,
    known.map((part) => filled(part.lines)),
  )
  const rows = addUp(
    OWNED,
    known.map((part) => part.rows),
  )
  return NAMES.map((account) => ({
    account,
    lines_cents: lines[account],
    rows_cents: account in rows ? rows[account as (typeof OWNED)[number]] : null,
  }))
}

const OWNED = [
  'asset:agent_receivable',
  'asset:worker_receivable',
  'liab:agent_wallet',
  'liab:escrow',
  'liab:worker_payable',
  'liab:payout_in_transit',
  'liab:refund_in_transit',
] as const satisfies readonly Account[]

/** What the owners have, with the sign of a debit. A transit is one of a payout or of a refund, by its id. */
const ROWS = sql`
  (select coalesce(sum(receivable_cents), 0) from ledger_agents
    where mode = 'live')::bigint as "asset:agent_receivable",
  (select coalesce(sum(receivable_cents), 0) from ledger_workers
    where mode = 'live')::bigint as "asset:worker_receivable",
  (select -coalesce(sum(wallet_cents), 0) from ledger_agents where mode = 'live')::bigint as "liab:agent_wallet",
  (select -coalesce(sum(escrow_cents), 0) from (
     select escrow_cents from tasks where mode = 'live' and status in ('pending', 'in_progress')
     union all
     select escrow_cents from tasks where mode = 'live' and status = 'proof_submitted') t)::bigint as "liab:escrow",
  (select -coalesce(sum(payable_cents), 0) from ledger_workers where mode = 'live')::bigint as "liab:worker_payable",
  (select -coalesce(sum(in_transit_cents), 0) from ledger_transits
    where mode = 'live' and in_transit_cents <> 0 and starts_with(ref_id, 'po_'))::bigint as "liab:payout_in_transit",
  (select -coalesce(sum(in_transit_cents), 0) from ledger_transits
    where mode = 'live' and in_transit_cents <> 0 and not starts_with(ref_id, 'po_')
  )::bigint as "liab:refund_in_transit"`

type OwnedCents = Record<(typeof OWNED)[number], number>

async function accountsOfShard(shard: Reader): Promise<{ lines: Cents; rows: OwnedCents } | null> {
  const kept = await keptAccounts(shard)
  if (kept === undefined && !(await isSmall(shard))) return null
  // One statement, so that lines and rows are of one snapshot.
  const { rows } = await sql<OwnedCents & { since: Cents | null }>`
    select (select json_object_agg(account, cents) from (${sumsOf(sinceOf(kept))}) s) as since, ${ROWS}`.execute(
    shard,
  )
  const { since, ...owned } = rows[0]!
  const lines = addUp(NAMES, [filled(kept?.cents ?? {}), filled(since ?? {})])
  return { lines, rows: owned }
}

/** Moves the position of a shard forward. Sums that are not kept yet are counted once, by a `patient` connection. */
export async function keepAccounts(
  shard: Reader,
  { patient }: { patient?: Reader } = {},
): Promise<void> {
  const { rows } = await sql<{ xid: number }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid`.execute(shard)
  const until = rows[0]!.xid
  const kept = await keptAccounts(shard)
  if (kept?.sealed_xid === until || (kept === undefined && patient === undefined)) return
  const range = kept
    ? sql`and posted_xid >= ${kept.sealed_xid} and posted_xid < ${until}`
    : sql`and coalesce(posted_xid, 0) < ${until}`
  const added = await sql<{ account: Account; cents: number }>`${sumsOf(range)}`.execute(
    patient ?? shard,
  )
  const since = Object.fromEntries(added.rows.map(({ account, cents }) => [account, cents]))
  const all = addUp(NAMES, [filled(kept?.cents ?? {}), filled(since)])
  // Another process may have moved it meanwhile: then its sums stand.
  await sql`
    insert into ledger_account_sums (account, sealed_xid, cents)
    select account, ${until}, cents
      from unnest(${NAMES}::text[], ${NAMES.map((name) => all[name])}::bigint[]) n(account, cents)
     order by account
    on conflict (account) do update set sealed_xid = excluded.sealed_xid, cents = excluded.cents
     where ledger_account_sums.sealed_xid = ${kept?.sealed_xid ?? -1}`.execute(shard)
}

/** A position after the newest transaction comes from another database, by a logical restore: count anew. */
async function keptAccounts(reader: Reader): Promise<Kept | undefined> {
  const { rows } = await sql<{ account: Account; sealed_xid: number; cents: number }>`
    select account, sealed_xid, cents from ledger_account_sums
     where sealed_xid <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint`.execute(reader)
  if (rows.length < NAMES.length) return undefined
  const cents = Object.fromEntries(rows.map((row) => [row.account, row.cents]))
  return { sealed_xid: rows[0]!.sealed_xid, cents }
}

const sinceOf = (kept: Kept | undefined) =>
  kept ? sql`and posted_xid >= ${kept.sealed_xid}` : sql``

const sumsOf = (range: RawBuilder<unknown>) => sql`
  select account, sum(cents)::bigint as cents
    from (select debit as account, sum(amount_cents) as cents from transfers where mode = 'live' ${range} group by 1
           union all
          select credit, -sum(amount_cents) from transfers where mode = 'live' ${range} group by 1) l
   group by account`

async function isSmall(reader: Reader): Promise<boolean> {
  const { rows } = await sql<{ lines: number }>`
    select greatest(reltuples, 0)::bigint as lines from pg_class where oid = 'transfers'::regclass`.execute(
    reader,
  )
  return rows[0]!.lines < LINES_ADDED_UP
}

const filled = (cents: Cents): Record<Account, number> =>
  Object.fromEntries(NAMES.map((name) => [name, cents[name] ?? 0])) as Record<Account, number>
