import { heldUntil, holdWords } from '../../ops/payout-waits.ts'
import { keyedBy, ledgerLines, onStatementOfWorker } from './ledger-lines.ts'
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

export async function findPayout({ background, id }: Sought): Promise<Found | undefined> {
  const { reader } = background.db.shards.at(id)
  const payout = await reader
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (payout === undefined) return undefined
  const next = await reader
    .selectFrom('payouts')
    .select(['id', 'status'])
    .where('previous_id', '=', id)
    .executeTakeFirst()
  const attempts = await reader
    .selectFrom('processor_attempts')
    .select(['attempt', 'begun_at', 'ended_at', 'outcome', 'code'])
    .where('subject_id', '=', id)
    .orderBy('attempt')
    .execute()
  const isHeld = payout.status === 'held'
  return {
    id,
    kind: 'payout',
    title: `Payout to ${payout.worker_id}`,
    status: payout.status,
    mode: payout.mode,
    facts: [
      moneyFact('Amount', payout.amount_cents),
      moneyFact('Reversed', payout.reversed_cents),
      isHeld ? textFact('On hold because', holdWords(payout)) : undefined,
      isHeld ? timeFact('Sent automatically at', heldUntil(payout)) : undefined,
      textFact('Failure', payout.failure_code),
      textFact('Failure in words', payout.failure_message),
      textFact('Note', payout.note),
      textFact('Paid from', payout.funding === 'free' ? 'promotional fund' : 'wallet'),
      idFact('Worker', payout.worker_id),
      idFact('Agent', payout.agent_id),
      idFact('Task', payout.task_id),
      idFact('Account', payout.account_id),
      idFact('Transfer', payout.transfer_id),
      timeFact('Next try', payout.check_at),
    ],
    timeline: inOrder([
      ...moment(payout.created_at, 'Created'),
      ...attempts.flatMap(({ attempt, begun_at, ended_at, outcome, code }) => [
        ...moment(begun_at, `Attempt ${attempt} begun`),
        ...moment(ended_at, `Attempt ${attempt}: ${outcome}${code === null ? '' : `, ${code}`}`),
      ]),
      ...moment(payout.paid_at, 'Paid'),
    ]),
    money: await ledgerLines(
      [reader],
      [keyedBy(`payout:${id}`), onStatementOfWorker(payout.worker_id, id)],
    ),
    related: [
      ...related('worker', payout.worker_id, 'Worker'),
      ...related('task', payout.task_id, 'Task'),
      ...related('agent', payout.agent_id, 'Agent'),
      ...related('payout', payout.previous_id, 'The payout before this one'),
      ...related('payout', next?.id ?? null, `The payout after this one, ${next?.status}`),
    ],
  }
}
