/**
 * Close an account again whose closing was lost by a restore from a backup. It waits for nothing: its owner asked for
 * it, and it had happened. Work that is open in the restored database is judged or times out as usual.
 *
 *   called by   an operator, `server ops restore erase`
 *   moves       the worker: active or suspended → closed
 *   money       none; what is owed stays owed (`ops unclaimed`)
 *   event       worker.closed (ours): erases what photos say about the worker; no email is sent a second time
 */
import { call } from '../kit/call.ts'
import type { Db, Tx } from '../kit/db.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { eraseEmail, forgetAddresses } from './close-accounts.ts'
import { decisionInForce, lockWorker } from './decisions.ts'
import { endDecision } from './reinstate.ts'

interface CloseAgain {
  workerId: string
  operator: string
  now: Date
}

type Outcome = 'closed' | 'was_closed' | 'unknown'

export async function closeAgain({ shards }: Db, request: CloseAgain): Promise<Outcome> {
  const db = shards.at(request.workerId)
  const outcome = await db.transaction((tx) => closeLost(tx, request))
  // Also if it was closed: an earlier attempt may have stopped before this.
  if (outcome !== 'unknown') await forgetAddresses(db, request.workerId)
  return outcome
}

async function closeLost(tx: Tx, { workerId, operator, now }: CloseAgain): Promise<Outcome> {
  const worker = await lockWorker(tx, workerId)
  if (worker === undefined) return 'unknown'
  if (worker.closed_at !== null) return 'was_closed'
  const decision = await decisionInForce(tx, workerId)
  if (decision !== undefined)
    await endDecision(tx, decision, { ended_for: 'closed_instead', ended_by: operator, now })
  await call(tx, 'workers_close', { p_worker: workerId, p_now: now, p_mail_until: now })
  await requestWork(tx, [{ type: 'worker.closed', id: workerId }], { now })
  await eraseEmail(tx, { workerId, now })
  return 'closed'
}
