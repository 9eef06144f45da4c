/**
 * Notify workers of the outcome of their work: it was paid, disputed, decided, sent back for revision, or canceled.
 *
 *   called by   the events of a task
 *   moves       nothing
 *   money       none
 *   event       none; notice.mail (ours) if no device can be notified
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader, Shards } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { titleOf } from '../kit/words.ts'
import { appealUntil } from '../tasks/dispute-view.ts'
import { type News, tellWorker } from './tell.ts'

const TYPES = [
  'task.completed',
  'task.cancelled',
  'task.expired',
  'task.disputed',
  'task.dispute_held',
  'task.dispute_resolved',
  'task.revision_requested',
] as const

const Payload = z.object({
  id: z.string(),
  type: z.enum(TYPES),
  task_id: z.string(),
  created_at: z.coerce.date(),
})
type Payload = z.output<typeof Payload>

export const notifyTask = job({
  name: 'notices.tell-of-task',
  payload: Payload,
  attemptsMax: 12,
  events: TYPES,

  async run({ db, clock, config, payload }) {
    const task = await aboutTask(db.shards, payload.task_id)
    const now = clock.now()
    for (const news of await NEWS[payload.type](db.reader, payload, config))
      await db.shards
        .at(news.workerId)
        .transaction((tx) => tellWorker(tx, { ...news, task }, { config, now }))
  },
})

type Find = (db: Reader, event: Payload, config: Config) => Promise<News[]>

const NEWS: Record<Payload['type'], Find> = {
  'task.completed': findPaid,
  'task.cancelled': findCancelled,
  // Workers with proof in a task that expires without a verdict are paid as in a cancellation.
  'task.expired': findCancelled,
  'task.disputed': findDisputed,
  'task.dispute_held': findHeld,
  'task.dispute_resolved': findDecided,
  'task.revision_requested': findRevision,
}

async function findPaid(db: Reader, { task_id }: Payload): Promise<News[]> {
  // task.dispute_resolved notifies these workers, with the amount.
  if (await isPaidByDecision(db, task_id)) return []
  const paid = await partsOf(db, task_id).where('status', '=', 'approved').execute()
  const tips = await tipsOf(db, task_id)
  return paid.map(({ worker_id, net_cents }) => ({
    workerId: worker_id,
    kind: 'paid',
    cause: task_id,
    amountCents: net_cents,
    tipCents: tips.get(worker_id) ?? null,
  }))
}

/** Each worker's part of the tip, which the agent gives together with the approval. */
async function tipsOf(db: Reader, taskId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ worker_id: string; cents: number }>`
    select worker_id, amount_cents as cents from transfers
     where key = ${`task:${taskId}:tip`} and credit in ('liab:worker_payable', 'liab:clearing')`.execute(
    db,
  )
  return new Map(rows.map(({ worker_id, cents }) => [worker_id, cents]))
}

/** Whether the task was completed because its held dispute ended without an effect. */
async function isPaidByDecision(db: Reader, taskId: string): Promise<boolean> {
  const { status_reason } = await db
    .selectFrom('tasks')
    .select('status_reason')
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow()
  return status_reason?.startsWith('dispute_') ?? false
}

async function findCancelled(db: Reader, { task_id }: Payload): Promise<News[]> {
  const ended = await partsOf(db, task_id).where('status', '=', 'cancelled').execute()
  return ended.map(({ worker_id, net_cents, submitted_at }) => ({
    workerId: worker_id,
    kind: 'cancelled',
    cause: task_id,
    amountCents: net_cents,
    // A worker without proof yet may be on the way.
    isPressing: submitted_at === null,
  }))
}

async function findDisputed(db: Reader, event: Payload, config: Config): Promise<News[]> {
  const { dispute } = await dataOf(db, event, Disputed)
  const parts = await partsOf(db, event.task_id)
    .where('id', '=', sql<string>`any(${dispute.assignment_ids})`)
    .execute()
  return parts.map(({ worker_id, pay_cents }) => ({
    workerId: worker_id,
    kind: 'disputed',
    cause: dispute.id,
    amountCents: pay_cents,
    reason: dispute.reason,
    until: appealUntil(dispute, config),
  }))
}

async function findHeld(db: Reader, event: Payload): Promise<News[]> {
  const { dispute } = await dataOf(db, event, Held)
  const parts = await partsOf(db, event.task_id)
    .where('id', '=', sql<string>`any(${dispute.assignment_ids})`)
    .execute()
  return parts.map(({ worker_id, pay_cents }) => ({
    workerId: worker_id,
    kind: 'dispute_held',
    cause: dispute.id,
    amountCents: pay_cents,
    reason: dispute.reason,
    until: dispute.decides_by,
  }))
}

/** Proofs that were disputed together may be decided at different times. */
async function findDecided(db: Reader, event: Payload): Promise<News[]> {
  const { dispute, ruling, assignments } = await dataOf(db, event, Decided)
  return assignments.map(({ worker_id, net_cents }) => ({
    workerId: worker_id,
    kind: 'decided',
    cause: dispute.id,
    amountCents: net_cents,
    reason: ruling,
  }))
}

async function findRevision(db: Reader, event: Payload): Promise<News[]> {
  const { assignment } = await dataOf(db, event, z.object({ assignment: WithId }))
  const parts = await partsOf(db, event.task_id)
    .where('id', '=', assignment.id)
    .where('status', '=', 'accepted')
    .execute()
  return parts.map(({ id, worker_id, pay_cents, revision_note, expires_at }) => ({
    workerId: worker_id,
    kind: 'revision_requested',
    // A revision is requested only once.
    cause: id,
    amountCents: pay_cents,
    reason: revision_note,
    until: expires_at,
  }))
}

const WithId = z.object({ id: z.string() })
const Disputed = z.object({
  dispute: z.object({
    id: z.string(),
    assignment_ids: z.array(z.string()),
    reason: z.string(),
    created_at: z.coerce.date(),
    decided_at: z.union([z.null(), z.coerce.date()]).default(null),
  }),
})
const Held = z.object({
  dispute: Disputed.shape.dispute.extend({ decides_by: z.coerce.date() }),
})
const Decided = z.object({
  dispute: WithId,
  ruling: z.string(),
  assignments: z.array(z.object({ worker_id: z.string(), net_cents: z.int().nullish() })),
})

/** Reads the event's data from the agent's event log: the relay passes on only its location. */
async function dataOf<S extends z.ZodType>(
  db: Reader,
  { id, created_at }: Payload,
  schema: S,
): Promise<z.output<S>> {
  const { data } = await db
    .selectFrom('events')
    .select('data')
    .where('id', '=', id)
    .where('created_at', '=', created_at)
    .executeTakeFirstOrThrow()
  return schema.parse(data)
}

const partsOf = (db: Reader, taskId: string) =>
  db
    .selectFrom('assignments')
    .select(['id', 'worker_id', 'pay_cents', 'net_cents', 'submitted_at', 'expires_at'])
    .select('revision_note')
    .where('task_id', '=', taskId)
    .orderBy('id')

export async function aboutTask(
  shards: Shards,
  taskId: string,
): Promise<NonNullable<News['task']>> {
  const task = await shards
    .at(taskId)
    .reader.selectFrom('tasks')
    .innerJoin('agents', 'agents.id', 'tasks.agent_id')
    .select(['tasks.title', 'tasks.description', 'agents.name'])
    .where('tasks.id', '=', taskId)
    .executeTakeFirstOrThrow()
  return { id: taskId, title: task.title ?? titleOf(task.description), agentName: task.name }
}
