/**
 * Reply to a worker's objection: the decision is upheld, or the worker is reinstated.
 *
 *   called by   an operator
 *   moves       the worker: suspended or closed → active, if reinstated
 *   money       none
 *   event       worker.objection_upheld or worker.reinstated (ours): emails the note to the worker
 */
import type { Tx } from '../kit/db.ts'
import { requestWork } from '../webhooks/record-event.ts'
import {
  type Decision,
  decisionInForce,
  hasObjectionWaiting,
  lockWorker,
  type Refused,
} from './decisions.ts'
import { endDecision } from './reinstate.ts'

interface Reply {
  /** The worker's id, or the decision's. */
  id: string
  reply: 'upheld' | 'reinstated'
  /** Shown to the worker. */
  note: string
  operator: string
  now: Date
}

export async function replyToObjection(
  tx: Tx,
  { id, reply, note, operator, now }: Reply,
): Promise<Decision | Refused> {
  const nothing = { refusal: `${id} has no objection that needs a reply` }
  const workerId = await workerOf(tx, id)
  if (workerId === undefined) return nothing
  await lockWorker(tx, workerId)
  const decision = await decisionInForce(tx, workerId)
  if (decision === undefined || !hasObjectionWaiting(decision)) return nothing
  if (id !== workerId && id !== decision.id) return nothing

  const written = { reply_note: note, replied_by: operator, replied_at: now }
  if (reply === 'reinstated')
    return endDecision(tx, decision, {
      ended_for: 'objection',
      ended_by: operator,
      reply,
      ...written,
      now,
    })
  await requestWork(tx, [{ type: 'worker.objection_upheld', id: decision.id }], { now })
  return tx
    .updateTable('worker_decisions')
    .set({ reply, ...written, due_at: decision.ends_at })
    .where('id', '=', decision.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function workerOf(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('worker_decisions')
    .select('worker_id')
    .where((decision) => decision.or([decision('id', '=', id), decision('worker_id', '=', id)]))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row?.worker_id
}
