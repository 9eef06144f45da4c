import assert from 'node:assert/strict'
import { call } from '../kit/call.ts'
import type { Tx } from '../kit/db.ts'
import type { LedgerLine } from '../kit/functions.ts'
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
  const rows = await call(tx, 'ledger_post', {
    p_now: now,
    p_lines: posted.flatMap((entry, i) => toLines(entry, { entry: i + 1, now })),
  })
  return posted.map((entry, i) => {
    const { outcome, balance_cents } = rows[i]!
    if (outcome === 'insufficient') throw new NotEnoughMoney(entry, balance_cents)
    assert(outcome !== 'mismatch', `${entry.key} was posted before, as another movement`)
    return outcome
  })
}

/**
 * The lines of an entry, as SQL functions take them. `entry` numbers the entries of one call; `item` is the number of
 * the task that the entry belongs to, for functions that write tasks, too.
 */
export const toLines = (
  { key, mode, kind, shard, lines }: Entry,
  { entry, item, now }: { entry: number; item?: number; now: Date },
): LedgerLine[] =>
  lines.map((line) => ({
    item,
    entry,
    key,
    mode,
    kind,
    shard,
    id: mintId('txn', now, shard),
    debit: line.debit,
    credit: line.credit,
    amount_cents: line.amountCents,
    agent_id: line.agentId,
    worker_id: line.workerId,
    task_id: line.taskId,
    ref_id: line.refId,
  }))

/** Opens the accounts of a new agent or worker. */
export async function openAccounts(
  tx: Tx,
  { ownerId, mode, freeTasks = 0 }: { ownerId: string; mode: 'live' | 'test'; freeTasks?: number },
): Promise<void> {
  await call(tx, 'ledger_open', { p_owner: ownerId, p_mode: mode, p_free_tasks: freeTasks })
}
