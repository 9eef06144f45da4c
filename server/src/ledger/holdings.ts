/** Who owns the money at the payment processor, by our live ledger, read as one snapshot. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
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
  /** Received, but the owner is unknown. */
  suspense_cents: number
  /** The remainder is the operator's. If negative, customers' money is being spent. */
  own_funds_cents: number
}

export async function readHoldings(reader: Reader): Promise<Holdings> {
  const ledger = await sumOf(reader, 'processor')
  const mirrored = await sumOf(reader, 'mirror')
  const { rows } = await sql<Omit<Holdings, 'own_funds_cents'>>`
    select ${ledger} as ledger_cents, ${mirrored} as mirrored_cents,
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
      -- What is missing in suspense is no claim on anybody: it does not make up for what is owed there.
      (select coalesce(sum(greatest(cents, 0)), 0) from (${suspense}) s)::bigint as suspense_cents`.execute(
    reader,
  )
  const held = rows[0]!
  const owed =
    held.wallets_cents +
    held.escrow_cents +
    held.payables_cents +
    held.transits_cents +
    held.suspense_cents
  return { ...held, own_funds_cents: held.ledger_cents - owed }
}

const suspense = sql`
  select ref_id, sum(case credit when 'liab:suspense' then amount_cents else -amount_cents end) as cents,
         min(created_at) as created_at
    from transfers where mode = 'live' and (debit = 'liab:suspense' or credit = 'liab:suspense')
   group by ref_id`

export interface Suspended {
  transaction_id: string
  /** Negative: money that left. */
  cents: number
  type: string
  source_id: string | null
  created_at: Date
}

/** The open items in suspense, each with the processor transaction that caused it. */
export async function readSuspense(reader: Reader): Promise<Suspended[]> {
  const { rows } = await sql<Suspended>`
    select s.ref_id as transaction_id, s.cents::bigint as cents, coalesce(b.type, 'unknown') as type, b.source_id,
           coalesce(b.created_at, s.created_at) as created_at
      from (${suspense}) s left join balance_transactions b on b.id = s.ref_id
     where s.cents <> 0 order by 5, 1`.execute(reader)
  return rows
}
