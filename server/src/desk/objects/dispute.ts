import { assignmentsOf } from '../../tasks/queries.ts'
import { keyedBy, ledgerLines } from './ledger-lines.ts'
import {
  type Found,
  idFact,
  inOrder,
  moment,
  moneyFact,
  related,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'
import { proofsOf } from './proofs-of.ts'
import { asked, readersOfTask, readTask, titleOf } from './task.ts'

/** A dispute, with the work that it is about and both sides. */
export async function findDispute({ background, id }: Sought): Promise<Found | undefined> {
  const { shards } = background.db
  const { reader } = shards.at(id)
  const dispute = await reader
    .selectFrom('disputes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  const task = dispute && (await readTask(reader, dispute.task_id))
  if (dispute === undefined || task === undefined) return undefined
  const slots = (await assignmentsOf(reader, [task])).filter((slot) =>
    dispute.assignment_ids.includes(slot.id),
  )
  const appeals = await reader
    .selectFrom('appeals')
    .select(['id', 'worker_id', 'statement', 'ruling', 'created_at', 'ruled_at'])
    .where('dispute_id', '=', id)
    .orderBy('id')
    .execute()
  const workerIds = slots.map(({ worker_id }) => worker_id)
  const work = await proofsOf(reader, task, dispute.assignment_ids)
  return {
    id,
    kind: 'dispute',
    title: titleOf(task),
    status: dispute.status,
    mode: task.mode,
    facts: [
      textFact('Category', dispute.category),
      textFact('Counts toward trust', dispute.touches_trust),
      moneyFact('Budget', task.budget_cents),
      moneyFact('Refunded to the agent', dispute.refunded_cents),
      moneyFact('Paid by the agent in the end', dispute.debited_cents),
      idFact('Task', task.id),
      idFact('Agent', dispute.agent_id),
      ...workerIds.map((worker, n) =>
        idFact(workerIds.length === 1 ? 'Worker' : `Worker ${n + 1}`, worker),
      ),
      timeFact('Decided automatically at', dispute.status === 'held' ? dispute.decides_by : null),
    ],
    text: [
      ...asked(task),
      ...work.text,
      { label: 'Reason of the dispute', by: 'agent', text: dispute.reason },
      ...(dispute.criteria.length === 0
        ? []
        : [
            {
              label: 'Criteria not met',
              by: 'agent' as const,
              text: dispute.criteria.join('\n'),
            },
          ]),
      ...appeals.map(({ statement }) => ({
        label: 'Appeal',
        by: 'worker' as const,
        text: statement,
      })),
      ...(dispute.decision_note === null
        ? []
        : [{ label: 'Decision', by: 'operator' as const, text: dispute.decision_note }]),
    ],
    proofs: work.proofs,
    timeline: inOrder([
      ...moment(dispute.created_at, 'Disputed', { who: dispute.agent_id }),
      ...appeals.flatMap(({ id: appeal, worker_id: who, ruling, created_at, ruled_at }) => [
        ...moment(created_at, 'Appealed', { who, id: appeal }),
        ...moment(ruled_at, `Appeal ${ruling}`, { id: appeal }),
      ]),
      ...moment(dispute.decided_at, 'Decided', { who: dispute.decided_by }),
      ...moment(dispute.resolved_at, `Ended: ${dispute.status}`),
    ]),
    money: await ledgerLines(readersOfTask(shards, task.id, workerIds), [
      keyedBy(`task:${task.id}`),
    ]),
    related: [
      ...related('task', task.id, 'Task'),
      ...related('agent', dispute.agent_id, 'Agent'),
      ...workerIds.flatMap((worker) => related('worker', worker, 'Worker')),
      ...appeals.flatMap(({ id: appeal, ruling }) =>
        related('appeal', appeal, `Appeal, ${ruling ?? 'not decided'}`),
      ),
    ],
  }
}

/** An appeal, with what was asked, what was delivered, and both sides. */
export async function findAppeal({ background, id }: Sought): Promise<Found | undefined> {
  const { shards } = background.db
  const { reader } = shards.at(id)
  const appeal = await reader
    .selectFrom('appeals')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  const task = appeal && (await readTask(reader, appeal.task_id))
  if (appeal === undefined || task === undefined) return undefined
  const dispute = await reader
    .selectFrom('disputes')
    .selectAll()
    .where('id', '=', appeal.dispute_id)
    .executeTakeFirstOrThrow()
  const slot = (await assignmentsOf(reader, [task])).find(
    ({ id: slotId }) => slotId === appeal.assignment_id,
  )
  const work = await proofsOf(reader, task, [appeal.assignment_id])
  return {
    id,
    kind: 'appeal',
    title: titleOf(task),
    status: appeal.ruling ?? (appeal.agent_answer === null ? 'unanswered' : 'answered'),
    mode: task.mode,
    facts: [
      moneyFact('Share of the worker', slot?.pay_cents ?? null),
      moneyFact('Budget', task.budget_cents),
      textFact('Paid from', task.funding === 'free' ? 'promotional fund' : 'wallet'),
      textFact('Category', dispute.category),
      textFact('Counts toward trust', dispute.touches_trust),
      idFact('Task', task.id),
      idFact('Agent', appeal.agent_id),
      idFact('Worker', appeal.worker_id),
      timeFact('Agent replied at', appeal.answered_at),
      appeal.answered_at === null
        ? timeFact('Agent can reply until', appeal.agent_until)
        : undefined,
    ],
    text: [
      ...asked(task),
      ...work.text,
      { label: 'Reason of the dispute', by: 'agent', text: dispute.reason },
      { label: 'Appeal', by: 'worker', text: appeal.statement },
      ...(appeal.agent_answer === null
        ? []
        : [{ label: 'Reply', by: 'agent' as const, text: appeal.agent_answer }]),
      ...(appeal.ruling_note === null
        ? []
        : [{ label: 'Ruling', by: 'operator' as const, text: appeal.ruling_note }]),
    ],
    proofs: work.proofs,
    timeline: inOrder([
      ...moment(slot?.accepted_at ?? null, 'Accepted', { who: appeal.worker_id }),
      ...moment(slot?.submitted_at ?? null, 'Proof submitted', { who: appeal.worker_id }),
      ...moment(dispute.created_at, 'Disputed', { who: appeal.agent_id, id: dispute.id }),
      ...moment(appeal.created_at, 'Appealed', { who: appeal.worker_id }),
      ...moment(appeal.answered_at, 'Agent replied', { who: appeal.agent_id }),
      ...moment(appeal.ruled_at, `Ruled: ${appeal.ruling}`, { who: appeal.ruled_by }),
    ]),
    money: await ledgerLines(readersOfTask(shards, task.id, [appeal.worker_id]), [
      keyedBy(`task:${task.id}`),
    ]),
    related: [
      ...related('task', task.id, 'Task'),
      ...related('dispute', dispute.id, `Dispute, ${dispute.status}`),
      ...related('worker', appeal.worker_id, 'Worker'),
      ...related('agent', appeal.agent_id, 'Agent'),
    ],
  }
}
