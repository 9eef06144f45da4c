import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import { mintId } from '../kit/ids.ts'
import type { Entry } from './movements.ts'

/** An account does not have enough money for the movement. The operation decides which error the caller gets. */
export class NotEnoughMoney extends Error {
  readonly balanceCents: number | null

  constructor(entry: Entry, balanceCents: number | null) {
    super(`${entry.key}: not enough money`)
    this.balanceCents = balanceCents
  }
}

/**
 * Posts a movement; posting the same movement again does nothing. Throws, and so ends the transaction, if the money is
 * not there or the key was used for a different movement.
 */
export async function postEntry(
  tx: Tx,
  entry: Entry,
  { now }: { now: Date },
): Promise<'posted' | 'replayed'> {
  const [outcome] = await postEntries(tx, [entry], { now })
  return outcome ?? 'replayed'
}

/** Posts many movements in one round trip, in order, by the same rules. */
export async function postEntries(
  tx: Tx,
  entries: Entry[],
  { now }: { now: Date },
): Promise<('posted' | 'replayed')[]> {
  const posted = entries.filter(({ lines }) => lines.length > 0)
  if (posted.length === 0) return []
  const { rows } = await sql<{ outcome: string; balance_cents: number | null }>`
    select outcome, balance_cents from ledger_post(${now}, ${sql.join(toPostings(posted, now))})
     order by entry`.execute(tx)
  return posted.map((entry, i) => {
    const { outcome, balance_cents } = rows[i]!
    if (outcome === 'insufficient') throw new NotEnoughMoney(entry, balance_cents)
    assert(outcome !== 'mismatch', `${entry.key} was posted before, as another movement`)
    return outcome as 'posted' | 'replayed'
  })
}

/** Converts movements to the array parameters of ledger_post, from the keys on. */
export function toPostings(entries: Entry[], now: Date): unknown[] {
  const lines = entries.flatMap(({ lines, shard }, i) =>
    lines.map((line) => ({ ...line, entry: i + 1, id: mintId('txn', now, shard) })),
  )
  return [
    entries.map(({ key }) => key),
    entries.map(({ mode }) => mode),
    entries.map(({ kind }) => kind),
    entries.map(({ shard }) => shard),
    lines.map(({ entry }) => entry),
    lines.map(({ id }) => id),
    lines.map(({ debit }) => debit),
    lines.map(({ credit }) => credit),
    lines.map(({ amountCents }) => amountCents),
    lines.map(({ agentId }) => agentId ?? null),
    lines.map(({ workerId }) => workerId ?? null),
    lines.map(({ taskId }) => taskId ?? null),
    lines.map(({ refId }) => refId ?? null),
  ]
}

/** Opens the accounts of a new agent or worker. */
export async function openAccounts(
  tx: Tx,
  { ownerId, mode, freeTasks = 0 }: { ownerId: string; mode: 'live' | 'test'; freeTasks?: number },
): Promise<void> {
  await sql`select ledger_open(${ownerId}, ${mode}, ${freeTasks})`.execute(tx)
}

/** Returns free tasks, one per mention. Call it after the movements that returned their money, which hold the locks. */
export async function returnFreeTasks(tx: Tx, agentIds: string[]): Promise<void> {
  if (agentIds.length === 0) return
  const counts = Map.groupBy(agentIds, (agentId) => agentId)
  await sql`
    select ledger_free_tasks(
      ${[...counts.keys()]}, ${[...counts.values()].map((mentions) => mentions.length)})`.execute(
    tx,
  )
}
