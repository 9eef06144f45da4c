/**
 * Book what the processor did in lost time: payouts, deposits and refunds that the restored database does not know.
 * What belongs to nobody here goes into suspense for a person to decide.
 *
 *   called by   an operator, `server ops restore check`, as often as wanted
 *   moves       a restore: declared → checked, once every movement is booked
 *   money       as reconciliation: payable → the processor's balance; the processor's balance → agent; suspense
 *   event       none of its own
 */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { type Everywhere, readShards } from '../kit/everywhere.ts'
import type { Background } from '../kit/job.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'

type Booked = 'deposit' | 'payout' | 'refund' | 'chargeback' | 'other' | 'suspense' | 'not booked'

/** A movement at the processor that the restored database did not know. */
export interface LostMovement {
  transaction_id: string
  type: string
  source_id: string | null
  amount_cents: number
  at: Date
  booked: Booked
}

export interface CheckedRestore {
  restored_to: Date
  declared_at: Date
  reconciliation: Reconciliation
  movements: LostMovement[]
  /** Events that are sent once more, under the same ids. */
  events_to_repeat: number
  is_complete: boolean
}

/** Undefined if no restore is open. */
export async function checkRestore(background: Background): Promise<CheckedRestore | undefined> {
  const { db, clock } = background
  const restore = await db.reader
    .selectFrom('restores')
    .select(['restored_to', 'declared_at'])
    .where('opened_at', 'is', null)
    .orderBy('restored_to')
    .limit(1)
    .executeTakeFirst()
  if (restore === undefined) return undefined
  const { restored_to, declared_at } = restore

  const reconciliation = await reconcile(background)
  const books = { shards: db.shards.readers, global: db.shards.global.reader }
  const movements = await lostMovements(books, {
    restoredTo: restored_to,
    declaredAt: declared_at,
  })
  const isBooked = movements.every(({ booked }) => booked !== 'not booked')
  const isEqual = reconciliation.processor_cents === reconciliation.ledger_cents
  const is_complete = isBooked && isEqual
  await db.transaction((tx) =>
    tx
      .updateTable('restores')
      .set({ checked_at: is_complete ? clock.now() : null })
      .where('opened_at', 'is', null)
      .execute(),
  )
  const events = await readShards(books.shards, eventsOfShard)
  return {
    restored_to,
    declared_at,
    reconciliation,
    movements,
    events_to_repeat: events.reduce((sum, count) => sum + count, 0),
    is_complete,
  }
}

async function eventsOfShard(shard: Reader): Promise<number> {
  const { count } = await shard
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Movements after the second, and earlier ones that the database had not mirrored yet. */
async function lostMovements(
  { shards, global }: Everywhere,
  { restoredTo, declaredAt }: { restoredTo: Date; declaredAt: Date },
): Promise<LostMovement[]> {
  const { rows } = await sql<Omit<LostMovement, 'booked'>>`
    select b.id as transaction_id, b.type, b.source_id, b.net_cents as amount_cents, b.created_at as at
      from balance_transactions b
     where b.created_at <= ${declaredAt} and (b.mirrored_at >= ${declaredAt} or b.created_at >= ${restoredTo})
     order by b.created_at, b.id`.execute(global)
  const ids = rows.map(({ transaction_id }) => transaction_id)
  const booked = (await readShards(shards, (shard) => bookedOfShard(shard, ids))).flat()
  const kinds = Map.groupBy(booked, ({ transaction_id }) => transaction_id)
  return rows.map((movement) => ({
    ...movement,
    booked: bookedAs((kinds.get(movement.transaction_id) ?? []).map(({ kind }) => kind)),
  }))
}

async function bookedOfShard(
  shard: Reader,
  ids: string[],
): Promise<{ transaction_id: string; kind: string }[]> {
  const { rows } = await sql<{ transaction_id: string; kind: string }>`
    select distinct m.balance_transaction_id as transaction_id, f.kind
      from processor_matches m join transfers f on f.key = m.key
     where m.balance_transaction_id = any(${ids}::text[])`.execute(shard)
  return rows
}

function bookedAs(kinds: string[]): Booked {
  const has = (...wanted: string[]) => wanted.some((kind) => kinds.includes(kind))
  if (kinds.length === 0) return 'not booked'
  if (has('payout_paid')) return 'payout'
  if (has('deposit')) return 'deposit'
  if (has('refund', 'refund_outside')) return 'refund'
  if (has('unmatched_payment', 'unmatched_receipt')) return 'suspense'
  return has('chargeback', 'chargeback_reversal') ? 'chargeback' : 'other'
}
