/**
 * Recover a deposit that a restore from a backup has lost: its payment names it, and the agent is known.
 *
 *   called by   settle-deposit.ts, for a payment whose deposit is not in the database
 *   moves       a deposit: (none) → open; settle-deposit.ts then credits it
 *   money       none
 *   event       none
 */
import { idPattern, timeOf } from '../kit/ids.ts'
import type { Background } from '../kit/job.ts'
import { isLostTime } from '../kit/lost-time.ts'
import type { Charge } from '../processor/client-objects.ts'
import type { Processor } from '../processor/client.ts'
import type { Settled } from './queries.ts'

const DEPOSIT_ID = idPattern('txn')

/** `unknown`: the deposit is not from lost time, or its agent is lost, too. */
export async function recoverDeposit(
  { db, clock }: Pick<Background, 'db' | 'clock'>,
  processor: Processor,
  { depositId, agentId, paymentIntentId }: Charge,
): Promise<Settled> {
  if (depositId === undefined || agentId === undefined || paymentIntentId === undefined)
    return 'unknown'
  // The page may be paid long after the restore, so the time of the deposit counts, and not the payment's.
  if (
    !DEPOSIT_ID.test(depositId) ||
    !(await isLostTime(db.shards.global.reader, timeOf(depositId)))
  )
    return 'unknown'
  const agent = await db.reader
    .selectFrom('agents')
    .select('mode')
    .where('id', '=', agentId)
    .executeTakeFirst()
  if (agent?.mode !== 'live') return 'unknown'
  const found = await processor.findCheckout(paymentIntentId)
  if (found.kind !== 'ok') return 'waiting'
  const checkout = found.value
  if (checkout?.depositId !== depositId || checkout.amountCents === undefined) return 'unknown'

  const now = clock.now()
  const row = {
    id: depositId,
    agent_id: agentId,
    mode: 'live',
    amount_cents: checkout.amountCents,
    status: 'open',
    session_id: checkout.id,
    expires_at: checkout.expiresAt,
    check_at: now,
    created_at: timeOf(depositId),
    updated_at: now,
  } as const
  await db.transaction((tx) =>
    tx
      .insertInto('deposits')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute(),
  )
  return 'done'
}
