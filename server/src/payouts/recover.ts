/**
 * Recover a payout that a restore from a backup has lost: the processor has made its transfer, and the restored
 * database does not know that. The worker is not paid a second time.
 *
 *   called by   settle-transfer.ts, for a transfer from lost time
 *   moves       a payout: (none), held, awaiting_account or in transit → paid
 *   money       payable → in transit → the processor's balance
 *   event       payout.tell (ours, for payout.paid)
 */
import type { Tx } from '../kit/db.ts'
import { idPattern, timeOf } from '../kit/ids.ts'
import { postEntry } from '../ledger/journal.ts'
import { payoutRequested } from '../ledger/movements.ts'
import { endAttemptDone, openAttemptKey } from '../processor/attempts.ts'
import type { Transfer } from '../processor/client-objects.ts'
import { moneyOf } from './move-on.ts'
import { type Earning, earningsOf } from './open.ts'
import { holdAccounts, lockPayout, type Payout, payoutsOf } from './queries.ts'
import { isInTransit, recordPaid, setStatus } from './record.ts'

const PAYOUT_ID = idPattern('po')

/**
 * Undefined if the restored database has not paid this worker for this task, or not this much: the transfer then goes
 * into suspense, and send.ts finds it if the task is approved again.
 */
export async function recoverPayout(
  tx: Tx,
  { transfer, now }: { transfer: Transfer; now: Date },
): Promise<Payout | undefined> {
  const { payoutId, workerId, transferGroup: taskId, destination } = transfer
  if (payoutId === undefined || workerId === undefined || taskId === undefined) return undefined
  if (destination === undefined || !PAYOUT_ID.test(payoutId)) return undefined
  await holdAccounts(tx, [workerId])
  const [current] = await payoutsOf(tx, { taskId, workerIds: [workerId] })
  const isRetry = current?.status === 'failed'
  const id =
    current !== undefined && !isRetry
      ? current.id
      : await insertLost(tx, { payoutId, taskId, workerId, previous: current, transfer, now })
  if (id === undefined) return undefined

  const { payout } = (await lockPayout(tx, id))!
  if (payout.amount_cents !== transfer.amountCents || payout.mode !== 'live') return undefined
  const sent = isInTransit(payout) ? payout : await request(tx, payout, { destination, now })
  if (sent === undefined) return undefined
  const key = await openAttemptKey(tx, id)
  if (key !== undefined) await endAttemptDone(tx, key, { now })
  return recordPaid(tx, sent, { transferId: transfer.id, now })
}

interface Lost {
  payoutId: string
  taskId: string
  workerId: string
  /** The failed payout that this one repeats. */
  previous: Payout | undefined
  transfer: Transfer
  now: Date
}

/** Inserts the payout under the id that the processor knows. */
async function insertLost(
  tx: Tx,
  { payoutId, taskId, workerId, previous, transfer, now }: Lost,
): Promise<string | undefined> {
  const earnings = await earningsOf(tx, taskId, undefined)
  const earning = earnings.find((one: Earning) => one.worker_id === workerId)
  if (earning?.amount_cents !== transfer.amountCents || earning.mode !== 'live') return undefined
  const { id } = await tx
    .insertInto('payouts')
    .values({
      id: payoutId,
      worker_id: workerId,
      agent_id: earning.agent_id,
      task_id: taskId,
      mode: earning.mode,
      funding: earning.funding,
      amount_cents: earning.amount_cents,
      status: 'held',
      available_at: now,
      previous_id: previous?.id ?? null,
      created_at: timeOf(payoutId),
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Takes the money out of the worker's balance, as it was when the transfer was made. */
async function request(
  tx: Tx,
  payout: Payout,
  { destination, now }: { destination: string; now: Date },
): Promise<Payout | undefined> {
  if (payout.status !== 'held' && payout.status !== 'awaiting_account') return undefined
  await postEntry(tx, payoutRequested(moneyOf(payout)), { now })
  return setStatus(
    tx,
    payout,
    { status: 'requested', hold_reason: null, account_id: destination },
    now,
  )
}
