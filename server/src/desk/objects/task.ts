import { z } from 'zod'
import { type Reader, type Shards } from '../../kit/db.ts'
import { readByIds } from '../../kit/everywhere.ts'
import { doubtsOf } from '../../moderation/doubts.ts'
import type { Task } from '../../tasks/queries.ts'
import type { ObjectPage } from '../views.ts'
import { keyedBy, ledgerLines } from './ledger-lines.ts'
import {
  type Found,
  idFact,
  inOrder,
  maskedFact,
  moment,
  moneyFact,
  related,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'
import { proofsOf } from './proofs-of.ts'

const WORKERS_MAX = 50

export async function findTask({ background: { db }, id }: Sought): Promise<Found | undefined> {
  const { shards } = db
  const { reader } = shards.at(id)
  const task = await readTask(reader, id)
  if (task === undefined) return undefined
  const parts = await readParts(reader, id)
  const workerIds = parts.slots.map(({ worker_id }) => worker_id)
  const [payouts, money, proofs] = await Promise.all([
    payoutsOf(shards, id, workerIds),
    ledgerLines(readersOfTask(shards, id, workerIds), [keyedBy(`task:${id}`)]),
    proofsOf(reader, task),
  ])
  return {
    id,
    kind: 'task',
    title: titleOf(task),
    status: task.status,
    mode: task.mode,
    facts: factsOf(task, parts),
    text: [...asked(task), ...proofs.text],
    proofs: proofs.proofs,
    timeline: timelineOf(task, parts),
    money,
    related: [
      ...related('agent', task.agent_id, 'Agent'),
      ...[...new Set(workerIds)].flatMap((workerId) => related('worker', workerId, 'Worker')),
      ...parts.disputes.flatMap(({ id: dispute, status }) =>
        related('dispute', dispute, `Dispute, ${status}`),
      ),
      ...parts.appeals.flatMap(({ id: appeal, ruling }) =>
        related('appeal', appeal, `Appeal, ${ruling ?? 'not decided'}`),
      ),
      ...payouts.flatMap(({ id: payout, status }) =>
        related('payout', payout, `Payout, ${status}`),
      ),
    ],
  }
}

const COLUMNS = [
  'id',
  'agent_id',
  'mode',
  'type',
  'status',
  'status_reason',
  'title',
  'description',
  'criteria',
  'budget_cents',
  'escrow_cents',
  'funding',
  'proof_required',
  'consensus_count',
  'location',
  'context',
  'deadline',
  'review_due_at',
  'reported_at',
  'created_at',
  'ended_at',
] as const

export type ShownTask = Pick<Task, (typeof COLUMNS)[number]>

export const readTask = (reader: Reader, id: string): Promise<ShownTask | undefined> =>
  reader.selectFrom('tasks').select(COLUMNS).where('id', '=', id).executeTakeFirst()

export const titleOf = ({ title, description }: Pick<Task, 'title' | 'description'>) =>
  (title ?? description).slice(0, 80)

/** Where the ledger has lines of a task: on the shards of its agent and of its workers. */
export const readersOfTask = (shards: Shards, id: string, workerIds: readonly string[]) =>
  [id, ...workerIds].map((one) => shards.at(one).reader)

/** The criteria of a task, one in each line. */
const listOf = (criteria: unknown) =>
  (criteria as { text: string }[]).map(({ text }) => `• ${text}`).join('\n')

/**
 * Lists the texts of the task. Harm may be in the context alone, so it is shown if a rule doubts the task, but without
 * numbers, emails and the place.
 */
export function asked({ description, criteria, context, ...task }: ShownTask): ObjectPage['text'] {
  const isDoubted = task.status_reason?.startsWith('screening') && !isEmpty(context)
  return [
    { label: 'Asked', by: 'agent', text: description },
    ...(criteria === null
      ? []
      : [{ label: 'Criteria', by: 'agent' as const, text: listOf(criteria) }]),
    ...(isDoubted ? [{ label: 'Context', by: 'agent' as const, text: masked(context) }] : []),
  ]
}

const textsOf = (task: ShownTask) => asked(task).map(({ text }) => text)

const isEmpty = (context: unknown) => Object.keys(context as object).length === 0

const masked = (context: unknown) =>
  JSON.stringify({ ...(context as object), location: undefined }, null, 2)
    .replaceAll(/\d[\d ().-]{4,40}\d/g, '…')
    .replaceAll(/[^\s"@]{1,64}@[^\s"@]{1,255}/g, '…@…')

const Numbered = z.object({ number: z.string() })

/** The number that a worker is to call, if the task has one. */
export const numberOf = (context: unknown): string | undefined =>
  Numbered.safeParse(context).data?.number

function factsOf(task: ShownTask, { screening }: Pick<Parts, 'screening'>): Found['facts'] {
  const number = numberOf(task.context)
  return [
    textFact('Type', task.type),
    textFact('Reason', task.status_reason),
    screening && textFact('Doubted by', doubtsOf(textsOf(task), screening.rules)),
    screening && timeFact('Decide by', screening.decides_by),
    moneyFact('Budget', task.budget_cents),
    moneyFact('In escrow', task.escrow_cents),
    textFact('Paid from', task.funding === 'free' ? 'promotional fund' : 'wallet'),
    textFact('Proof', task.proof_required),
    textFact('Workers', task.consensus_count),
    task.location === null ? undefined : maskedFact('Place', 'set', 'place'),
    number === undefined ? undefined : maskedFact('Phone', `… ${number.slice(-2)}`, 'phone'),
    idFact('Agent', task.agent_id),
    timeFact('Deadline', task.deadline),
    timeFact('Review due', task.review_due_at),
    timeFact('Hidden since', task.reported_at),
  ]
}

async function readParts(reader: Reader, taskId: string) {
  const slots = await reader
    .selectFrom('assignments')
    .select(['id', 'worker_id', 'status', 'accepted_at', 'submitted_at', 'ended_at'])
    .where('task_id', '=', taskId)
    .orderBy('id')
    .limit(WORKERS_MAX)
    .execute()
  const disputes = await reader
    .selectFrom('disputes')
    .select(['id', 'status', 'created_at', 'decided_at', 'decided_by', 'resolved_at'])
    .where('task_id', '=', taskId)
    .orderBy('id')
    .execute()
  const appeals = await reader
    .selectFrom('appeals')
    .select(['id', 'worker_id', 'ruling', 'ruled_by', 'created_at', 'answered_at', 'ruled_at'])
    .where('task_id', '=', taskId)
    .orderBy('id')
    .execute()
  const reports = await reader
    .selectFrom('task_reports')
    .select(['worker_id', 'kind', 'verdict', 'created_at', 'decided_at'])
    .where('task_id', '=', taskId)
    .orderBy('created_at')
    .execute()
  const screening = await reader
    .selectFrom('screenings')
    .select(['rules', 'decides_by', 'decision', 'decided_at'])
    .where('task_id', '=', taskId)
    .executeTakeFirst()
  return { slots, disputes, appeals, reports, screening }
}

/** A payout is on the shard of its worker. */
const payoutsOf = (shards: Shards, taskId: string, workerIds: readonly string[]) =>
  readByIds(shards, workerIds, (shard, ids) =>
    shard
      .selectFrom('payouts')
      .select(['id', 'status'])
      .where('task_id', '=', taskId)
      .where('worker_id', 'in', ids)
      .execute(),
  )

type Parts = Awaited<ReturnType<typeof readParts>>

function timelineOf(task: ShownTask, { slots, disputes, appeals, reports, screening }: Parts) {
  return inOrder([
    ...moment(task.created_at, 'Created', { who: task.agent_id }),
    ...slots.flatMap(({ id, worker_id: who, status, accepted_at, submitted_at, ended_at }) => [
      ...moment(accepted_at, 'Accepted', { who, id }),
      ...moment(submitted_at, 'Proof submitted', { who, id }),
      ...moment(ended_at, `Assignment ${status}`, { who, id }),
    ]),
    ...reports.flatMap(({ worker_id: who, kind, verdict, created_at, decided_at }) => [
      ...moment(created_at, `Reported: ${kind}`, { who }),
      ...moment(decided_at, `Report ${verdict}`),
    ]),
    ...(screening ? moment(screening.decided_at, `Screening ${screening.decision}`) : []),
    ...disputes.flatMap(({ id, status, created_at, decided_at, decided_by, resolved_at }) => [
      ...moment(created_at, 'Disputed', { who: task.agent_id, id }),
      ...moment(decided_at, 'Held dispute decided', { who: decided_by, id }),
      ...moment(resolved_at, `Dispute ${status}`, { id }),
    ]),
    ...appeals.flatMap(({ id, worker_id, ruling, ruled_by, created_at, answered_at, ruled_at }) => [
      ...moment(created_at, 'Appealed', { who: worker_id, id }),
      ...moment(answered_at, 'Agent replied', { who: task.agent_id, id }),
      ...moment(ruled_at, `Appeal ${ruling}`, { who: ruled_by, id }),
    ]),
    ...moment(task.reported_at, 'Hidden from workers'),
    ...moment(task.ended_at, `Ended: ${task.status_reason ?? task.status}`),
  ])
}
