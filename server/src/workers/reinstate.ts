/**
 * Reinstate a suspended or closed account: the worker can log in again. Sessions that ended stay ended.
 *
 *   called by   an operator; an upheld objection; the clock, when a suspension ends or nobody replies to an objection
 *   moves       the worker: suspended or closed → active
 *   money       none
 *   event       worker.reinstated (ours): notifies the worker by email
 */
import type { Tx } from '../kit/db.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { type Decision, decisionInForce, lockWorker, type Refused } from './decisions.ts'
import type { Worker } from './queries.ts'

type End = Pick<Decision, 'ended_for'> & {
  ended_by?: string
  end_note?: string
  reply?: 'reinstated'
  reply_note?: string
  replied_by?: string
  replied_at?: Date
  now: Date
}

export async function reinstateWorker(
  tx: Tx,
  {
    workerId,
    note,
    operator,
    now,
  }: { workerId: string; note: string; operator: string; now: Date },
): Promise<Decision | Refused> {
  const worker = await lockWorker(tx, workerId)
  const decision = await decisionInForce(tx, workerId)
  const refusal = refusalToReinstate(workerId, worker, decision)
  if (refusal !== undefined) return { refusal }
  // A pending objection is granted by this, and the worker gets the note as the reply.
  const reply =
    decision!.objection !== null && decision!.reply === null
      ? { reply: 'reinstated' as const, reply_note: note, replied_by: operator, replied_at: now }
      : {}
  return endDecision(tx, decision!, {
    ended_for: 'operator',
    ended_by: operator,
    end_note: note,
    ...reply,
    now,
  })
}

/** Why it can't be done, in words for the operator. */
export function refusalToReinstate(
  workerId: string,
  worker: Worker | undefined,
  decision: Decision | undefined,
): string | undefined {
  if (worker === undefined) return `Worker ${workerId} does not exist`
  if (worker.mode === 'test')
    return `${workerId} belongs to test mode and is deleted with its agent, ${worker.agent_id}`
  if (decision === undefined)
    return `${workerId} is ${worker.status}: there is no decision to reverse`
  return undefined
}

/** Ends a decision and reinstates the worker, unless the account was closed instead. Expects a locked worker row. */
export async function endDecision(
  tx: Tx,
  decision: Decision,
  { now, ...end }: End,
): Promise<Decision> {
  const ended = await tx
    .updateTable('worker_decisions')
    .set({ ...end, ended_at: now, due_at: null, hand_back_at: null })
    .where('id', '=', decision.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (end.ended_for === 'closed_instead') return ended
  await tx
    .updateTable('workers')
    // `active` is right: only workers with a verified email can be suspended or closed.
    .set({ status: 'active', updated_at: now })
    .where('id', '=', decision.worker_id)
    .execute()
  await requestWork(tx, [{ type: 'worker.reinstated', id: decision.id }], { now })
  return ended
}
