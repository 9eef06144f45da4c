/**
 * Suspend or close a worker's account. Every session and device ends at once, the worker's open slots are handed back
 * without a trust penalty, and submitted work is judged and paid as usual.
 *
 *   called by   an operator
 *   moves       the worker: active → suspended, active or suspended → closed
 *   money       none; what is earned is still paid
 *   event       worker.shut_out (ours): emails the reason and a link to object
 */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Reader, Tx } from '../kit/db.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { requestWork } from '../webhooks/record-event.ts'
import {
  type Decision,
  decisionInForce,
  hasObjectionWaiting,
  lockWorker,
  type Refused,
} from './decisions.ts'
import { cancelClosing } from './closings.ts'
import { endDecision } from './reinstate.ts'
import { endLinks } from './links.ts'
import type { Worker } from './queries.ts'

const DAY_MS = 86_400_000

export interface ShutOut {
  workerId: string
  kind: 'suspended' | 'closed'
  /** Shown to the worker. */
  reason: string
  /** Tasks that the decision is based on. The worker must have had an assignment in each. */
  taskIds: string[]
  /** The length of a suspension; defaults to SUSPENSION_DAYS. */
  days?: number | undefined
  operator: string
  config: Config
  now: Date
}

export async function shutOutWorker(tx: Tx, request: ShutOut): Promise<Decision | Refused> {
  const { workerId, kind, reason, operator, config, now } = request
  const worker = await lockWorker(tx, workerId)
  const earlier = await decisionInForce(tx, workerId)
  const refusal = refusalOf(worker, earlier, request) ?? (await unknownTask(tx, request))
  if (refusal !== undefined) return { refusal }

  if (earlier !== undefined)
    await endDecision(tx, earlier, { ended_for: 'closed_instead', ended_by: operator, now })
  const days = request.days ?? config.SUSPENSION_DAYS
  const ends_at = kind === 'suspended' ? new Date(now.getTime() + days * DAY_MS) : null
  const decision = await tx
    .insertInto('worker_decisions')
    .values({
      id: mintId('wdn', now, shardOf(workerId)),
      worker_id: workerId,
      kind,
      reason,
      task_ids: [...new Set(request.taskIds)],
      decided_by: operator,
      decided_at: now,
      ends_at,
      hand_back_at: now,
      due_at: ends_at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('workers')
    .set({
      status: kind,
      session_version: sql`session_version + 1`,
      updated_at: now,
    })
    .where('id', '=', workerId)
    .execute()
  // An operator's decision replaces the worker's own request to close the account.
  if (kind === 'closed') await cancelClosing(tx, { workerId, now })
  // A reset link may have been requested by someone who does not own the account.
  await endLinks(tx, { workerId, purpose: 'reset', now })
  await requestWork(tx, [{ type: 'worker.shut_out', id: decision.id }], { now })
  return decision
}

/** Why it can't be done, in words for the operator. */
export function refusalOf(
  worker: Worker | undefined,
  earlier: Decision | undefined,
  { workerId, kind }: Pick<ShutOut, 'workerId' | 'kind'>,
): string | undefined {
  if (worker === undefined) return `Worker ${workerId} does not exist`
  if (worker.mode === 'test')
    return `${workerId} belongs to test mode and is deleted with its agent, ${worker.agent_id}`
  if (worker.status === 'unverified')
    return `${workerId} has not confirmed an email address yet and can’t use the account`
  if (worker.status === 'closed') return `${workerId} is already closed`
  if (worker.status === 'suspended' && kind === 'suspended') {
    const until = earlier?.ends_at ? `, until ${earlier.ends_at.toISOString()}` : ''
    return `${workerId} is already suspended${until}; reinstate first, or close`
  }
  if (earlier !== undefined && hasObjectionWaiting(earlier))
    return (
      `${workerId} has objected to the suspension; reply first: ops objection ${workerId} uphold ` +
      '| reinstate NOTE'
    )
  return undefined
}

/** Names the tasks that the worker never accepted. */
export async function unknownTask(
  reader: Reader,
  { workerId, taskIds }: Pick<ShutOut, 'workerId' | 'taskIds'>,
): Promise<string | undefined> {
  if (taskIds.length === 0) return undefined
  const known = await reader
    .selectFrom('worker_assignments')
    .select('task_id')
    .where('worker_id', '=', workerId)
    .where('task_id', 'in', taskIds)
    .execute()
  const strange = taskIds.filter((id) => !known.some(({ task_id }) => task_id === id))
  return strange.length === 0 ? undefined : `${workerId} never accepted ${strange.join(', ')}`
}
