import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { mintId, SHARDS, shardOf } from '../kit/ids.ts'
import { currentTraceparent } from '../kit/traces.ts'

/** Event types that agents can receive. The first four are sent by default. */
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

/** Task events for internal use only. */
type OwnType = 'task.created' | 'task.reopened'
export type EventType = (typeof TOLD_TYPES)[number] | 'webhook.ping' | OwnType

/** Whether agents see the event in their log and it counts in its task's `sequence`. */
export const isTold = ({ type }: { type: EventType }) =>
  type !== 'task.created' && type !== 'task.reopened'

export interface Event {
  type: EventType
  agentId: string
  /** `sequence` is the number of the event within its task. */
  task?: { id: string; sequence: number }
  data: Record<string, unknown>
  now: Date
}

/**
 * Writes events to the transactional outbox, in the transaction that causes them. The relay takes them from there, so
 * an event is never lost in a crash and never sent if the transaction rolls back.
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
        traceparent: currentTraceparent() ?? null,
      })),
    )
    .execute()
}

/** Requests an email to a worker, in the transaction that causes it. The email's content isn't stored here. */
export async function requestMail(
  tx: Tx,
  {
    workerId,
    template,
    now,
  }: {
    /** Undefined when no worker has the address. The row is written anyway, so timing doesn't reveal that. */
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
      traceparent: currentTraceparent() ?? null,
    })
    .execute()
}

export type AgentMail = 'verify' | 'recover' | 'recovered'

/**
 * Requests an email to an agent's owner, in the transaction that causes it. The link is created when the email is sent,
 * so no token is ever in the outbox or in a job.
 */
export async function requestAgentMail(
  tx: Tx,
  {
    agentId,
    template,
    now,
  }: {
    /** Undefined when no agent has the address. The row is written anyway, so timing doesn't reveal that. */
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
      traceparent: currentTraceparent() ?? null,
    })
    .execute()
}

/** Work for our own jobs: what to check or what to send. Never visible to agents. */
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
  'agent.renamed',
  'agent.closed',
  'agent.low_balance',
  'worker.shut_out',
  'worker.reinstated',
  'worker.objection_upheld',
  'worker.password_changed',
  'worker.email_changing',
  'worker.email_changed',
  'worker.closing',
  'worker.closing_waits',
  'worker.closed',
  'question.answered',
  'webhook.failing',
  'webhook.disabled',
  'assignment.half',
  'check_in.due',
  'worker.level_lowered',
  'notice.push',
  'notice.mail',
  'push.test',
  'operator.link_requested',
  'person.link_requested',
  'operator.role_given',
  'no_contact.answered',
  'screening.classify',
] as const
export type WorkType = (typeof WORK_TYPES)[number]

export interface WorkRequest {
  type: WorkType
  id: string
  /** Facts that may no longer be in the database when the job runs. */
  data?: Record<string, string | number>
}

/** Requests work in the transaction that causes it. The job that lists the type among its events does the work. */
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
        traceparent: currentTraceparent() ?? null,
      })),
    )
    .execute()
}

/** The payload of a job that is started by a work request. */
export const Work = z.object({ data: z.object({ id: z.string() }) })
