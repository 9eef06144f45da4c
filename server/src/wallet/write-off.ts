/**
 * Write off a debt that an agent will no longer pay.
 *
 *   called by   an operator
 *   moves       nothing
 *   money       our losses → the agent's debt
 *   event       none
 */
import type { Tx } from '../kit/db.ts'
import { invalidField } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { postEntry } from '../ledger/journal.ts'
import { writeOff } from '../ledger/movements.ts'
import { writeOffAboveDebt } from './errors.ts'

export async function writeOffDebt(
  tx: Tx,
  { agentId, amountCents, now }: { agentId: string; amountCents: number; now: Date },
): Promise<{ owedCents: number }> {
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0)
    throw invalidField('amount_cents', 'must be a whole number of cents above 0')
  const shard = shardOf(agentId)
  const owed = await debtOf(tx, agentId)
  if (owed === undefined) throw invalidField('agent_id', 'is not the id of an agent')
  // The ledger checks this against the debt again, under its lock.
  if (owed.receivable_cents < amountCents)
    throw writeOffAboveDebt({ owed_cents: owed.receivable_cents })
  await postEntry(
    tx,
    writeOff({
      mode: owed.mode,
      shard,
      agentId,
      amountCents,
      writeOffId: mintId('txn', now, shard),
    }),
    { now },
  )
  return { owedCents: owed.receivable_cents - amountCents }
}

const debtOf = (tx: Tx, agentId: string) =>
  tx
    .selectFrom('ledger_agents')
    .select(['mode', 'receivable_cents'])
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
