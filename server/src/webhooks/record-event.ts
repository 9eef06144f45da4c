import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { mintId, SHARDS, shardOf } from '../kit/ids.ts'

/** What agents are told of; the first four also without asking for them. */
export const TOLD_TYPES = [
  'task.proof_submitted',
  'task.completed',
  'task.disputed',
  'task.consensus_proof',
  'task.accepted',
  'task.released',
  'task.expired',
  'task.cancelled',
  'task.revision_requested',
  'task.approval_due',
  'task.appealed',
  'task.dispute_held',
  'task.dispute_resolved',
  'payout.paid',
  'deposit.succeeded',
] as const
export const USUAL_TYPES = TOLD_TYPES.slice(0, 4)

/** Of a task, but for our own use. */
type OwnType = 'task.created' | 'task.reopened'
export type EventType = (typeof TOLD_TYPES)[number] | 'webhook.ping' | OwnType

/** Whether agents see it in their log, and a task's `sequence` counts it. */
export const isTold = ({ type }: { type: EventType }) =>
  type !== 'task.created' && type !== 'task.reopened'

export interface Event {
  type: EventType
  agentId: string
  /** With the number that the event has among those of its task. */
  task?: { id: string; sequence: number }
  data: Record<string, unknown>
  now: Date
}

/**
 * Records that something happened, in the transaction in which it happened: the relay takes it from there, so an
 * event is never lost when we crash, and never told when the transaction rolls back.
 */
export async function recordEvents(tx: Tx, events: Event[]): Promise<void> {
  if (events.length === 0) return
  await tx
    .insertInto('outbox')
    .values(
      events.map((event) => ({
        id: mintId('evt', event.now, shardOf(event.agentId)),
        type: event.type,
        agent_id: event.agentId,
        task_id: event.task?.id ?? null,
        sequence: event.task?.sequence ?? null,
        data: JSON.stringify(event.data),
        created_at: event.now,
      })),
    )
    .execute()
}

/** Asks for a mail to a worker, in the transaction that is its reason; nothing of what it will say is kept here. */
export async function requestMail(
  tx: Tx,
  {
    workerId,
    template,
    now,
  }: {
    /** Undefined when nobody has the address: the request is written all the same, so that it takes as long. */
    workerId: string | undefined
    template: 'verify' | 'reset'
    now: Date
  },
): Promise<void> {
  const shard = workerId === undefined ? Math.floor(Math.random() * SHARDS) : shardOf(workerId)
  await tx
    .insertInto('outbox')
    .values({
      id: mintId('evt', now, shard),
      type: 'mail.requested',
      data: JSON.stringify({ worker_id: workerId ?? null, template }),
      created_at: now,
    })
    .execute()
}

export type AgentMail = 'verify' | 'recover' | 'recovered'

/**
 * Asks for a mail to the people behind an agent, in the transaction that is its reason. The link is made when the mail
 * is sent, so no token is ever in the outbox or in a job.
 */
export async function requestAgentMail(
  tx: Tx,
  {
    agentId,
    template,
    now,
  }: {
    /** Undefined when no agent has the address: the row is written all the same, so that the request takes as long. */
    agentId: string | undefined
    template: AgentMail
    now: Date
  },
): Promise<void> {
  const shard = agentId === undefined ? Math.floor(Math.random() * SHARDS) : shardOf(agentId)
  await tx
    .insertInto('outbox')
    .values({
      id: mintId('evt', now, shard),
      type: 'agent.mail_requested',
      data: JSON.stringify({ agent_id: agentId ?? null, template }),
      created_at: now,
    })
    .execute()
}

/** Work for our own jobs: where to look, or what to send. Agents have no such event. */
export const WORK_TYPES = [
  'deposit.look',
  'chargeback.look',
  'refund.send',
  'refund.look',
  'account.look',
  'payout.send',
  'payout.look',
  'payout.tell',
  'payout.failed',
  'withdrawal.send',
  'processor.notified',
  'agent.restricted',
  'agent.freed',
  'agent.closed',
  'agent.low_balance',
  'worker.shut_out',
  'worker.reinstated',
  'worker.objection_upheld',
  'webhook.failing',
  'webhook.disabled',
  'assignment.half',
  'worker.level_lowered',
  'notice.push',
  'notice.mail',
  'push.test',
] as const
export type WorkType = (typeof WORK_TYPES)[number]

export interface WorkRequest {
  type: WorkType
  id: string
  /** Facts that the job could not read any more when it runs. */
  data?: Record<string, string | number>
}

/** Asks for work in the transaction that is its reason; it is done by the job that names the type among its events. */
export async function requestWork(
  tx: Tx,
  works: WorkRequest[],
  { now }: { now: Date },
): Promise<void> {
  if (works.length === 0) return
  await tx
    .insertInto('outbox')
    .values(
      works.map(({ type, id, data }) => ({
        id: mintId('evt', now, 0),
        type,
        data: JSON.stringify({ ...data, id }),
        created_at: now,
      })),
    )
    .execute()
}

/** The payload of a job that such work starts. */
export const Work = z.object({ data: z.object({ id: z.string() }) })
