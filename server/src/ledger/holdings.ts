/**
 * Who owns the money at the payment processor, by our live ledger. Each shard is read as one snapshot. Both sides of a
 * line are in one shard, so a movement is in the figures of its shard as a whole or not at all. Money that goes to a
 * worker of another shard is in clearing in both, with opposite signs, so the sum is right even if only one has it yet.
 */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { addUp, earliest, type Everywhere, orderBy, readShards } from '../kit/everywhere.ts'
import { sumOf } from './sums.ts'

export interface Holdings {
  /** The processor's balance, by our ledger. */
  ledger_cents: number
  /** The processor's balance, by our mirror of its own list. */
  mirrored_cents: number
  wallets_cents: number
  escrow_cents: number
  payables_cents: number
  transits_cents: number
  /** On its way to workers of other shards: zero, unless a payment came while the shards were read. */
  clearing_cents: number
  /** Received, but the owner is unknown. */
  suspense_cents: number
  /** The remainder is the operator's. If negative, customers' money is being spent. */
  own_funds_cents: number
}

const OWED = [
  'wallets_cents',
  'escrow_cents',
  'payables_cents',
  'transits_cents',
  'clearing_cents',
] as const

/** The part of one shard. */
export type ShardHoldings = Record<'ledger_cents' | (typeof OWED)[number], number> & {
  suspense: Pick<SuspenseItem, 'transaction_id' | 'cents'>[]
}

export async function readHoldings({ shards, global }: Everywhere): Promise<Holdings> {
  const parts = await readShards(shards, holdingsOfShard)
  return addHoldings(parts, { mirroredCents: await mirroredCents(global) })
}

async function holdingsOfShard(shard: Reader): Promise<ShardHoldings> {
  const ledger = await sumOf(shard, 'processor')
  const clearing = await sumOf(shard, 'clearing')
  const { rows } = await sql<ShardHoldings>`
    select ${ledger} as ledger_cents, ${clearing} as clearing_cents,
      (select coalesce(sum(wallet_cents), 0) from ledger_agents where mode = 'live')::bigint as wallets_cents,
      -- In two parts, each of which has an index of its own: most tasks have ended long ago.
      (select coalesce(sum(escrow_cents), 0) from (
         select escrow_cents from tasks where mode = 'live' and status in ('pending', 'in_progress')
         union all
         select escrow_cents from tasks where mode = 'live' and status = 'proof_submitted') t)::bigint as escrow_cents,
      (select coalesce(sum(payable_cents), 0) from ledger_workers where mode = 'live')::bigint as payables_cents,
      -- Most transits have ended; an index holds the others.
      (select coalesce(sum(in_transit_cents), 0) from ledger_transits
        where mode = 'live' and in_transit_cents <> 0)::bigint as transits_cents,
      (select coalesce(json_agg(json_build_object('transaction_id', transaction_id, 'cents', cents)), '[]')
         from (${suspense}) s where cents <> 0) as suspense`.execute(shard)
  return rows[0]!
}

async function mirroredCents(global: Reader): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select ${await sumOf(global, 'mirror')} as cents`.execute(global)
  return rows[0]!.cents
}

export function addHoldings(
  parts: readonly ShardHoldings[],
  { mirroredCents }: { mirroredCents: number },
): Holdings {
  const held = addUp(['ledger_cents', ...OWED], parts)
  // What is missing in suspense is no claim on anybody: it does not make up for what is owed there.
  const suspense_cents = addSuspense(parts.map((part) => part.suspense))
    .map(({ cents }) => Math.max(cents, 0))
    .reduce((sum, cents) => sum + cents, 0)
  const owed = OWED.reduce((sum, name) => sum + held[name], suspense_cents)
  return {
    ...held,
    mirrored_cents: mirroredCents,
    suspense_cents,
    own_funds_cents: held.ledger_cents - owed,
  }
}

interface SuspenseItem {
  /** The processor's transaction. */
  transaction_id: string
  /** Negative: money that left. */
  cents: number
  created_at: Date
}

const suspense = sql`
  select ref_id as transaction_id,
         sum(case credit when 'liab:suspense' then amount_cents else -amount_cents end)::bigint as cents,
         min(created_at) as created_at
    from transfers where mode = 'live' and (debit = 'liab:suspense' or credit = 'liab:suspense')
   group by ref_id`

/** The open items. Money can go into suspense in one shard and leave it in another, where its owner is. */
function addSuspense<Item extends Pick<SuspenseItem, 'transaction_id' | 'cents'>>(
  parts: readonly (readonly Item[])[],
): { transaction_id: string; cents: number; items: Item[] }[] {
  const byTransaction = Map.groupBy(parts.flat(), ({ transaction_id }) => transaction_id)
  return [...byTransaction]
    .map(([transaction_id, items]) => ({ transaction_id, ...addUp(['cents'], items), items }))
    .filter(({ cents }) => cents !== 0)
}

export interface Suspended extends SuspenseItem {
  type: string
  source_id: string | null
}

/** The open items in suspense, oldest first, each with the processor transaction that caused it. */
export async function readSuspense({ shards, global }: Everywhere): Promise<Suspended[]> {
  const open = addSuspense(await readShards(shards, suspenseOfShard))
  if (open.length === 0) return []
  const transactions = await global
    .selectFrom('balance_transactions')
    .select(['id', 'type', 'source_id', 'created_at'])
    .where('id', '=', sql<string>`any(${open.map(({ transaction_id }) => transaction_id)}::text[])`)
    .execute()
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]))
  return open
    .map(({ transaction_id, cents, items }) => {
      const transaction = byId.get(transaction_id)
      return {
        transaction_id,
        cents,
        type: transaction?.type ?? 'unknown',
        source_id: transaction?.source_id ?? null,
        created_at: transaction?.created_at ?? earliest(items.map((item) => item.created_at))!,
      }
    })
    .sort(
      orderBy(
        ({ created_at }) => created_at,
        ({ transaction_id }) => transaction_id,
      ),
    )
}

async function suspenseOfShard(shard: Reader): Promise<SuspenseItem[]> {
  const { rows } = await sql<SuspenseItem>`
    select transaction_id, cents, created_at from (${suspense}) s where cents <> 0`.execute(shard)
  return rows
}
